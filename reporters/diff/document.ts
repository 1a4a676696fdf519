import { count, inParentheses, shorten } from '../../spec/text.ts';
import { present } from '../../spec/present.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import type { Verdict } from '../../suites/types/report.ts';
import { code, prose, row, section, small, strong, table } from '../document/blocks.ts';
import type { BlockOf, Block, Document, Inline } from '../document/blocks.ts';
import { printMarkdown } from '../document/markdown.ts';
import { printTerminal } from '../document/terminal.ts';
import { jsonEscape } from '../escape.ts';
import { printPage } from '../html/page.ts';
import { countImpacts, impactList, levelText } from '../impact.ts';
import { modelCellName } from '../models.ts';
import { depthText, duration, overallWord, utcTime, verdictText } from '../wording.ts';
import type { ReportDiff } from './diff.ts';
import type { ChangeKind, RateChange } from './rates.ts';

type Row = BlockOf<'table'>['rows'][number];
type Side = ReportDiff['before'];
type OneSided = ReportDiff['appeared'][number];

const longest = 600;
const cut = (text: string): string => shorten(text, longest);

/** A value that one of the sides does not have. */
const none = '—';

/** One thing that changed: its id, its section, what it is, both values, and what else is to be said. */
function changeRow(id: string, where: string, what: string, before: string, after: Inline, note = ''): Row {
  const said = note !== '' && [{ is: 'line' } as const, small(prose(cut(note)))];
  return row([prose(cut(what)), ' ', code(id), said], where, cut(before), after);
}

/** `failed in 1 of 50 runs before, in 12 of 50 now: more than chance (p = 0.001)`. */
function ratesText({ counted, before, after, chance, comparisons, isSignificant }: RateChange): string {
  const amount = ({ times, judged }: RateChange['before']): string =>
    `in ${times} of ${count(judged, 'run')}`;
  const p = chance < 0.001 ? 'p < 0.001' : `p = ${chance}`;
  const corrected = comparisons > 1 ? `, corrected for ${comparisons} comparisons` : '';
  const meaning = isSignificant ? 'a change, and not chance' : 'no more than chance may bring';
  return `${counted === 'failed' ? 'failed' : 'did not pass'} ${amount(before)} before, ${amount(after)} now: ${meaning} (Fisher’s exact test, ${p}${corrected})`;
}

/** The later verdict has its colour. */
const later = (verdict: Verdict): Inline => ({ is: 'tone', tone: verdict, of: verdictText(verdict) });
const statementOf = (own: Omit<OneSided, 'verdict'>): string => `${own.statement} (${levelText(own)})`;

const verdictRows = ({ changes }: ReportDiff, kind: ChangeKind): Row[] =>
  changes
    .filter((change) => change.kind === kind)
    .map((change) => {
      const { id, sections, before, after, reason, rates, register } = change;
      const note = [register?.join(', '), rates && ratesText(rates), reason].filter(Boolean).join('. ');
      return changeRow(id, sections.join(', '), statementOf(change), verdictText(before), later(after), note);
    });

const oneSided = (own: OneSided, before: string, after: Inline): Row =>
  changeRow(own.id, own.sections.join(', '), statementOf(own), before, after);

const driftRows = ({ drift: { changed, appeared, vanished } }: ReportDiff): Row[] => {
  const drifted = (own: Omit<(typeof appeared)[number], 'value'>, before: string, after: string): Row =>
    changeRow(own.id, own.section, own.subject, before, cut(after));
  return [
    ...changed.map((own) => drifted(own, own.before, own.after)),
    ...appeared.map((own) => drifted(own, none, own.value)),
    ...vanished.map((own) => drifted(own, own.value, none)),
  ];
};

const latencyRows = ({ latency }: ReportDiff): Row[] =>
  latency.map(({ protocol, before, after }) => {
    const [was, is] = [before, after].map(
      (one) => `${one.class} (${duration(one.medianMs)}, ${count(one.exchanges, 'answer')})`,
    );
    const what = `${protocolFacts[protocol].title}: median time of an answer`;
    return changeRow(protocol, '', what, was ?? '', is);
  });

/** What changed by kind, the worst first; kinds without a change left out. */
function sectionsOf(diff: ReportDiff): Block[] {
  const kinds: readonly (readonly [slug: string, title: string, rows: readonly Row[]])[] = [
    ['regression', 'Regressions', verdictRows(diff, 'regression')],
    ['improvement', 'Improvements', verdictRows(diff, 'improvement')],
    ['other', 'Other changes of verdict', verdictRows(diff, 'other')],
    ['register', 'Changed statements (never a regression)', verdictRows(diff, 'register')],
    ['appeared', 'New requirements', diff.appeared.map((own) => oneSided(own, none, later(own.verdict)))],
    [
      'vanished',
      'Removed requirements',
      diff.vanished.map((own) => oneSided(own, verdictText(own.verdict), none)),
    ],
    ['drift', 'Changed behaviour that the interface does not specify', driftRows(diff)],
    [
      'conflicts',
      'Conflicts with another reading followed',
      diff.conflicts.map(({ id, before, after }) => changeRow(id, '', 'Reading followed', before, after)),
    ],
    [
      'cells',
      'Support matrix',
      diff.cells.map(({ before, after, expectation, ...cell }) =>
        changeRow(modelCellName(cell), '', `The interface says: ${expectation}`, before, after),
      ),
    ],
    ['latency', 'Latency class (never a regression)', latencyRows(diff)],
  ];
  return kinds
    .filter(([, , rows]) => rows.length > 0)
    .map(([slug, title, rows]) => {
      const name = `${title} (${rows.length})`;
      const shown = table([title, 'changes'], ['What', 'Section', 'Before', 'After'], rows);
      return section([slug, name, name], [shown]);
    });
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

/** Where two suites judged: what of the verdicts that differ may be owed to the target. */
function suiteNote({ changes, suiteChanged }: ReportDiff, parts: readonly string[]): readonly string[] {
  if (!suiteChanged) return [];
  const restated = changes.filter(({ kind }) => kind === 'register').length;
  const same = changes.length - restated;
  return [
    `The suite changed: ${parts.join('; ')}.`,
    `${count(restated, 'statement is', 'statements are')} another one now, listed apart: no change of the target. ${count(same, 'verdict differs', 'verdicts differ')} on the same statement: the target changed, or the suite judges it in another way.`,
  ];
}

function notesOf(diff: ReportDiff): readonly string[] {
  const { before, after, scopeChanged, appeared } = diff;
  const [a, b] = [before.suite, after.suite];
  const changed = (name: string, one: string, other: string) => one !== other && `${name} ${one} → ${other}`;
  const parts = present([
    changed('suite', a.name, b.name),
    changed('version', a.version, b.version),
    changed('statements', a.statements ?? '1', b.statements ?? '1'),
    changed('requirements', a.requirementsDigest, b.requirementsDigest),
    changed('OpenAPI', a.openapiDigest, b.openapiDigest),
  ]);
  const [asked, askedAfter] = [depthText(before.depth), depthText(after.depth)];
  const failing = appeared.filter(({ verdict }) => verdict === 'fail').length;
  return present([
    ...suiteNote(diff, parts),
    asked !== askedAfter &&
      `Not as much was asked of both: ${asked} → ${askedAfter}. What only one was asked is no change of the target.`,
    scopeChanged &&
      'The scope changed: another profile, other families, groups or selection, or a run that was stopped. What is untested or missing now may be outside the new scope.',
    failing > 0 &&
      `${count(failing, 'new requirement')} failed. The earlier report does not have ${failing === 1 ? 'it' : 'them'}, so ${failing === 1 ? 'it is' : 'they are'} no regression.`,
  ]);
}

const sideOf = ({ target, suite, run, verdict }: Side): Inline => [
  strong(cut(target.name)),
  `, ${overallWord[verdict].toLowerCase()}, `,
  code(cut(target.baseUrl)),
  ` ${utcTime(run.startedAt)}, run `,
  code(run.id),
  run.partial && ' (stopped early)',
  ` ${suite.name} ${suite.version}`,
];

const digestsOf = ({ suite }: Side): Inline => [
  'requirements ',
  code(suite.requirementsDigest),
  ', OpenAPI ',
  code(suite.openapiDigest),
];

/** What changed from one report to another as a document, the worst first. */
function diffDocument(diff: ReportDiff): Document {
  const { same, regressed, before, after } = diff;
  const name = cut(after.target.name);
  const changed = sectionsOf(diff);
  const sides = (text: (side: Side) => Inline) =>
    [
      ['Before', text(before)],
      ['After', text(after)],
    ] as const;
  return {
    title: `${headlineOf(diff)}: ${name}`,
    skip: { to: 'main', words: 'Skip to what changed' },
    head: [
      {
        kind: 'verdict',
        tone: regressed ? 'fail' : same || after.verdict === 'conformant' ? 'pass' : 'observed',
        over: 'Conformance reports compared',
        subject: name,
        word: headlineOf(diff),
        lead: leadOf(diff),
        reasons: notesOf(diff),
      },
      { kind: 'facts', facts: sides(sideOf) },
    ],
    parts: [
      ...changed,
      section(
        ['sides', 'Judged by', 'Judged by'],
        [{ kind: 'facts', broad: true, facts: sides(digestsOf) }],
        { from: 'page' },
      ),
    ],
  };
}

export const renderDiffText = (diff: ReportDiff): string =>
  `${printTerminal(diffDocument(diff), false).join('\n').trimEnd()}\n`;

export const renderDiffMarkdown = (diff: ReportDiff): string => printMarkdown(diffDocument(diff));

export const renderDiffHtml = (diff: ReportDiff): string => printPage(diffDocument(diff));

/** The diff as JSON: a `ReportDiff`, indented, in ASCII: it may be printed on a terminal. */
export const renderDiffJson = (diff: ReportDiff): string =>
  `${JSON.stringify(diff, null, 2).replace(/[\u007f-\uffff]/g, jsonEscape)}\n`;
