import { describe, expect, it } from 'vitest';
import { replied, result, viewOf } from '../checks/evidence.fixture.ts';
import type { Exchange } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { type ValidReply, validReplies } from './valid-replies.ts';

const second = (at: number): string => new Date(Date.UTC(2026, 10, 20, 12, 0, at)).toISOString();
const json = result.responses('hello');

/** A request that names a response which ended at once; it is refused at some seconds, and then answered. */
function chained(id: string, refusedAt: readonly number[], answeredAt: number): Exchange {
  const { response } = replied('refusal', { status: 404, text: '{"error":{"message":"names no response"}}' });
  const exchange = replied(id, {
    json,
    before: refusedAt.map((at) => ({
      status: 404,
      startedAt: second(at),
      ...(response ? { response } : {}),
    })),
  });
  return {
    ...exchange,
    attempts: exchange.attempts.map((attempt, at) =>
      at < refusedAt.length ? attempt : { ...attempt, startedAt: second(answeredAt) },
    ),
  };
}

const callers: PlannedRequest['callers'] = [{ family: 'general', group: 'default' }];
const body = { json: { previous_response_id: { $: 'reply', exchange: 'root', pointer: '/id' } } } as const;

function outcomes(...entries: readonly Exchange[]): readonly ValidReply['outcome'][] {
  const requests = Object.fromEntries(entries.map(({ id }) => [id, { callers, body }]));
  const root = replied('root', { json });
  const replies = validReplies(viewOf('responses', [root, ...entries], { root: { callers }, ...requests }));
  return replies.flatMap(({ isChained, outcome }) => (isChained ? [outcome] : []));
}

const chains = (refusedAt: readonly number[], answeredAt: number) =>
  Array.from({ length: 7 }, (_, at) => chained(`${at}`, refusedAt, answeredAt));

describe('a request that names an earlier response', () => {
  it('lacks no answer where all that came sooner are refused, and all later ones answered', () => {
    expect(outcomes(...chains([1], 5))).toEqual([]);
  });

  it('lacks one where others were answered as soon', () => {
    expect(outcomes(...chains([1], 5), chained('soon', [], 1))).toEqual([
      ...Array.from({ length: 7 }, () => 'missing'),
      'answered',
    ]);
  });

  it('lacks one where too few were sent to tell', () => {
    expect(outcomes(...chains([1], 5).slice(0, 2))).toEqual(['missing', 'missing']);
  });
});
