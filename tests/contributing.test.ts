import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../spec/package-root.ts';

const folders = ['cli', 'detection', 'fixtures', 'reporters', 'scripts', 'spec', 'suites', 'tests'];
const files = folders.flatMap((folder) =>
  readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
);
const guide = readFileSync(packageFile('CONTRIBUTING.md'), 'utf8');

test('CONTRIBUTING names no source file that is not there', () => {
  const named = [...guide.matchAll(/`([\w./-]+\.(?:ts|mjs|yaml))`/g)].map(([, name = '']) => name);
  const isThere = (name: string): boolean => files.some((file) => file === name || file.endsWith(`/${name}`));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

test('each of the three walks is told in ten steps', () => {
  const walks = guide.split('## Three walks')[1]?.split('\n## ')[0] ?? '';
  const ten = Array.from({ length: 10 }, (_, at) => `${at + 1}. `);
  expect(walks.match(/^\d+\. /gm)).toEqual([...ten, ...ten, ...ten]);
});
