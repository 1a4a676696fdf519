import { expect, test } from 'vitest';
import { replied } from '../../suites/checks/evidence.fixture.ts';
import type { Exchange } from '../../suites/types/exchange.ts';
import type { PlannedRequest } from '../../suites/types/plan.ts';
import type { Rejudged } from '../run/rejudge.ts';
import { exchangeProblems } from './verify-exchanges.ts';

const baseUrl = 'http://gateway.test';
const planned = {
  id: 'a',
  method: 'POST',
  path: '/v1/responses',
  callers: [{ family: 'general', group: 'default' }],
  body: { json: { model: { $: 'model' }, input: 'hello' } },
} as unknown as PlannedRequest;
const good: Exchange = {
  ...replied('a', { pieces: [['{"a":', 5] as const, ['"ü"}', 9] as const] }),
  request: {
    method: 'POST',
    url: `${baseUrl}/v1/responses`,
    headers: {},
    body: '{"model":"g","input":"hello"}',
  },
};

function problemsOf(exchange: Exchange, isSameSuite = true, source?: 'live-traffic'): readonly string[] {
  const plan = { seed: 1, requests: [planned], cases: [], ...(source ? { source } : {}) };
  const run = { target: { baseUrl, models: { general: 'g' } }, evidence: new Map([['a', exchange]]) };
  return exchangeProblems({ plan, run } as unknown as Rejudged, isSameSuite);
}

/** The exchange with another body, and with an attempt that says the same of it. */
function withBody(body: object): Exchange {
  const response = { ...good.response, body: { ...good.response?.body, ...body } } as Exchange['response'];
  const attempts = good.attempts.map((attempt) => ({ ...attempt, bytes: response?.body.bytes ?? 0 }));
  return { ...good, response, attempts };
}
const withAttempt = (change: object): Exchange => ({
  ...good,
  attempts: good.attempts.map((attempt) => ({ ...attempt, ...change })),
});
const withRequest = (change: object): Exchange => ({ ...good, request: { ...good.request, ...change } });

test('what a run records has no problem, nor what another suite or live traffic asks of the target', () => {
  expect(problemsOf(good)).toEqual([]);
  expect(problemsOf(withRequest({ body: '{}' }), false)).toEqual([]);
  expect(problemsOf(withRequest({ url: `${baseUrl}/v1/models?a=b` }), true, 'live-traffic')).toEqual([]);
});

const [asked, last, body] = [
  'its request was not planned for this target',
  'its last attempt is another than the exchange',
  'a body is not as it is recorded',
];
test.each<readonly [name: string, exchange: Exchange, problem: string]>([
  ['was sent to another address', withRequest({ url: 'http://other.test/v1/responses' }), asked],
  ['was sent to another path', withRequest({ url: `${baseUrl}/v1/responses/../x` }), asked],
  ['was sent with another method', withRequest({ method: 'GET' }), asked],
  ['asked another model', withRequest({ body: '{"model":"h","input":"hello"}' }), asked],
  ['asked nothing', withRequest({ body: null }), asked],
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
  ['has bytes that came behind its end', withBody({ arrivals: [[90, 9]] }), body],
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
    const plan = { seed: 1, requests: [request], cases: [] };
    const run = { target: { baseUrl, models: { general: 'g' } }, evidence: new Map([['a~2', exchange]]) };
    return exchangeProblems({ plan, run } as unknown as Rejudged, true);
  };
  expect(again('Say 10007 times.')).toEqual([]);
  expect(again('Say 10007 things.')).toEqual([`exchange a~2: ${asked}`]);
});
