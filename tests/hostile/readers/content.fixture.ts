import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rejudge } from '../../../cli/run/rejudge.ts';
import { UsageError } from '../../../fixtures/target/errors.ts';
import { jsonText } from '../../../spec/json.ts';
import { certificateText, createEnvelope, readCertificate } from '../../../reporters/certificate/envelope.ts';
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

/** What a report may have and this one has not: nothing in the evidence, and no file beside it, gives it. */
const unearned: Readonly<Record<string, Json>> = {
  'pins that were kept': { pins: { file: 'pins.yaml', kept: 99, changed: [], unobserved: [] } },
  'limits of texts': {
    textLimits: [{ protocol: 'chat', refused: 9, answered: 8, seen: 1, exchanges: [] }],
  },
  'a member of its own': { awards: ['best'] },
};
const unearnedOfRun: Readonly<Record<string, Json>> = {
  'live traffic': { traffic: { requests: 1 } },
  'parts of it': { parts: ['one', 'two'] },
  'repeats of it': { repeat: { asked: 1, runs: [] } },
  'a cost': { cost: { currency: 'EUR', expected: 1, actual: 1, estimated: 0 } },
};
export const additionAttacks: readonly Attack[] = [
  ...Object.entries(unearned).map(([name, more]) => ({
    name,
    change: rewriteJson('report.json', (report) => ({ ...(report as Json), ...more })),
  })),
  ...Object.entries(unearnedOfRun).map(([name, more]) => ({
    name,
    change: rewriteJson('report.json', (report) => ({
      ...(report as Json),
      run: { ...((report as Json).run as Json), ...more },
    })),
  })),
];

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

const inBody = (change: (body: Json) => Json) => inside('response', inside('body', change));
const inHeaders = (change: (headers: unknown[]) => unknown[]) =>
  inside('response', (reply) => ({ ...reply, headers: change(reply.headers as unknown[]) }));
const sentWith = (headers: Json) =>
  inside('request', (sent) => ({ ...sent, headers: { ...(sent.headers as Json), ...headers } }));

/** What an exchange can't be. */
const impossible: readonly (readonly [name: string, change: (exchange: Json) => Json])[] = [
  ['another address', inside('request', (sent) => ({ ...sent, url: 'https://other.example/v1/responses' }))],
  ['another method', inside('request', (sent) => ({ ...sent, method: 'PUT' }))],
  ['another question', inside('request', (sent) => ({ ...sent, body: '{}' }))],
  ['another token', sentWith({ authorization: 'Bearer sk-of-somebody-else' })],
  ['a header that was not planned', sentWith({ 'x-account': 'paid' })],
  ['the header of another program', sentWith({ 'user-agent': 'other/1.0' })],
  ['a longer body', inBody((body) => ({ ...body, bytes: 1_000_000 }))],
  [
    'text as base64',
    inBody((body) => ({
      ...body,
      text: Buffer.from(String(body.text)).toString('base64'),
      encoding: 'base64',
    })),
  ],
  [
    'times that go back',
    inBody((body) => ({
      ...body,
      arrivals: [
        [2, 9],
        [1, 3],
      ],
    })),
  ],
  ['a body that came behind its end', inBody((body) => ({ ...body, arrivals: [[body.bytes, 1e9]] }))],
  ['a body that came before its head', inBody((body) => ({ ...body, arrivals: [[body.bytes, 0]] }))],
  ['a body that never came', inBody((body) => ({ ...body, arrivals: [] }))],
  [
    'half of a body',
    inBody((body) => ({ ...body, arrivals: [(body.arrivals as number[][])[0], [1, 1e-3]] })),
  ],
  ['a header in capitals', inHeaders((headers) => [...headers, ['X-Request-Id', '1']])],
  ['a header of two lines', inHeaders((headers) => [...headers, ['x-a', 'b\r\nx-c: d']])],
  ['a reply before its end', inside('timing', (timing) => ({ ...timing, headersMs: 1e9 }))],
  ['another status', firstAttempt((attempt) => [{ ...attempt, status: 500 }])],
  ['other words', firstAttempt((attempt) => [{ ...attempt, fingerprint: '0' }])],
  ['an attempt twice', firstAttempt((attempt) => [attempt, attempt])],
  [
    'an attempt within another',
    firstAttempt((attempt) => [{ ...attempt, ms: 5_000, retry: { kind: 'confirm-failure' } }, attempt]),
  ],
  ['a wait that is longer than the run', firstAttempt((attempt) => [{ ...attempt, waitedMs: 1e9 }])],
];

/** The report of the changed evidence: as a signer makes it who has this suite, and so without a contradiction between both. */
function remake(dir: string): void {
  try {
    const { run, report } = rejudge(join(dir, 'evidence.jsonl'));
    writeFileSync(join(dir, 'report.json'), jsonText(report));
    writeFileSync(join(dir, 'target.json'), jsonText(run.header.target));
  } catch (error) {
    // Whoever verifies it will not read it either.
    if (!(error instanceof UsageError)) throw error;
  }
}

/** One line of the evidence changed, and the report made of that. */
const remade = (
  name: string,
  isWanted: (line: Json) => boolean,
  change: (line: Json) => readonly Json[],
): Attack => ({
  name,
  change: (dir) => {
    rewrite(dir, 'evidence.jsonl', (text) => {
      const lines = text.trimEnd().split('\n');
      const at = lines.findIndex((line) => isWanted(JSON.parse(line) as Json));
      const changed = change(JSON.parse(lines[at] ?? '') as Json).map((line) => JSON.stringify(line));
      return [...lines.slice(0, at), ...changed, ...lines.slice(at + 1), ''].join('\n');
    });
    remake(dir);
  },
});

const isExchange = ({ kind }: Json): boolean => kind === 'exchange';

export const exchangeAttacks: readonly Attack[] = [
  ...impossible.map(([name, change]) =>
    remade(`an exchange with ${name}`, isExchange, (exchange) => [change(exchange)]),
  ),
  remade('an exchange that nobody planned', isExchange, (exchange) => [
    exchange,
    { ...exchange, id: 'more', part: { of: exchange.id, factors: ['none'] } },
  ]),
  ...['stand-in-not-needed', 'recalled-before', 'stream-was-clear'].map((kind) =>
    remade(
      `a reply left out as ${kind}`,
      (line) => isExchange(line) && /^chat\.temperature\b/.test(String(line.id)),
      ({ id }) => [{ kind: 'unsent', id, unsent: { kind } }],
    ),
  ),
];

/** A run that can't be, whose evidence says all of it alike. */
export const headerAttacks: readonly Attack[] = (
  [
    ['another id', (header) => ({ ...header, runId: 'f'.repeat(16) })],
    ['a text for an id', (header) => ({ ...header, runId: 'certified '.repeat(50_000) })],
    ['a time with another zone', (header) => ({ ...header, startedAt: '2026-01-01T00:00:00.000+00:00' })],
    ['a time with a blank', (header) => ({ ...header, startedAt: '2026-01-01 00:00:00.000Z' })],
    ['a time without a fraction', (header) => ({ ...header, startedAt: '2026-01-01T00:00:00Z' })],
    [
      'another header of versions',
      inside('target', (target) => ({ ...target, versionHeader: { name: 'x', value: 'y' } })),
    ],
    ['another variable', inside('target', (target) => ({ ...target, tokens: { default: 'OTHER' } }))],
    ['another seed', (header) => ({ ...header, seed: 99 })],
    ['a part of it alone', (header) => ({ ...header, shard: { index: 1, count: 1 } })],
  ] as const satisfies readonly (readonly [string, (header: Json) => Json])[]
).map(([name, change]) =>
  remade(
    `a run with ${name}`,
    ({ kind }) => kind === 'header',
    (header) => [change(header)],
  ),
);

/** Addresses that no config can have, wherever the address stands. */
export const namedAttacks: readonly Attack[] = [
  'http://good.example@other.example',
  'javascript:alert(1)//',
  'http://good.example#',
  'http://good.example/?',
  'http://good.example/',
  'HTTP://good.example',
].map((address) => ({
  name: `the address ${address}`,
  change: (dir) => {
    rewrite(dir, 'evidence.jsonl', (text) => {
      const [, own = ''] = /"baseUrl":"([^"]*)/.exec(text) ?? [];
      return text.replaceAll(own, address);
    });
    remake(dir);
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
