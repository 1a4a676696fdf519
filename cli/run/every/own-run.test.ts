import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readExtension } from '../../../fixtures/extension/extension.ts';
import { defaultConsole } from '../../../fixtures/gateway/console.ts';
import { configYaml } from '../../../fixtures/gateway/describe.ts';
import type { Hooks } from '../../../fixtures/gateway/hooks.ts';
import { packageFile } from '../../../spec/package-root.ts';
import type { Report } from '../../../suites/types/report.ts';
import { run as runFromProgram } from '../../api/run.ts';
import { verifyBundle } from '../../certificate/verify-bundle.ts';
import { call, words } from '../../command.fixture.ts';
import { gatewayIn, testFolder, tokensByVariable as env, reportIn } from '../../folder.fixture.ts';

const folder = testFolder('own-run');
const at = (...names: string[]): string => join(folder, ...names);
const file = at('own.yaml');
const settings = defaultConsole();
const overlay = readFileSync(packageFile('examples/own/top-k.yaml'), 'utf8').split('statements:')[0] ?? '';
const hooks: { -readonly [Name in keyof Hooks]: Hooks[Name] } = {};
writeFileSync(file, overlay);
const extension = readExtension([file]);
const console = { ...settings, ...(extension ? { extension } : {}) };
const gateway = await gatewayIn(folder, { console, hooks });
const { config } = gateway;

const command = (...args: string[]) => call(args, { env, cwd: folder });
const run = (out: string, ...args: string[]) =>
  command(
    ...words(
      `run --config ${config} --no-allure --quiet --suite errors,parameters --seed 1 --out ${at(out)}`,
    ),
    ...args,
  );
const standard = (out: string, ...args: string[]) =>
  command(
    ...words(`run --config ${config} --no-allure --quiet --seed 1 --out ${at(out)} --extend ${file}`),
    ...args,
  );
const reportOf = (...names: string[]) => reportIn(at(...names));
const verdicts = ({ requirements }: Report) => requirements.map(({ id, verdict }) => [id, verdict]);

/** The gateway takes a `top_k` above its bound. */
const lax: Hooks['check'] = (problems) => problems.filter(({ kind }) => kind !== 'maximum');
const many = Array.from({ length: 10_000 }, (_, each) => `v${each}`);
const rangeOnly = ['--requirement', 'messages.param.top-k.range'] as const;

describe('a run with an extension', () => {
  test('gives the interface the verdicts that it has without one', async () => {
    expect((await run('plain')).code).toBe(0);
    expect((await run('with', '--extend', file)).code).toBe(0);
    const [plain, extended] = [reportOf('plain'), reportOf('with')];
    expect(verdicts(extended)).toEqual(verdicts(plain));
    expect(extended.scope).toEqual(plain.scope);
    expect(extended.summary).toEqual(plain.summary);
    const pageIn = (...names: string[]) => readFileSync(at(...names, 'report.html'), 'utf8');
    expect(pageIn('with')).not.toMatch(/<option[^>]*>own/);
    expect(pageIn('with')).toContain('href="own/report.html"');
    expect(pageIn('plain')).not.toContain('own/report.html');
    expect(pageIn('with', 'own')).toMatch(/<option[^>]*>own/);
    expect(pageIn('with')).toContain('Contradictions of the interface');
    expect(pageIn('with', 'own')).not.toMatch(/of the interface, and|Ambiguities|Excluded/);
  });

  test('leaves evidence from which own statements are proposed', async () => {
    const seen = at('seen.yaml');
    const proposed = await command('extend', '--from-report', at('plain'), at('with'), '--out', seen);
    expect(proposed).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(seen, 'utf8')).toMatch(/# Seen in \d+ replies of 2 runs, such as [\w.-]+\./);
    const statements = readExtension([seen])?.statements ?? [];
    const [rule] = statements.find(({ id }) => id === 'own.wrong-request.messages')?.replies ?? [];
    expect(rule).toMatchObject({
      of: 'wrong requests',
      protocols: ['messages'],
      contentType: 'application/json',
    });
    expect((await command('extend', '--from-report', at('plain'), '--out', seen)).code).toBe(2);
  });

  test('judges what the gateway states in a folder, with a verdict and counts of its own', async () => {
    const ended = await standard('kept', '--requirement', 'messages.param.top-k.range,messages.result.usage');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const report = reportOf('kept', 'own');
    expect(report.verdict).toBe('conformant');
    expect(report.scope.extension?.files).toEqual([{ name: 'own.yaml', digest: expect.any(String) }]);
    expect(report.summary).toMatchObject({ pass: 4, fail: 0 });
    expect(ended.stdout).toContain('Conformant (own statements)');
    for (const name of ['report.md', 'report.html'])
      expect(readFileSync(at('kept', 'own', name), 'utf8')).toContain('Conformant (own statements)');
    expect(ended.stdout).not.toMatch(/[Cc]onforming clients/);
  });

  test('fails for what is not kept, unless --fail-on leaves it out', async () => {
    hooks.check = lax;
    try {
      const ended = await standard('broken', ...rangeOnly);
      expect(ended.code).toBe(1);
      expect(ended.stdout).toContain('"top_k":501');
      const row = reportOf('broken', 'own').requirements.find(({ verdict }) => verdict === 'fail');
      expect(row).toMatchObject({
        id: 'messages.param.top-k.range',
        level: 'own',
        impact: 'lenient',
        sections: ['own'],
      });
      expect((await standard('broken', ...rangeOnly, '--fail-on', 'own')).code).toBe(1);
      expect((await standard('broken', ...rangeOnly, '--fail-on', 'lenient,own')).code).toBe(1);
      expect((await standard('broken', ...rangeOnly, '--fail-on', 'client,own')).code).not.toBe(1);
      expect(
        (await standard('broken', ...rangeOnly, '--fail-on', 'client,credential,lenient')).code,
      ).not.toBe(1);
    } finally {
      delete hooks.check;
    }
  });

  test('is held to a baseline, pins and a history, each with a list of its own', async () => {
    const [known, pins, past] = [at('known.yaml'), at('pins.yaml'), at('past.jsonl')];
    const updated = await command('baseline', 'update', '--baseline', known, '--report', at('broken', 'own'));
    expect(updated.stdout).toContain('+ messages.param.top-k.range');
    expect(readFileSync(known, 'utf8')).toMatch(/^own:\n {2}- requirement: messages\.param\.top-k\.range$/m);
    expect((await command('pin', 'update', '--pins', pins, '--report', at('broken', 'own'))).code).toBe(0);
    const compared = ['--baseline', known, '--pins', pins, '--history', past];
    hooks.check = lax;
    try {
      const both = ['--requirement', 'messages.param.top-k.range,chat.result.id'];
      for (const out of ['expected', 'expected'])
        expect(await standard(out, ...both, ...compared)).toMatchObject({ code: 0, stderr: '' });
    } finally {
      delete hooks.check;
    }
    expect(verifyBundle(at('expected', 'own')).steps.flatMap(({ problems }) => problems)).toEqual([]);
    const lines = readFileSync(past, 'utf8').trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { part?: string }).part)).toEqual([
      undefined,
      'own',
      undefined,
      'own',
    ]);
    writeFileSync(known, readFileSync(known, 'utf8').replace('top-k.range', 'top-k.rnge'));
    const refused = await standard('never', ...compared);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('own[0].requirement: unknown requirement "messages.param.top-k.rnge"');
    expect(existsSync(at('never'))).toBe(false);
  });

  test('is judged again from its evidence alone', async () => {
    rmSync(file);
    try {
      expect((await command('judge', at('broken', 'own'), '--out', at('again'))).code).toBe(1);
    } finally {
      writeFileSync(file, overlay);
    }
    expect(reportOf('again').requirements).toEqual(reportOf('broken', 'own').requirements);
    const sarif = JSON.parse(readFileSync(at('again', 'report.sarif'), 'utf8')) as {
      runs: { results: { locations: object[] }[] }[];
    };
    expect(sarif.runs[0]?.results[0]?.locations).toEqual([
      { physicalLocation: { artifactLocation: { uri: 'own.yaml' }, region: { startLine: 8 } } },
    ]);
    expect(readFileSync(at('again', 'junit.xml'), 'utf8')).toContain('messages.param.top-k.range');
    expect((await command('diff', at('kept', 'own'), at('again'))).code).toBe(1);
  });

  test('goes on by itself where it was stopped, and keeps what the run of the interface left', async () => {
    const stopped = await standard('stopped', '--max-requests', '60');
    expect(stopped.code).toBe(3);
    expect(reportOf('stopped', 'own').run.partial).toBe(true);
    const resumed = (...names: string[]) =>
      command('run', '--config', config, '--no-allure', '--quiet', '--resume', at(...names));
    expect((await resumed('stopped')).code).toBe(0);
    expect(reportOf('stopped')).toMatchObject({ verdict: 'conformant', run: { partial: false } });
    expect((await resumed('stopped', 'own')).code).toBe(0);
    expect(reportOf('stopped', 'own')).toMatchObject({ verdict: 'conformant', run: { partial: false } });
    expect((await run('stopped')).code).toBe(0);
    expect(existsSync(at('stopped', 'own'))).toBe(false);
  });

  test('gives its cases to Allure beside those of the interface', async () => {
    const asked = ['--out', at('shown'), '--seed', '1', ...rangeOnly];
    const ended = await command('run', '--config', config, '--quiet', '--extend', file, ...asked);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const results = at('shown', 'own', 'allure-results');
    const labels = readdirSync(results).map((name) => readFileSync(join(results, name), 'utf8'));
    expect(labels.length).toBeGreaterThan(3);
    for (const text of labels) expect(text).toContain('"value":"Own statements"');
  });

  test('may name its files in the config', async () => {
    const named = at('named.yaml');
    writeFileSync(named, `${configYaml(settings, gateway.url)}extend: [own.yaml]\n`);
    const { own, report, exitCode } = await runFromProgram(named, {
      env,
      requirement: ['chat.result.usage', 'messages.result.usage'],
      seed: 1,
    });
    expect(report.scope.extension).toBeUndefined();
    expect(
      own?.report.requirements.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id),
    ).toContain('messages.result.usage');
    expect(exitCode).toBe(0);
  });

  test('says what it would send', async () => {
    const { code, stdout } = await command(
      ...words(`plan --config ${config} --profile standard --extend ${file} --json --seed 1`),
    );
    expect(code).toBe(0);
    const { own, ...plan } = JSON.parse(stdout) as {
      own: { cases: { requirements: string[] }[] };
      requests: unknown;
    };
    const without = await command(...words(`plan --config ${config} --profile standard --json --seed 1`));
    expect(plan).toEqual(JSON.parse(without.stdout));
    const rows = new Set(own.cases.flatMap(({ requirements }) => requirements));
    expect([...rows].every((id) => /top-k|usage/.test(id))).toBe(true);
  });

  test('is explained', async () => {
    const { code, stdout } = await command('explain', '--extend', file, 'messages.param.top-k.range');
    expect(code).toBe(0);
    expect(stdout).toContain('A `top_k` below 1 or above 500 is refused by the Messages endpoint.');
    expect(stdout).toContain('own: An extension says so, and the interface does not.');
    expect(stdout).toContain('lenient: The gateway takes more than is stated.');
    expect((await command('explain', 'messages.param.top-k.range')).code).toBe(2);
  });

  test.each([
    ['plan', '--config', config],
    ['run', '--config', config, '--out', 'long'],
    ['explain', '{protocol}.param.style.allowed'],
  ])('takes no more of memory for a list of 10,000 values: %s', async (...args) => {
    const names = Array.from({ length: 10_000 }, (_, each) => `\n            - v${each}`).join('');
    const update = `style:\n          type: string\n          enum:${names}`;
    for (const [protocol, schema] of Object.entries({ images: 'ImageRequest', chat: 'ChatRequest' })) {
      const actions = `    - target: $.components.schemas.${schema}.properties\n      update:\n        ${update}`;
      writeFileSync(
        at('list.yaml'),
        `overlay:\n  overlay: 1.0.0\n  info: { title: x, version: "1" }\n  actions:\n${actions}\n`,
      );
      const { code, stdout, stderr } = await command(
        ...args.map((arg) => arg.replace('{protocol}', protocol)),
        '--extend',
        at('list.yaml'),
      );
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(
        /^gateway-conformance: list\.yaml:7: asks for most of \d+ (requests|generations) or more, beside the \d+ of the interface: an extension that makes the plan grow beyond ten times is refused; [^\n]*\n$/,
      );
      expect(existsSync(at('long'))).toBe(false);
    }
  });

  test('begins with the file that `init --extend` writes, also with what is a comment there', async () => {
    const written = at('gateway-extension.yaml');
    expect((await command('init', '--extend', '--out', written)).code).toBe(0);
    const added = (path: string) =>
      readExtension([path])?.additions.map(({ schema, value }) => ({ schema, value }));
    expect(added(written)).toEqual(added(file));
    const all = readFileSync(written, 'utf8').replace(/^# (?=statements:| {2})/gm, '');
    writeFileSync(written, all);
    expect(readExtension([written])?.statements.map(({ id }) => id)).toEqual([
      'own.invalid-token.status',
      'own.metadata.object',
    ]);
  });

  test.each([
    ['unknown keywords', (text: string) => text.replace('"maximum":500', '"pattern":"(a+)+$"')],
    ['too long a list', (text: string) => text.replace('"maximum":500', `"enum":${JSON.stringify(many)}`)],
  ])('does not judge evidence of one with %s', async (_, damaged) => {
    const forged = at('forged');
    cpSync(at('broken', 'own'), forged, { recursive: true });
    const evidence = join(forged, 'evidence.jsonl');
    writeFileSync(evidence, damaged(readFileSync(evidence, 'utf8')));
    const { code, stderr } = await command('judge', forged, '--out', at('judged'));
    expect(code).toBe(2);
    expect(stderr).toMatch(/extension|grow beyond ten times/);
  });
});
