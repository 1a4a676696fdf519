import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conformantReport, sampleReport } from '../../reporters/sample.fixture.ts';
import { call } from '../command.fixture.ts';
import { putReport, testFolder } from '../folder.fixture.ts';

const folder = testFolder('compare');
const bad = putReport(folder, 'bad', sampleReport());
const good = putReport(folder, 'good', conformantReport());

test('three reports stand side by side, in Markdown on stdout', async () => {
  const { code, stdout, stderr } = await call(['compare', bad, good, join(bad, 'report.json')]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('# 3 conformance reports side by side');
  expect(stdout).toContain('| ✕ fail | ✓ pass | ✕ fail |');
});

test('a file gets the format that its name tells', async () => {
  const out = join(folder, 'compared.html');
  const { code, stdout } = await call(['compare', bad, good, '--out', out]);
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(out);
  expect(readFileSync(out, 'utf8')).toContain('2 conformance reports side by side');
});

test('one report is refused, and so is a format that there is not', async () => {
  const one = await call(['compare', bad]);
  expect(one).toEqual({
    code: 2,
    stdout: '',
    stderr: 'gateway-conformance: only one report is named; name two or more\n',
  });
  expect((await call(['compare', bad, good, '--format', 'json'])).code).toBe(2);
});
