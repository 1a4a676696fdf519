import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../../spec/package-root.ts';

/** Shorter than this, in characters, a token stands in any text by chance. */
const shortest = 4;

/** Up to this length, in characters, digits are numbers, days and digests before they are a token. */
const longestNumber = 7;

/** Rooms whose words go into what a run sends and writes; the reference gateway's demo tokens are in none. */
const rooms: readonly string[] = [
  'spec',
  'suites',
  'reporters',
  'cli',
  join('fixtures', 'payloads'),
  join('fixtures', 'target'),
];

const here = fileURLToPath(import.meta.url);
const sources = dirname(dirname(dirname(here)));

const isSource = (name: string): boolean =>
  extname(name) === extname(here) && !/\.(?:test|fixture|d)\.[jt]s$|loopback/.test(name);
const isData = (name: string): boolean => /\.(?:yaml|json)$/.test(name);

/** The texts of files below a folder. A package may be bundled otherwise: what is not there has no words. */
function texts(root: string, room: string, wanted: (name: string) => boolean): string[] {
  try {
    return readdirSync(join(root, room), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && wanted(entry.name))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  } catch {
    return [];
  }
}

let words: string | undefined;

/** Everything that the suite itself says, asks for and looks for, in one text; read when first needed. */
function ownWords(): string {
  words ??= rooms
    .flatMap((room) => [...texts(sources, room, isSource), ...texts(packageFile(''), room, isData)])
    .join('\n');
  return words;
}

/** Without the marks of JSON, so that `{"` counts for nothing. */
const withoutMarks = (token: string): string => token.replace(/[{}[\]",:\\]/g, '');

/**
 * Whether a token can't be told from ordinary text: it is very short, a number, or a word that the suite
 * writes or looks for itself (`default`, `chat`, `true`). Taking such a token out of replies and reports
 * would take out what they say, and the verdicts with it: it is left where it stands. The requests that are
 * recorded name its variable all the same.
 */
export function isOrdinary(token: string): boolean {
  if (withoutMarks(token).length < shortest) return true;
  if (token.length <= longestNumber && /^[\d.+-]+$|^[0-9a-f]+$/.test(token)) return true;
  return ownWords().includes(token);
}
