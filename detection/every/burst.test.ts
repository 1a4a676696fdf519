import { describe, expect, test } from 'vitest';
import type { Piece } from '../../fixtures/gateway/context.ts';
import { burstSize } from '../../suites/cases/results/results.ts';
import { blamed, detect, type Subject } from '../detect.ts';

/** A reply that is not sent yet. */
interface Pending {
  readonly kind: string;
  readonly pieces: readonly Piece[];
  readonly others: Pending[];
  /** The most replies that were pending at once while it was. */
  crowd: number;
}

/** From so many requests under way on it exchanges replies. */
const crowded = 12;
/** Milliseconds for each reply: long enough for all that are sent at once to come. */
const waitMs = 500;

/** Sends the reply of another request of the same kind where so many are under way. */
const swapping: Subject = {
  id: 'swapping',
  title: `exchanges replies where ${crowded} requests are under way`,
  hooks: {
    reply: (reply, ctx) => {
      if (reply.status !== 200) return reply;
      const known = (ctx.state.get('pending') ?? new Set()) as Set<Pending>;
      ctx.state.set('pending', known);
      const kind = `${ctx.protocol} ${String(ctx.body.stream === true)}`;
      const others = [...known].filter((other) => other.kind === kind);
      const own: Pending = { kind, pieces: reply.pieces, others, crowd: 0 };
      known.add(own);
      for (const other of others) other.others.push(own);
      for (const each of known) each.crowd = Math.max(each.crowd, known.size);
      return {
        ...reply,
        waitMs,
        get pieces() {
          known.delete(own);
          return own.crowd >= crowded ? (own.others[0] ?? own).pieces : own.pieces;
        },
      };
    },
  },
};

const selected = { requirements: ['states.only-relation'] };
const judged = (concurrency: number) => detect(swapping, { profile: 'full', concurrency, selected });

describe('a gateway that exchanges replies between many requests at once', () => {
  test('is found in full, by the burst', async () => {
    const report = await judged(burstSize);
    expect(blamed(report)).toEqual(['states.only-relation']);
    const [found] = report.cases.flatMap(({ findings }) => findings);
    expect(found).toMatchObject({ code: 'reply-of-another', exchange: expect.stringContaining('.burst.') });
  }, 60_000);

  test('is not where fewer requests go out at once: the burst is as wide as the run lets it be', async () => {
    const report = await judged(crowded - 1);
    expect(blamed(report)).toEqual([]);
    expect(report.exchanges.filter(({ id }) => id.includes('.burst.'))).toHaveLength(burstSize);
  }, 60_000);
});
