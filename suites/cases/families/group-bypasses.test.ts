import { describe, expect, it } from 'vitest';
import { built } from '../cases.fixture.ts';

const byOf = ({ cases }: ReturnType<typeof built>) => cases.filter(({ id }) => id.includes('.by.'));

describe('the group of a token', () => {
  it('is not that which a request names: each way is tried where the group must be refused', () => {
    const plan = built();
    const found = byOf(plan);
    const cells = ['default', 'coding-tool'].map((group) => `families.conversational.messages.${group}.by`);
    const ways = ['x-group', 'x-consumer-groups', 'group', 'model-suffix', 'model-prefix'];
    const plain = found.filter(({ id }) => !/streamed$/.test(id));
    expect(plain.map(({ id }) => id)).toEqual(cells.flatMap((cell) => ways.map((way) => `${cell}.${way}`)));
    for (const way of ways)
      for (const stream of ['streamed', 'unstreamed'])
        expect(found.filter(({ id }) => id.endsWith(`.${way}.${stream}`))).toHaveLength(1);
    for (const { check } of found) {
      if (check.kind !== 'refused') throw new Error('it must be refused');
      const { headers, body, billed, expect: hope } = plan.request(check.probe);
      expect(JSON.stringify([headers, body])).toContain('third-party-client');
      expect([billed, hope]).toEqual([0, 'refusal']);
      expect(check.controls).toContain('cell.conversational.messages.third-party-client');
    }
  });

  it('is not tried where no token of the other groups is declared', () => {
    const plan = built({ families: ['conversational'], groups: ['third-party-client'], rateLimited: false });
    expect(byOf(plan).map(({ check }) => check.kind)).toEqual(Array(20).fill('undeclared'));
  });
});
