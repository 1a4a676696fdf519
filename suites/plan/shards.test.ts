import { describe, expect, it } from 'vitest';
import { families, groups } from '../../spec/vocabulary.ts';
import type { Plan } from '../types/plan.ts';
import { dependencies, neededBy } from './dependencies.ts';
import { countOf } from './plan-counts.ts';
import { everything, planFor } from './plan.ts';
import { shardOf, takesFrom } from './shards.ts';

const scope = { families, groups, rateLimited: true };
const whole = planFor(scope, 1, everything, { profile: 'standard', skipCostly: false });
const shardsOf = (count: number): readonly Plan[] =>
  Array.from({ length: count }, (_, at) => shardOf(whole, { index: at + 1, count }));
const three = shardsOf(3);
const idsOf = (list: readonly { readonly id: string }[]): readonly string[] => list.map(({ id }) => id);

describe('the shards of a plan', () => {
  it('have each case once, in the order of the plan', () => {
    for (const shards of [three, shardsOf(1)]) {
      expect(shards.flatMap(({ cases }) => idsOf(cases)).sort()).toEqual([...idsOf(whole.cases)].sort());
      for (const { cases } of shards)
        expect(whole.cases.filter((entry) => cases.includes(entry))).toEqual(cases);
    }
    expect(shardsOf(1)[0]?.requests).toEqual(whole.requests);
  });

  it('have all that their cases need, all that it waits for, and all of discovery', () => {
    const requests = new Map(whole.requests.map((request) => [request.id, request]));
    const discovery = idsOf(whole.requests.filter(({ stage }) => stage === 'discovery'));
    for (const shard of three) {
      const own = new Set(idsOf(shard.requests));
      const needed = [
        ...idsOf(neededBy(shard.cases, requests)),
        ...shard.requests.flatMap(dependencies).filter((id) => requests.has(id)),
        ...discovery,
      ];
      expect(needed.filter((id) => !own.has(id))).toEqual([]);
    }
  });

  it('are the same each time, and made of what the seed gives', () => {
    const depth = { profile: 'standard', skipCostly: false, shard: { index: 2, count: 3 } } as const;
    expect(planFor(scope, 1, everything, depth)).toEqual(three[1]);
  });

  it('take ids over from replies of their own: what rests on one reply is in one shard', () => {
    const places = new Map<string, number>();
    for (const [shard, { requests }] of three.entries())
      for (const id of requests.flatMap(takesFrom)) {
        expect(places.get(id) ?? shard).toBe(shard);
        places.set(id, shard);
      }
    expect(places.size).toBeGreaterThan(5);
  });

  it('are billed for little more than one run, and none for much more than another', () => {
    const billed = three.map(({ requests }) => countOf(requests).billed);
    const all = countOf(whole.requests).billed;
    expect(billed.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(1.6 * all);
    expect(Math.max(...billed)).toBeLessThanOrEqual(1.4 * Math.min(...billed));
  });

  it('name what others ask', () => {
    const asked = (plan: Plan) => new Set(plan.cases.flatMap(({ requirements }) => requirements));
    for (const shard of three)
      expect(new Set([...asked(shard), ...(shard.elsewhere ?? [])])).toEqual(asked(whole));
  });
});
