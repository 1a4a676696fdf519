import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownerProblems, ownerWords } from '../../reporters/results/owner-words.ts';
import { call } from '../command.fixture.ts';
import { testFolder } from '../folder.fixture.ts';

const folder = testFolder('results');

let made = 0;
/** A folder of results with one release whose bundle is empty, and what a test adds. */
function results(add: (path: (name: string) => string) => void): string {
  made += 1;
  const dir = join(folder, String(made));
  mkdirSync(join(dir, '1/acme/2.3/bundle'), { recursive: true });
  writeFileSync(join(dir, '1/acme/2.3/README.md'), '# Acme\n');
  add((name) => join(dir, name));
  return dir;
}

const links = (text: string) => (path: (name: string) => string) => writeFileSync(path('links.yaml'), text);

test.each<[string, (path: (name: string) => string) => void, string]>([
  ['a version that is no number', (path) => mkdirSync(path('v2')), 'v2: has no place here'],
  ['a product with capitals', (path) => mkdirSync(path('1/Acme')), 'Acme: has no place here'],
  ['a product that leads out', (path) => mkdirSync(path('1/..acme')), '..acme: has no place here'],
  ['a strange file', (path) => writeFileSync(path('1/acme/notes.txt'), ''), 'notes.txt: has no place here'],
  [
    'a link to a folder',
    (path) => symlinkSync('/etc', path('1/other')),
    '1/other: is neither a file nor a folder',
  ],
  [
    'a link for a README',
    (path) => {
      rmSync(path('1/acme/2.3/README.md'));
      symlinkSync('/etc/hostname', path('1/acme/2.3/README.md'));
    },
    'README.md: is neither a file nor a folder',
  ],
  [
    'a link in a bundle',
    (path) => symlinkSync('/etc', path('1/acme/2.3/bundle/etc')),
    'etc is neither a file nor a folder',
  ],
  [
    'a second bundle of a release',
    (path) => mkdirSync(path('1/acme/2.3/bundle-2')),
    'bundle-2: has no place here',
  ],
  [
    'a release without its bundle',
    (path) => rmSync(path('1/acme/2.3/bundle'), { recursive: true }),
    'holds no bundle/',
  ],
  ['a release without README', (path) => rmSync(path('1/acme/2.3/README.md')), 'holds no README.md'],
  [
    'a bundle that is none',
    (path) => writeFileSync(path('1/acme/2.3/bundle/report.json'), '{}'),
    'report.json: is not a report',
  ],
  ['no result', (path) => rmSync(path('1'), { recursive: true }), 'holds no result'],
  [
    'a link to an issue of no product',
    links('links: [{ product: acm, requirement: chat.result.id, url: "https://e.com/1" }]'),
    'links.yaml:1: links[0].product: unknown product "acm"; did you mean acme?',
  ],
  [
    'a link for no requirement',
    links('links: [{ product: acme, requirement: chat.made-up, url: "https://e.com/1" }]'),
    'links[0].requirement: unknown requirement "chat.made-up"',
  ],
  [
    'a link that is no address',
    links('links: [{ product: acme, requirement: chat.result.id, url: "javascript:alert(1)" }]'),
    'links[0].url: "javascript:alert(1)" is no address; write it with https://',
  ],
])('%s is one error with the way out, exit code 2', async (_, add, message) => {
  const { code, stdout, stderr } = await call(['results', 'check', results(add)]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});

test('a site is of report folders or of a folder of results, and not of both', async () => {
  const dir = results(() => {});
  for (const args of [['--results', dir, dir], []]) {
    const { code, stderr } = await call(['site', ...args, '--out', join(folder, 'site')]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'name the DIRs that runs wrote, or a folder of results with --results, and not both',
    );
  }
});

const readme =
  '# Acme\n\nConsent: Jane Doe, for Acme, 2026-11-01\nExpires: 2027-01-31\n\n## How to reproduce\n\nBy hand.\n';

test.each<[string, string, string | undefined]>([
  ['with all of it', readme, undefined],
  ['without consent', readme.replace(/Consent.*\n/, ''), 'README.md has no consent of the owner'],
  ['whose consent is in the future', readme.replace('2026-11-01', '2026-12-01'), 'in the future'],
  ['that expired', readme.replace('2027-01-31', '2026-11-23'), 'it expired after 2026-11-23'],
  ['that never expires', readme.replace(/Expires.*\n/, ''), 'does not say until when'],
  ['that no one can reproduce', readme.replace('By hand.\n', ''), 'does not say how to reproduce it'],
])('the words of an owner %s', (_, text, problem) => {
  const found = ownerProblems(ownerWords(text), '2026-11-24').join('\n');
  if (problem === undefined) expect(found).toBe('');
  else expect(found).toContain(problem);
});
