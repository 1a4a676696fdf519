import { protocolFacts } from '../../spec/protocols.ts';
import type { Protocol } from '../../spec/vocabulary.ts';
import type { Attempt, Exchange, Unsent } from '../types/exchange.ts';
import type { Ending, UnsentReason } from '../types/reasons/exchange-reasons.ts';
import { fingerprintOf } from '../reading/transient.ts';
import { reportedFinding } from '../judge/judge-case.ts';
import type { Finding, Judgement } from '../types/finding.ts';
import type { Plan, PlannedRequest } from '../types/plan.ts';
import { fullDepth } from '../types/profile.ts';
import type { ReportFinding } from '../types/report.ts';
import { createEvidenceView, type EvidenceView } from './evidence-view.ts';
import { judgementOf } from './registry.ts';
import type { Check } from '../types/checks/check.ts';

const complete: Ending = { kind: 'complete' };
const startedAt = '2026-11-20T12:00:00.000Z';

/** A reply written out. A body is given as JSON, as text, or as pieces with the milliseconds they came at. */
export interface Written {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly pieces?: readonly (readonly [text: string, ms: number])[];
  readonly ending?: Ending;
  /** Milliseconds from send to the end; that of the last piece where it is left out. */
  readonly endMs?: number;
  readonly stallMs?: number;
  /** Attempts before the last one. */
  readonly before?: readonly Partial<Attempt>[];
}

const attempt = (more: Partial<Attempt>): Attempt => ({
  status: 200,
  ending: complete,
  fingerprint: null,
  bytes: 0,
  startedAt,
  ms: 10,
  waitedMs: 0,
  ...more,
});

const piecesOf = ({ json, text, pieces }: Written): readonly (readonly [text: string, ms: number])[] =>
  pieces ?? [[json === undefined ? (text ?? '') : JSON.stringify(json), 10]];

const typeOf = ({ json, pieces }: Written): string =>
  pieces ? 'text/event-stream' : json === undefined ? 'text/plain' : 'application/json';

/** An exchange with a reply. */
export function replied(id: string, written: Written = {}): Exchange {
  const { status = 200, headers = {}, ending = complete, stallMs = 0, before = [] } = written;
  const pieces = piecesOf(written);
  const endMs = written.endMs ?? pieces.at(-1)?.[1] ?? 10;
  let bytes = 0;
  const arrivals = pieces.map(([text, ms]): readonly [number, number] => {
    bytes += Buffer.byteLength(text);
    return [bytes, ms];
  });
  const body = { text: pieces.map(([text]) => text).join(''), encoding: 'utf8' as const, bytes, arrivals };
  const response = {
    status,
    headers: Object.entries({ 'content-type': typeOf(written), ...headers }),
    body,
  };
  const last = { status, ending, bytes, ms: endMs, fingerprint: fingerprintOf({ response }) };
  return {
    id,
    request: { method: 'POST', url: 'http://gateway.test/v1', headers: {}, body: '{}' },
    response,
    ending,
    timing: { startedAt, headersMs: 1, endMs, stallMs },
    attempts: [...before.map(attempt), attempt(last)],
  };
}

/** An exchange without a reply. */
export function silent(id: string, ending: Ending): Exchange {
  const attempts = [attempt({ status: null, ending })];
  return { ...replied(id), response: null, ending, attempts };
}

export const unsent = (id: string, why: UnsentReason = { kind: 'stopped' }): Unsent => ({ id, unsent: why });

export const refused = (
  id: string,
  status = 400,
  json: unknown = { error: { message: 'no', code: 'bad' } },
): Exchange => replied(id, { status, json });

/** The exchange as it was sent with this text, in a chat. */
export const saying = (exchange: Exchange, content: string): Exchange => ({
  ...exchange,
  request: {
    ...exchange.request,
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
  },
});

/** Replies that prove nothing (principle 5), each with the reason that a finding gives. */
export const undecided: readonly (readonly [
  name: string,
  entry: (id: string) => Exchange | Unsent,
  why: RegExp,
])[] = [
  ['a 503', (id) => replied(id, { status: 503, text: 'later' }), /^HTTP 503, which may pass/],
  [
    'a 429',
    (id) => replied(id, { status: 429, json: { error: { code: 'slow-down' } } }),
    /^HTTP 429, which may pass/,
  ],
  ['a timeout', (id) => silent(id, { kind: 'timeout', afterMs: 100 }), /^no complete reply within 100 ms/],
  ['no connection', (id) => silent(id, { kind: 'unreachable', detail: 'ECONNREFUSED' }), /^no reply began/],
  [
    'a cut',
    (id) => replied(id, { text: '{"id":', ending: { kind: 'cut', detail: 'closed' } }),
    /^the reply broke off/,
  ],
  ['a request that was not sent', (id) => unsent(id), /^not sent: the run was stopped/],
];

/** Replies without output: those that prove nothing, and a refusal. */
export const unanswered = [...undecided, ['a refusal', refused, /^HTTP 400/] as const];

/** Refusals of every form: no status and no body is shown, so each is allowed (section 7). */
export const refusals: readonly (readonly [name: string, entry: (id: string) => Exchange])[] = [
  ['a 400 with an error object', (id) => refused(id)],
  ['a 500', (id) => refused(id, 500)],
  ['a 200 with an error object', (id) => refused(id, 200)],
  [
    'an HTML page',
    (id) =>
      replied(id, { status: 403, text: '<!doctype html><p>no', headers: { 'content-type': 'text/html' } }),
  ],
  ['an empty body', (id) => replied(id, { status: 204, text: '' })],
  ['plain text', (id) => replied(id, { status: 401, text: 'invalid key' })],
  [
    'a stream that only holds an error',
    (id) => replied(id, { text: 'event: error\ndata: {"error":{"code":"bad"}}\n\n' }),
  ],
  ['a redirect', (id) => replied(id, { status: 302, text: '', headers: { location: '/login' } })],
];

/** Results with a text, as section 2 has them. */
export const result = {
  chat: (text: string) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'm-large',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
  }),
  responses: (text: string) => ({
    id: 'resp_1',
    object: 'response',
    output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }],
    output_text: text,
  }),
  messages: (text: string) => ({ content: [{ type: 'text', text }] }),
  images: (count: string) => ({
    created: 1_790_000_000,
    data: Array.from({ length: Number(count) }, (_, index) => ({ url: `http://gateway.test/${index}.png` })),
  }),
} satisfies Readonly<Record<Protocol, (text: string) => unknown>>;

/** An answer of a protocol; of images the text is how many there are. */
export const answered = (
  id: string,
  protocol: Protocol = 'chat',
  text = protocol === 'images' ? '1' : 'hello',
): Exchange => replied(id, { json: result[protocol](text) });

/** Server-sent events, one piece each, at the given milliseconds (10 for those without one). */
export const events = (data: readonly unknown[], ms: readonly number[] = []): Written['pieces'] & {} =>
  data.map((each, index) => [
    `data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`,
    ms[index] ?? ms.at(-1) ?? 10,
  ]);

/** A stream of chat that says `hello`. */
export const streamed = (id: string): Exchange =>
  replied(id, { pieces: events([{ choices: [{ delta: { content: 'hello' } }] }, '[DONE]']) });

/** A plan of just these exchanges: valid requests of the protocol unless said otherwise. */
export function viewOf(
  protocol: Protocol,
  entries: readonly (Exchange | Unsent)[],
  requests: Readonly<Record<string, Partial<PlannedRequest>>> = {},
): EvidenceView {
  const ids = new Set([...entries.map(({ id }) => id), ...Object.keys(requests)]);
  const planned = [...ids].map((id): PlannedRequest => ({ ...valid(id, protocol), ...requests[id] }));
  const plan: Plan = { ...fullDepth, seed: 1, requests: planned, cases: [], notAsked: [] };
  return createEvidenceView(plan, new Map(entries.map((entry) => [entry.id, entry])));
}

const valid = (id: string, protocol: Protocol): PlannedRequest => ({
  id,
  protocol,
  method: 'POST',
  path: protocolFacts[protocol].path,
  callers: [],
  credential: { form: 'right' },
  version: 'declared',
  accept: 'application/json',
  contentType: 'application/json',
  body: { json: {} },
  stream: false,
  expect: 'answer',
  stage: 'lanes',
  billed: 1,
  when: [],
});

/** What a check says of an evidence view. */
export const judge = (check: Check, view: EvidenceView, requirements: readonly string[] = ['r']): Judgement =>
  judgementOf({ id: 'case', title: 'case', suite: 'results', requirements, check }, view);

type Reported = Extract<Finding, { verdict: 'pass' }> | ReportFinding;

/** The findings of a judgement as the report has them, in words. */
export const findingsOf = ({ findings }: Judgement): readonly Reported[] =>
  findings.map((finding) => (finding.verdict === 'pass' ? finding : reportedFinding(finding)));

/** The finding of a requirement in words. Throws where there is none, or more than one. */
export function findingOf(judgement: Judgement, requirement = 'r'): Reported {
  const [found, ...more] = findingsOf(judgement).filter((finding) => finding.requirement === requirement);
  if (found === undefined || more.length > 0)
    throw new Error(`${more.length + 1} findings of ${requirement}: ${JSON.stringify(judgement.findings)}`);
  return found;
}

/** The finding of what a check says of these entries, in words. */
export const foundIn = (
  check: Check,
  entries: Parameters<typeof viewOf>[1],
  requests?: Parameters<typeof viewOf>[2],
): Reported => findingOf(judge(check, viewOf('chat', entries, requests)));
