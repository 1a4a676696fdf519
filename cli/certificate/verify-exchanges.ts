import { isUtf8 } from 'node:buffer';
import { createEvidenceView, type EvidenceView } from '../../suites/checks/evidence-view.ts';
import { fingerprintOf } from '../../suites/reading/transient.ts';
import { bodyFor } from '../../suites/run/prepare.ts';
import { type Body, type Exchange, isExchange } from '../../suites/types/exchange.ts';
import { numberedRequest, timesIn } from '../../suites/types/numbered.ts';
import type { PlannedRequest } from '../../suites/types/plan.ts';
import { takenOver } from '../../suites/types/reply-references.ts';
import type { Rejudged } from '../run/rejudge.ts';

/** Half of a surrogate pair: no bytes of UTF-8 are read so. */
const halfOfPair = /\p{Surrogate}/u;

/** Whether a body is written as it is recorded: text where it is UTF-8, else base64, with its length and when it came. */
function isAsRecorded({ text, encoding, bytes, arrivals }: Body): boolean {
  if (arrivals.some(([sofar, ms], at) => at > 0 && isBefore([sofar, ms], arrivals[at - 1]))) return false;
  if ((arrivals.at(-1)?.[0] ?? 0) > bytes) return false;
  if (encoding === 'utf8') return Buffer.byteLength(text) === bytes && !halfOfPair.test(text);
  const decoded = Buffer.from(text, 'base64');
  return decoded.length === bytes && !isUtf8(decoded) && decoded.toString('base64') === text;
}

const isBefore = ([bytes, ms]: Body['arrivals'][number], earlier: Body['arrivals'][number] = [0, 0]) =>
  bytes < earlier[0] || ms < earlier[1];

/** What of an exchange contradicts itself, in words. */
function contradictions(exchange: Exchange, isSameSuite: boolean): readonly string[] {
  const { response, ending, timing, attempts } = exchange;
  const last = attempts.at(-1);
  const replies = [response, ...attempts.map((attempt) => attempt.response ?? null)];
  const isRepeated =
    last?.status === (response?.status ?? null) &&
    last.bytes === (response?.body.bytes ?? 0) &&
    last.startedAt === timing.startedAt &&
    last.ms === timing.endMs &&
    JSON.stringify(last.ending) === JSON.stringify(ending);
  const isTimed =
    (timing.headersMs === null) === (response === null) && (timing.headersMs ?? 0) <= timing.endMs;
  const isKnown = !isSameSuite || last?.fingerprint === fingerprintOf(exchange);
  return [
    ...(isRepeated && isKnown ? [] : ['its last attempt is another than the exchange']),
    ...(attempts.every(({ retry }, at) => (retry === undefined) === (at === attempts.length - 1))
      ? []
      : ['it does not say why it was sent again']),
    ...(isTimed ? [] : ['its times contradict each other']),
    ...(replies.every((reply) => reply === null || isAsRecorded(reply.body))
      ? []
      : ['a body is not as it is recorded']),
  ];
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
  const { baseUrl, models } = run.target;
  if (plan.source === 'live-traffic' || !isSameSuite) return request.url.startsWith(baseUrl);
  const planned = plannedAs(exchange, view);
  // What was not planned is told elsewhere.
  if (planned === undefined) return true;
  // What takes over an id of a reply can't be made without that reply.
  const isBody = (): boolean =>
    takenOver(planned).length > 0 ||
    planned.callers.some(
      ({ model, family }) => bodyFor(planned, model ?? models[family] ?? '', view) === request.body,
    );
  return request.method === planned.method && request.url === baseUrl + planned.path && isBody();
}

/**
 * What is wrong with each exchange by itself, in words: it contradicts itself, or asks another target or something else
 * than was planned.
 * @param isSameSuite whether this version of the suite recorded it, and so knows its plan
 */
export function exchangeProblems(rejudged: Rejudged, isSameSuite: boolean): readonly string[] {
  const view = createEvidenceView(rejudged.plan, rejudged.run.evidence);
  return [...rejudged.run.evidence.values()]
    .filter(isExchange)
    .flatMap((exchange) =>
      [
        ...(isAsked(rejudged, view, exchange, isSameSuite)
          ? []
          : ['its request was not planned for this target']),
        ...contradictions(exchange, isSameSuite),
      ].map((problem) => `exchange ${exchange.id}: ${problem}`),
    );
}
