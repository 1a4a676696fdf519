import { count, inParentheses } from '../../spec/text.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import type { Verdict } from '../../suites/types/report.ts';
import { countImpacts, impactList, levelText } from '../impact.ts';
import { modelCellName } from '../models.ts';
import { depthText, duration, overallWord, verdictText } from '../wording.ts';
import type {
  ChangeKind,
  ObservedValue,
  OneSided,
  RateChange,
  ReportDiff,
  RunCounts,
  Side,
} from './report-diff.ts';

/** One thing that changed, in words; nothing in it is escaped yet. */
interface Row {
  readonly id: string;
  readonly section: string;
  readonly what: string;
  readonly before: string;
  readonly after: string;
  readonly note?: string;
  /** The verdict whose colour the later value has. */
  readonly tone?: Verdict;
}

export interface DiffSection {
  readonly slug: string;
  readonly title: string;
  readonly rows: readonly Row[];
}

/** A diff in words, the same for every format. */
interface DiffView {
  readonly tone: Verdict;
  readonly headline: string;
  /** What became of the verdict. */
  readonly lead: string;
  /** What a reader must know before the tables. */
  readonly notes: readonly string[];
  readonly before: Side;
  readonly after: Side;
  /** Only those with rows. */
  readonly sections: readonly DiffSection[];
}

const none = '—';

const titles: Readonly<Record<ChangeKind, string>> = {
  regression: 'Regressions',
  improvement: 'Improvements',
  other: 'Other changes of verdict',
};

/** `failed in 1 of 50 runs before, in 12 of 50 now: more than chance (p = 0.001)`. */
function ratesText({ counted, before, after, chance, isSignificant }: RateChange): string {
  const amount = ({ times, judged }: RunCounts): string => `in ${times} of ${count(judged, 'run')}`;
  const p = chance < 0.001 ? 'p < 0.001' : `p = ${chance}`;
  const meaning = isSignificant ? 'a change, and not chance' : 'no more than chance may bring';
  return `${counted === 'failed' ? 'failed' : 'did not pass'} ${amount(before)} before, ${amount(after)} now: ${meaning} (Fisher’s exact test, ${p})`;
}

function noteOf(parts: readonly (string | undefined)[]): { readonly note?: string } {
  const said = parts.filter((part) => part !== undefined);
  return said.length === 0 ? {} : { note: said.join('. ') };
}

function verdictRows({ changes }: ReportDiff, kind: ChangeKind): Row[] {
  return changes
    .filter((change) => change.kind === kind)
    .map(({ id, sections, statement, before, after, reason, rates, ...row }) => ({
      id,
      section: sections.join(', '),
      what: `${statement} (${levelText(row)})`,
      before: verdictText(before),
      after: verdictText(after),
      tone: after,
      ...noteOf(rates === undefined ? [reason] : [ratesText(rates), reason]),
    }));
}

const oneSidedRow = ({ id, sections, statement, verdict, ...row }: OneSided, isNew: boolean): Row => ({
  id,
  section: sections.join(', '),
  what: `${statement} (${levelText(row)})`,
  before: isNew ? none : verdictText(verdict),
  after: isNew ? verdictText(verdict) : none,
  ...(isNew ? { tone: verdict } : {}),
});

const observationRow = ({ id, section, subject, value }: ObservedValue, isNew: boolean): Row => ({
  id,
  section,
  what: subject,
  before: isNew ? none : value,
  after: isNew ? value : none,
});

function driftRows({ drift }: ReportDiff): Row[] {
  return [
    ...drift.changed.map(({ id, section, subject, before, after }) => ({
      id,
      section,
      what: subject,
      before,
      after,
    })),
    ...drift.appeared.map((row) => observationRow(row, true)),
    ...drift.vanished.map((row) => observationRow(row, false)),
  ];
}

const latencyRows = ({ latency }: ReportDiff): Row[] =>
  latency.map(({ protocol, before, after }) => ({
    id: protocol,
    section: '',
    what: `${protocolFacts[protocol].title}: median time of an answer`,
    before: `${before.class} (${duration(before.medianMs)}, ${count(before.exchanges, 'answer')})`,
    after: `${after.class} (${duration(after.medianMs)}, ${count(after.exchanges, 'answer')})`,
  }));

function sectionsOf(diff: ReportDiff): DiffSection[] {
  const all: DiffSection[] = [
    ...(['regression', 'improvement', 'other'] as const).map((kind) => ({
      slug: kind,
      title: titles[kind],
      rows: verdictRows(diff, kind),
    })),
    { slug: 'appeared', title: 'New requirements', rows: diff.appeared.map((row) => oneSidedRow(row, true)) },
    {
      slug: 'vanished',
      title: 'Removed requirements',
      rows: diff.vanished.map((row) => oneSidedRow(row, false)),
    },
    { slug: 'drift', title: 'Changed behaviour that the interface does not specify', rows: driftRows(diff) },
    {
      slug: 'conflicts',
      title: 'Conflicts with another reading followed',
      rows: diff.conflicts.map(({ id, before, after }) => ({
        id,
        section: '',
        what: 'Reading followed',
        before,
        after,
      })),
    },
    {
      slug: 'cells',
      title: 'Support matrix',
      rows: diff.cells.map(({ before, after, expectation, ...cell }) => ({
        id: modelCellName(cell),
        section: '',
        what: `The interface says: ${expectation}`,
        before,
        after,
      })),
    },
    { slug: 'latency', title: 'Latency class (never a regression)', rows: latencyRows(diff) },
  ];
  return all.filter(({ rows }) => rows.length > 0);
}

function headlineOf({ same, changes }: ReportDiff): string {
  if (same) return 'Nothing changed';
  const of = (kind: ChangeKind) => changes.filter((change) => change.kind === kind);
  const [worse, better] = [of('regression'), of('improvement').length];
  const byImpact = impactList(countImpacts(worse));
  const first =
    worse.length > 0 ? `${count(worse.length, 'regression')}${inParentheses(byImpact)}` : 'No regression';
  return `${first}, ${count(better, 'improvement')}`;
}

function leadOf({ same, before, after }: ReportDiff): string {
  if (same) return 'No verdict, no observation, no reading, no cell and no latency class differs.';
  const [was, is] = [overallWord[before.verdict].toLowerCase(), overallWord[after.verdict].toLowerCase()];
  return was === is ? `Verdict still ${is}.` : `Verdict: ${was} → ${is}.`;
}

function notesOf({ before, after, suiteChanged, scopeChanged, appeared }: ReportDiff): string[] {
  const [a, b] = [before.suite, after.suite];
  const changed = (name: string, one: string, other: string) =>
    one === other ? [] : [`${name} ${one} → ${other}`];
  const parts = [
    ...changed('suite', a.name, b.name),
    ...changed('version', a.version, b.version),
    ...changed('requirements', a.requirementsDigest, b.requirementsDigest),
    ...changed('OpenAPI', a.openapiDigest, b.openapiDigest),
  ];
  const [asked, askedAfter] = [depthText(before.depth), depthText(after.depth)];
  const failing = appeared.filter(({ verdict }) => verdict === 'fail').length;
  return [
    ...(suiteChanged
      ? [`The suite changed, so a verdict may differ although the target does not: ${parts.join('; ')}.`]
      : []),
    ...(asked === askedAfter
      ? []
      : [
          `Not as much was asked of both: ${asked} → ${askedAfter}. What only one was asked is no change of the target.`,
        ]),
    ...(scopeChanged
      ? [
          'The scope changed: another profile, other families, groups or selection, or a run that was stopped. What is untested or missing now may be outside the new scope.',
        ]
      : []),
    ...(failing > 0
      ? [
          `${count(failing, 'new requirement')} failed. The earlier report does not have ${failing === 1 ? 'it' : 'them'}, so ${failing === 1 ? 'it is' : 'they are'} no regression.`,
        ]
      : []),
  ];
}

/** Puts a diff into words. */
export function presentDiff(diff: ReportDiff): DiffView {
  const { same, regressed, before, after } = diff;
  return {
    tone: regressed ? 'fail' : same || after.verdict === 'conformant' ? 'pass' : 'observed',
    headline: headlineOf(diff),
    lead: leadOf(diff),
    notes: notesOf(diff),
    before,
    after,
    sections: sectionsOf(diff),
  };
}
