import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conformantReport, sampleReport } from '../../reporters/sample.fixture.ts';
import { call } from '../command.fixture.ts';
import { putReport, testFolder } from '../folder.fixture.ts';

const folder = testFolder('diff');
const bad = putReport(folder, 'bad', sampleReport());
const good = putReport(folder, 'good', conformantReport());

describe('diff', () => {
  test('a regression is exit code 1, whether files or folders are named', async () => {
    const { code, stdout, stderr } = await call(['diff', good, join(bad, 'report.json')]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toContain('✕ 11 regressions, 0 improvements  Acm');
    expect(stdout).toContain('Verdict: conformant → not conformant.');
    expect(stdout).toMatch(/chat\.result\.0\.0[^;]*section 2\.5, before ✓ pass, after ✕ fail/);
  });

  test('improvements alone are exit code 0, and so is a pair that is the same', async () => {
    expect((await call(['diff', bad, good])).code).toBe(0);
    const same = await call(['diff', bad, bad]);
    expect(same.code).toBe(0);
    expect(same.stdout).toContain('✓ Nothing changed');
  });

  test('the format is the one asked for, or the one of the file that is written', async () => {
    const json = await call(['diff', good, bad, '--format', 'json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ regressed: true, same: false });
    const out = join(folder, 'changes.html');
    const html = await call(['diff', good, bad, '--out', out]);
    expect(html.stdout.trimEnd().split('\n').at(-1)).toBe(out);
    expect(readFileSync(out, 'utf8')).toMatch(/^<!doctype html>/);
    const markdown = join(folder, 'changes.md');
    await call(['diff', good, bad, '--out', markdown]);
    expect(readFileSync(markdown, 'utf8')).toMatch(/^# ✕ 11 regressions/);
  });

  test('what is printed steers no terminal, in JSON too', async () => {
    const [first, ...rest] = sampleReport().observations;
    if (first === undefined) throw new Error('the fixture has observations');
    const evil = putReport(folder, 'evil', {
      ...sampleReport(),
      observations: [{ ...first, value: 'x\u009b31m\u202e' }, ...rest],
    });
    for (const format of ['text', 'markdown', 'json', 'html']) {
      const { stdout } = await call(['diff', bad, evil, '--format', format]);
      expect(stdout, format).toContain('observation.');
      expect(stdout, format).not.toMatch(/[\u0080-\u009f\u202e]/);
    }
  });
});

describe('what is no report is refused with exit code 2, file and reason', () => {
  test.each([
    ['absent', undefined, 'absent: no such file; name a report.json, or the DIR that holds it'],
    ['text.json', 'hello', 'text.json: is not JSON; it is no report of this suite, or it was changed'],
    ['other.json', '{}', "other.json: is not a report (/: must have required property 'schemaVersion')"],
  ])('%s', async (name, text, message) => {
    const file = join(folder, name);
    if (text !== undefined) writeFileSync(file, text);
    const ended = await call(['diff', bad, name], { cwd: folder });
    expect(ended).toEqual({ code: 2, stdout: '', stderr: `gateway-conformance: ${message}\n` });
  });

  test('a folder without a report', async () => {
    const { code, stderr } = await call(['diff', bad, folder]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${join(folder, 'report.json')}: can't be read (ENOENT)`);
  });

  test('a file that can not be written', async () => {
    const { code, stderr } = await call(['diff', bad, bad, '--out', join(folder, 'no', 'x.md')]);
    expect(code).toBe(2);
    expect(stderr).toContain("x.md: can't be written (ENOENT); name another file");
  });
});
