import type { Attempt, Body, Reply } from '../suites/types/exchange.ts';
import type { Ending } from '../suites/types/reasons/exchange-reasons.ts';
import type { ReportExchange } from '../suites/types/report.ts';

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

const startedAt = '2026-11-21T09:14:05.000Z';

function attemptsOf(at: number, status: number | null, ending: Ending): Attempt[] {
  const last: Attempt = {
    status,
    ending,
    fingerprint: status === null ? null : '0123456789abcdef',
    bytes: status === null ? 0 : 512,
    startedAt,
    ms: 400 + at,
    waitedMs: 0,
  };
  if (at % 19 !== 0) return [last];
  const first: Attempt = {
    ...last,
    status: 429,
    retry: { kind: 'transient', transient: { cause: 'status', status: 429 } },
    ms: 35,
  };
  return [first, { ...last, waitedMs: 2000 }];
}

function exchange(at: number): ReportExchange {
  const path = paths[at % paths.length] ?? paths[0];
  const response = replyOf(at);
  const ending: Ending =
    response === null ? { kind: 'unreachable', detail: `connection reset ${hostile}` } : { kind: 'complete' };
  const body = {
    model: at % 2 === 0 ? 'g-large' : 'm-large',
    messages: [{ role: 'user', content: 'Reply with the word hello.' }],
    ...(at % 10 === 3 ? { stream: true } : {}),
    ...(at % 4 === 0 ? { temperature: 2.01 } : {}),
  };
  return {
    id: `exchange-${at}`,
    request: {
      method: 'POST',
      url: `https://gateway.example.com${path}`,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer \${GATEWAY_TOKEN_DEFAULT}`,
      },
      body: JSON.stringify(body),
    },
    response,
    ending,
    timing: {
      startedAt,
      headersMs: response === null ? null : 140,
      endMs: response === streamed ? 2100 : 400 + at,
      stallMs: 1,
    },
    attempts: attemptsOf(at, response?.status ?? null, ending),
    ...(at % 10 === 6 ? { shortened: true } : {}),
  };
}

/** 350 exchanges: results, refusals, streams, images, and some that never came back. */
export const sampleExchanges = (): ReportExchange[] => Array.from({ length: 350 }, (_, at) => exchange(at));
