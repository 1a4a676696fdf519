import { isDeepStrictEqual } from 'node:util';
import type { CheckOf } from '../types/checks/check.ts';
import { decisions } from '../../spec/decisions.ts';
import { protocolPath } from '../../spec/paths.ts';
import { present } from '../../spec/present.ts';
import { inWords, pathOf } from '../../spec/text.ts';
import { isTextProtocol, type Protocol } from '../../spec/vocabulary.ts';
import { levelOf, testsIn } from '../facts/exact-test.ts';
import { lostGroups } from '../facts/lost-replies.ts';
import { type Stop, stopsIn } from '../facts/stops.ts';
import { groupToTell, lackingGroups, mostLacking, type ReplyGroup } from '../facts/reply-groups.ts';
import { notLocked, tallyOf, validReplies, withRoom } from '../facts/valid-replies.ts';
import type { Judgement, Outcome } from '../types/finding.ts';
import { valueAt } from '../reading/json.ts';
import { hasCome } from '../reading/transient.ts';
import type { Exchange } from '../types/exchange.ts';
import { endingWords } from '../types/reasons/exchange-words.ts';
import type { CheckDefinition } from './check-definition.ts';
import type { EvidenceView, State } from './evidence-view.ts';
import {
  describeHead,
  describeReply,
  describeValue,
  fail,
  failureIn,
  inconclusive,
  type JudgedReply,
  pass,
  shortestOf,
} from './shared/findings.ts';

export const availability: CheckDefinition<'availability'> = {
  explanation:
    'Counts the valid requests that get no answer, though the same request is answered before or when it is sent again, and the answers without text. Fails where an exact test shows more of the first than passing outages of one request in twenty explain, more of the second than a model that says nothing in one reply of eight explains, that an endpoint refuses all of them to the end of the run, those that it had answered, too, while other endpoints answer the same tokens, and the same model where no other is refused, or that just those requests are never answered that have one thing which the interface takes. A stream that tells of an error is no answer. Is inconclusive where missing answers come near to that, and where no answer has text but too few were asked. What a rate limit answers does not count, unless just those requests are told it, nor what may be a lock-out: such requests are asked again behind all wrong ones. Where requests sent alone, or more slowly, are told to come later less often than others, they alone count.',
  reads: ({ probes }) => probes,
  judge,
};

const reasons = {
  missing: 'answer-missing-in-some',
  silent: 'text-missing-in-some',
  lost: 'answer-never-came',
} as const;

const inCommon = {
  beside: 'beside others',
  'after-refusal': 'right after a refused request',
  'after-stream': 'right after a stream',
  caller: 'with one token and model',
  chain: 'with an earlier response',
} as const;

/** Where replies came from, such as ` to POST /v1/messages without a stream`. */
function whereOf(...groups: readonly Omit<ReplyGroup, 'replies'>[]): string {
  const places = groups.map(({ protocol, stream, common }) => {
    if (protocol === undefined) return '';
    const mode =
      stream !== undefined && isTextProtocol(protocol) && (stream ? 'with a stream' : 'without a stream');
    return present([`to POST ${protocolPath(protocol)}`, mode, common && inCommon[common]]).join(' ');
  });
  const words = inWords(places);
  return words === '' ? '' : ` ${words}`;
}

/** What came in place of the answers, where all of it is alike, such as ` (HTTP 200, text/html)`. */
function cameInstead(exchanges: readonly (Exchange | undefined)[]): string {
  const heads = exchanges.map((exchange) => {
    if (!exchange) return '';
    const { response, ending } = exchange;
    if (response === null) return `no reply, ${endingWords(ending)}`;
    return hasCome(ending) ? describeHead(response) : `a part of the reply, then ${endingWords(ending)}`;
  });
  const [head = ''] = heads;
  return head === '' || heads.some((other) => other !== head) ? '' : ` (${head})`;
}

/** Where the text of a result stands (2.3 to 2.5). */
const textOwners: Readonly<Record<Protocol, string>> = {
  responses: '/output',
  messages: '/content',
  chat: '/choices/0/message',
  images: '/data',
};

/** A reply; of a result what stands where its text should, which its beginning would not show. */
function cameOf(exchange: Exchange, state: State, protocol: Protocol): string {
  const json = state.kind === 'answered' && state.reading.kind === 'result' ? state.reading.json : undefined;
  const pointer = textOwners[protocol];
  const owner = json === undefined ? undefined : valueAt(json, pointer);
  if (owner === undefined || !exchange.response) return describeReply(exchange);
  return `${describeHead(exchange.response)}, ${pathOf(pointer)} = ${describeValue(owner)}`;
}

/** An endpoint that refused all valid requests from some time on: that alone tells them from those before. */
function stopped(view: EvidenceView, { protocol, refused, again, tally }: Stop): Outcome {
  const shown = shortestOf(view, again);
  const came = cameInstead(refused);
  const reason = { kind: 'endpoint-stopped' as const, ...tally, where: whereOf({ protocol }), came };
  return shown ? { ...fail(reason, describeReply(shown)), exchange: shown.id } : pass();
}

function judge(_: CheckOf<'availability'>, view: EvidenceView): Judgement {
  const level = levelOf(testsIn(view.plan));
  const all = notLocked(validReplies(view));
  const counted = withRoom(all).filter(({ outcome }) => outcome !== 'limited');
  const shown = (found: readonly ReplyGroup[], outcome: keyof typeof reasons): Outcome => {
    const replied = found.flatMap((group) => group.replies);
    const own = replied.filter((reply) => reply.outcome === outcome);
    const reason = {
      kind: reasons[outcome],
      ...tallyOf(replied, outcome),
      where: whereOf(...found),
      came: cameInstead(own.map(({ state }) => state.exchange)),
    };
    const replies = replied.map(({ id, state, protocol, outcome: each }): JudgedReply => {
      const came = state.exchange ? cameOf(state.exchange, state, protocol) : '';
      return { id, attempt: 0, aspect: each === outcome ? fail(reason, came) : 'kept' };
    });
    return failureIn(view, replies) ?? pass();
  };
  const lacking = lackingGroups(counted, 'missing');
  const most = mostLacking(lacking);
  const open = most !== undefined && most.chanceOfAny <= decisions.errorBudget ? most : undefined;
  const ofMissing = (): Outcome => {
    const lost = lostGroups(view, all).filter(({ chance }) => chance <= level);
    const alike = lost.filter(({ traits }) => isDeepStrictEqual(traits, lost[0]?.traits));
    if (alike.length > 0) return shown(alike, 'lost');
    const stop = stopsIn(view).find(({ chance }) => chance <= level);
    if (stop) return stopped(view, stop);
    if (open === undefined) return pass();
    const told = groupToTell(lacking, 'missing', level);
    const { group } = open;
    return told
      ? shown([told], 'missing')
      : inconclusive({ kind: 'lacking-often', ...tallyOf(group.replies, 'missing'), where: whereOf(group) });
  };
  // A model may say nothing now and then: what is not ruled out to be chance passes, where any reply shows text.
  const ofSilent = (): Outcome => {
    const told = groupToTell(lackingGroups(counted, 'silent'), 'silent', level);
    if (told) return shown([told], 'silent');
    const silent = tallyOf(counted, 'silent').seen;
    const hasText = counted.some(({ outcome, isTextDue }) => outcome === 'answered' && isTextDue);
    return silent > 0 && !hasText ? inconclusive({ kind: 'never-text', silent }) : pass();
  };
  const none = counted.every(({ outcome }) => outcome === 'lost')
    ? inconclusive('nothing-answered')
    : undefined;
  const lackingIt = open?.group.replies.filter(({ outcome }) => outcome === 'missing') ?? [];
  const shows = shortestOf(view, lackingIt)?.id;
  const [missing, lost] = [tallyOf(counted, 'missing').seen, tallyOf(counted, 'lost').seen];
  const observation = {
    requirement: 'service.availability',
    subject: 'valid requests without an answer at first',
    value: `${missing + lost} of ${counted.length}${lost > 0 ? `, ${lost} never answered` : ''}`,
    // Passing outages are another number in each run.
    stable: null,
  };
  return {
    findings: [
      { requirement: 'service.availability', ...(none ?? ofMissing()) },
      { requirement: 'service.output', ...(none ?? ofSilent()) },
    ],
    ...(shows === undefined ? {} : { shows }),
    ...(counted.length > 0 ? { observations: [observation] } : {}),
  };
}
