import {
  endpointsIn,
  firstUntrue,
  type Holds,
  type Known,
  ofEndpoint,
  sentenceOf,
  type Untrue,
} from './experiments.ts';
import { groupBy } from '../../spec/group-by.ts';
import { protocols } from '../../spec/vocabulary.ts';
import type { ReportCause } from '../../suites/types/cause.ts';
import { bodyOf, isAnswered, type Witnessed } from './witness.ts';

/** What a sentence says was wrong with requests that were answered, by what it says they are. */
const wrongs: readonly (readonly [words: string, isSo: (one: Witnessed) => boolean])[] = [
  ['requests without a valid token', ({ worth, showsIssued }) => worth === 'credential' && !showsIssued],
  ['a valid token in a form', ({ worth, showsIssued }) => worth === 'credential' && showsIssued],
  ['requests that must be refused', ({ worth }) => worth === 'version'],
  ['models that must be refused', ({ worth }) => worth === 'route'],
  [
    'requests outside the contract',
    ({ worth, ctx }) =>
      worth === 'body' || (worth === 'route' && ctx.family === null) || ctx.json === undefined,
  ],
];

const answeredWrongly: Holds = (cause, { witness }) => {
  const sentence = sentenceOf(cause);
  const isSo = wrongs.find(([words]) => sentence.includes(words))?.[1];
  if (isSo === undefined) return 'the oracle can not read what was wrong';
  const answered = witness.seen.filter((one) => isSo(one) && isAnswered(one));
  const missing = endpointsIn(sentence).find(
    (protocol) => !answered.some((one) => one.protocol === protocol),
  );
  return firstUntrue(
    [answered.length > 0, 'no such request was answered'],
    [missing === undefined, `${missing} answered none`],
  );
};

/** Replies that end without a result, by the kind of the sentence. */
const unjudged: Readonly<Record<string, (one: Witnessed) => boolean>> = {
  'limit-hit': ({ refusal, reply }) => refusal === 'rate-limit' || reply.status === 429,
  'no-answer-in-time': ({ reply }) =>
    reply.waitMs + reply.pieces.reduce((ms, piece) => ms + piece.waitMs, 0) > 1000,
  'no-usable-reply': (one) => !isAnswered(one) || one.reply.ending !== 'complete' || !isWhole(bodyOf(one)),
};

/** A document or a stream; a document that is cut is none. */
function isWhole(body: string): boolean {
  if (!body.trimStart().startsWith('{')) return true;
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

const noReplyToJudge = ofEndpoint((protocol, sentence, { witness }, cause) => {
  const [, seen, of] = /(\d+) of (\d+) requests/.exec(sentence) ?? [];
  if (seen === undefined) return 'names no figures';
  const all = witness.seen.filter((one) => one.protocol === protocol);
  const those = all.filter((one) => unjudged[cause.kind]?.(one));
  return firstUntrue(
    [Number(seen) <= those.length, `the gateway gave ${those.length} such replies`],
    [Number(of) <= all.length, `it got ${all.length} requests`],
  );
});

const unreachable: Holds = (_, { witness }) =>
  witness.seen.some(({ reply }) => reply.ending !== 'dropped') ? 'the target replied' : undefined;

const stoppedAnswering: Holds = (_, { witness }) =>
  witness.seen.at(-1)?.reply.ending === 'complete' ? 'it answered to the end' : undefined;

const stopped: Holds = (_, { report }) => (report.run.partial ? undefined : 'the run went to its end');

/** A requirement is broken by what the fault breaks, and on the endpoint that the sentence names. */
const broken: Holds = (cause, known) => {
  const sentence = sentenceOf(cause);
  const [, requirement = ''] = cause.id.split(':');
  const { breaks } = known;
  const [first] = requirement.split('.');
  const wrongEndpoint = endpointsIn(sentence).find(
    (protocol) => protocols.some((each) => each === first) && protocol !== first,
  );
  return (
    firstUntrue(
      [breaks?.includes(requirement) ?? false, 'the fault does not break it'],
      [wrongEndpoint === undefined, `it is about ${first}`],
      [!/^\S+\.\S+:/.test(sentence), 'is no sentence'],
      [/POST \/|\s\w+ /.test(sentence), 'is no sentence'],
    ) ?? fieldHolds(sentence, cause.evidence[0], known)
  );
};

/** "answers without `x`": in the reply that is shown for it. */
function fieldHolds(sentence: string, evidence: string | undefined, { report }: Known): Untrue {
  const missing = / answers without `(\w+)`/.exec(sentence)?.[1];
  const exchange = report.exchanges.find(({ id }) => id === evidence);
  if (missing === undefined || exchange === undefined) return undefined;
  const lacks = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    ((!Array.isArray(value) && !(missing in value)) || Object.values(value).some(lacks));
  try {
    return lacks(JSON.parse(exchange.response?.body.text ?? '')) ? undefined : `the reply has \`${missing}\``;
  } catch {
    return undefined;
  }
}

/** Sentences about replies. */
export const ofAnswers = {
  'not-refused': answeredWrongly,
  'limit-hit': noReplyToJudge,
  'no-answer-in-time': noReplyToJudge,
  'no-usable-reply': noReplyToJudge,
  unreachable,
  'stopped-answering': stoppedAnswering,
  'run-stopped': stopped,
  'result-field-broken': broken,
  'requirement-broken': broken,
} as const satisfies Readonly<Record<string, Holds>>;

/** "3 came, byte for byte, for another request before": the gateway gave a reply to two requests at least. */
export function untrueKept({ summary }: ReportCause, { witness }: Known): Untrue {
  if (!summary.includes('for another request before')) return undefined;
  const given = groupBy(witness.seen.filter(isAnswered), bodyOf);
  const isKept = [...given.values()].some((same) => same.some(({ ctx }) => ctx.text !== same[0]?.ctx.text));
  return firstUntrue([isKept, 'no reply was given to two requests']);
}
