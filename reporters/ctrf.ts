import { present } from '../spec/present.ts';
import type { Report, ReportCase } from '../suites/types/report.ts';
import { suiteNames } from '../suites/types/suite-names.ts';
import { type ExpectedFailures, noExpectedFailures } from './baseline/expected-failures.ts';
import { visible } from './escape.ts';
import { byId, caseDetail, caseMs } from './report-queries.ts';

/** The name of the suite that holds what is wrong with a baseline itself. */
const baselineSuite = 'baseline';

type Status = 'passed' | 'failed' | 'skipped' | 'other';

/** Observations and readings of a conflict can't fail: they passed. What was not decided is `other`. */
const statusOf: Readonly<Record<ReportCase['verdict'], Status>> = {
  pass: 'passed',
  observed: 'passed',
  conflict: 'passed',
  fail: 'failed',
  inconclusive: 'other',
  untested: 'skipped',
};

/** An expected failure is skipped: a reader of CTRF must not turn red for it. */
const statusIn = ({ id, verdict }: ReportCase, { cases }: ExpectedFailures): Status =>
  verdict === 'fail' && cases.has(id) ? 'skipped' : statusOf[verdict];

function testOf(
  outcome: ReportCase,
  report: Report,
  exchanges: ReadonlyMap<string, Report['exchanges'][number]>,
  known: ExpectedFailures,
): object {
  const { id, title, suite, verdict, requirements } = outcome;
  const { first, text: trace } = caseDetail(outcome);
  const why = known.cases.get(id);
  const message = present([why !== undefined && `expected failure: ${why}`, first?.message]).join('\n');
  return {
    name: visible(`${id}: ${title}`),
    status: statusIn(outcome, known),
    duration: Math.round(caseMs(outcome, exchanges)),
    suite: [visible(report.target.name) || 'target', suite],
    rawStatus: verdict,
    ...(first === undefined ? {} : { message: visible(message), trace: visible(trace) }),
    tags: requirements.map(visible),
    extra: {
      case: visible(id),
      exchanges: outcome.exchanges.map(visible),
      ...(why === undefined ? {} : { expectedFailure: visible(why) }),
    },
  };
}

/** An entry of a baseline that is an error itself. */
const baselineTest = (
  { requirement, entry, message }: ExpectedFailures['problems'][number],
  target: string,
): object => ({
  name: visible(entry),
  status: 'failed' satisfies Status,
  duration: 0,
  suite: [visible(target) || 'target', baselineSuite],
  message: visible(message),
  tags: [visible(requirement)],
});

/** The report as CTRF JSON (ctrf.io), a test for each case. `known`: what a baseline expects, and its errors. */
export function renderCtrf(report: Report, known: ExpectedFailures = noExpectedFailures): string {
  const { cases, suite, scope, run, target } = report;
  const exchanges = byId(report.exchanges);
  const of = (status: Status) => cases.filter((one) => statusIn(one, known) === status).length;
  const { problems } = known;
  const suites = suiteNames.filter((name) => cases.some((outcome) => outcome.suite === name)).length;
  const [start, stop] = [Date.parse(run.startedAt), Date.parse(run.finishedAt)];
  const document = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: run.finishedAt,
    generatedBy: suite.name,
    results: {
      tool: { name: suite.name, version: suite.version },
      summary: {
        tests: cases.length + problems.length,
        passed: of('passed'),
        failed: of('failed') + problems.length,
        skipped: of('skipped'),
        pending: 0,
        other: of('other'),
        suites: suites + (problems.length > 0 ? 1 : 0),
        start,
        stop,
        duration: stop - start,
        extra: { verdict: report.verdict },
      },
      tests: [
        ...cases.map((outcome) => testOf(outcome, report, exchanges, known)),
        ...problems.map((entry) => baselineTest(entry, target.name)),
      ],
      environment: {
        appName: visible(target.name),
        extra: { baseUrl: visible(target.baseUrl), run: visible(run.id), profile: scope.profile },
      },
    },
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}
