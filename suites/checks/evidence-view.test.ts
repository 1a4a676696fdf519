import { expect, test } from 'vitest';
import type { Exchange, Unsent } from '../types/exchange.ts';
import type { Caller } from '../types/plan.ts';
import { createEvidenceView } from './evidence-view.ts';
import { answered, viewOf, refused, replied, result } from './evidence.fixture.ts';

const { plan } = viewOf('chat', [], Object.fromEntries([...'abcdefghijkl'].map((id) => [id, {}])));

test('what is recorded later is seen, and what was read once is kept', () => {
  const evidence = new Map<string, Exchange | Unsent>();
  const view = createEvidenceView(plan, evidence);
  expect(view.state('a')).toEqual({ kind: 'unclear', why: { kind: 'not-recorded' } });
  evidence.set('a', answered('a'));
  const first = view.state('a');
  expect(first.kind).toBe('answered');
  expect(view.state('a')).toBe(first);
});

test('a request that is not planned is no part of the run, whatever was recorded of it', () => {
  const view = createEvidenceView(plan, new Map([['x', answered('x')]]));
  expect(view.state('x')).toEqual({ kind: 'unclear', why: { kind: 'not-planned' } });
  expect(view.request('x')).toBeUndefined();
});

test('of many large replies each is read as itself, however often it is asked for', () => {
  const ids = plan.requests.map(({ id }) => id);
  const large = (id: string): Exchange =>
    id === 'c' ? refused(id) : replied(id, { json: result.chat(`${id} `.repeat(3000)) });
  const view = createEvidenceView(plan, new Map(ids.map((id) => [id, large(id)])));
  for (const id of [...ids, ...ids.toReversed()]) {
    const state = view.state(id);
    expect(state.exchange?.id).toBe(id);
    expect(state.kind).toBe(id === 'c' ? 'refused' : 'answered');
  }
  expect(view.state('a')).toBe(view.state('a'));
});

test.each([
  ['a text', {}, 2, false],
  ['an image', { callers: [{ family: 'chat-image', group: 'default' }] }, 2, true],
  ['an image', { callers: [{ family: 'chat-image', group: 'default' }] }, 32, false],
] as const)(
  'a reply that brings %s is read up to the bound of what is recorded',
  (_, request, mb, isRead) => {
    const { plan: own } = viewOf('chat', [], { a: request });
    const long = replied('a', { json: result.chat('x'.repeat(mb * 1024 * 1024)) });
    expect(createEvidenceView(own, new Map([['a', long]])).state('a')).toMatchObject(
      isRead
        ? { kind: 'answered' }
        : { kind: 'unclear', why: { kind: 'transient', transient: { cause: 'oversize' } } },
    );
  },
);

test('damaged evidence decides nothing', () => {
  const body = { text: null, encoding: 'utf8', bytes: 7, arrivals: [] };
  const damaged = { ...answered('a'), response: { status: 200, headers: [], body } } as unknown;
  const view = createEvidenceView(plan, new Map([['a', damaged as Exchange]]));
  expect(view.state('a')).toMatchObject({
    kind: 'unclear',
    why: { kind: 'transient', transient: { cause: 'reading-error' } },
    exchange: { id: 'a' },
  });
});

test('what repeats a planned request is read as that request is', () => {
  const view = createEvidenceView(
    plan,
    new Map([
      ['a~2', { ...answered('a~2'), repeats: 'a' }],
      ['x~2', { ...answered('x~2'), repeats: 'x' }],
    ]),
  );
  expect(view.state('a~2').kind).toBe('answered');
  expect(view.state('x~2')).toEqual({ kind: 'unclear', why: { kind: 'not-planned' } });
});

test('a refusal is read by all that was recorded, in whatever order', () => {
  const invalid = { expect: 'refusal', credential: { form: 'invalid', token: 'sk-1' } } as const;
  const { plan: own } = viewOf('chat', [], {
    ...{ first: invalid, second: invalid },
    ...Object.fromEntries([...'abcd'].map((id) => [id, {}])),
  });
  const refusals = [refused('first', 401), refused('second', 401)];
  const past = replied('a', { json: result.chat('hello'), before: refusals[0]?.attempts ?? [] });
  const exchanges = [...refusals, past, ...[...'bcd'].map((id) => answered(id))];
  const kindsOf = (recorded: readonly Exchange[]) => {
    const view = createEvidenceView(own, new Map(recorded.map((exchange) => [exchange.id, exchange])));
    return own.requests.map(({ id }) => view.kind(id));
  };
  const expected = ['unclear', 'unclear', 'answered', 'answered', 'answered', 'answered'];
  expect(kindsOf(exchanges)).toEqual(expected);
  expect(kindsOf(exchanges.toReversed())).toEqual(expected);
});

test('another reply is taken for that of a request where its caller is one that the request may have', () => {
  const own = { family: 'general', group: 'coding-tool' } as const;
  const other = { family: 'general', group: 'default' } as const;
  const sentBy = (id: string, token: string): Exchange => {
    const { request, ...rest } = answered(id);
    return { ...rest, request: { ...request, headers: { authorization: `Bearer ${token}` } } };
  };
  const cell = sentBy('cell.general.chat.coding-tool', 'own');
  const isStoodFor = (callers: readonly Caller[], ...entries: readonly Exchange[]): boolean =>
    viewOf('chat', entries, { a: { callers, standsFor: ['row'] } }).isStoodFor('a');
  expect(isStoodFor([own], cell, sentBy('row', 'own'))).toBe(true);
  expect(isStoodFor([own], cell, sentBy('row', 'other'))).toBe(false);
  expect(isStoodFor([own, other], cell, sentBy('row', 'other'))).toBe(true);
});
