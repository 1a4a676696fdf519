import { expect, test } from 'vitest';
import type { Report, ReportExchange } from '../../suites/types/report.ts';
import { smallReport } from '../small.fixture.ts';
import { latencies } from './latency.ts';

type Change = Pick<ReportExchange, 'ending'> & { readonly status: number };
const [model] = smallReport().exchanges;

/** A report whose chat answers took so long; `change` is what all of them have of their own. */
function took(times: readonly number[], change: Partial<Change> = {}): Report {
  if (model?.response == null) throw new Error('the fixture has a reply');
  const { status = 200, ending = model.ending } = change;
  const one = { ...model, ending, response: { ...model.response, status } };
  return {
    ...smallReport(),
    exchanges: times.map((endMs) => ({ ...one, timing: { ...one.timing, endMs } })),
  };
}

const slow = took([60_000]);
const measured = (report: Report) => latencies('chat', report, slow)[0]?.before;

test.each([
  [[299.9], 300, 'under 0.3 s'],
  [[300], 300, '0.3 to 1 s'],
  [[1_000], 1_000, '1 to 3 s'],
  [[3_000], 3_000, '3 to 10 s'],
  [[10_000], 10_000, '10 to 30 s'],
  [[9_000, 500, 10_000], 9_000, '3 to 10 s'],
  [[2_000, 100, 1_000, 29_000], 1_500, '1 to 3 s'],
])('answers after %j ms took %i ms in the middle: %s', (times, medianMs, name) => {
  expect(measured(took(times))).toEqual({ exchanges: times.length, medianMs, class: name });
});

test('an answer is what ended well with a status of success', () => {
  expect(measured(took([500], { status: 299 }))?.medianMs).toBe(500);
  for (const status of [199, 300, 429]) expect(measured(took([500], { status }))).toBe(undefined);
  expect(measured(took([500], { ending: { kind: 'cut', detail: 'closed' } }))).toBe(undefined);
  const { exchanges, ...rest } = took([500], { ending: { kind: 'unreachable', detail: 'closed' } });
  expect(measured({ ...rest, exchanges: exchanges.map((one) => ({ ...one, response: null })) })).toBe(
    undefined,
  );
});

test('nothing is said where one side has no answer of the protocol, or both are of one class', () => {
  expect(latencies('chat', took([]), slow)).toEqual([]);
  expect(latencies('chat', slow, took([]))).toEqual([]);
  expect(latencies('messages', took([1]), slow)).toEqual([]);
  expect(latencies('chat', took([40_000]), slow)).toEqual([]);
});
