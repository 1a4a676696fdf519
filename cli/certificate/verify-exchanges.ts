import { isUtf8 } from 'node:buffer';
import { present } from '../../spec/present.ts';
import { createEvidenceView, type EvidenceView } from '../../suites/checks/evidence-view.ts';
import { fingerprintOf } from '../../suites/reading/transient.ts';
import { isSentAs } from '../../suites/run/prepare.ts';
import { notNeeded } from '../../suites/run/send-conditions.ts';
import { isExchange } from '../../suites/types/exchange.ts';
import type { Body, Exchange, Reply, Unsent } from '../../suites/types/exchange.ts';
import { numberedRequest, timesIn } from '../../suites/types/numbered.ts';
import { type PlannedRequest, takenOver } from '../../suites/types/plan.ts';
import type { UnsentReason } from '../../suites/types/reasons/exchange-reasons.ts';
import type { Rejudged } from '../run/rejudge.ts';

/** Half of a surrogate pair: no bytes of UTF-8 are read so. */
const halfOfPair = /\p{Surrogate}/u;

/** When a reply came, in milliseconds since its request was sent. */
interface Came {
  readonly headersMs: number;
  readonly endMs: number;
  /** Whether all of it did. */
  readonly isComplete: boolean;
}

/** Whether what came when is a time line that ends with the reply. */
function isTimeLine({ bytes, arrivals }: Body, { headersMs, endMs, isComplete }: Came): boolean {
  const line = [[0, headersMs] as const, ...arrivals, [bytes, endMs] as const];
  const isOrdered = line.every(([sofar, ms], at) => {
    const [before, since] = line[at - 1] ?? [0, 0];
    return before <= sofar && since <= ms;
  });
  return isOrdered && (!isComplete || (arrivals.at(-1)?.[0] ?? 0) === bytes);
}

/** Whether a body is written as it is recorded: text where it is UTF-8, else base64, with its length. */
function isWritten({ text, encoding, bytes }: Body): boolean {
  if (encoding === 'utf8') return Buffer.byteLength(text) === bytes && !halfOfPair.test(text);
  const decoded = Buffer.from(text, 'base64');
  return decoded.length === bytes && !isUtf8(decoded) && decoded.toString('base64') === text;
}

/** Whether a reply is as one is recorded. */
const isAsRecorded = ({ headers, body }: Reply, came: Came): boolean =>
  isTimeLine(body, came) &&
  isWritten(body) &&
  headers.every(([name, value]) => name === name.toLowerCase() && !/[\r\n]/.test(name + value));

/** What of an exchange contradicts itself, in words. */
function contradictions(exchange: Exchange, isSameSuite: boolean): readonly string[] {
  const { response, ending, timing, attempts } = exchange;
  const last = attempts.at(-1);
  const replies = [
    { reply: response, headersMs: timing.headersMs ?? 0, endMs: timing.endMs, ending },
    ...attempts.map((each) => ({ reply: each.response, headersMs: 0, endMs: each.ms, ending: each.ending })),
  ];
  const isRepeated =
    last?.status === (response?.status ?? null) &&
    last.bytes === (response?.body.bytes ?? 0) &&
    last.startedAt === timing.startedAt &&
    last.ms === timing.endMs &&
    JSON.stringify(last.ending) === JSON.stringify(ending);
  const isTimed =
    (timing.headersMs === null) === (response === null) && (timing.headersMs ?? 0) <= timing.endMs;
  const isKnown = !isSameSuite || last?.fingerprint === fingerprintOf(exchange);
  const areRecorded = replies.every(
    ({ reply, ending: { kind }, ...came }) =>
      !reply || isAsRecorded(reply, { ...came, isComplete: kind === 'complete' }),
  );
  return present([
    !(isRepeated && isKnown) && 'its last attempt is another than the exchange',
    attempts.some(({ retry }, at) => (retry === undefined) !== (at === attempts.length - 1)) &&
      'it does not say why it was sent again',
    !isTimed && 'its times contradict each other',
    !areRecorded && 'a reply is not as it is recorded',
  ]);
}

/** What was planned, as it is sent the time that the body names: what is compared carries a number of its own. */
function plannedAs(exchange: Exchange, view: EvidenceView): PlannedRequest | undefined {
  const planned = view.requestOf(exchange);
  if (planned === undefined || exchange.repeats === undefined) return planned;
  return numberedRequest(planned, timesIn(exchange.request.body ?? '', planned.says ?? []));
}

/** Whether this was asked: of this target, and by this version of the suite as it is planned. */
function isAsked({ run, plan }: Rejudged, view: EvidenceView, exchange: Exchange, isSameSuite: boolean) {
  const { request } = exchange;
  const { baseUrl } = run.target;
  if (plan.source === 'live-traffic' || !isSameSuite) return request.url.startsWith(`${baseUrl}/`);
  const planned = plannedAs(exchange, view);
  // What was not planned is told elsewhere.
  if (planned === undefined) return true;
  // What takes over an id of a reply can't be made without that reply.
  if (takenOver(planned).length > 0)
    return request.method === planned.method && request.url === baseUrl + planned.path;
  return planned.callers.some((caller) =>
    isSentAs({ ...planned, callers: [caller] }, request, run.target, view),
  );
}

/** Why a request is not sent, where that follows of the plan and of what is recorded before it. */
const derived: ReadonlySet<UnsentReason['kind']> = new Set([
  'not-answered',
  'stand-in-not-needed',
  'recalled-before',
  'attempt-before-not-answered',
  'taken-before',
  'timing-was-undisturbed',
  'stream-was-clear',
]);

/** Whether a planned request was left out for a reason that holds. */
function isLeftOut({ id, unsent }: Unsent, view: EvidenceView): boolean {
  const planned = view.request(id);
  return planned === undefined || !derived.has(unsent.kind) || notNeeded(planned, view)?.kind === unsent.kind;
}

/** What is wrong with each exchange by itself, in words; only the same suite knows what was planned. */
export function exchangeProblems(rejudged: Rejudged, isSameSuite: boolean): readonly string[] {
  const view = createEvidenceView(rejudged.plan, rejudged.run.evidence);
  return [...rejudged.run.evidence.values()].flatMap((entry) => {
    if (!isExchange(entry))
      return isSameSuite && !isLeftOut(entry, view)
        ? [`request ${entry.id}: what it was not sent for is not so`]
        : [];
    const problems = [
      ...(isAsked(rejudged, view, entry, isSameSuite) ? [] : ['its request was not planned for this target']),
      ...contradictions(entry, isSameSuite),
    ];
    return problems.map((problem) => `exchange ${entry.id}: ${problem}`);
  });
}
