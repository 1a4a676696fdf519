import { once } from '../../spec/once.ts';
import { createReplyHistory, type ReplyHistory } from '../reading/reply-history.ts';
import {
  answersByToken,
  isReplyOfLock,
  type KnownExchange,
  type LockOut,
  lockOutsIn,
  tellsLock,
  type WrongSent,
  wrongSentIn,
} from '../reading/lock-outs.ts';
import { modelOf, pathOf, tokenOf } from '../reading/sent-request.ts';
import { factsOf, type RequestFacts } from '../reading/request-facts.ts';
import { transientOf } from '../reading/transient.ts';
import { type Evidence, type Exchange, isExchange } from '../types/exchange.ts';
import type { Plan, PlannedRequest } from '../types/plan.ts';

type RequestOf = (exchange: Exchange) => PlannedRequest | undefined;

/** Reads the lock-outs of an evidence, which may still grow. */
export function lockReader(evidence: Evidence, requestOf: RequestOf, isAnswered: (id: string) => boolean) {
  const readingOf = (size: number, known: readonly KnownExchange[]) => ({
    ...{ size, known },
    locks: lockOutsIn(known),
    // Few ask for them, and evidence grows often.
    wrong: once(() => wrongSentIn(known)),
    answers: once(() => answersByToken(known)),
  });
  let read = readingOf(-1, []);
  function upToDate() {
    if (read.size === evidence.size) return read;
    // In one order, whatever that of the record is.
    const exchanges = [...evidence.values()]
      .filter(isExchange)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    const known = exchanges.flatMap((exchange): readonly KnownExchange[] => {
      const request = requestOf(exchange);
      return request ? [{ exchange, facts: factsOf(request), isAnswered: isAnswered(exchange.id) }] : [];
    });
    read = readingOf(evidence.size, known);
    return read;
  }
  return {
    lockOuts: (): readonly LockOut[] => upToDate().locks.filter(tellsLock),
    wrongSent: (): readonly WrongSent[] => upToDate().wrong(),
    /** Whether a refusal may be the reply of a lock-out, or of an outage; gives one that it may be of. */
    lockOutOf: (exchange: Exchange): LockOut | undefined => {
      const { locks, wrong, answers } = upToDate();
      const [last, request] = [exchange.attempts.at(-1), requestOf(exchange)];
      if (last === undefined || request === undefined || locks.length === 0) return undefined;
      const isLogin = factsOf(request).credential === 'wrong';
      const token = isLogin ? null : tokenOf(exchange.request);
      const { id, repeats = id, request: sent } = exchange;
      const reply = { ...last, id: repeats, path: pathOf(sent), model: modelOf(sent), token };
      return locks.find((lock) => isReplyOfLock(lock, reply, wrong(), answers()));
    },
  };
}

/** The exchanges of an evidence, which may still grow, in the order of the plan, whatever that of the record is. */
export function inPlanOrder(plan: Plan, evidence: Evidence): () => readonly Exchange[] {
  const places = new Map(plan.requests.map(({ id }, at) => [id, at]));
  const placeOf = ({ id, repeats, part }: Exchange) => places.get(part?.of ?? repeats ?? id) ?? places.size;
  let read: { readonly size: number; readonly exchanges: readonly Exchange[] } = { size: -1, exchanges: [] };
  return () => {
    if (read.size === evidence.size) return read.exchanges;
    const exchanges = [...evidence.values()].filter(isExchange);
    exchanges.sort(
      (one, other) =>
        placeOf(one) - placeOf(other) || one.id.length - other.id.length || (one.id < other.id ? -1 : 1),
    );
    read = { size: evidence.size, exchanges };
    return exchanges;
  };
}

/** What of an exchange is known first: what passed, then what a spent limit gets, then what may be a refusal. */
function rank({ exchange, facts }: { exchange: Exchange; facts: RequestFacts }): number {
  if (transientOf(exchange) === null) return 0;
  return facts.expect === 'limited' ? 1 : 2;
}

/** The history of the replies of an evidence, which may still grow. */
export function livingHistory(
  evidence: Evidence,
  requestOf: RequestOf,
  { isAnswered, level }: { readonly isAnswered: (id: string) => boolean; readonly level: number },
): ReplyHistory {
  const history = createReplyHistory(isAnswered, level);
  let noted = 0;
  const upToDate = (): ReplyHistory => {
    const fresh = noted === evidence.size ? [] : [...evidence.values()].slice(noted).filter(isExchange);
    noted = evidence.size;
    const known = fresh.flatMap((exchange) => {
      const request = requestOf(exchange);
      return request === undefined ? [] : [{ exchange, facts: factsOf(request) }];
    });
    known.sort((one, other) => rank(one) - rank(other));
    for (const { exchange, facts } of known) history.note(exchange, facts);
    return history;
  };
  return {
    hasPassed: (...asked) => upToDate().hasPassed(...asked),
    timesNeeded: (...asked) => upToDate().timesNeeded(...asked),
    passedAfterMs: (...asked) => upToDate().passedAfterMs(...asked),
    isKnownRefusal: (...asked) => upToDate().isKnownRefusal(...asked),
    isKnownStatus: (...asked) => upToDate().isKnownStatus(...asked),
    mayBeLoginLimit: (...asked) => upToDate().mayBeLoginLimit(...asked),
    isRefusal: (...asked) => upToDate().isRefusal(...asked),
  };
}
