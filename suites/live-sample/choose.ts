import { createHash } from 'node:crypto';
import type { Repeatable } from './repeatable.ts';

/** One of so many is an answer: without one that works, refusals show nothing (principle 4). */
const answersIn = 4;

const place = (seed: number, { request }: Repeatable): string =>
  createHash('sha256').update(`${seed} ${request.id}`).digest('hex');

const groupOf = ({ request }: Repeatable): string | undefined => request.callers[0]?.group;

/** The same, one of each group before all others: an answer shows that its token works. */
function groupsFirst(list: readonly Repeatable[]): readonly Repeatable[] {
  const isFirst = (one: Repeatable, at: number): boolean =>
    list.findIndex((other) => groupOf(other) === groupOf(one)) === at;
  return [...list.filter(isFirst), ...list.filter((one, at) => !isFirst(one, at))];
}

/**
 * A random sample: refusals first, for they cost nothing, and one answer in four. Where there are too few of one kind
 * the other fills up. Pure: the same seed and pool give the same sample.
 */
export function chooseSample(pool: readonly Repeatable[], size: number, seed: number): readonly Repeatable[] {
  const placed = pool.map((one) => ({ one, at: place(seed, one) }));
  const shuffled = placed.sort((a, b) => (a.at < b.at ? -1 : 1)).map(({ one }) => one);
  const of = (kind: Repeatable['recorded']): readonly Repeatable[] =>
    shuffled.filter(({ recorded }) => recorded === kind);
  const [refused, answered] = [of('refused'), groupsFirst(of('answered'))];
  const fewest = Math.min(Math.ceil(size / answersIn), answered.length);
  const refusals = refused.slice(0, size - fewest);
  return [...refusals, ...answered.slice(0, size - refusals.length)];
}
