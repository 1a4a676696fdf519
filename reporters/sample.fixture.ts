import { type MatrixCell, matrix } from '../spec/matrix.ts';
import { families, groups } from '../spec/vocabulary.ts';
import type { Report, ReportCase, ReportCell, ReportRequirement, Verdict } from '../suites/types/report.ts';
import { emptyReport } from './empty-report.fixture.ts';
import { countVerdicts } from './report-queries.ts';
import { sampleCases, sampleRequirements } from './sample.rows.fixture.ts';
import { hostile, sampleExchanges } from './sample.wire.fixture.ts';
import { smallReport } from './small.fixture.ts';

/** A report as a full run writes it, for tests only: 300 cases, 350 exchanges, hostile text of the target. */

function observedOf({ family, protocol, group, stream, expectation }: MatrixCell): ReportCell['observed'] {
  if (family === 'image' && stream) return 'unknown';
  if (family === 'chat-image' && group === 'coding-tool') return 'not sent';
  if (family === 'conversational' && protocol === 'messages' && group === 'coding-tool') return 'served';
  return expectation === 'served' ? 'served' : 'refused';
}

const sampleMatrix = (): ReportCell[] =>
  matrix().map(({ anyGroup, ...cell }) => ({
    ...cell,
    observed: observedOf({ ...cell, anyGroup }),
    ...(anyGroup ? { anyGroup: 'pass' } : {}),
    requirements: ['families.0.0'],
    cases: ['case-1'],
  }));

const subjects = [
  ['7', 'refusal.invalid-token', 'Status of a refused token on chat', '401'],
  [
    '7',
    'refusal.body',
    'Body of a refused token on chat',
    'application/json: {"error": {"message", "type", "code"}}',
  ],
  ['7', 'refusal.missing-model', 'Status of a request without a model', `200 with an error body: ${hostile}`],
  ['6', 'stream.framing', 'Framing of a chat stream', 'server-sent events, LF, ends with [DONE]'],
  [
    '6',
    'stream.event-types',
    'Event types of a Messages stream',
    'message_start, content_block_delta, message_stop',
  ],
  ['2.5', 'finish-reason', 'Values of finish_reason', 'stop, length'],
  ['2.6', 'b64.layout', 'Element of data with b64_json', '{"b64_json": string, "revised_prompt": string}'],
] as const;

const observations: Report['observations'] = Array.from({ length: 28 }, (_, at) => {
  const [section, id, subject, value] = subjects[at % subjects.length] ?? subjects[0];
  return {
    id: `observation.${id}.${at}`,
    section,
    requirement: `open.${section}.${at % 7}`,
    subject: at < subjects.length ? subject : `${subject} (${groups[at % 3]})`,
    value,
    exchanges: [`exchange-${at + 20}`],
  };
});

const excluded: Report['excluded'] = Array.from({ length: 18 }, (_, at) => ({
  id: `excluded.statement-${at}`,
  sections: [['1', '2.1', '8'][at % 3] ?? '1'],
  level: 'stated',
  statement: 'A caller needs an account and a token created in the console.',
  reason: 'The console is no part of the HTTP interface.',
}));

const { schemaVersion, suite, scope, run, conflicts } = smallReport();
const frame = {
  schemaVersion,
  suite,
  run,
  scope: { ...scope, families: [...families], groups: [...groups] },
} as const;

/** A target with several failures, whose replies try to break out of every format. */
export function sampleReport(): Report {
  const requirements = sampleRequirements();
  return {
    ...frame,
    causes: [],
    target: { name: 'Acme gateway 2.3', baseUrl: 'https://gateway.example.com' },
    verdict: 'non-conformant',
    reasons: [
      '9 stated or derived requirements failed.',
      '2 stated or derived requirements could not be judged.',
    ],
    summary: countVerdicts(requirements),
    requirements,
    excluded,
    cases: sampleCases(),
    matrix: sampleMatrix(),
    conflicts: conflicts.map((row) => ({ ...row, exchanges: ['exchange-11', 'exchange-12'] })),
    observations,
    exchanges: sampleExchanges(),
  };
}

/** The same target, hostile in its name too, and in everything that a check may quote of it. */
export function hostileReport(): Report {
  const report = sampleReport();
  return {
    ...report,
    target: { ...report.target, name: `Acme ${hostile}` },
    reasons: [...report.reasons, hostile],
    requirements: report.requirements.map((row) => ({ ...row, reason: hostile })),
    cases: report.cases.map((outcome) => ({
      ...outcome,
      title: `${outcome.title} ${hostile}`,
      findings: outcome.findings.map((finding) => ({
        ...finding,
        message: hostile,
        expected: hostile,
        actual: hostile,
      })),
    })),
    observations: report.observations.map((row) => ({ ...row, value: hostile })),
  };
}

const conformant = (verdict: Verdict): Verdict =>
  verdict === 'fail' || verdict === 'inconclusive' ? 'pass' : verdict;

/** The same run against a gateway that keeps everything. */
export function conformantReport(): Report {
  const report = sampleReport();
  const requirements = report.requirements.map(
    ({ reason, nonGating, ...row }): ReportRequirement =>
      row.verdict === 'untested' && reason !== undefined
        ? { ...row, reason }
        : { ...row, verdict: conformant(row.verdict) },
  );
  const cases = report.cases.map(
    (outcome): ReportCase => ({ ...outcome, verdict: conformant(outcome.verdict), findings: [] }),
  );
  const kept = report.matrix.map((square): ReportCell => {
    const { expectation } = square;
    return expectation === 'served' || expectation === 'refused'
      ? { ...square, observed: expectation }
      : square;
  });
  return {
    ...report,
    target: { name: 'Reference gateway', baseUrl: 'http://127.0.0.1:8080' },
    verdict: 'conformant',
    reasons: ['Every stated and derived requirement that was judged passed.'],
    summary: countVerdicts(requirements),
    requirements,
    cases,
    matrix: kept,
  };
}

/** A run that judged nothing: the target was never reached. */
export const unreachableReport = (): Report => ({
  ...emptyReport(),
  target: { name: 'Nobody home', baseUrl: 'http://127.0.0.1:1' },
  scope: frame.scope,
  run: { ...frame.run, requests: 0, billedGenerations: 0, partial: true },
  verdict: 'inconclusive',
  reasons: ['Nothing could be judged: the target is unreachable.'],
  summary: countVerdicts([]),
  excluded: [],
  exchanges: [],
});
