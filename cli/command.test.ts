import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadTarget } from '../fixtures/target/config.ts';
import type { Report } from '../suites/types/report.ts';
import { listening } from '../suites/wire/loopback.fixture.ts';
import { call, command, start } from './command.fixture.ts';
import { artefacts } from './files/folder.ts';
import { testFolder } from './folder.fixture.ts';

const folder = testFolder('command');
const config = join(folder, 'gateway-conformance.yaml');

const write = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

const configFor = (baseUrl: string): string => `target:
  name: Acme
  baseUrl: ${baseUrl}
tokens:
  default: sk-secret-1
models:
  general: g-large
`;

beforeAll(() => {
  writeFileSync(config, configFor('http://127.0.0.1:9'));
});

describe('a config that is no file', () => {
  test.each(['-', '/dev/stdin'])('is read from standard input: %s', async (name) => {
    const input = `${configFor('http://127.0.0.1:9')}limits: { maxRequests: 5 }\n`;
    const { code, stdout } = await command(['plan', '--json', '--config', name], { input });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ target: { name: 'Acme' } });
  });

  test('has a name in errors', async () => {
    const { code, stderr } = await command(['plan', '--config', '-'], { input: '{"target": {' });
    expect(code).toBe(2);
    expect(stderr).toContain('standard input:1:13: not valid JSON');
  });
});

describe('help and usage', () => {
  test('help teaches the commands and the exit codes', async () => {
    const { code, stdout, stderr } = await call(['--help']);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    for (const name of ['run', 'plan', 'init', 'explain', 'judge', 'verify', 'keygen', 'gateway', 'demo'])
      expect(stdout).toContain(`  ${name} `);
    expect(stdout).toContain('2  usage or config error');
  });

  test('help of every command has examples', async () => {
    const { stdout } = await call(['--help']);
    const names = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(15);
    for (const name of names.filter((each) => each !== 'help')) {
      const [, of] = /^ {2}(check|update) /m.exec((await call([name, '--help'])).stdout) ?? [];
      const words = of === undefined ? [name] : [name, of];
      expect((await call([...words, '--help'])).stdout).toMatch(
        new RegExp(`\\$ .*gateway-conformance ${words.join(' ')}`),
      );
    }
  });

  test('help of a command has the defaults of its options', async () => {
    const { code, stdout } = await call(['run', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('$ gateway-conformance run --config staging.yaml --out reports/staging');
    expect(stdout).toContain('(default: 60)');
  });

  test('the version is the one of the package', async () => {
    const { code, stdout } = await command(['--version']);
    expect(code).toBe(0);
    expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('no command at all shows the help and is a usage error', async () => {
    const { code, stdout, stderr } = await command([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Start here:');
  });

  test.each([
    [['rnu'], "error: unknown command 'rnu'\n(Did you mean run?)"],
    [['run', '--cofig', 'x'], "error: unknown option '--cofig'\n(Did you mean --config?)"],
    [['run', '--concurrency', '0'], 'It must be a whole number from 1 to 256.'],
    [['run', '--timeout', 'soon'], 'It must be a number of seconds, more than 0 and at most 3600.'],
    [['run', '--out', ''], "option '--out <dir>' argument '' is invalid. It is empty."],
    [['run', '--max-duration', '0'], 'It must be a number of seconds, more than 0 and at most 86400.'],
    [
      ['run', '--suite', 'errors,familes'],
      'gateway-conformance: unknown suite "familes"; did you mean families?\n',
    ],
    [['run', '--family', 'generl'], 'gateway-conformance: unknown family "generl"; did you mean general?\n'],
    [
      ['run', '--group', 'coding'],
      'gateway-conformance: unknown group "coding"; did you mean coding-tool?\n',
    ],
    [
      ['explain', 'chat.result.usage.total-tokns'],
      'gateway-conformance: unknown requirement "chat.result.usage.total-tokns"; did you mean chat.result.usage.total-tokens?\n',
    ],
    [
      ['explain', 'chat.usage'],
      'gateway-conformance: unknown requirement "chat.usage"; did you mean chat.result.usage, chat.stream.usage, chat.result.usage.sum, chat.result.usage.prompt, chat.result.usage.prompt-tokens, …?\n',
    ],
    [
      ['explain', 'nothing.like-it'],
      'gateway-conformance: unknown requirement "nothing.like-it"; `gateway-conformance explain` lists all of them\n',
    ],
    [
      ['gateway', '--fault', 'no-such-fault-anywhere'],
      'gateway-conformance: unknown fault "no-such-fault-anywhere"; ',
    ],
    [
      ['judge', 'absent.jsonl'],
      "gateway-conformance: absent.jsonl: can't be read (ENOENT); name an evidence.jsonl\n",
    ],
  ])('%j is refused with exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await call(args, { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('a run that cannot begin writes nothing', () => {
  test.each([
    [
      'no config',
      undefined,
      'absent.yaml: no such config file; `gateway-conformance init` writes one to start from',
    ],
    [
      'an unknown key',
      `${configFor('http://a')}tokns: {}\n`,
      'bad.yaml:8: tokns: unknown key; did you mean tokens?',
    ],
    [
      'a base address that ends in /v1',
      configFor('http://a/v1'),
      'bad.yaml:3: target.baseUrl: ends in /v1; remove /v1, the suite adds the path of each endpoint itself',
    ],
    [
      'a token variable that is not set',
      configFor('http://a').replace('sk-secret-1', ['$', '{UNSET_TOKEN}'].join('')),
      'bad.yaml:5: tokens.default: environment variable UNSET_TOKEN is not set; set it with: export UNSET_TOKEN=…, or leave the line out if the target has no such token',
    ],
  ])('%s', async (_, text, message) => {
    const name = text === undefined ? 'absent.yaml' : 'bad.yaml';
    if (text !== undefined) write(name, text);
    const ended = await call(['run', '--config', name, '--out', 'never'], { cwd: folder });
    expect(ended).toEqual({ code: 2, stdout: '', stderr: `gateway-conformance: ${message}\n` });
    expect(existsSync(join(folder, 'never'))).toBe(false);
  });

  test('a file where DIR should be', async () => {
    const file = write('in-the-way', '');
    const { code, stderr } = await call(['run', '--config', config, '--out', join(file, 'deeper')]);
    expect(code).toBe(2);
    expect(stderr).toContain('a file has this name; name another folder with --out DIR');
  });

  test('a DIR that no one can write', async () => {
    const { code, stderr } = await call(['run', '--config', config, '--out', '/proc/never']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /--out \/proc\/never: can't be written \(E[A-Z]+\); name another folder with --out DIR\n$/,
    );
  });

  test('a DIR with a report of somebody else', async () => {
    const dir = join(folder, 'theirs');
    mkdirSync(dir);
    writeFileSync(join(dir, 'junit.xml'), '<theirs/>');
    const { code, stderr } = await call(['run', '--config', config, '--out', dir]);
    expect(code).toBe(2);
    expect(stderr).toContain('holds junit.xml that this suite did not write');
    expect(readFileSync(join(dir, 'junit.xml'), 'utf8')).toBe('<theirs/>');
  });

  test('a target that nobody answers at is exit code 3, and every report says why', async () => {
    const { url, close } = await listening(createServer());
    await close();
    const file = write('gone.yaml', configFor(url));
    const dir = join(folder, 'a/b/c');
    const { code, stdout, stderr } = await call(['run', '--config', file, '--out', dir]);
    const why =
      "can't be reached: connection refused, nothing listens there (3 tries); check target.baseUrl, and that the gateway is up";
    const last = `gateway-conformance: not everything was sent: the target ${why}`;
    // All of stderr is shown where it is another.
    expect(stderr).toContain(last);
    expect(stderr.trim().split('\n').at(-1)).toBe(last);
    expect(code).toBe(3);
    expect(stdout).toContain('1 cause explains');
    expect(readdirSync(dir).sort()).toEqual([...artefacts].sort());
    const report = JSON.parse(readFileSync(join(dir, 'report.json'), 'utf8')) as Report;
    expect([report.verdict, report.run.requests, report.causes[0]?.id]).toEqual([
      'inconclusive',
      0,
      'unreachable',
    ]);
    for (const name of ['report.html', 'report.md', 'report.sarif'])
      expect(readFileSync(join(dir, name), 'utf8')).toContain('connection refused');
    expect((await call(['judge', dir])).code).toBe(3);
  });

  test('a target that speaks no TLS where https is declared', async () => {
    const answer = 'HTTP/1.1 400 Bad Request\r\n\r\n';
    const server = await listening(
      createServer((socket) => socket.resume().end(answer)),
      'https',
    );
    const file = write('plain.yaml', configFor(server.url));
    const asked = ['run', '--config', file, '--out', join(folder, 'no-tls'), '--no-allure'];
    const { code, stderr } = await call([...asked, '--suite', 'errors']);
    await server.close();
    expect(code).toBe(3);
    expect(stderr).toContain('the address of the target speaks http');
    expect(stderr).not.toMatch(/SSL|EPROTO/);
  });
});

describe('commands that send nothing', () => {
  test('init writes a config that loads, and never over one that is there', async () => {
    const file = join(folder, 'fresh.yaml');
    expect((await call(['init', '--out', file])).code).toBe(0);
    const target = loadTarget(file, {
      GATEWAY_TOKEN_DEFAULT: 'a',
      GATEWAY_TOKEN_CODING_TOOL: 'b',
      GATEWAY_TOKEN_THIRD_PARTY_CLIENT: 'c',
    });
    expect(Object.keys(target.models)).toHaveLength(5);
    writeFileSync(file, 'mine');
    const again = await call(['init', '--out', file]);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('exists already and is left as it is');
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test('plan counts by suite and in total, and --json has every request without a token', async () => {
    const table = await call(['plan', '--config', config]);
    expect(table.code).toBe(0);
    expect(table.stdout).toMatch(/^suite\s+cases\s+requests\s+conditional\s+billed\s+images$/m);
    expect(table.stdout).toMatch(/^total(\s+\d+){5}$/m);
    const json = await call(['plan', '--config', config, '--json', '--seed', '7']);
    const plan = JSON.parse(json.stdout) as {
      counts: { requests: number; conditional: number }[];
      requests: unknown[];
      seed: number;
    };
    expect(plan.seed).toBe(7);
    const total = plan.counts.at(-1);
    expect(plan.requests).toHaveLength((total?.requests ?? 0) + (total?.conditional ?? 0));
    expect(json.stdout).not.toContain('sk-secret-1');
  });

  test('plan has a line for each profile, or the table of the one that is named', async () => {
    const { stdout } = await call(['plan', '--config', config, '--seed', '7']);
    expect(stdout).toContain('profile standard');
    const billed = ['smoke', 'standard', 'full'].map((name) =>
      Number(new RegExp(`^${name}(\\s+\\d+){2}\\s+(\\d+)`, 'm').exec(stdout)?.[2]),
    );
    expect(billed).toEqual([...billed].sort((one, other) => one - other));
    expect(stdout).toMatch(new RegExp(`^total(\\s+\\d+){3}\\s+${billed[1]}\\s`, 'm'));
    const smoke = await call(['plan', '--config', config, '--profile', 'smoke', '--skip-costly']);
    expect(smoke.stdout).toContain('profile smoke, without n = 10 and quality = hd');
    expect(smoke.stdout).toMatch(new RegExp(`^total(\\s+\\d+){3}\\s+${billed[0]}\\s`, 'm'));
    expect(smoke.stdout).not.toMatch(/^standard/m);
  });

  test('an unknown profile is a usage error that names those there are', async () => {
    const { code, stderr } = await call(['run', '--config', config, '--profile', 'quick']);
    expect(code).toBe(2);
    expect(stderr).toContain('Allowed choices are smoke, standard, full.');
  });

  test('a selection that a profile has no case for names the profile', async () => {
    const only = ['--requirement', 'chat.method', '--profile', 'smoke'];
    const { code, stderr } = await call(['run', '--config', config, ...only]);
    expect(code).toBe(2);
    expect(stderr).toContain('the selection leaves no case to run in profile smoke');
  });

  test('explain tells statement, section, level, cases and how it is judged', async () => {
    const { code, stdout } = await call(['explain', 'chat.result.usage.total-tokens']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Section {2}2\.5/m);
    expect(stdout).toMatch(/^Level {4}stated: The interface says so\.$/m);
    expect(stdout).toMatch(/^Impact {3}client: A client that keeps to the interface breaks\.$/m);
    expect(stdout).toMatch(/^Profiles smoke, standard, full$/m);
    expect(stdout).toMatch(/^How it is judged:$/m);
    expect(stdout).toMatch(/^Cases \([1-9]/m);
    expect(stdout).not.toContain('that it rests on');
  });

  test('explain shows the rows that ask for a requirement, as YAML, and none where code does', async () => {
    const { stdout } = await call(['explain', 'chat.auth.scheme']);
    const [, rows = ''] = stdout.split('Asked by spec/probes/authentication.yaml:');
    expect(parse(rows)).toMatchObject([{ requirement: '{protocol}.auth.scheme', expect: 'refused' }]);
    expect((await call(['explain', 'service.availability'])).stdout).not.toContain('Asked by');
  });

  test('explain gives the contradiction or the ambiguity that a requirement rests on', async () => {
    const { stdout } = await call(['explain', 'chat.param.temperature.range']);
    expect(stdout).toMatch(/^Ambiguity of the interface that it rests on: beyond-the-range$/m);
    expect(stdout).toMatch(/^ {2}A \(8, 4\.2, 4\.3, 4\.4\): A value outside a range is refused\.$/m);
    expect(stdout).toMatch(
      /^ {2}B \(8, .*: A value outside a range is taken, and moved to the nearest bound\.$/m,
    );
    expect(stdout).toMatch(/^ {2}Held: A\. Section 8 /m);
    const open = await call(['explain', 'family.conversational.chat.unsupported']);
    expect(open.stdout).toMatch(/^Contradiction of .*: family-conversational-chat$/m);
    expect(open.stdout).toMatch(/^ {2}Neither is held\. /m);
  });
});

describe('gateway', () => {
  test('serves until a signal, and prints what to paste', async () => {
    const gateway = start(['gateway', '--port', '0']);
    await gateway.waitForOutput('# Try it:');
    gateway.kill('SIGINT');
    const { code, stdout } = await gateway.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Reference gateway at http:\/\/127\.0\.0\.1:\d+\. Ctrl-C ends it\.$/m);
    expect(stdout).toMatch(/^export GATEWAY_TOKEN_DEFAULT=/m);
    expect(stdout).toMatch(/^ {2}baseUrl: http:/m);
  });
});
