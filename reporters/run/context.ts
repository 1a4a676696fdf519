import { isGating } from '../../suites/types/gating.ts';
import type {
  Report,
  ReportCase,
  ReportExchange,
  ReportFinding,
  ReportRequirement,
} from '../../suites/types/report.ts';
import { decisiveRows } from '../causes.ts';
import { type Inline, link } from '../document/blocks.ts';
import { byId, findingsOf } from '../report-queries.ts';
import { type BodyRoom, markIn } from './body.ts';

/** True for a requirement whose findings are shown with their evidence. */
export function isDetailed({ causes }: Report, requirement: ReportRequirement): boolean {
  const { verdict, cause } = requirement;
  if (verdict === 'fail' || !isGating(requirement)) return verdict === 'fail';
  // What hangs on the cause of others is told there.
  return cause === undefined || causes.some(({ id, kind }) => id === cause && kind === 'not-decided');
}

/** A case under a requirement: the one place where an exchange is shown. */
export const exchangePlace = (requirement: ReportRequirement, outcome: ReportCase): string =>
  `${requirement.id} ${outcome.id}`;

/** The exchange of a finding's pointer: where it leads to the value found, else where that is missing, else anywhere. */
export function markedExchange(
  outcome: ReportCase,
  finding: ReportFinding,
  exchanges: ReadonlyMap<string, ReportExchange>,
): { readonly id: string; readonly exact: boolean } | null {
  const { pointer, actual } = finding;
  if (pointer === undefined) return null;
  const ranked = (finding.exchange === undefined ? outcome.exchanges : [finding.exchange]).flatMap((id) => {
    const body = exchanges.get(id)?.response?.body;
    const mark = body === undefined ? null : markIn(body, pointer);
    if (mark === null) return [];
    return [{ id, exact: mark.exact, rank: mark.exact ? (actual.includes(mark.raw) ? 0 : 2) : 1 }];
  });
  return ranked.sort((one, other) => one.rank - other.rank)[0] ?? null;
}

/** Characters of a body that stand there at once: a shorter one is never cut. */
const bodyLength = 2000;

/** How much a document shows: as much as it has room for. */
interface DetailLimits {
  /** Of each body, and whether what is between its ends is there. */
  readonly body: BodyRoom;
  /** Findings of a requirement that are shown whole, and cases of one that is kept. */
  readonly findings: number;
  readonly kept: number;
  /** Characters of the longest command of a finding; a cause has its own. */
  readonly command: number;
  /** Which exchanges are shown: the others are in the evidence. */
  readonly exchanges: 'all' | 'of findings' | 'that show a finding' | 'that show a finding in full';
}

export const mostDetail: DetailLimits = {
  ...{ body: { limit: bodyLength, hasRest: true }, findings: 6, kept: 3 },
  ...{ command: Number.POSITIVE_INFINITY, exchanges: 'all' },
};
const cut = { limit: bodyLength, hasRest: false };

/** From the most to the least. */
export const detailLevels: readonly DetailLimits[] = [
  mostDetail,
  { ...mostDetail, command: 1500, findings: 3, kept: 2 },
  { body: cut, command: 1500, findings: 3, kept: 2, exchanges: 'all' },
  { body: cut, command: 1500, findings: 1, kept: 0, exchanges: 'all' },
  { body: cut, command: 1500, findings: 1, kept: 0, exchanges: 'of findings' },
  { body: cut, command: 600, findings: 1, kept: 0, exchanges: 'that show a finding' },
  { body: cut, command: 600, findings: 1, kept: 0, exchanges: 'that show a finding in full' },
];

/** Reads a report once for all parts of the document, in most detail: rows by id, and where each thing is shown. */
export function contextOf(report: Report) {
  const [cases, exchanges] = [byId(report.cases), byId(report.exchanges)];
  /** Where an exchange is shown, as `exchangePlace` names it; the others are at the end of the document. */
  const placeOfExchange = new Map<string, string>();
  /** Pointers to mark in the reply of an exchange. */
  const pointers = new Map<string, string[]>();
  /** The exchanges that show a finding by themselves, each with how many findings stand before it. */
  const proof = new Map<string, number>();
  for (const requirement of decisiveRows(report).filter((row) => isDetailed(report, row))) {
    for (const [at, { case: outcome, finding }] of findingsOf(requirement, cases).entries()) {
      for (const id of outcome.exchanges) {
        if (exchanges.has(id) && !placeOfExchange.has(id))
          placeOfExchange.set(id, exchangePlace(requirement, outcome));
      }
      const marked = markedExchange(outcome, finding, exchanges);
      const shown = finding.exchange ?? marked?.id;
      if (shown !== undefined) proof.set(shown, Math.min(at, proof.get(shown) ?? at));
      if (marked !== null)
        pointers.set(marked.id, [...(pointers.get(marked.id) ?? []), finding.pointer ?? '']);
    }
  }
  const requirements = byId(report.requirements);
  return { report, requirements, cases, exchanges, placeOfExchange, proof, pointers, limits: mostDetail };
}
export type Context = ReturnType<typeof contextOf>;

/** A link to a requirement; its words alone where the report has no such row. */
export const requirementLink = ({ requirements }: Context, id: string, words: Inline): Inline =>
  requirements.has(id) ? link(id, words) : words;

/** Anchors: a requirement is reached by its own id, the rest by a prefix that no id begins with. */
export const exchangeAnchor = (id: string): string => `x:${id}`;
export const causeAnchor = (id: string): string => `c:${id}`;

/** Whether a document has room for an exchange. */
export function isShown({ exchanges, limits, placeOfExchange, proof }: Context, id: string): boolean {
  if (limits.exchanges === 'all') return exchanges.has(id);
  if (limits.exchanges === 'of findings') return placeOfExchange.has(id);
  const before = proof.get(id) ?? Number.POSITIVE_INFINITY;
  return before < (limits.exchanges === 'that show a finding' ? Number.POSITIVE_INFINITY : limits.findings);
}
