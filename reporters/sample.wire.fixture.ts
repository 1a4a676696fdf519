import type { Body, Reply } from '../suites/types/exchange.ts';
import type { Ending } from '../suites/types/reasons/exchange-reasons.ts';
import type { ReportExchange } from '../suites/types/report.ts';
import { exchange } from './small.fixture.ts';

/** Text as a malicious target sends it: it ends scripts, comments, tables, code, CDATA and terminal lines. */
export const hostile = [
  '</script><img src=x onerror="window.owned=1">',
  '<svg/onload=window.owned=2>\'"',
  '\u001b[2J\u001b[31mPASS\u001b]0;owned\u0007',
  '\u202egnp.exe\u2066',
  'lone \ud800 surrogate \udc00',
  '`````js` | cell \\| <b>cell</b> \\\\| # cell | **bold** [link](javascript:alert(1)) @everyone',
  ']]><!-- --!> &amp; \u0000\u0008\u0085\ufffe',
  '\r\n::error::owned\n# Conformant',
].join(' ');

const paths = ['/v1/responses', '/v1/messages', '/v1/chat/completions', '/v1/images/generations'] as const;

const reply = (text: string, status = 200, arrivals: Body['arrivals'] = [[text.length, 400]]): Reply => ({
  status,
  headers: [
    ['content-type', text.startsWith('data:') ? 'text/event-stream' : 'application/json'],
    ['date', 'Sat, 21 Nov 2026 09:14:05 GMT'],
    ['x-request-id', 'req_01HZX3'],
    ['server', hostile.slice(0, 40)],
  ],
  body: { text, encoding: 'utf8', bytes: Buffer.byteLength(text), arrivals },
});

const completion = (extra: object): string =>
  JSON.stringify({
    id: 'chatcmpl-8f2b6c',
    object: 'chat.completion',
    created: 1795252445,
    model: 'm-large',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello! How can I help you today?' },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 12, completion_tokens: 9, total_tokens: '21' },
    ...extra,
  });

const words = 'Streaming means that the words of a reply arrive one after the other, as they are made.'.split(
  ' ',
);
const sse = words
  .map(
    (word, at) =>
      `data: ${JSON.stringify({ id: 'chatcmpl-1', choices: [{ index: 0, ...(at === 4 ? {} : { delta: { content: `${word} ` } }) }] })}\n\n`,
  )
  .concat('data: [DONE]\n\n');

const streamed: Reply = reply(
  sse.join(''),
  200,
  sse.map((_, at) => [sse.slice(0, at + 1).join('').length, 180 + at * 95 + (at % 3) * 21] as const),
);

const refusal = JSON.stringify({
  error: { message: `Bad request: ${hostile}`, type: 'invalid_request_error', code: null },
});

const image = JSON.stringify({
  created: 1795252446,
  data: [{ b64_json: 'iVBORw0KGgoAAAANSUhEUgAA'.repeat(120) }],
});

function replyOf(at: number): Reply | null {
  if (at % 41 === 7) return null;
  if (at % 10 === 3) return streamed;
  if (at % 10 === 6) return reply(image);
  if (at % 3 === 0) return reply(refusal, 400);
  return reply(completion(at % 17 === 1 ? { system_fingerprint: hostile } : {}));
}

function sampleExchange(at: number): ReportExchange {
  const path = paths[at % paths.length] ?? paths[0];
  const response = replyOf(at);
  const plain = exchange(
    `exchange-${at}`,
    path,
    response?.status ?? 0,
    response === streamed ? 2100 : 400 + at,
  );
  const ending: Ending =
    response === null ? { kind: 'unreachable', detail: `connection reset ${hostile}` } : plain.ending;
  const status = response?.status ?? null;
  const last = {
    ...{ status, ending, fingerprint: status === null ? null : '0123456789abcdef', bytes: status ? 512 : 0 },
    ...{ startedAt: plain.timing.startedAt, ms: 400 + at, waitedMs: 0 },
  };
  const transient = { cause: 'status', status: 429 } as const;
  const first = { ...last, status: 429, retry: { kind: 'transient', transient }, ms: 35 } as const;
  const body = {
    model: at % 2 === 0 ? 'g-large' : 'm-large',
    messages: [{ role: 'user', content: 'Reply with the word hello.' }],
    ...(at % 10 === 3 ? { stream: true } : {}),
    ...(at % 4 === 0 ? { temperature: 2.01 } : {}),
  };
  const accept = { accept: 'application/json', authorization: `Bearer \${GATEWAY_TOKEN_DEFAULT}` };
  const headers = { ...plain.request.headers, ...accept };
  return {
    ...plain,
    request: { ...plain.request, headers, body: JSON.stringify(body) },
    response,
    ending,
    timing: { ...plain.timing, headersMs: response === null ? null : 140, stallMs: 1 },
    attempts: at % 19 === 0 ? [first, { ...last, waitedMs: 2000 }] : [last],
    ...(at % 10 === 6 ? { shortened: true } : {}),
  };
}

/** 350 exchanges: results, refusals, streams, images, and some that never came back. */
export const sampleExchanges = (): ReportExchange[] =>
  Array.from({ length: 350 }, (_, at) => sampleExchange(at));
