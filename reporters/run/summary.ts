import { count, shorten } from '../../spec/text.ts';
import type { Report } from '../../suites/types/report.ts';
import { causesOf, isUnderCause } from '../causes.ts';
import { badge, type Block, code, type Inline, link, prose, quiet, type Row } from '../document/blocks.ts';
import {
  byReason,
  countLevels,
  headline,
  nonGatingRequirements,
  retryReasons,
  untestedText,
  withVerdict,
} from '../report-queries.ts';
import { beyondScopeLimits, isWholeRun, scopeLimits } from '../scope-limits.ts';
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
import { minimap } from './minimap.ts';

function scopeText(report: Report): string {
  const { families, groups } = report.scope;
  const names = families.map((family) => familyWord[family]).join(', ');
  const covered = isWholeRun(report) ? 'Asked: the whole interface' : 'Asked: a part of the interface';
  return `${covered}, ${depthText(report.scope)}. Model families: ${names || 'none'}. Token groups: ${groups.join(', ') || 'none'}.`;
}

/** The verdict of the run, what it covers and, where no cause stands behind it, why. */
export function verdictBlock(report: Report): Block {
  const { verdict, reasons, run, scope, summary, target } = report;
  const isCaused = causesOf(report).length > 0;
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
    asked: `${[askedText(scope), costText(run)].filter(Boolean).join('; ')}.`,
    // The headline of a conformant target says why already.
    reasons: isCaused || verdict === 'conformant' ? [] : reasons,
    ...(isCaused ? {} : { tally }),
    covers: scopeText(report),
    picture: minimap(report),
  };
}

/** Counts of requirements by level and verdict. */
function countTable(report: Report): Block {
  const row = (name: Inline, amounts: Report['summary'], total: number): Row => ({
    cells: [
      { of: name },
      ...verdicts.map((verdict) => ({
        of: amounts[verdict],
        ...(amounts[verdict] > 0 ? { tone: verdict } : {}),
      })),
      { of: total },
    ],
  });
  return {
    kind: 'table',
    from: 'summary',
    label: 'Requirements by level and verdict',
    look: 'counts',
    heads: ['Level', ...verdicts.map((verdict) => badge(verdict)), 'All'],
    rows: [
      ...countLevels(report).map(({ level, counts, total }) => row(level, counts, total)),
      row('all', report.summary, report.requirements.length),
    ],
    rowHeads: true,
    total: true,
  };
}

function runFacts({ suite, run, target }: Report): readonly (readonly [string, Inline])[] {
  const cost = costText(run);
  const took = Date.parse(run.finishedAt) - Date.parse(run.startedAt);
  const lasted = Number.isFinite(took) && `, ${duration(took)}`;
  const sent = `${count(run.requests, 'request')}, ${count(run.billedGenerations, 'billed generation')}, ${seedText(run)}`;
  return [
    ['Base address', code(target.baseUrl)],
    ['Run', [utcTime(run.startedAt), lasted, ' ', code(run.id)]],
    ['Sent', sent],
    ...(cost === undefined ? [] : [['Billed', cost] as const]),
    ['Suite', `${suite.name} ${suite.version}`],
  ];
}

/** What stands behind the verdict: when, with what it was judged, and how much of what. */
export function countSection(report: Report, trend: Block | null): Block {
  const { suite } = report;
  const retried = retriedText(report);
  return {
    kind: 'section',
    from: 'summary',
    id: 'part-counts',
    name: 'Summary',
    title: 'Summary',
    blocks: [
      countTable(report),
      {
        kind: 'list',
        from: 'page',
        items: countLevels(report).map(({ level }) => [
          { is: 'strong', of: level },
          `: ${levelMeaning[level]}`,
        ]),
      },
      {
        kind: 'facts',
        facts: [...runFacts(report), ...(retried === '' ? [] : [['Retried', retried] as const])],
      },
      {
        kind: 'facts',
        broad: true,
        facts: [
          ['Requirements digest', code(suite.requirementsDigest)],
          ['OpenAPI digest', code(suite.openapiDigest)],
        ],
      },
      ...(trend === null ? [] : [trend]),
    ],
  };
}

/** A report of several runs has not all of their exchanges. */
const retriedText = (report: Report): string =>
  report.run.repeat === undefined
    ? retryReasons(report)
        .map(({ why, times }) => `${times} × ${why}`)
        .join(', ')
    : '';

/** What was sent again, for the shortest form. */
export function retriedSections(report: Report): Block[] {
  const text = retriedText(report);
  if (text === '') return [];
  const title = `Retried: ${text}`;
  return [
    {
      kind: 'section',
      upTo: 'glance',
      id: 'part-retried',
      name: 'Retried',
      title,
      tone: 'untested',
      blocks: [],
    },
  ];
}

/** What was not tested, and why. */
export function untestedSection(report: Report): Block {
  const isUnder = isUnderCause(report);
  const all = withVerdict(report, 'untested');
  const rows = all.filter((row) => !isUnder(row));
  const limits = scopeLimits(report);
  const under = all.length - rows.length;
  const items = [
    ...limits,
    ...byReason(beyondScopeLimits(report, rows)).map(
      ({ reason, requirements }): Inline => [
        `${reason.replace(/[.]$/, '')}: `,
        {
          is: 'folded',
          summary: count(requirements.length, 'requirement'),
          lines: requirements.map(({ id }) => link(id, code(id))),
        },
      ],
    ),
  ];
  const nothing = report.requirements.some(isUnder)
    ? 'What could not be judged is listed under its cause.'
    : 'Everything that can be judged over HTTP was tested.';
  const excluded = count(report.excluded.length, 'statement');
  const of = all.length === 0 ? '' : `: ${untestedText(report)}`;
  return {
    kind: 'section',
    ...(items.length === 0 ? { from: 'page' } : {}),
    id: 'part-untested',
    name: 'Untested',
    title: `Untested${of}${under > 0 ? `, ${under} of them explained by the causes above` : ''}`,
    tone: 'untested',
    blocks: [
      items.length === 0 ? quiet(nothing) : { kind: 'list', items },
      {
        ...quiet([
          `${excluded} of the interface cannot be judged over HTTP: `,
          link('part-excluded', 'listed with the reasons'),
          '.',
        ]),
        from: 'page',
      },
    ],
  };
}

/** What could not be decided without gating, and why. */
export function openSections(report: Report): Block[] {
  const isUnder = isUnderCause(report);
  const rows = nonGatingRequirements(report).filter((row) => !isUnder(row));
  if (rows.length === 0) return [];
  const items = rows.map(({ id, statement, nonGating, reason }) => [
    link(id, prose(statement)),
    ' ',
    code(id),
    `: ${nonGatingReason(nonGating)}${reason ? `: ${reason}` : ''}`,
  ]);
  return [
    {
      kind: 'section',
      id: 'part-open',
      name: 'Not gating',
      title: 'Inconclusive, not gating',
      tone: 'inconclusive',
      blocks: [{ kind: 'list', items }],
    },
  ];
}
