import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { variantById } from '../../../fixtures/variants/index.ts';
import { call, type Ended } from '../../command.fixture.ts';
import { verifyBundle } from '../../certificate/verify-bundle.ts';
import { gatewayIn, testFolder, tokensByVariable, reportIn } from '../../folder.fixture.ts';

const folder = testFolder('pins');
const path = (name: string): string => join(folder, name);
const env = { ...tokensByVariable, GITHUB_ACTIONS: '' };
const pins = path('pins.yaml');

const run = (config: string, out: string, ...args: readonly string[]): Promise<Ended> =>
  call(['run', '--config', path(config), '--out', path(out), '--quiet', '--no-allure', ...args], { env });
const reportOf = (out: string) => reportIn(path(out));
const stderrOf = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await call(args, { env });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  return stderr;
};

const other = variantById('framing.crlf');
if (other === undefined) throw new Error('there is no such variant');
await gatewayIn(folder, {}, 'same');
await gatewayIn(folder, { hooks: other.hooks }, 'other');

beforeAll(async () => {
  await run('same.yaml', 'first', '--seed', '1');
  await call(['pin', 'update', '--pins', pins, '--report', path('first')]);
}, 60_000);

describe('pins of the reference gateway', () => {
  test('hold in a run with another seed: nothing is pinned that varies by nature', async () => {
    const again = await run('same.yaml', 'again', '--seed', '2', '--pins', pins);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    const outcome = reportOf('again').pins;
    expect(outcome).toMatchObject({ file: pins, changed: [], unobserved: [] });
    expect(outcome?.kept).toBeGreaterThan(80);
    expect(verifyBundle(path('again')).steps.flatMap(({ problems }) => problems)).toEqual([]);
  }, 60_000);

  test('fail a gateway that does otherwise with exit code 1, and leave its verdict as it is', async () => {
    const changed = await run('other.yaml', 'changed', '--suite', 'streams', '--pins', pins);
    expect(changed.code).toBe(1);
    expect(changed.stdout).toContain('✓ Conformant');
    expect(changed.stdout).toMatch(/now sse,\s+text\/event-stream;\s+charset=utf-8,\s+line\s+ends\s+crlf/);
    const report = reportOf('changed');
    expect(report.verdict).toBe('conformant');
    expect(report.pins?.changed.map(({ id }) => id)).toEqual(
      ['responses', 'messages', 'chat'].map((protocol) => `streams.${protocol}.framing`),
    );
    expect(report.pins?.changed[0]).toMatchObject({ run: reportOf('first').run.id });
    expect(report.pins?.unobserved.map(({ why }) => why)).toContain('not-asked');
    const rendered = ['report.html', 'report.md', 'junit.xml'].map((name) =>
      readFileSync(path(`changed/${name}`), 'utf8'),
    );
    for (const text of rendered) expect(text).toContain('line ends crlf');
  }, 60_000);

  test('give the same outcome when the evidence is judged again, with them and without', async () => {
    const withPins = await call(['judge', path('changed'), '--pins', pins, '--out', path('judged')]);
    expect(withPins.code).toBe(1);
    expect(reportOf('judged').pins).toEqual(reportOf('changed').pins);
    const without = await call(['judge', path('changed')]);
    expect(without.code).toBe(0);
    expect(without.stdout).not.toContain('report.json differs');
  });

  test('can not be changed in a report without `verify` seeing it', () => {
    cpSync(path('changed'), path('edited'), { recursive: true });
    const file = path('edited/report.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"pinned": "sse', '"pinned": "ndjson'));
    expect(verifyBundle(path('edited')).steps.flatMap(({ problems }) => problems)).toContain(
      'report.json does not have the pins that render-context.json gives',
    );
  });

  test('are updated with their comments and their choice kept', async () => {
    const own = path('own.yaml');
    const [head = '', ...rest] = readFileSync(pins, 'utf8').split('\n  - ');
    const framing = rest.find((entry) => entry.includes('streams.chat.framing')) ?? '';
    writeFileSync(own, `${head}\n  # clients split on LF\n  - ${framing.trimEnd()}\n`);
    const updated = await call(['pin', 'update', '--pins', own, '--report', path('changed')]);
    expect(updated).toMatchObject({ code: 0, stderr: '' });
    expect(updated.stdout).toContain('own.yaml: 0 pins added, 1 changed, 0 kept.');
    expect(readFileSync(own, 'utf8')).toContain('# clients split on LF');
    const more = ['--requirement', 'messages.stream.event-types'];
    const added = await call(['pin', 'update', '--pins', own, '--report', path('changed'), ...more]);
    expect(added.stdout).toContain('1 pin added, 0 changed, 1 kept.');
    expect((await call(['judge', path('changed'), '--pins', own])).code).toBe(0);
  });
});

test('pins that name what is not known, or that are not there, are refused before anything is sent', async () => {
  writeFileSync(path('broken.yaml'), 'pins:\n  - observation: streams.chat.framin\n    value: x\n');
  const unknown =
    'broken.yaml:2: pins[0].observation: unknown observation "streams.chat.framin"; did you mean';
  const never = ['--config', path('same.yaml'), '--out', path('never'), '--quiet', '--pins'];
  expect(await stderrOf('run', ...never, path('broken.yaml'))).toContain(unknown);
  expect(await stderrOf('run', ...never, path('absent.yaml'))).toContain('absent.yaml: no such file of pins');
  expect(existsSync(path('never'))).toBe(false);
  expect(await stderrOf('judge', path('first'), '--pins', path('broken.yaml'))).toContain(unknown);
  expect(await stderrOf('pin', 'update', '--pins', path('broken.yaml'), '--report', path('first'))).toContain(
    unknown,
  );
  expect(await stderrOf('pin', 'update', '--report', path('none'))).toContain('none: no such file');
});
