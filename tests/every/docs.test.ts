import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slow } from '../../cli/certificate/certificate.fixture.ts';
import { call } from '../../cli/command.fixture.ts';
import { helpText } from '../../cli/options/shared-options.ts';
import { createProgram } from '../../cli/options/program.ts';
import { parseBaseline } from '../../fixtures/baseline/baseline.ts';
import { faultById } from '../../fixtures/faults/index.ts';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { configYaml, targetFor } from '../../fixtures/gateway/describe.ts';
import { createGateway, type Listening } from '../../fixtures/gateway/gateway.ts';
import { loadTarget } from '../../fixtures/target/config.ts';
import { packageFile } from '../../spec/package-root.ts';
import { blocksOf, createReader, guides, linesOf, read } from '../guides.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'guides-'));
const console = defaultConsole();
const env = Object.fromEntries(
  Object.values(targetFor(console, '').tokens).map(({ variable, value }) => [variable, value]),
);
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(packageFile('docs')).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'));

describe('the guides', () => {
  const gateways: Listening[] = [];
  let reader: ReturnType<typeof createReader>;

  beforeAll(async () => {
    const conformant = await createGateway({ console, hooks: slow }).listen();
    const fault = faultById('chat.result.usage.missing');
    const staging = await createGateway({ console, hooks: { ...slow, ...fault?.hooks } }).listen();
    gateways.push(conformant, staging);
    writeFileSync(join(folder, 'staging.yaml'), configYaml(console, staging.url));
    reader = createReader(folder, { baseUrl: conformant.url, env });
  });
  afterAll(async () => {
    await reader.stop();
    for (const gateway of gateways) await gateway.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('are nine pages, and name each block that this test does not run', () => {
    expect(guides).toHaveLength(9);
    const notRun = guides.flatMap((page) => blocksOf(page).flatMap((block) => block.notRun ?? []));
    expect(notRun).toEqual(['installs packages', 'takes your own tokens']);
  });

  for (const page of guides) {
    const shell = blocksOf(page).filter(({ language, notRun }) => language === 'sh' && notRun === undefined);
    test(`${page}: every command does what it says`, { timeout: 120_000 }, async () => {
      const stopped = async (): Promise<void> => {
        if (reader.isBusy()) expect(await reader.stop()).toMatchObject({ code: 0, stderr: '' });
      };
      expect(shell.length).toBeGreaterThan(0);
      for (const line of shell.flatMap(({ text }) => linesOf(text))) {
        if (line.command.startsWith('gateway-conformance ')) await stopped();
        const { code, stdout, stderr } = await reader.type(line);
        expect(code, `${line.command}\n${stdout}${stderr}`).toBe(line.exitCode);
      }
      await stopped();
    });
  }

  test('leave the files that they name', () => {
    const named = [
      'conformance-report/report.html',
      'conformance-key.pub.pem',
      'reports/acme-2.3/certificate.json',
      'gateway-conformance.pins.yaml',
      'conformance-history.jsonl',
      'compared.html',
      'public/index.html',
      'gateway-conformance.baseline.yaml',
      'reports/live/report.html',
      'reports/merged/report.json',
    ];
    expect(named.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  });

  test('show a config that loads, prices that plan takes, and a waiver that a run takes', async () => {
    const [config = '', prices = '', waiver = ''] = ['quick-start', 'large-runs', 'waivers'].map(
      (name) => blocksOf(`docs/${name}.md`).find(({ language }) => language === 'yaml')?.text,
    );
    const file = join(folder, 'shown.yaml');
    writeFileSync(file, config + prices);
    expect(Object.keys(loadTarget(file, env).models)).toHaveLength(5);
    const { code, stdout } = await call(['plan', '--config', file], { env });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^total(\s+\d+){5}(\s+\d+\.\d+){2}$/m),
    });
    expect(parseBaseline('waiver.yaml', waiver).entries).toHaveLength(1);
  });

  test('show a config that needs no other variables than those that the quick start sets', () => {
    const [config, exported] = ['yaml', 'sh'].map((language) =>
      blocksOf('docs/quick-start.md').find(
        (block) =>
          block.language === language && block.notRun !== 'installs packages' && /TOKEN/.test(block.text),
      ),
    );
    const set = exported?.text.match(/[A-Z_]+(?==)/g) ?? [];
    const file = join(folder, 'copied.yaml');
    writeFileSync(file, config?.text ?? '');
    const { tokens } = loadTarget(file, Object.fromEntries(set.map((name) => [name, `sk-${name}`])));
    expect(Object.keys(tokens)).toHaveLength(3);
  });

  test('say of the generations of shards what the help says', () => {
    const figures = (text: string) =>
      /three shards in\s+`?standard`? are billed for about (\d+) generations in all, one run for (\d+)/.exec(
        text,
      );
    const said = figures(read('docs/large-runs.md'))?.slice(1);
    expect(said).toHaveLength(2);
    expect(figures(helpText('run'))?.slice(1)).toEqual(said);
  });
});

/** All commands of the program, those within others too. */
const withChildren = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap(withChildren),
];

describe('the documents', () => {
  const text = pages.map(read).join('\n');
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };

  test('name every command and every option', () => {
    const commands = withChildren(createProgram(() => undefined));
    const options = commands.flatMap((command) => command.options.flatMap(({ long }) => long ?? []));
    const names = [
      ...commands.slice(1).map((command) => `\`?${command.name()}\\b`),
      ...options.map((long) => `${long}\\b`),
    ];
    expect(names.length).toBeGreaterThan(50);
    expect([...new Set(names)].filter((name) => !new RegExp(name).test(text))).toEqual(['--version\\b']);
  });

  test('name npm scripts that are there, and leave out none', () => {
    const named = [...text.matchAll(/npm\s+(?:run\s+(?:-s\s+)?([a-z][\w:]*)|(start|test)\b)/g)].map(
      ([, run, short = '']) => run ?? short,
    );
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    expect(Object.keys(scripts).filter((name) => !named.includes(name))).toEqual(['build', 'prepare']);
  });

  test('link to files and headings that are there', () => {
    const slugs = (file: string): readonly string[] => [
      ...[...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^\w\s-]/g, '')
          .replaceAll(' ', '-'),
      ),
      ...[...read(file).matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id),
    ];
    const broken = pages.flatMap((page) => {
      const links = [...read(page).matchAll(/(?:\]\(|(?:src|srcset)=")(?!https?:)([^)"\s]+)/g)].map(
        ([, link = '']) => link,
      );
      return links
        .filter((link) => {
          const [path = '', heading] = link.split('#');
          const file = path === '' ? page : join(dirname(page), path);
          return !existsSync(packageFile(file)) || (heading !== undefined && !slugs(file).includes(heading));
        })
        .map((link) => `${page}: ${link}`);
    });
    expect(broken).toEqual([]);
  });

  test('name files and folders that are there', () => {
    const folders = 'spec|fixtures|suites|reporters|cli|detection|tests|scripts|docs|action|examples';
    const named = [...text.matchAll(new RegExp(`\`((?:${folders})/[\\w./-]*)\``, 'g'))].map(
      ([, path = '']) => path,
    );
    expect(named.length).toBeGreaterThan(30);
    // AREA stands for any.
    expect(named.filter((path) => !/\/[A-Z]+\//.test(path) && !existsSync(packageFile(path)))).toEqual([]);
  });

  test('name, in the README, commands and options that are there', () => {
    const program = createProgram(() => undefined);
    const calls = blocksOf('README.md')
      .flatMap(({ text: block }) => linesOf(block))
      .filter(({ command }) => command.includes('conformance -- '));
    expect(calls.length).toBeGreaterThan(3);
    for (const { command } of calls) {
      const [name = '', ...rest] = (command.split(' -- ')[1] ?? '').split(' ');
      const options =
        program.commands.find((each) => each.name() === name)?.options.map(({ long }) => long) ?? [];
      expect(options, command).toEqual(expect.arrayContaining(rest.filter((word) => word.startsWith('--'))));
    }
  });
});
