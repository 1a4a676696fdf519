import { type EvidenceView, isAnswered, isTaken, requestAt, textOf } from '../../checks/evidence-view.ts';
import { readsIn, type ViewOf } from '../../checks/registry.ts';
import type { Fact } from '../../facts/fact.ts';
import type { Mistake } from '../../facts/mistakes.ts';
import type { RefusedRequestReader } from '../../facts/refused-requests.ts';
import type { Case } from '../../types/case.ts';
import type { Failure, FindingWithReason } from '../../types/finding.ts';
import type { UnansweredReader } from './unanswered.ts';
import { type InconclusiveReason, messageOf, type Reason } from '../../types/reasons/index.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import { resultText } from '../../reading/text.ts';
import type { Exchange } from '../../types/exchange.ts';
import { takenOver } from '../../types/plan.ts';

export interface Deciding {
  readonly entry: Case;
  readonly finding: FindingWithReason;
  /** The exchange that shows it, where there is one. */
  readonly shown: string | undefined;
}

/** What was recorded, as a whole and as each case sees it, and the mistakes of the operator that it shows. */
export interface Judged {
  readonly view: EvidenceView;
  readonly viewOf: ViewOf;
  readonly mistakes: readonly Mistake[];
}

export type Views = Pick<Judged, 'view' | 'viewOf'>;

export interface Attributed extends Judged {
  readonly unanswered: UnansweredReader;
  readonly refusedRequest: RefusedRequestReader;
}

export interface Failures {
  /** The fact of the failure that an exchange shows, or that breaks a requirement. */
  readonly failureAt: (name: string) => Fact | undefined;
  readonly brokenAt: (exchange: string) => readonly Fact[];
}

/** Why a row is undecided for no reason of its own: the run ended first, or got no answer. Undefined where its own holds. */
export function reasonBehind(
  fact: Fact,
  deciding: readonly Deciding[],
  { view, viewOf }: Views,
): InconclusiveReason | undefined {
  if (fact.kind === 'run-stopped') {
    const stop = fact.stop === undefined ? {} : { stop: fact.stop };
    const [first] = deciding;
    // What a case is about stands first among what it reads, its controls behind.
    const isAsked = deciding.some(({ entry }) => {
      const [probe] = readsIn(entry.check, viewOf(entry).plan);
      return probe !== undefined && view.state(probe).exchange !== undefined;
    });
    return first && isAsked
      ? { kind: 'not-all-asked', message: messageOf(first.finding), ...stop }
      : { kind: 'not-asked', ...stop };
  }
  // What tells more than that nothing conclusive came is kept.
  if (deciding.some(({ finding }) => finding.reason.kind !== 'no-conclusive-reply')) return undefined;
  const seen = seenIn(fact);
  return seen === undefined ? undefined : { kind: 'asked-in-vain', seen };
}

/** What came in place of answers. */
function seenIn(fact: Fact): string | undefined {
  switch (fact.kind) {
    case 'stopped-answering':
      return `the target stopped answering at ${fact.silence.since}`;
    case 'unreachable':
      return `the target can't be reached: ${fact.detail}`;
    case 'limit-hit':
    case 'no-answer-in-time':
    case 'no-usable-reply':
      return fact.replies.most;
    default:
      return undefined;
  }
}

type InPlace = Failure['reason']['kind'] &
  (
    | 'unrequested-stream'
    | 'no-stream'
    | 'event-without-type'
    | 'stream-without-text'
    | 'text-missing-in-some'
  );

/** Whether a failure is that something else came in place of a result, a stream, an event or its text. */
const isInPlace = (fact: Fact, kind: InPlace): boolean =>
  fact.kind === 'requirement-broken' && fact.reason.kind === kind;

/** What came in place of all that would show it, by the reason that nothing did. */
const inPlaceOf: Readonly<Partial<Record<Reason['kind'], readonly InPlace[]>>> = {
  'no-result-with-field': ['unrequested-stream'],
  'no-stream-shows-it': ['no-stream', 'event-without-type', 'stream-without-text'],
  'no-stream-with-text': ['no-stream', 'event-without-type', 'stream-without-text', 'text-missing-in-some'],
  'text-of-other-shape': ['event-without-type'],
};

/** The failure for which replies could not decide something: what came in place of a result, a stream, or the id to take over. */
export function brokenBehind(
  deciding: readonly Deciding[],
  { view, viewOf }: Views,
  { brokenAt }: Failures,
): Fact | undefined {
  for (const { entry, finding } of deciding) {
    if (finding.verdict !== 'inconclusive') continue;
    const reads = readsIn(entry.check, viewOf(entry).plan);
    const instead = inPlaceOf[finding.reason.kind] ?? [];
    // What is read beside streams only tells how fast a reply is.
    const isOfResults = instead.includes('unrequested-stream');
    const shows = reads.filter((id) => isOfResults || view.request(id)?.stream);
    // A stream without any event is no answer, and broken.
    const came = shows.flatMap((id) => {
      const own = view.state(id).exchange?.id;
      return own && (view.kind(id) === 'answered' || brokenAt(own).length > 0) ? [own] : [];
    });
    const inPlace = came.map((id) =>
      brokenAt(id).find((fact) => instead.some((kind) => isInPlace(fact, kind))),
    );
    if (inPlace.length > 0 && inPlace.every(Boolean)) return inPlace[0];
    // What models answered decided it, and not what was not sent.
    if (finding.nonGating === 'model-behaviour') continue;
    for (const id of reads) {
      const state = view.state(id);
      const unsent = state.kind === 'unclear' && state.why.kind === 'not-sent' ? state.why.unsent : undefined;
      if (unsent?.kind !== 'reply-lacks') continue;
      const fact = brokenAt(unsent.exchange).find((each) => lacks(each, unsent.pointer));
      if (fact) return fact;
    }
  }
  return undefined;
}

/** The requests that a fact says are refused; none where it says nothing of the kind. */
function refusedBy(fact: Fact): readonly string[] {
  if (fact.kind === 'parameter-not-supported') return fact.request.exchanges;
  return fact.kind === 'requirement-broken' && fact.refused ? fact.evidence : [];
}

/** The failure of the replies that all these refused requests take an id over from. Undefined where none is behind it. */
export function brokenSource(fact: Fact, view: EvidenceView, brokenAt: Failures['brokenAt']) {
  const sourceOf = (exchange: Exchange | undefined): string | undefined => {
    const request = exchange && view.requestOf(exchange);
    const [taken] = request ? takenOver(request) : [];
    return taken && view.state(taken.exchange).exchange?.id;
  };
  const sources = refusedBy(fact).map((id) => sourceOf(view.state(id).exchange));
  const taken = view
    .exchanges()
    .filter(({ id, part }) => part === undefined && isTaken(view, id))
    .flatMap((exchange) => sourceOf(exchange) ?? []);
  return brokenAt(sources[0] ?? '').find((behind) => {
    const isBroken = (id: string | undefined): boolean => brokenAt(id ?? '').includes(behind);
    return sources.every(isBroken) && taken.some((id) => !isBroken(id));
  });
}

/** Whether a failure tells that a reply has no string at a place: it is no result, or lacks the field. */
const lacks = (fact: Fact, pointer: string): boolean =>
  isInPlace(fact, 'unrequested-stream') || (fact.kind === 'result-field-broken' && fact.pointer === pointer);

/** Whether a failure is that of the field that holds the text, or of one around it. */
function isOfText(fact: Fact, protocol: Protocol): boolean {
  if (fact.kind !== 'result-field-broken' || fact.pointer === undefined) return false;
  const around = `${fact.pointer.replace(/\/\d+/g, '/0')}/`;
  return resultText[protocol].some((place) => `${place}/`.startsWith(around));
}

/** The failure of answers that lack their text: what the model would say in them nobody knows. */
export function silentBehind(
  deciding: readonly Deciding[],
  { view, viewOf }: Views,
  { failureAt, brokenAt }: Failures,
): Fact | undefined {
  for (const { entry, shown } of deciding)
    for (const id of [shown ?? [], readsIn(entry.check, viewOf(entry).plan)].flat()) {
      const protocol = requestAt(view, id)?.protocol;
      if (!protocol || !isAnswered(view, id) || textOf(view.state(id), protocol) !== '') continue;
      const fact = failureAt(id) ?? brokenAt(id).find((each) => isOfText(each, protocol));
      if (fact) return fact;
    }
  return undefined;
}
