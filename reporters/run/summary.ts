import { retryCauseWords } from '../../suites/types/reasons/exchange-words.ts';
import { count, firstOf, shorten } from '../../spec/text.ts';
import { isGating } from '../../suites/types/gating.ts';
import type { Report } from '../../suites/types/report.ts';
import { type CauseRows, causesOf, isExplained, isUnderCause } from '../causes.ts';
import { badge, code, link, list, prose, quiet, section, strong, table } from '../document/blocks.ts';
import type { BlockOf, Block, Fact, Inline } from '../document/blocks.ts';
import {
  byFrequency,
  byReason,
  countLevels,
  headline,
  untestedText,
  withVerdict,
} from '../report-queries.ts';
import { beyondScopeLimits, isWholeRun, scopeLimits, selectedAxes } from '../scope-limits.ts';
import { seedText } from '../repeats.ts';
import {
  askedText,
  costText,
  depthText,
  duration,
  familyWord,
  levelMeaning,
  nonGatingReason,
  overallText,
  overallTone,
  utcTime,
  verdicts,
  verdictWord,
} from '../wording.ts';
import { causeAnchor } from './context.ts';
import { minimap } from './matrix.ts';
import { title } from './requirement.ts';

function scopeText(report: Report): string {
  const { families, groups } = report.scope;
  const names = families.map((family) => familyWord[family]).join(', ');
  const { extension } = report.scope;
  const part = extension ? 'what is stated beyond the interface' : 'a part of the interface';
  const covered = `Asked: ${isWholeRun(report) ? 'the whole interface' : part}`;
  return `${covered}, ${depthText(report.scope)}. Model families: ${names || 'none'}. Token groups: ${groups.join(', ') || 'none'}.`;
}

const causeLine = ({ tone, cause }: CauseRows): Inline => [
  badge(tone),
  ' ',
  link(causeAnchor(cause.id), title(cause.summary)),
];

/** The verdict of the run, what it covers and, where no cause stands behind it, why. */
export function verdictBlock(report: Report): Block {
  const { verdict, reasons, run, scope, summary, target } = report;
  const causes = causesOf(report);
  const isCaused = causes.length > 0;
  const counting = causes.filter(({ gates }) => gates);
  const selected = selectedAxes(report).map(([axis, values]) => `only ${axis} ${firstOf(values)}`);
  const tally = verdicts
    .filter((each) => summary[each] > 0)
    .map((each) => badge(each, `${summary[each]} ${verdictWord[each].toLowerCase()}`));
  return {
    kind: 'verdict',
    tone: overallTone[verdict],
    over: 'Conformance report',
    subject: shorten(target.name, 120),
    word: overallText(report),
    lead: headline(report),
    asked: `${[askedText(scope), ...selected, costText(run)].filter(Boolean).join('; ')}.`,
    // The headline of a conformant target says why already.
    reasons: isCaused || verdict === 'conformant' ? [] : reasons,
    // A single one stands right below.
    causes: counting.length > 1 ? counting.map(causeLine) : [],
    ...(isCaused ? {} : { tally }),
    covers: scopeText(report),
    picture: minimap(report),
  };
}

function countTable(report: Report): Block {
  const line = (
    name: string,
    amounts: Report['summary'],
    total: number,
  ): BlockOf<'table'>['rows'][number] => ({
    cells: [
      { of: name },
      ...verdicts.map((verdict) => ({
        of: amounts[verdict],
        tone: amounts[verdict] > 0 ? verdict : undefined,
      })),
      { of: total },
    ],
  });
  return table(
    ['Requirements by level and verdict', 'counts'],
    ['Level', ...verdicts.map((verdict) => badge(verdict)), 'All'],
    [
      ...countLevels(report).map(({ level, counts, total }) => line(level, counts, total)),
      line('all', report.summary, report.requirements.length),
    ],
    { rowHeads: true, total: true },
  );
}

/** Why attempts were sent again, the most frequent first; a report of several runs has not all of their exchanges. */
function retriedText({ run, exchanges }: Report): string {
  if (run.repeat !== undefined) return '';
  const retries = exchanges.flatMap(({ attempts }) => attempts.flatMap(({ retry }) => retry ?? []));
  const reasons = byFrequency(retries, retryCauseWords);
  return reasons.map(([why, { length }]) => `${length} × ${why}`).join(', ');
}

/** Which replies came whole with less than a fifth of the time left that they were given; empty where none did. */
function nearText({ run, exchanges }: Report): string {
  if (run.repeat !== undefined) return '';
  const near = exchanges.flatMap(({ id, attempts }) =>
    attempts.flatMap(({ ms, limitMs }) => (limitMs === undefined ? [] : [{ id, ms, limitMs }])),
  );
  const [slowest] = near.toSorted((one, other) => other.ms / other.limitMs - one.ms / one.limitMs);
  if (slowest === undefined) return '';
  const took = `${(slowest.ms / 1000).toFixed(1)} s of ${slowest.limitMs / 1000} s`;
  return `${count(near.length, 'reply', 'replies')} used more than 80 % of the time given, at most ${took} (${slowest.id})`;
}

function runFacts(report: Report): readonly (Fact | false)[] {
  const { suite, run, target } = report;
  const [cost, retried, near] = [costText(run), retriedText(report), nearText(report)];
  const took = Date.parse(run.finishedAt) - Date.parse(run.startedAt);
  const lasted = Number.isFinite(took) && `, ${duration(took)}`;
  const sent = `${count(run.requests, 'request')}, ${count(run.billedGenerations, 'billed generation')}, ${seedText(run)}`;
  return [
    ['Base address', code(target.baseUrl)],
    ['Run', [utcTime(run.startedAt), lasted, ' ', code(run.id)]],
    run.parts !== undefined && ['Merged of', run.parts.join(', ')],
    ['Sent', sent],
    cost !== undefined && ['Billed', cost],
    ['Suite', `${suite.name} ${suite.version}`],
    retried !== '' && ['Retried', retried],
    near !== '' && ['Near the limit', near],
  ];
}

/** What stands behind the verdict: how much of what, when, and by what it was judged. */
export function countSection(report: Report, trend: Block | null): Block {
  const { requirementsDigest, openapiDigest } = report.suite;
  const meanings = countLevels(report).map(({ level }) => [strong(level), `: ${levelMeaning[level]}`]);
  const digests: readonly Fact[] = [
    ['Requirements digest', code(requirementsDigest)],
    ['OpenAPI digest', code(openapiDigest)],
  ];
  return section(
    ['part-counts', 'Summary', 'Summary'],
    [
      countTable(report),
      { ...list(meanings), from: 'page' },
      { kind: 'facts', facts: runFacts(report) },
      { kind: 'facts', broad: true, facts: digests },
      trend,
    ],
    { from: 'summary' },
  );
}

/** What was sent again, and what nearly took too long, for the shortest form. */
export function wireSections(report: Report): readonly (Block | false)[] {
  const told = (id: string, name: string, text: string): Block | false =>
    text !== '' && section([id, name, `${name}: ${text}`], [], { tone: 'untested', upTo: 'glance' });
  return [
    told('part-retried', 'Retried', retriedText(report)),
    told('part-near', 'Near the limit', nearText(report)),
  ];
}

export function untestedSection(report: Report): Block {
  const isUnder = isExplained(report);
  const all = withVerdict(report, 'untested');
  const rows = all.filter((own) => !isUnder(own));
  const under = all.length - rows.length;
  const items: readonly Inline[] = [
    ...scopeLimits(report),
    ...byReason(beyondScopeLimits(report, rows)).map(({ reason, requirements }): Inline => {
      const lines = requirements.map(({ id }) => link(id, code(id)));
      const summary = count(requirements.length, 'requirement');
      return [`${reason.replace(/[.]$/, '')}: `, { is: 'folded', summary, lines }];
    }),
  ];
  const nothing = report.requirements.some(isUnder)
    ? 'What could not be judged is listed under its cause.'
    : 'Everything that can be judged over HTTP was tested.';
  const of = all.length === 0 ? '' : `: ${untestedText(report)}`;
  const title = `Untested${of}${under > 0 ? `, ${under} of them explained by the causes above` : ''}`;
  const excluded = quiet([
    `${count(report.excluded.length, 'statement')} of the interface cannot be judged over HTTP: `,
    link('part-excluded', 'listed with the reasons'),
    '.',
  ]);
  return section(
    ['part-untested', 'Untested', title],
    [
      items.length === 0 ? quiet(nothing) : list(items),
      report.excluded.length > 0 && { ...excluded, from: 'page' },
    ],
    { tone: 'untested', from: items.length === 0 ? 'page' : 'glance' },
  );
}

/** What was found of rows that do not count yet, failures first. */
export function provisionalSection(report: Report): Block | false {
  const rows = report.requirements.filter(({ provisional }) => provisional !== undefined);
  const items = [...rows]
    .sort((one, other) => Number(other.provisional === 'fail') - Number(one.provisional === 'fail'))
    .map(({ id, statement, provisional = 'untested', reason, since = 1 }) => [
      badge(provisional),
      ' ',
      link(id, prose(statement)),
      ' ',
      code(id),
      String(since) === report.suite.statements
        ? `: new in version ${since} of the statements, and counts from the next one on`
        : ': this suite is known to judge it wrongly (spec/errata.yaml)',
      reason !== undefined && `: ${reason}`,
    ]);
  const title = 'Provisional: judged, and not counted';
  return (
    items.length > 0 &&
    section(['part-provisional', 'Provisional', title], [list(items)], { tone: 'observed' })
  );
}

/** What could not be decided without gating, and why. */
export function openSection(report: Report): Block | false {
  const isUnder = isUnderCause(report);
  const items = withVerdict(report, 'inconclusive')
    .filter((own) => !isGating(own) && !isUnder(own))
    .map(({ id, statement, nonGating, reason }) => [
      link(id, prose(statement)),
      ' ',
      code(id),
      `: ${nonGatingReason(nonGating)}${reason ? `: ${reason}` : ''}`,
    ]);
  const title = 'Inconclusive, not gating';
  return (
    items.length > 0 && section(['part-open', 'Not gating', title], [list(items)], { tone: 'inconclusive' })
  );
}
