import type { BaselineEntry } from '../../fixtures/baseline/baseline.ts';
import { cellName } from '../../fixtures/baseline/cell.ts';
import { inParentheses } from '../../spec/text.ts';
import type { Report, ReportCase, ReportRequirement } from '../../suites/types/report.ts';
import type { BaselineOutcome, FailingEntry } from './apply.ts';
import { canFail as isFailable } from '../../suites/types/gating.ts';

/** What of a test result of Allure is read here. */
interface AllureResult {
  readonly historyId?: string;
  readonly status?: string;
  readonly statusDetails?: { readonly message?: string };
}

/** Files of allure-results/ with expected failures `known` and `muted`, as Allure has it. `cases`: why, by id. */
export function* markExpected(
  files: Iterable<readonly [name: string, text: string]>,
  cases: ReadonlyMap<string, string>,
): Generator<readonly [name: string, text: string]> {
  for (const [name, text] of files)
    yield [name, cases.size > 0 && name.endsWith('-result.json') ? marked(text, cases) : text];
}

function marked(text: string, cases: ReadonlyMap<string, string>): string {
  const result = JSON.parse(text) as AllureResult;
  const why = cases.get(result.historyId ?? '');
  if (why === undefined || result.status !== 'failed') return text;
  const message = `expected failure: ${why}\n\n${result.statusDetails?.message ?? ''}`.trimEnd();
  const statusDetails = { ...result.statusDetails, message, known: true, muted: true };
  return JSON.stringify({ ...result, statusDetails });
}

/** Failures that a baseline expects, each with why: the words of its entries. */
export interface ExpectedFailures {
  /** Requirements whose every failure is expected. */
  readonly requirements: ReadonlyMap<string, string>;
  /** Cases whose every failure is expected. */
  readonly cases: ReadonlyMap<string, string>;
  /** Entries that are errors themselves: what they expect passes now, or was not judged. */
  readonly problems: readonly Readonly<Record<'requirement' | 'entry' | 'message', string>>[];
}

/** What is known without a baseline. */
export const noExpectedFailures: ExpectedFailures = {
  requirements: new Map(),
  cases: new Map(),
  problems: [],
};

/** Reason, owner, last day and address of an entry; unescaped. */
export const entryText = ({ reason, owner, url, expires }: BaselineEntry): string =>
  `${reason}${inParentheses(owner)}, until ${expires}${url === undefined ? '' : `, ${url}`}`;

export const requirementInCell = (requirement: string, cell: BaselineEntry['cell']): string =>
  cell === undefined ? requirement : `${requirement} in ${cellName(cell)}`;

export const entryLocation =
  ({ file }: BaselineOutcome) =>
  ({ requirement, cell, line }: BaselineEntry): string =>
    `${requirementInCell(requirement, cell)} (${file}:${line})`;

const reasonsOf = (covered: readonly FailingEntry[]): string =>
  [
    ...new Set(
      covered.map(({ entry }) =>
        entry.cell === undefined ? entryText(entry) : `in ${cellName(entry.cell)}: ${entryText(entry)}`,
      ),
    ),
  ].join('; ');

function expectedCases(report: Report, { expected, expired }: BaselineOutcome): Map<string, string> {
  const covers = (requirement: string, id: string) => (one: FailingEntry) =>
    one.failures.some((failure) => failure.requirement === requirement && failure.cases.includes(id));
  const cases = new Map<string, string>();
  for (const { id, verdict, findings } of report.cases) {
    const failed = findings.filter((finding) => finding.verdict === 'fail');
    if (verdict !== 'fail' || failed.length === 0) continue;
    const entries = failed.map(({ requirement }) => ({
      own: expected.filter(covers(requirement, id)),
      over: expired.some(covers(requirement, id)),
    }));
    if (entries.every(({ own, over: isExpired }) => own.length > 0 && !isExpired))
      cases.set(id, reasonsOf(entries.flatMap(({ own }) => own)));
  }
  return cases;
}

function problemsIn(outcome: BaselineOutcome): ExpectedFailures['problems'] {
  const entry = entryLocation(outcome);
  const problemsOf = (entries: readonly BaselineEntry[], message: string): ExpectedFailures['problems'] =>
    entries.map((one) => ({ requirement: one.requirement, entry: entry(one), message }));
  return [
    ...problemsOf(outcome.stale, 'stale: it passes now, remove the entry'),
    ...problemsOf(outcome.unmatched, 'unmatched: this full run judged nothing that it names'),
  ];
}

/** What a baseline expects of a report, without requirements that also have new or expired failures. Pure. */
export function expectedFailures(report: Report, outcome: BaselineOutcome | undefined): ExpectedFailures {
  if (outcome === undefined) return noExpectedFailures;
  const { newFailures, expired, expected } = outcome;
  const unexpected = new Set(
    [...newFailures, ...expired.flatMap(({ failures }) => failures)].map(({ requirement }) => requirement),
  );
  const ids = [...new Set(expected.map(({ entry }) => entry.requirement))].filter(
    (id) => !unexpected.has(id),
  );
  const own = (id: string) => expected.filter(({ entry }) => entry.requirement === id);
  return {
    requirements: new Map(ids.map((id) => [id, reasonsOf(own(id))])),
    cases: expectedCases(report, outcome),
    problems: problemsIn(outcome),
  };
}

export type CaseOutcome = 'passed' | 'failure' | 'error' | 'skipped';

type Requirements = ReadonlyMap<string, ReportRequirement>;

/** An inconclusive case gates where a finding about a requirement that can fail is inconclusive and gating. */
function isGatingCase(outcome: ReportCase, requirements: Requirements): boolean {
  const canFail = (id: string) => isFailable(requirements.get(id) ?? { level: 'stated' });
  const open = outcome.findings.filter(({ verdict }) => verdict === 'inconclusive');
  if (open.length === 0) return outcome.requirements.some(canFail);
  return open.some(({ nonGating, requirement }) => nonGating === undefined && canFail(requirement));
}

/** An inconclusive case that gates is an error; a failure that a baseline expects, and what is untested, is skipped. */
export function caseOutcome(
  outcome: ReportCase,
  requirements: Requirements,
  { cases }: Pick<ExpectedFailures, 'cases'>,
): CaseOutcome {
  if (outcome.verdict === 'fail') return cases.has(outcome.id) ? 'skipped' : 'failure';
  if (outcome.verdict === 'untested') return 'skipped';
  if (outcome.verdict === 'inconclusive') return isGatingCase(outcome, requirements) ? 'error' : 'skipped';
  return 'passed';
}
