import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { smallReport } from '../../reporters/small.fixture.ts';
import { call } from '../command.fixture.ts';
import { replaceFolder } from './site.ts';
import { putReport, testFolder } from '../folder.fixture.ts';

const folder = testFolder('site');
const path = (name: string): string => join(folder, name);
const put = (name: string, id: string): string => {
  const report = smallReport();
  return putReport(folder, name, { ...report, run: { ...report.run, id } });
};
/** All files under a folder, by name; the pages of requirements are counted elsewhere. */
const filesIn = (dir: string): readonly string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('/requirements'))
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();

let [one, two, twin, hostile]: readonly string[] = [];
beforeAll(() => {
  [one, two, twin] = [put('one', 'run-1'), put('two', 'run-2'), put('twin', 'run-1')];
  hostile = put('hostile', '../../../<b>escaped');
});

const site = (...args: readonly (string | undefined)[]) => call(['site', ...args.map((arg) => arg ?? '')]);

test('a site has an index, a list of itself and the page of each run, and is replaced whole', async () => {
  const out = path('site');
  expect(await site(one, two, '--out', out)).toMatchObject({
    code: 0,
    stdout: `2 runs\n${join(out, 'index.html')}\n`,
    stderr: '',
  });
  const pages = ['run-1', 'run-2'].map((id) => `runs/${id}/report.html`);
  expect(filesIn(out)).toEqual(['feed.xml', 'index.html', ...pages, 'site.json', 'verify.html']);
  const index = readFileSync(join(out, 'index.html'), 'utf8');
  for (const page of pages) expect(index).toContain(`href="${page}"`);
  expect(readFileSync(join(out, pages[0] ?? ''), 'utf8')).toContain('id="chat.result.usage.total-tokens"');
  const list = JSON.parse(readFileSync(join(out, 'site.json'), 'utf8')) as { runs: { id: string }[] };
  expect(list.runs.map(({ id }) => id)).toEqual(['run-1', 'run-2']);

  expect((await site(two, '--out', out)).code).toBe(0);
  expect(filesIn(out)).toEqual(['feed.xml', 'index.html', pages[1], 'site.json', 'verify.html']);
});

test('an id of a run can not lead out of the site', async () => {
  const out = path('inside');
  expect((await site(hostile, '--out', out)).code).toBe(0);
  expect(filesIn(out)[2]).toMatch(/^runs\/[0-9a-f]{16}\/report\.html$/);
  expect(readFileSync(join(out, 'index.html'), 'utf8')).not.toContain('<b>escaped');
});

test('bad input is one error, and nothing is written', async () => {
  mkdirSync(path('empty'));
  mkdirSync(path('used/runs'), { recursive: true });
  writeFileSync(path('used/runs/notes.txt'), 'mine');
  writeFileSync(path('file'), 'mine');
  mkdirSync(path('broken'));
  writeFileSync(path('broken/report.json'), '{}');
  const before = filesIn(folder);
  for (const [args, message] of [
    [[one, path('empty'), '--out', path('new')], 'empty: holds no report.json; name a DIR that `run` wrote'],
    [[one, path('gone'), '--out', path('new')], 'gone: no such file'],
    [[one, path('broken'), '--out', path('new')], 'broken/report.json: is not a report'],
    [[one, twin, '--out', path('new')], `twin: is the same run as ${one}, run-1; name each run once`],
    [[one, '--out', path('used')], `used: holds runs/notes.txt, which \`site\` did not write; name another`],
    [[one, '--out', path('file')], 'file: is no folder; name another folder with --out'],
    [[one, '--out', one], 'one: holds report.json, which `site` did not write'],
    [[one], "required option '--out <site>' not specified"],
    [
      ['--out', path('new')],
      'name the DIRs that runs wrote, or a folder of results with --results, and not both',
    ],
  ] as const) {
    const ended = await site(...args);
    expect({ code: ended.code, stdout: ended.stdout }, message).toEqual({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).not.toContain('    at ');
  }
  expect(existsSync(path('new'))).toBe(false);
  expect(filesIn(folder)).toEqual(before);
});

test('a site that somebody added a file to is left as it is', async () => {
  const out = path('edited');
  await site(one, '--out', out);
  writeFileSync(join(out, 'CNAME'), 'gateway.example.com');
  const { code, stderr } = await site(two, '--out', out);
  expect(code).toBe(2);
  expect(stderr).toContain('holds CNAME, which `site` did not write');
  expect(filesIn(out)).toContain('runs/run-1/report.html');
});

test('what a killed `site` left is hidden, and removed by the next one; what a living one writes stays', async () => {
  const out = path('killed');
  let draft = '';
  replaceFolder(out, (folder) => {
    draft = basename(folder);
  });
  expect(draft).toBe(`.killed.${process.pid}.tmp`);
  const { pid } = spawnSync('true');
  for (const name of [`.killed.${pid}.tmp`, `.killed.${pid}.old`, `.killed.${process.ppid}.tmp`])
    mkdirSync(path(`${name}/runs`), { recursive: true });
  rmSync(out, { recursive: true });
  expect((await site(one, '--out', out)).code).toBe(0);
  const left = readdirSync(folder).filter((name) => name.startsWith('.killed'));
  expect(left).toEqual([`.killed.${process.ppid}.tmp`]);
  rmSync(path(`.killed.${process.ppid}.tmp`), { recursive: true });
});
