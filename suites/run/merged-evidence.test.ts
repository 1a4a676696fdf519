import { expect, it } from 'vitest';
import { replied, result, viewOf } from '../checks/evidence.fixture.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { mergedEvidence } from './merged-evidence.ts';

it('keeps the answer whose id later requests of its shard name, where it stands for another', () => {
  const plain = { plain: { standsFor: ['cell'] } };
  const previous = { $: 'reply', exchange: 'plain', pointer: '/id' } as const;
  const chained = { chained: { body: { json: { previous_response_id: previous } } } };
  const shardOf = (id: string, requests: Readonly<Record<string, Partial<PlannedRequest>>>) => {
    const cell = replied('cell', { json: { ...result.responses('hello'), id } });
    return { plan: viewOf('responses', [cell], requests).plan, evidence: new Map([['cell', cell]]) };
  };
  const shards = [shardOf('of-first', plain), shardOf('of-second', { ...plain, ...chained })];
  const { plan } = viewOf('responses', [], { cell: {}, ...plain, ...chained });
  for (const order of [shards, shards.toReversed()])
    expect(JSON.stringify(mergedEvidence(plan, order).get('cell'))).toContain('of-second');
});

it('keeps the limit that the first shard was told, where a later one was refused for the model: it had ended by then', () => {
  const requests = { first: { expect: 'limited' } } as const;
  const shardOf = (status: number) => {
    const first = replied('first', { status, text: 'no' });
    return { plan: viewOf('chat', [first], requests).plan, evidence: new Map([['first', first]]) };
  };
  const { plan } = viewOf('chat', [], { first: { expect: 'limited' } });
  const merged = mergedEvidence(plan, [shardOf(429), shardOf(404)]);
  expect(JSON.stringify(merged.get('first'))).toContain('429');
});
