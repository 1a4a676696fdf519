import type { ReplyRule } from '../../spec/extension.ts';
import { decisions } from '../../spec/decisions.ts';
import { chanceOf, levelOf, testsIn } from '../facts/exact-test.ts';
import type { Failure } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type Aspect, fail, failureIn, inconclusive, type JudgedReply, pass } from './shared/findings.ts';
import { furtherOf, meantReplies, type ReplyState } from './shared/meant-replies.ts';
import { validatorOf } from '../../spec/validators.ts';
import { headerOf, mediaTypeOf } from '../reading/headers.ts';
import { parseJson } from '../reading/json.ts';
import { type StreamReading, typesOf } from '../reading/stream.ts';
import type { State } from './evidence-view.ts';
import { pointerIn } from './shared/stream-shape.ts';

const broken = ({ of }: Pick<ReplyRule, 'of'>, wanted: string, actual: string): Failure =>
  fail({ kind: 'reply-rule-broken', of, wanted }, actual);

function headAspect(rule: ReplyRule, state: State, seen: Set<string>): Failure | undefined {
  const { status, contentType, header, unique } = rule;
  const reply = state.exchange?.response ?? undefined;
  const got = reply?.status ?? 0;
  if (status !== undefined && !status.includes(got))
    return broken(rule, `status ${status.join(' or ')}`, `HTTP ${got}`);
  const type = (reply && mediaTypeOf(reply)) ?? '';
  if (contentType !== undefined && type !== contentType.toLowerCase())
    return broken(rule, `content type ${contentType}`, type === '' ? 'no content type' : type);
  if (header === undefined) return undefined;
  const value = (reply && headerOf(reply, header.toLowerCase())?.trim()) ?? '';
  if (value === '') return broken(rule, `a header ${header}`, `no ${header}`);
  if (unique && seen.has(value)) return broken(rule, `a value of ${header} that no other reply has`, value);
  seen.add(value);
  return undefined;
}

function schemaAspect(rule: ReplyRule, value: unknown, whole: string): Failure | undefined {
  const [wrong] = validatorOf(rule.body ?? {})(value).errors;
  if (wrong === undefined) return undefined;
  const { pointer, expected, actual = 'nothing' } = wrong;
  return { ...broken(rule, `${expected} at ${pointer === '' ? whole : pointer}`, actual), pointer };
}

function bodyAspect(rule: ReplyRule, { exchange }: State): Failure | undefined {
  if (rule.body === undefined || rule.of === 'streams') return undefined;
  const { text = '', encoding = 'utf8' } = exchange?.response?.body ?? {};
  const parsed = encoding === 'utf8' ? parseJson(text) : ({ ok: false } as const);
  if (!parsed.ok) return broken(rule, 'a body of JSON', text === '' ? 'no body' : 'a body that is no JSON');
  return schemaAspect(rule, parsed.value, 'the top of the body');
}

/** What it says of each event, or of each of its type. */
function eventAspect(rule: ReplyRule, stream: StreamReading): Failure | undefined {
  if (rule.body === undefined) return undefined;
  const types = typesOf(stream);
  for (const [at, event] of stream.events.entries()) {
    if (rule.event !== undefined && types[at] !== rule.event) continue;
    const wrong = schemaAspect(rule, event.data, 'the top of the event');
    if (wrong !== undefined) return { ...wrong, pointer: pointerIn(event, wrong.pointer ?? '') };
  }
  return undefined;
}

function streamAspect(rule: ReplyRule, stream: StreamReading): Failure | undefined {
  const { eventTypes, event, terminator } = rule;
  const types = typesOf(stream);
  const other = types.find((type) => eventTypes !== undefined && !eventTypes.includes(type));
  if (other !== undefined) return broken(rule, `events of the types ${eventTypes?.join(', ')}`, other);
  if (event !== undefined && !types.includes(event))
    return broken(rule, `an event of the type ${event}`, [...new Set(types)].join(', '));
  const wrong = eventAspect(rule, stream);
  if (wrong !== undefined) return wrong;
  const { terminator: end } = stream;
  return terminator === undefined || end === terminator
    ? undefined
    : broken(rule, `${terminator} at the end`, end ?? 'no terminator');
}

/** Whether a reply has what a rule says, its time apart. `seen`: the header's values so far, to which its own is added. */
const ruleAspect = (rule: ReplyRule, state: State, seen: Set<string>): Aspect =>
  headAspect(rule, state, seen) ??
  bodyAspect(rule, state) ??
  (state.kind === 'answered' && state.reading.kind === 'stream'
    ? streamAspect(rule, state.reading.stream)
    : undefined) ??
  'kept';

export const replyRule: CheckDefinition<'reply-rule'> = {
  explanation:
    'Reads each reply of its kind that the run got: status, headers, body, events, end, time. Outages, and what proves nothing, are left out. Late are they where an exact test shows more of them than passing outages of one reply in twenty explain.',
  reads: ({ probes }) => probes,
  readsFurther: furtherOf,
  smaller: () => ({}),
  judge(check, view) {
    const { rule, probes } = check;
    const seen = new Set<string>();
    const meant = meantReplies(check, view);
    const late = lateOf(rule, meant);
    // What passes makes some replies late, as it makes some missing.
    const areLate =
      chanceOf({ seen: late.size, of: meant.length }, decisions.lawfulOutages) <= levelOf(testsIn(view.plan));
    const replies = meant.map((reply): JudgedReply => {
      const { id, attempt, state } = reply;
      const slow = areLate ? late.get(reply) : undefined;
      return { id, attempt, aspect: slow ?? ruleAspect(rule, state, seen) };
    });
    // Where nothing else is answered either, a refusal says nothing of its token.
    if (!probes.some((id) => view.kind(id) === 'answered')) return inconclusive('nothing-answered');
    return failureIn(view, replies) ?? (replies.length === 0 ? inconclusive('nothing-answered') : pass());
  },
};

/** Replies that took longer than a rule says, less the time that our own machine stood still. */
function lateOf(rule: ReplyRule, replies: readonly ReplyState[]): ReadonlyMap<ReplyState, Failure> {
  const { within = Number.POSITIVE_INFINITY } = rule;
  const late = replies.flatMap((reply) => {
    const { endMs = 0, stallMs = 0 } = reply.state.exchange?.timing ?? {};
    const seconds = (endMs - stallMs) / 1000;
    // Only of the last attempt is it known how long we stood still.
    return reply.isLast && seconds > within
      ? [[reply, broken(rule, `its end within ${within} s`, `${seconds.toFixed(1)} s`)] as const]
      : [];
  });
  return new Map(late);
}
