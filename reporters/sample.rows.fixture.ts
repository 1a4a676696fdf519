import { groupBy } from '../spec/group-by.ts';
import { given } from '../spec/present.ts';
import { families, groups, protocols } from '../spec/vocabulary.ts';
import type { ReportCase, ReportFinding, ReportRequirement, Verdict } from '../suites/types/report.ts';
import { suiteNames } from '../suites/types/suite-names.ts';
import { hostile } from './sample.wire.fixture.ts';
import { smallReport } from './small.fixture.ts';

/** Section, stem of the id, and how many statements there are; each statement is two requirements. */
const stated: readonly (readonly [section: string, stem: string, statements: number])[] = [
  ['1', 'service', 3],
  ['2.1', 'token', 2],
  ['2.2', 'families', 4],
  ['2.3', 'responses.result', 5],
  ['2.4', 'messages.result', 2],
  ['2.5', 'chat.result', 7],
  ['2.6', 'images.result', 3],
  ['4', 'endpoints', 2],
  ['4.1', 'responses.parameters', 6],
  ['4.2', 'messages.parameters', 5],
  ['4.3', 'chat.parameters', 6],
  ['4.4', 'images.parameters', 5],
  ['4.5', 'chat-image', 1],
  ['5', 'authentication', 4],
  ['6', 'events', 2],
  ['7', 'errors', 2],
  ['9', 'versioning', 1],
];

const failing = new Set([
  'families.1.1',
  'chat.result.0.0',
  'chat.result.6.0',
  'chat.parameters.0.0',
  'authentication.1.0',
  'authentication.3.0',
  'images.parameters.1.1',
  'messages.parameters.1.0',
  'errors.0.0',
]);
const unsettled: Readonly<Record<string, ReportRequirement['nonGating']>> = {
  'responses.parameters.4.0': 'model-behaviour',
  'messages.parameters.3.0': 'too-fast',
  'responses.result.4.0': undefined,
  'images.result.2.0': undefined,
};

const reasonOf: Readonly<Partial<Record<Verdict, string>>> = {
  fail: 'A request outside the contract was answered with a result.',
  inconclusive: 'The control failed: three attempts ended with 503.',
  untested: 'The target declares no token whose rate limit is spent.',
};

const casesOf = (at: number): string[] => [`case-${at * 2}`, `case-${at * 2 + 1}`];

function verdictOf(id: string): Verdict {
  if (failing.has(id)) return 'fail';
  if (id in unsettled) return 'inconclusive';
  return id.startsWith('errors.1') ? 'untested' : 'pass';
}

function row(section: string, id: string, statement: string, at: number): ReportRequirement {
  const [verdict, isDerived] = [verdictOf(id), id.endsWith('.1')];
  return given({
    id,
    sections: section === '4.2' ? [section, '8'] : [section],
    level: isDerived ? ('derived' as const) : ('stated' as const),
    statement: isDerived ? `${statement.slice(0, -1)}: a value of another type gives no result.` : statement,
    reading:
      at % 9 === 0 ? 'Accepting a wrong type fails a derived requirement; null is unspecified.' : undefined,
    verdict,
    reason: reasonOf[verdict],
    nonGating: unsettled[id],
    cases: casesOf(at),
  });
}

const firm = stated.flatMap(([section, stem, statements]) =>
  Array.from({ length: statements }, (_, at) => `Statement ${at} of ${stem} is kept.`).flatMap(
    (statement, at) => [0, 1].map((kind) => [section, `${stem}.${at}.${kind}`, statement] as const),
  ),
);

const open: readonly ReportRequirement[] = Array.from({ length: 28 }, (_, at) => ({
  id: `open.${['2.4', '2.6', '6', '7'][at % 4]}.${at}`,
  sections: [['2.4', '2.6', '6', '7'][at % 4] ?? '6'],
  level: 'unspecified',
  statement: 'What a refusal looks like is not shown.',
  verdict: 'observed',
  cases: casesOf(firm.length + at),
}));

const torn: readonly ReportRequirement[] = smallReport()
  .requirements.filter(({ level }) => level === 'conflicting')
  .map((row) => ({ ...row, cases: ['case-299'] }));

export const sampleRequirements = (): ReportRequirement[] => [
  ...firm.map(([section, id, statement], at) => row(section, id, statement, at)),
  ...open,
  ...torn,
];

/** What a failing case found, by the requirement it failed. */
const found: Readonly<Record<string, Omit<ReportFinding, 'requirement' | 'verdict'>>> = {
  'chat.result.0.0': {
    pointer: '/usage/total_tokens',
    message: 'The value has another type.',
    expected: 'an integer',
    actual: '"21"',
  },
  'chat.result.6.0': {
    pointer: 'event 4 /choices/0/delta',
    message: 'The member is missing.',
    expected: 'an object',
    actual: 'nothing',
  },
  'chat.parameters.0.0': {
    message: 'A request outside the contract was answered with a result.',
    expected: 'no result: temperature is 2.01',
    actual: `status 200 and the text “${hostile}”`,
  },
};

const otherwise = {
  message: 'The token was taken.',
  expected: 'a refusal',
  actual: 'status 200 and a result',
};

function findingOf({ id, verdict, reason = '', nonGating }: ReportRequirement): ReportFinding[] {
  if (verdict !== 'fail' && verdict !== 'inconclusive' && verdict !== 'untested') return [];
  const open = { message: reason, expected: 'a verdict', actual: 'none' };
  const words = verdict === 'fail' ? (found[id] ?? otherwise) : open;
  return [given({ requirement: id, verdict, ...words, nonGating })];
}

/** Which exchange shows a failure that needs a certain reply: a completion, and a stream. */
const shows: Readonly<Record<string, number>> = { 'chat.result.0.0': 1, 'chat.result.6.0': 3 };

function sampleCase(at: number, requirements: readonly ReportRequirement[]): ReportCase {
  const [owner] = requirements;
  const exchanges = [shows[owner?.id ?? ''] ?? at, 300 + (at % 50)].map((number) => `exchange-${number}`);
  const untested = owner?.verdict === 'untested';
  const findings = requirements.flatMap(findingOf);
  return {
    id: `case-${at}`,
    title: `${owner?.statement ?? 'Case'} (${groups[at % 3]}, ${at % 2 === 0 ? 'plain' : 'streamed'})`,
    suite: suiteNames[at % suiteNames.length] ?? 'results',
    cell: {
      family: families[at % 5] ?? 'general',
      protocol: protocols[at % 4] ?? 'chat',
      group: groups[at % 3] ?? 'default',
      stream: at % 2 === 1,
    },
    requirements: requirements.map((requirement) => requirement.id),
    verdict: owner?.verdict ?? 'pass',
    findings,
    passed: requirements.filter(({ verdict }) => verdict === 'pass').map((requirement) => requirement.id),
    exchanges: untested ? [] : exchanges,
    ...(untested
      ? {}
      : {
          reproduce: `curl -sS -X POST 'https://gateway.example.com/v1/chat/completions' \\\n  -H "Authorization: Bearer $GATEWAY_TOKEN_DEFAULT" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"model":"m-large","messages":[{"role":"user","content":"Reply with the word hello."}],"temperature":2.01}'`,
        }),
  };
}

export function sampleCases(): ReportCase[] {
  const owned = sampleRequirements().flatMap((owner) => owner.cases.map((id) => ({ id, owner })));
  const owners = groupBy(owned, ({ id }) => id);
  return Array.from({ length: 300 }, (_, at) =>
    sampleCase(
      at,
      (owners.get(`case-${at}`) ?? []).map(({ owner }) => owner),
    ),
  );
}
