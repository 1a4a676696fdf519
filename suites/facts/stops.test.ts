import { expect, it } from 'vitest';
import type { Protocol } from '../../spec/vocabulary.ts';
import { answered, refused, replied, viewOf } from '../checks/evidence.fixture.ts';
import type { Exchange } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { stopBehind, stopsIn } from './stops.ts';

interface Sent {
  readonly protocol: Protocol;
  readonly exchange: Exchange;
}

const startOf = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

/** One valid request a second, of each line as many as it says. */
type Line = readonly [
  times: number,
  protocol: Protocol,
  entry: (id: string) => Exchange,
  model?: string,
  token?: string,
];

function sentOf(lines: readonly Line[]): readonly Sent[] {
  const all = lines.flatMap(([times, ...line]) => Array.from({ length: times }, () => line));
  return all.map(([protocol, entry, model = 'm', token = 't'], second) => {
    const exchange = entry(`r${second}`);
    return {
      protocol,
      exchange: {
        ...exchange,
        request: {
          ...exchange.request,
          headers: { authorization: `Bearer ${token}` },
          body: JSON.stringify({ model }),
        },
        attempts: exchange.attempts.map((attempt) => ({ ...attempt, startedAt: startOf(second) })),
        timing: { ...exchange.timing, startedAt: startOf(second) },
      },
    };
  });
}

/** @param more of each planned request */
function viewWhere(more: Partial<PlannedRequest>, ...lines: readonly Line[]) {
  const sent = sentOf(lines);
  const planned = Object.fromEntries(
    sent.map(({ protocol, exchange: { id } }) => [
      id,
      { protocol, callers: [{ family: 'general', group: 'default' }], ...more } as const,
    ]),
  );
  const exchanges = sent.map(({ exchange }) => exchange);
  return viewOf('chat', exchanges, planned);
}

const stopsWhere = (more: Partial<PlannedRequest>, ...lines: readonly Line[]): readonly string[] =>
  stopsIn(viewWhere(more, ...lines)).map(({ protocol, tally }) => `${protocol} ${tally.seen} of ${tally.of}`);

const stopsOf = (...lines: readonly Line[]) => stopsWhere({}, ...lines);

const chat = (id: string): Exchange => answered(id, 'chat');
const responses = (id: string): Exchange => answered(id, 'responses');
const failed = (id: string): Exchange => refused(id, 500);
/** A request that was answered in the first second is refused. */
const again = (id: string): Exchange => ({ ...failed(`r0~${id}`), repeats: 'r0' });
/** Another endpoint answers between two refusals. */
const between: readonly Line[] = [
  [5, 'chat', failed],
  [1, 'responses', responses],
  [1, 'chat', again],
];

it('an endpoint stopped that refuses all since its last answer, while another answers the same token and model', () => {
  expect(stopsOf([3, 'chat', chat], ...between)).toEqual(['chat 5 of 8']);
});

it('counts what a refusal made necessary, too: each request may be answered', () => {
  expect(stopsWhere({ standsFor: ['another'] }, [3, 'chat', chat], ...between)).toEqual(['chat 5 of 8']);
});

it('one that answers in the end did not', () => {
  expect(stopsOf([3, 'chat', chat], ...between, [1, 'chat', chat])).toEqual([]);
});

it('one that never answered did not: each refusal is judged by its own case', () => {
  expect(stopsOf(...between)).toEqual([]);
});

it('one that refuses nothing that it had answered did not: each refusal may be of its request alone', () => {
  expect(
    stopsOf([3, 'chat', chat], [5, 'chat', failed], [1, 'responses', responses], [1, 'chat', failed]),
  ).toEqual([]);
});

it('nothing is counted of a token that is answered nowhere else between two refusals: it may be locked out', () => {
  const of = (...later: readonly Line[]) => stopsOf([3, 'chat', chat], [5, 'chat', failed], ...later);
  const otherToken: Line = [1, 'responses', responses, 'm', 'u'];
  expect(of([1, 'chat', again])).toEqual(['chat 0 of 3']);
  expect(of(otherToken, [1, 'chat', again])).toEqual(['chat 0 of 3']);
  expect(of([1, 'chat', again], [1, 'responses', responses])).toEqual(['chat 0 of 3']);
});

it('nothing is counted of one model that is answered nowhere else: it may be locked out, and several are not', () => {
  const later: readonly Line[] = [
    [1, 'responses', responses, 'other'],
    [1, 'chat', again],
  ];
  expect(stopsOf([3, 'chat', chat], [5, 'chat', failed], ...later)).toEqual(['chat 0 of 3']);
  const two: readonly Line[] = [
    [3, 'chat', chat],
    [3, 'chat', chat, 'n'],
    [4, 'chat', failed],
    [1, 'chat', failed, 'n'],
  ];
  expect(stopsOf(...two, ...later)).toEqual(['chat 5 of 11']);
});

it('one did not that tells an overload or a rate limit', () => {
  const busy = (id: string): Exchange => replied(id, { status: 503, text: 'later' });
  expect(stopsOf([3, 'chat', chat], [1, 'chat', busy], ...between)).toEqual([]);
});

it('knows which refused requests were sent to an endpoint that had stopped, and how many it had answered', () => {
  const later: readonly Line[] = [[1, 'chat', failed], [2, 'chat', chat], ...between];
  const view = viewWhere({}, [1, 'chat', chat], ...later);
  const stopped = view.exchanges().map(({ id }) => [id, stopBehind(view, id)] as const);
  expect(stopped.flatMap(([id, stop]) => (stop ? [] : [id]))).toEqual(['r0', 'r1', 'r2', 'r3', 'r9']);
  const stop = stopped.map(([, each]) => each).find(Boolean);
  expect(stop).toMatchObject({ answered: 3 });
  expect(stop?.since).toHaveLength(6);
});
