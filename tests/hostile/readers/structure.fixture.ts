import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOf } from './bundle.fixture.ts';
import type { Attack } from './content.fixture.ts';

/** A text of JSON that a lax reader takes for the same, or that costs it much. */
type Mutation = readonly [name: string, change: (bytes: Buffer) => Buffer];

const onText = (change: (text: string) => string) => (bytes: Buffer) =>
  Buffer.from(change(bytes.toString('latin1')), 'latin1');
/** A member put first into the first object: with JSON of one line or of many. */
const member = (text: string) => onText((json) => json.replace('{', `{${text},`));
const firstName = (json: string): string => /"([^"]+)"\s*:/.exec(json)?.[1] ?? '';

const mutations: readonly Mutation[] = [
  ['a byte order mark', (bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes])],
  [
    'a byte that is no UTF-8',
    (bytes) => Buffer.concat([bytes.subarray(0, 2), Buffer.from([0xff]), bytes.subarray(2)]),
  ],
  ['a megabyte of blanks behind the end', (bytes) => Buffer.concat([bytes, Buffer.alloc(1_000_000, 0x20)])],
  ['a megabyte of text behind the end', (bytes) => Buffer.concat([bytes, Buffer.alloc(1_000_000, 0x78)])],
  ['zeros behind the end', (bytes) => Buffer.concat([bytes, Buffer.alloc(16)])],
  ['itself twice', (bytes) => Buffer.concat([bytes, bytes])],
  ['its last bytes gone', (bytes) => bytes.subarray(0, -2)],
  ['nothing', () => Buffer.alloc(0)],
  ['a name twice', onText((json) => json.replace('{', `{"${firstName(json)}":"other",`))],
  [
    'a name twice, once escaped',
    onText((json) =>
      json.replace(
        '{',
        `{"\\u00${firstName(json).charCodeAt(0).toString(16)}${firstName(json).slice(1)}":"other",`,
      ),
    ),
  ],
  ['a name that changes objects', member('"__proto__":{"verdict":"conformant"}')],
  ['a member that nobody knows', member('"note":"certified for everything"')],
  ['a number that is none', member('"seed":1e999')],
  ['nesting without end', member(`"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
  ['a text of megabytes', member(`"name":"${'x'.repeat(5_000_000)}"`)],
  ['half of a pair', member('"name":"\\ud800"')],
  ['a comment', onText((json) => json.replace('{', '{/* certified */'))],
  ['a blank before the first name', onText((json) => json.replace('{', '{ '))],
  ['line ends of another system', onText((json) => json.replaceAll('\n', '\r\n'))],
  ['other line ends', onText((json) => json.replaceAll('\n', '\r'))],
];

/** The content of a test result is not checked, and `verify` says so; an empty history says nothing. */
const isNoAttack = (file: string, name: string): boolean =>
  file.startsWith('allure-results/')
    ? name === 'a member that nobody knows'
    : file === 'history.jsonl' && name === 'nothing';

/** Each mutation of a file that is read as JSON. */
export const jsonAttacks = (from: string, file: string): readonly Attack[] =>
  mutations
    .filter(([name]) => !isNoAttack(file, name))
    .filter(([, change]) => !change(bytesOf(from, file)).equals(bytesOf(from, file)))
    .map(([name, change]) => ({
      name: `${file}: ${name}`,
      change: (dir: string) => writeFileSync(join(dir, file), change(bytesOf(dir, file))),
    }));

/** Each rendering changed by a byte, in several places. */
export const renderingAttacks = (whole: string): readonly Attack[] =>
  [
    'report.html',
    'report.md',
    'junit.xml',
    'report.sarif',
    'ctrf-report.json',
    'badge.svg',
    'badge.json',
  ].flatMap((file) =>
    [0, 0.5, 1].map((part) => ({
      name: `${file}: another byte at ${part} of its length`,
      change: (dir: string) => {
        const bytes = bytesOf(whole, file);
        const at = Math.floor((bytes.length - 1) * part);
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        writeFileSync(join(dir, file), bytes);
      },
    })),
  );

const added = (name: string, write: (path: string) => void): Attack => ({
  name: `${JSON.stringify(name)} added`,
  change: (dir) => write(join(dir, name)),
});
const file = (path: string): void => writeFileSync(path, 'certified for everything');
const folder = (path: string): void => void mkdirSync(path, { recursive: true });

/** Names in bytes that are no text: as text, both are the same name. */
const unreadable: Attack = {
  name: 'a name that is no UTF-8 beside one that stands for it',
  change: (dir) => {
    writeFileSync(Buffer.concat([Buffer.from(`${dir}/a`), Buffer.from([0xff])]), 'one');
    writeFileSync(join(dir, 'a\ufffd'), 'two');
  },
};

/** Whatever can lie in a folder. */
export const folderAttacks: readonly Attack[] = [
  unreadable,
  ...[
    'index.html',
    'REPORT.HTML',
    'report.html ',
    'report.html.tmp',
    '.htaccess',
    'evidence.jsonl.1',
    '\u202ereport.html',
  ].map((name) => added(name, file)),
  ...['allure-results/index.html', 'allure-results/categories.json', 'allure-results/x-result.json'].map(
    (name) => added(name, file),
  ),
  ...['empty', 'allure-results/empty', 'runs', 'a/b/c'].map((name) => added(name, folder)),
  added('runs/1', (path) => {
    folder(path);
    file(join(path, 'report.html'));
  }),
  added('link', (path) => symlinkSync('/dev/zero', path)),
  added('link-to-report', (path) => symlinkSync('report.json', path)),
  added('dangling', (path) => symlinkSync('gone', path)),
  added('pipe', (path) => execFileSync('mkfifo', [path])),
  ...['evidence.jsonl', 'report.json', 'target.json', 'render-context.json'].flatMap((name): Attack[] => [
    { name: `${name} gone`, change: (dir) => rmSync(join(dir, name)) },
    {
      name: `${name} behind a link`,
      change: (dir) => {
        renameSync(join(dir, name), `${dir}-${name}`);
        symlinkSync(`${dir}-${name}`, join(dir, name));
      },
    },
    {
      name: `a folder in the place of ${name}`,
      change: (dir) => {
        rmSync(join(dir, name));
        folder(join(dir, name));
      },
    },
  ]),
];

/** What somebody without the key can do to the certificate itself. */
export const certificateAttacks: readonly Attack[] = [
  { name: 'no certificate', change: (dir) => rmSync(join(dir, 'certificate.json')) },
  ...(
    [
      ['no signature', /"signatures": \[[^\]]*\]/, '"signatures": []'],
      ['the signature of nothing', /"sig": "[^"]*"/, '"sig": ""'],
      ['another signature', /"sig": "./, '"sig": "_'],
      ['the name of another key', /"keyid": "[^"]*"/, `"keyid": "${'0'.repeat(64)}"`],
      ['the same signature twice', /"signatures": \[([^\]]*?)\n {2}\]/, '"signatures": [$1,$1\n  ]'],
      [
        'a signature of somebody else beside it',
        /\n {2}\]/,
        `,\n    {\n      "keyid": "${'0'.repeat(64)}",\n      "sig": "${'A'.repeat(86)}=="\n    }\n  ]`,
      ],
      ['another type', 'vnd.in-toto+json', 'json'],
      ['an empty payload', /"payload": "[^"]*"/, '"payload": ""'],
    ] as const
  ).map(([name, from, to]) => ({
    name,
    change: (dir: string) =>
      writeFileSync(
        join(dir, 'certificate.json'),
        bytesOf(dir, 'certificate.json').toString('utf8').replace(from, to),
      ),
  })),
];

/** A bit of each file, by whoever has no key. */
export const outsiderAttacks = (whole: string): readonly Attack[] =>
  readdirSync(whole, { recursive: true, encoding: 'utf8' })
    .filter((name) => existsSync(join(whole, name)) && !/^allure-results$/.test(name))
    .flatMap((name) =>
      [0.1, 0.9].map((part) => ({
        name: `a bit of ${name} at ${part}`,
        change: (dir: string) => {
          const bytes = bytesOf(dir, name);
          const at = Math.floor(bytes.length * part);
          bytes[at] = (bytes[at] ?? 0) ^ 1;
          writeFileSync(join(dir, name), bytes);
        },
      })),
    );
