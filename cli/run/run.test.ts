import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { defaultConsole, tokensOf } from '../../fixtures/gateway/console.ts';
import { configYaml } from '../../fixtures/gateway/describe.ts';
import { createGateway } from '../../fixtures/gateway/gateway.ts';
import { validateEvidence, validateReport } from '../../reporters/schema/validate.ts';
import { listening } from '../../suites/wire/loopback.fixture.ts';
import { artefacts } from '../files/folder.ts';
import { call, command, type Ended, start, words } from '../command.fixture.ts';
import { reportIn, testFolder, tokensByVariable as env } from '../folder.fixture.ts';

const folder = testFolder('run');

const settings = defaultConsole();
const secrets = tokensOf(settings).map(({ value }) => value);

const textOf = (dir: string): string =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');

/** The arguments of a run against a gateway of this process, with the config in the folder. */
function runArguments(url: string, name: string): readonly string[] {
  const config = join(folder, `${name}.yaml`);
  writeFileSync(config, configYaml(settings, url));
  return ['run', '--config', config, '--out', join(folder, name)];
}

describe('a whole run against the reference gateway', () => {
  const dir = join(folder, 'demo');
  let ended: Ended;
  beforeAll(async () => {
    ended = await command(['demo', '--out', dir], { cwd: folder });
  });

  test('is conformant: exit code 0, and the last line is the path of the report', () => {
    expect(ended.stderr).not.toContain('gateway-conformance:');
    expect(ended.code).toBe(0);
    expect(ended.stdout.trimEnd().split('\n').at(-1)).toBe(join(dir, 'report.html'));
    expect(reportIn(dir).verdict).toBe('conformant');
  });

  test('is plain text where there is no terminal', () => {
    expect(ended.stdout + ended.stderr).not.toContain('\u001b');
  });

  test('leaves every file of the contract, valid, and no draft', () => {
    expect(readdirSync(dir).sort()).toEqual([...artefacts].sort());
    expect(validateReport(reportIn(dir))).toEqual([]);
    const lines = readFileSync(join(dir, 'evidence.jsonl'), 'utf8').trimEnd().split('\n');
    const kinds = lines.map((line) => JSON.parse(line) as { kind: string });
    expect(kinds.flatMap(validateEvidence)).toEqual([]);
    expect([kinds[0]?.kind, kinds.at(-1)?.kind]).toEqual(['header', 'end']);
  });

  test('has an Allure result for each case, under its own id, and no path of this machine', () => {
    const results = join(dir, 'allure-results');
    const ids = readdirSync(results)
      .filter((name) => name.endsWith('-result.json'))
      .map(
        (name) =>
          JSON.parse(readFileSync(join(results, name), 'utf8')) as { testCaseId: string; historyId: string },
      );
    const { cases } = reportIn(dir);
    expect(ids.map(({ testCaseId }) => testCaseId).sort()).toEqual(cases.map(({ id }) => id).sort());
    expect(ids.every(({ testCaseId, historyId }) => testCaseId === historyId)).toBe(true);
    expect(textOf(results)).not.toContain(process.cwd());
  });

  test('leaves no token in any file or line', () => {
    const all = `${textOf(dir)}${ended.stdout}${ended.stderr}`;
    for (const secret of secrets) {
      expect(all.includes(secret)).toBe(false);
      expect(all.includes(Buffer.from(secret).toString('base64'))).toBe(false);
    }
  });

  test('is judged the same from its evidence alone, and a stale file does not stay', async () => {
    const again = await call(['judge', join(dir, 'evidence.jsonl'), '--out', join(folder, 'again')]);
    expect(again.code).toBe(0);
    expect(reportIn(join(folder, 'again'))).toEqual(reportIn(dir));
  });

  test('can be repeated into the same folder, and nothing of the first stays', async () => {
    const stale = join(dir, 'allure-results', 'stale-result.json');
    writeFileSync(stale, '{}');
    const { code } = await call(['demo', '--out', dir, '--suite', 'errors', '--quiet']);
    expect(code).toBe(0);
    expect(existsSync(stale)).toBe(false);
    expect(new Set(reportIn(dir).cases.map(({ suite }) => suite))).toEqual(new Set(['errors']));
  });
});

describe('a run against a gateway of another process', () => {
  test('a target that hangs up on every request could not be judged: exit code 3', async () => {
    const { url, close } = await listening(
      createServer((socket) => socket.once('data', () => socket.destroy())),
    );
    const only = words(
      '--requirement chat.result.usage.total-tokens --timeout 2 --family multimodal --no-allure',
    );
    const { code, stdout } = await call([...runArguments(url, 'mute'), ...only], {
      env,
    });
    await close();
    expect(code).toBe(3);
    expect(reportIn(join(folder, 'mute')).verdict).toBe('inconclusive');
    expect(stdout).not.toContain('Conformant');
  });

  test('a run of a profile is judged again, and verified, by the same profile', async () => {
    const gateway = await createGateway({ console: settings }).listen();
    const dir = join(folder, 'smoke');
    const depth = ['--profile', 'smoke', '--skip-costly', '--no-allure'];
    const { code, stdout } = await call([...runArguments(gateway.url, 'smoke'), ...depth], { env });
    await gateway.close();
    expect(code).toBe(0);
    expect(stdout).toContain('Asked: profile smoke,');
    expect(reportIn(dir).scope).toMatchObject({ profile: 'smoke', skipCostly: true });
    expect(readFileSync(join(dir, 'report.md'), 'utf8')).toContain('profile smoke');
    const judged = await call(['judge', dir]);
    expect(judged.code).toBe(0);
    expect(judged.stdout).toContain('Asked: profile smoke,');
    expect(judged.stdout).not.toContain('report.json differs');
    expect((await call(['verify', dir])).code).toBe(0);
  });

  test('a run that is stopped keeps what it has and says that it is partial: exit code 3', async () => {
    const slow = { ...settings, pace: { initialMs: 400, tokenMs: 0 } };
    const gateway = await createGateway({ console: slow }).listen();
    const [config, dir] = [join(folder, 'slow.yaml'), join(folder, 'slow')];
    writeFileSync(config, configYaml(settings, gateway.url));
    const run = start(['run', '--config', config, '--out', dir, '--concurrency', '2'], { env });
    const evidence = join(dir, 'evidence.jsonl');
    let over = false;
    const ended = run.ended.finally(() => {
      over = true;
    });
    const begun = () => existsSync(evidence) && readFileSync(evidence, 'utf8').split('\n').length > 3;
    while (!over && !begun()) await sleep(20);
    run.kill('SIGTERM');
    const { code } = await ended;
    await gateway.close();
    expect(code).toBe(3);
    expect(reportIn(dir).run.partial).toBe(true);
    expect(reportIn(dir).verdict).toBe('inconclusive');
    expect(readdirSync(dir).sort()).toEqual([...artefacts].sort());
    expect((await call(['judge', evidence])).code).toBe(3);
  });
});
