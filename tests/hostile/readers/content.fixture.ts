import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonText } from '../../../spec/json.ts';
import { certificateText, createEnvelope } from '../../../reporters/certificate/envelope.ts';
import { readCertificate } from '../../../reporters/certificate/read.ts';
import type { Statement } from '../../../reporters/certificate/statement.ts';
import { bytesOf, type GoodBundle, textOf } from './bundle.fixture.ts';
import { fieldAttacks } from './fields.fixture.ts';

/** A change of a copy of the good bundle. */
export interface Attack {
  readonly name: string;
  readonly change: (dir: string) => void;
}

const rewrite = (dir: string, file: string, change: (text: string) => string): void =>
  writeFileSync(join(dir, file), change(textOf(dir, file)));

const rewriteJson =
  (file: string, change: (document: unknown) => unknown) =>
  (dir: string): void =>
    rewrite(dir, file, (text) => jsonText(change(JSON.parse(text)) as object));

/** Each class of fields of report.json. */
export const reportAttacks = ({ bare }: GoodBundle): readonly Attack[] =>
  fieldAttacks(JSON.parse(textOf(bare, 'report.json'))).map(({ name, change }) => ({
    name,
    change: rewriteJson('report.json', change),
  }));

/** Each class of fields of what the evidence says of the run and of an exchange. */
export function evidenceAttacks({ bare }: GoodBundle): readonly Attack[] {
  const lines = textOf(bare, 'evidence.jsonl').trimEnd().split('\n');
  const at = ['"kind":"header"', '"kind":"exchange"', '"kind":"end"'].map((start) =>
    lines.findIndex((line) => line.startsWith(`{${start}`)),
  );
  return at.flatMap((number) =>
    fieldAttacks(JSON.parse(lines[number] ?? '')).map(({ name, change }) => ({
      name: `line ${number + 1}, ${name}`,
      change: (dir: string) =>
        rewrite(dir, 'evidence.jsonl', (text) => {
          const changed = text.split('\n');
          changed[number] = JSON.stringify(change(JSON.parse(changed[number] ?? '')));
          return changed.join('\n');
        }),
    })),
  );
}

type Json = Record<string, unknown>;
const inside = (name: string, change: (value: Json) => Json) => (value: Json) => ({
  ...value,
  [name]: change(value[name] as Json),
});
const firstAttempt = (change: (attempt: Json) => unknown[]) => (exchange: Json) => ({
  ...exchange,
  attempts: change((exchange.attempts as Json[])[0] as Json),
});

/** What an exchange can't be, in report and evidence alike. */
const impossible: readonly (readonly [name: string, change: (exchange: Json) => Json])[] = [
  ['another address', inside('request', (sent) => ({ ...sent, url: 'https://other.example/v1/responses' }))],
  ['another method', inside('request', (sent) => ({ ...sent, method: 'PUT' }))],
  ['another question', inside('request', (sent) => ({ ...sent, body: '{}' }))],
  [
    'a longer body',
    inside(
      'response',
      inside('body', (body) => ({ ...body, bytes: 1_000_000 })),
    ),
  ],
  [
    'text as base64',
    inside(
      'response',
      inside('body', (body) => ({
        ...body,
        text: Buffer.from(String(body.text)).toString('base64'),
        encoding: 'base64',
      })),
    ),
  ],
  [
    'times that go back',
    inside(
      'response',
      inside('body', (body) => ({
        ...body,
        arrivals: [
          [2, 9],
          [1, 3],
        ],
      })),
    ),
  ],
  ['a reply before its end', inside('timing', (timing) => ({ ...timing, headersMs: 1e9 }))],
  ['another status', firstAttempt((attempt) => [{ ...attempt, status: 500 }])],
  ['other words', firstAttempt((attempt) => [{ ...attempt, fingerprint: '0' }])],
  ['an attempt twice', firstAttempt((attempt) => [attempt, attempt])],
];

export const exchangeAttacks: readonly Attack[] = impossible.map(([name, change]) => ({
  name: `an exchange with ${name}`,
  change: (dir) => {
    let id: unknown;
    rewrite(dir, 'evidence.jsonl', (text) => {
      const lines = text.split('\n');
      const at = lines.findIndex((line) => line.startsWith('{"kind":"exchange"'));
      const exchange = JSON.parse(lines[at] ?? '') as Json;
      id = exchange.id;
      lines[at] = JSON.stringify(change(exchange));
      return lines.join('\n');
    });
    rewriteJson('report.json', (report) => {
      const { exchanges, ...others } = report as { exchanges: Json[] };
      return { ...others, exchanges: exchanges.map((each) => (each.id === id ? change(each) : each)) };
    })(dir);
  },
}));

/** The address of the target changed wherever it is claimed, but not where requests were sent. */
export const addressAttack: Attack = {
  name: 'another address of the target',
  change: (dir) => {
    for (const file of ['report.json', 'evidence.jsonl', 'target.json'])
      rewrite(dir, file, (text) => text.replace(/("baseUrl": ?")[^"]*/, '$1https://other.example'));
  },
};

/** Report and evidence that agree on another suite. */
const claimOtherSuite = (dir: string): void => {
  for (const file of ['report.json', 'evidence.jsonl'])
    rewrite(dir, file, (text) =>
      text.replace(/("requirementsDigest": ?)"[^"]*"/, `$1"sha256:${'0'.repeat(64)}"`),
    );
};

/** What no suite sees in another way; what was billed is judged. */
const recorded = /^(?!.*(?:billed|cost))(?:target|run|scope|exchanges)\b/;

/** The same attacks on a report of another suite: what was recorded is compared, and all else is undecided. */
export const otherSuiteAttacks = (
  good: GoodBundle,
): { readonly recorded: readonly Attack[]; readonly judged: readonly Attack[] } => {
  const attacks = reportAttacks(good).map(({ name, change }) => ({
    name,
    change: (dir: string) => {
      change(dir);
      claimOtherSuite(dir);
    },
  }));
  const judged = attacks.filter(({ name }) => !recorded.test(name) && !name.startsWith('suite'));
  return {
    recorded: attacks.filter(({ name }) => recorded.test(name)),
    judged: [{ name: 'nothing', change: claimOtherSuite }, ...judged.filter((_, at) => at % 6 === 0)],
  };
};

/** Each class of fields of what the certificate states, signed again. */
export function statementAttacks({ bare, key }: GoodBundle): readonly Attack[] {
  const { statement } = readCertificate(bytesOf(bare, 'certificate.json'));
  return fieldAttacks(statement).map(({ name, change }) => ({
    name,
    change: (dir: string) => {
      const envelope = createEnvelope(change(statement) as Statement, key);
      writeFileSync(join(dir, 'certificate.json'), certificateText(envelope));
    },
  }));
}

/** Times that can't be, in report and evidence alike. */
export function timeAttacks({ bare }: GoodBundle): readonly Attack[] {
  const { startedAt, finishedAt } = (
    JSON.parse(textOf(bare, 'report.json')) as { run: { startedAt: string; finishedAt: string } }
  ).run;
  const moved = (from: string, to: string) => (dir: string) => {
    for (const file of ['report.json', 'evidence.jsonl', 'history.jsonl'])
      rewrite(dir, file, (text) => text.replaceAll(from, to));
  };
  const year = finishedAt.slice(0, 4);
  return [
    { name: 'all in 2099', change: moved(`${year}-`, '2099-') },
    { name: 'an end in 2099', change: moved(finishedAt, '2099-01-01T00:00:00.000Z') },
    { name: 'an end before the beginning', change: moved(finishedAt, '2001-01-01T00:00:00.000Z') },
    { name: 'a beginning behind the end', change: moved(startedAt, '2098-01-01T00:00:00.000Z') },
    { name: 'a beginning behind the exchanges', change: moved(startedAt, finishedAt) },
    { name: 'a second that is none', change: moved(finishedAt, '2016-12-31T23:59:60Z') },
  ];
}
