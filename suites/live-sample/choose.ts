import { createHash } from 'node:crypto';
import type { Repeatable } from './repeatable.ts';
import { isInvented, tokenOf } from './tokens.ts';

/** One of so many is an answer: without one that works, refusals show nothing (principle 4). */
const answersIn = 4;

const place = (seed: number, { request }: Repeatable): string =>
  createHash('sha256').update(`${seed} ${request.id}`).digest('hex');

const token = ({ request }: Repeatable): string | undefined => tokenOf(request);

/** The same, one of each token before all others: an answer shows that it is accepted. */
function tokensFirst(list: readonly Repeatable[]): readonly Repeatable[] {
  const isFirst = (one: Repeatable, at: number): boolean =>
    list.findIndex((other) => token(other) === token(one)) === at;
  return [...list.filter(isFirst), ...list.filter((one, at) => !isFirst(one, at))];
}

/** The refusals that show something beside these answers, one of an invented token first: a wrong one is told by it. */
function tellingRefusals(
  refused: readonly Repeatable[],
  answered: readonly Repeatable[],
  chosen: readonly Repeatable[],
): readonly Repeatable[] {
  const [accepted, all] = [new Set(chosen.map(token)), new Set(answered.map(token))];
  const telling = refused.filter((one) => accepted.has(token(one)) || !all.has(token(one)));
  const first = telling.find(({ request }) => isInvented(request));
  return [...(first ? [first] : []), ...telling.filter((one) => one !== first)];
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
  const answered = tokensFirst(of('answered'));
  const fewest = Math.min(Math.ceil(size / answersIn), answered.length);
  const telling = tellingRefusals(of('refused'), answered, answered.slice(0, fewest));
  const refusals = telling.slice(0, size - fewest);
  return [...refusals, ...answered.slice(0, size - refusals.length)];
}
