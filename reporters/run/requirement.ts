import { count, shorten } from '../../spec/text.ts';
import { present } from '../../spec/present.ts';
import { canFail } from '../../suites/types/gating.ts';
import type { ReportCase, ReportRequirement, RequirementRuns } from '../../suites/types/report.ts';
import type { ExpectedFailures } from '../baseline/expected-failures.ts';
import { badge, code, fold, link, list, paragraph, prose } from '../document/blocks.ts';
import type { BlockOf, Block, Inline } from '../document/blocks.ts';
import { impactMeaning, levelText } from '../impact.ts';
import { guideAnchor } from '../interface-guide.ts';
import { failedRunsText, rateText } from '../repeats.ts';
import { type CaseFinding, findingsOf, firstSection } from '../report-queries.ts';
import { sectionList } from '../sections.ts';
import { nonGatingReason } from '../wording.ts';
import { bodyParts } from './body.ts';
import { type Context, exchangePlace, isDetailed, isShown, markedExchange } from './context.ts';
import { exchangeBlock, exchangeLinks, firstLinks } from './exchange.ts';
import { arrivalBlocks } from './timeline.ts';

/** Exchanges that are linked with a case, cases that are listed, and a sample of what is kept. */
const [mostLinks, mostCases, fewLinks] = [6, 40, 1];
const longest = 1200;
/** The longest sentence of a cause that compares texts has 250. */
const longestTitle = 300;
/** A line that leads to more. */
export const title = (text: string): Inline => prose(clip(text, longestTitle));

/** The text, cut where it is long. */
export const clip = (text: string, length = longest): string =>
  text.length > length ? `${shorten(text, length)} (shortened)` : text;

const see = (text: Inline): Block => paragraph(text, 'see');

function excerpt(context: Context, { case: outcome, finding }: CaseFinding): Block[] {
  const marked = markedExchange(outcome, finding, context.exchanges);
  const body = marked === null ? undefined : context.exchanges.get(marked.id)?.response?.body;
  if (marked === null || body === undefined || finding.pointer === undefined) return [];
  const where = marked.exact ? 'marked below' : 'missing from what is marked below';
  const title = [
    code(finding.pointer),
    ` is ${where}, in the reply of `,
    exchangeLinks(context, [marked.id]),
  ];
  return [{ kind: 'recorded', title, parts: bodyParts(body, [finding.pointer], context.limits.body) }];
}

/** Where a stream was held back, when it came. */
function arrivals(context: Context, { case: outcome, finding }: CaseFinding): readonly Block[] {
  const stream = context.exchanges.get(finding.exchange ?? '');
  if (stream === undefined || !finding.code?.startsWith('stream-buffered')) return [];
  const others = outcome.exchanges.flatMap((id) => context.exchanges.get(id) ?? []);
  return arrivalBlocks(
    stream,
    others.filter(({ id }) => id !== stream.id),
  );
}

function evidence(context: Context, requirement: ReportRequirement, outcome: ReportCase, isFirst = false) {
  const place = exchangePlace(requirement, outcome);
  const here = outcome.exchanges.filter(
    (id) => context.placeOfExchange.get(id) === place && isShown(context, id),
  );
  const elsewhere = outcome.exchanges.filter((id) => !here.includes(id));
  // Where no value of the reply is marked, the whole of it is what was found.
  const unmarked = new Set(
    outcome.findings.filter(({ pointer }) => pointer === undefined).map((finding) => finding.exchange),
  );
  const blocksOf = (ids: readonly string[]): Block[] =>
    ids.flatMap((id) => {
      const exchange = context.exchanges.get(id);
      return exchange === undefined
        ? []
        : [exchangeBlock(context, exchange, { isOpen: isFirst && unmarked.has(id) })];
    });
  const found = new Set(outcome.findings.map(({ exchange }) => exchange));
  const first = here.filter((id, at) => at < mostLinks || found.has(id));
  const rest = here.filter((id) => !first.includes(id));
  const links = see(['Exchanges shown elsewhere: ', exchangeLinks(context, elsewhere)]);
  return [
    ...blocksOf(first),
    ...(rest.length > 0 ? [fold(count(rest.length, 'more exchange'), ...blocksOf(rest))] : []),
    ...(elsewhere.length > 0 ? [links] : []),
  ];
}

/** Findings with their evidence; what belongs to a case is shown with the first finding of it. */
function findingBlocks(context: Context, requirement: ReportRequirement, found: readonly CaseFinding[]) {
  const shown = found.slice(0, context.limits.findings);
  return shown.map((one, at): BlockOf<'finding'> => {
    const { case: outcome, finding } = one;
    const isFirst = shown.findIndex((other) => other.case === outcome) === at;
    const { reproduce = '' } = outcome;
    const hasCommand = isFirst && reproduce !== '' && reproduce.length <= context.limits.command;
    return {
      kind: 'finding',
      tone: finding.verdict,
      what: title(outcome.title),
      message: prose(clip(finding.message)),
      expected: prose(clip(finding.expected)),
      actual: clip(finding.actual),
      place: finding.pointer,
      command: hasCommand ? reproduce : undefined,
      blocks: [
        ...excerpt(context, one),
        ...arrivals(context, one),
        ...(isFirst ? evidence(context, requirement, outcome, at === 0) : []),
      ],
    };
  });
}

/** The findings that there is no room for: how many, with the exchanges of cases that are not shown. */
function restBlocks(context: Context, requirement: ReportRequirement, found: readonly CaseFinding[]) {
  const rest = found.slice(context.limits.findings);
  if (rest.length === 0) return [];
  const shown = new Set(found.slice(0, context.limits.findings).map((one) => one.case));
  const cases = [...new Set(rest.map((one) => one.case))].filter((outcome) => !shown.has(outcome));
  const text = `${count(rest.length, 'more finding')} of the same requirement, in full in report.json`;
  return [
    paragraph(text),
    ...cases.flatMap((outcome) => [see(title(outcome.title)), ...evidence(context, requirement, outcome)]),
  ];
}

function caseLine(context: Context, requirement: ReportRequirement, id: string): Inline {
  const outcome = context.cases.get(id);
  if (outcome === undefined) return [code(id), ': not in this report'];
  // What is not failed is shown by its exchanges; a command for each would make the page half as large again.
  const hasPassed = outcome.passed.includes(requirement.id) && canFail(requirement);
  const verdict = hasPassed ? 'pass' : outcome.verdict;
  const links = outcome.exchanges.length > 0 && [
    ' ',
    firstLinks(context, outcome.exchanges, verdict === 'pass' ? fewLinks : mostLinks),
  ];
  return [badge(verdict), ' ', title(outcome.title), links];
}

/** Links to what showed a failure in the first runs that have it; the report holds no exchanges of the others. */
function runBlocks(context: Context, { failures }: RequirementRuns): Block[] {
  const held = failures.flatMap(({ exchanges }) => exchanges).filter((id) => context.exchanges.has(id));
  return held.length === 0 ? [] : [see(['Exchanges: ', firstLinks(context, held, mostLinks)])];
}

function notesOf(
  { report }: Context,
  { reading, impact, level, reason, cause: id }: ReportRequirement,
  isOpen: boolean,
  hasFindings: boolean,
  known: string | undefined,
): BlockOf<'entry'>['notes'] {
  const cause = isOpen ? undefined : report.causes.find((one) => one.id === id);
  return [
    reading !== undefined && ['Reading held', prose(reading)],
    known !== undefined && ['Expected failure', known],
    isOpen && impact !== undefined && ['Impact', `${impact}. ${impactMeaning(impact, level)}`],
    cause !== undefined && ['Cause', link('part-decisive', prose(clip(cause.summary)))],
    reason !== undefined && !(isOpen && hasFindings) && ['Why', clip(reason)],
  ];
}

function tagsOf(context: Context, requirement: ReportRequirement): BlockOf<'entry'>['tags'] {
  const { verdict, level, impact = '' } = requirement;
  const found = requirement.cases.flatMap((id) => context.cases.get(id)?.cell?.family ?? []);
  const family = [...new Set(found)].join(' ');
  return { verdict, level, impact, section: firstSection(requirement), family };
}

/** How often it failed and in which runs, where it was judged several times. */
function rateOf(row: ReportRequirement): string | undefined {
  const rate = rateText(row);
  return rate !== undefined && row.runs !== undefined && row.runs.failed > 0
    ? `${rate}: ${failedRunsText(row.runs)}`
    : rate;
}

/** A requirement with its verdict: with its evidence where it is not kept. */
export function requirementEntry(
  context: Context,
  requirement: ReportRequirement,
  known?: ExpectedFailures,
): BlockOf<'entry'> {
  const { id, verdict, statement, nonGating, sections, runs } = requirement;
  const found = findingsOf(requirement, context.cases);
  const isOpen = isDetailed(context.report, requirement);
  const rest = isOpen
    ? requirement.cases.filter((own) => !found.some((one) => one.case.id === own))
    : requirement.cases;
  const expected = known?.requirements.get(id);
  const lines = rest.map((own) => caseLine(context, requirement, own));
  return {
    kind: 'entry',
    id,
    tone: verdict,
    title: prose(statement),
    meta: present([
      levelText(requirement),
      sectionList(sections),
      nonGating !== undefined && `not gating: ${nonGatingReason(nonGating)}`,
    ]),
    tags: tagsOf(context, requirement),
    open: false,
    notes: notesOf(context, requirement, isOpen, found.length > 0, expected),
    findings: isOpen ? findingBlocks(context, requirement, found) : [],
    reason: requirement.reason,
    rate: rateOf(requirement),
    same: [],
    expected,
    blocks: [
      ...(isOpen ? restBlocks(context, requirement, found) : []),
      ...(runs === undefined ? [] : runBlocks(context, runs)),
      isOpen && lines.length > 0 && paragraph('Other cases', 'label'),
      lines.length > 0 &&
        list(lines, { most: verdict === 'pass' || isOpen ? context.limits.kept : mostCases }),
      see([link(id, 'Link to this requirement'), ...(isOpen ? [`; in the guide: ${guideAnchor(id)}`] : [])]),
    ],
  };
}
