import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call } from '../command.fixture.ts';
import { testFolder } from '../folder.fixture.ts';

const folder = testFolder('explore');

describe('--explore', () => {
  test.each(['-1', '1.5', 'x', '1001', ''])('%j is refused in one line', async (number) => {
    for (const name of ['run', 'plan', 'demo']) {
      const { code, stderr } = await call([name, '--explore', number]);
      expect(code).toBe(2);
      expect(stderr.split('\n')[0]).toBe(
        `error: option '--explore <number>' argument '${number}' is invalid. It must be a whole number from 0 to 1000.`,
      );
    }
  });

  test('is refused with smoke, which has no combinations', async () => {
    const { code, stderr } = await call(['demo', '--profile', 'smoke', '--explore', '2']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      'gateway-conformance: --explore adds combinations, and smoke has none: take --profile standard or full\n',
    );
  });

  test('is in the report and in the evidence, which is judged the same again', async () => {
    const out = join(folder, 'out');
    const asked = ['--requirement', 'messages.param.temperature.accepted', '--explore', '6', '--seed', '3'];
    expect((await call(['demo', '--out', out, '--quiet', '--no-allure', ...asked])).code).toBe(0);
    const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
    expect(report.scope.explore).toBe(6);
    expect(report.run.seed).toBe(3);
    const [header = ''] = readFileSync(join(out, 'evidence.jsonl'), 'utf8').split('\n');
    expect(JSON.parse(header).explore).toBe(6);
    const again = await call(['judge', out]);
    expect(again.stdout).toContain('profile standard, with 6');
    expect(again.stdout).not.toContain('differs from the evidence');
    expect(again.code).toBe(0);
  }, 60_000);
});
