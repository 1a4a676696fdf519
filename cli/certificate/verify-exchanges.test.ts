import { expect, test } from 'vitest';
import { replied } from '../../suites/checks/evidence.fixture.ts';
import type { Exchange, Unsent } from '../../suites/types/exchange.ts';
import type { PlannedRequest } from '../../suites/types/plan.ts';
import { addedHeaders } from '../../suites/wire/send.ts';
import type { Rejudged } from '../run/rejudge.ts';
import { exchangeProblems } from './verify-exchanges.ts';

const baseUrl = 'http://gateway.test';
const planned = {
  id: 'a',
  method: 'POST',
  path: '/v1/responses',
  protocol: 'responses',
  callers: [{ family: 'general', group: 'default' }],
  credential: { form: 'right' },
  accept: 'application/json',
  contentType: 'application/json',
  body: { json: { model: { $: 'model' }, input: 'hello' } },
  when: [],
} as unknown as PlannedRequest;
const target = {
  baseUrl,
  versionHeader: { name: 'v', value: '1' },
  models: { general: 'g' },
  tokens: { default: { value: '', variable: 'TOKEN' } },
};
const headers = {
  ...addedHeaders(),
  accept: 'application/json',
  'content-type': 'application/json',
  authorization: `Bearer \${TOKEN}`,
};
const good: Exchange = {
  ...replied('a', { pieces: [['{"a":', 5] as const, ['"ü"}', 9] as const] }),
  request: {
    method: 'POST',
    url: `${baseUrl}/v1/responses`,
    headers,
    body: '{"model":"g","input":"hello"}',
  },
};

interface Asked {
  readonly request?: PlannedRequest;
  readonly isSameSuite?: boolean;
  readonly source?: 'live-traffic';
}

function problemsOf(
  entry: Exchange | Unsent,
  { request = planned, isSameSuite = true, source }: Asked = {},
): readonly string[] {
  const plan = { seed: 1, requests: [request], cases: [], ...(source ? { source } : {}) };
  const run = { target, evidence: new Map([[entry.id, entry]]) };
  return exchangeProblems({ plan, run } as unknown as Rejudged, isSameSuite);
}

/** The exchange with another body, and with an attempt that says the same of it. */
function withBody(body: object): Exchange {
  const response = { ...good.response, body: { ...good.response?.body, ...body } } as Exchange['response'];
  const attempts = good.attempts.map((attempt) => ({ ...attempt, bytes: response?.body.bytes ?? 0 }));
  return { ...good, response, attempts };
}
const withHeader = (...header: readonly [name: string, value: string]): Exchange => ({
  ...good,
  response: good.response && { ...good.response, headers: [...good.response.headers, header] },
});
const withAttempt = (change: object): Exchange => ({
  ...good,
  attempts: good.attempts.map((attempt) => ({ ...attempt, ...change })),
});
const withRequest = (change: object): Exchange => ({ ...good, request: { ...good.request, ...change } });

test('what a run records has no problem, nor what another suite or live traffic asks of the target', () => {
  expect(problemsOf(good)).toEqual([]);
  expect(problemsOf(withRequest({ body: '{}' }), { isSameSuite: false })).toEqual([]);
  expect(problemsOf(withRequest({ url: `${baseUrl}/v1/models?a=b` }), { source: 'live-traffic' })).toEqual(
    [],
  );
});

const [asked, last, body] = [
  'its request was not planned for this target',
  'its last attempt is another than the exchange',
  'a reply is not as it is recorded',
];
test.each<readonly [name: string, exchange: Exchange, problem: string]>([
  ['was sent to another address', withRequest({ url: 'http://other.test/v1/responses' }), asked],
  ['was sent to another path', withRequest({ url: `${baseUrl}/v1/responses/../x` }), asked],
  ['was sent with another method', withRequest({ method: 'GET' }), asked],
  ['asked another model', withRequest({ body: '{"model":"h","input":"hello"}' }), asked],
  ['asked nothing', withRequest({ body: null }), asked],
  ['asked with another token', withRequest({ headers: { ...headers, authorization: 'Bearer sk' } }), asked],
  ['asked with a header more', withRequest({ headers: { ...headers, 'x-account': 'paid' } }), asked],
  ['asked with a header less', withRequest({ headers: { ...headers, accept: undefined } }), asked],
  ['has a longer body than it says', withBody({ bytes: 1 }), body],
  ['has text as base64', withBody({ text: 'e30=', encoding: 'base64', bytes: 2, arrivals: [] }), body],
  ['has base64 in another form', withBody({ text: '/w', encoding: 'base64', bytes: 1, arrivals: [] }), body],
  ['has half of a pair', withBody({ text: '\ud800', bytes: 3, arrivals: [] }), body],
  [
    'has bytes that came before earlier ones',
    withBody({
      arrivals: [
        [9, 9],
        [5, 5],
      ],
    }),
    body,
  ],
  ['has more bytes than it says', withBody({ arrivals: [[90, 9]] }), body],
  ['has bytes that came behind its end', withBody({ arrivals: [[10, 1_000]] }), body],
  ['has bytes that came before its head', withBody({ arrivals: [[10, 0]] }), body],
  ['has bytes that never came', withBody({ arrivals: [[5, 5]] }), body],
  ['has a header in capitals', withHeader('X-Id', '1'), body],
  ['has a header of two lines', withHeader('x-id', '1\r\nx-more: 2'), body],
  ['has another status in its attempt', withAttempt({ status: 500 }), last],
  ['has another length in its attempt', withAttempt({ bytes: 1 }), last],
  ['has another time in its attempt', withAttempt({ ms: 1 }), last],
  ['has another beginning in its attempt', withAttempt({ startedAt: '2026-11-20T12:00:01.000Z' }), last],
  ['has other words in its attempt', withAttempt({ fingerprint: '0' }), last],
  [
    'was sent again for no reason',
    { ...good, attempts: [...good.attempts, ...good.attempts] },
    'it does not say why it was sent again',
  ],
  [
    'ends before its reply begins',
    { ...good, timing: { ...good.timing, headersMs: 100 } },
    'its times contradict each other',
  ],
])('an exchange is told that %s', (_name, exchange, problem) => {
  expect(problemsOf(exchange)).toContain(`exchange a: ${problem}`);
});

test('what is compared is asked again with a number of its own, and with nothing else', () => {
  const says = ['Say {number} times.'];
  const request = {
    ...planned,
    isCompared: true,
    says,
    body: { json: { model: { $: 'model' }, input: says[0] } },
  } as unknown as PlannedRequest;
  const again = (input: string) => {
    const exchange = {
      ...good,
      id: 'a~2',
      repeats: 'a',
      request: { ...good.request, body: JSON.stringify({ model: 'g', input }) },
    };
    return problemsOf(exchange, { request });
  };
  expect(again('Say 10007 times.')).toEqual([]);
  expect(again('Say 10007 things.')).toEqual([`exchange a~2: ${asked}`]);
});

test('a near-miss token is only known not to be the token', () => {
  const request = { ...planned, credential: { form: 'near-miss', how: 'last' } } as PlannedRequest;
  const shown = (authorization: string) => withRequest({ headers: { ...headers, authorization } });
  expect(problemsOf(shown(`Bearer \${TOKEN%?}7`), { request })).toEqual([]);
  expect(problemsOf(shown(headers.authorization), { request })).toEqual([`exchange a: ${asked}`]);
});

test('a request is left out for what the plan has and the replies show, and for nothing else', () => {
  const notNeeded: Unsent = { id: 'a', unsent: { kind: 'stand-in-not-needed' } };
  expect(problemsOf(notNeeded)).toEqual(['request a: what it was not sent for is not so']);
  expect(problemsOf(notNeeded, { isSameSuite: false })).toEqual([]);
  expect(problemsOf({ id: 'a', unsent: { kind: 'stopped' } })).toEqual([]);
  const request: PlannedRequest = { ...planned, when: [{ kind: 'one-unanswered', any: [] }] };
  expect(problemsOf(notNeeded, { request })).toEqual([]);
});
