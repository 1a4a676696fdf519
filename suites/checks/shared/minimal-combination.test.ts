import { describe, expect, it } from 'vitest';
import type { Combination } from '../../types/combination.ts';
import { partId } from '../../types/combination-parts.ts';
import type { Exchange, Unsent } from '../../types/exchange.ts';
import { answered, refused, silent, unsent, viewOf } from '../evidence.fixture.ts';
import { reductionOf } from './minimal-combination.ts';

const factors = ['a', 'b', 'c', 'd'];
const combination: Combination = {
  base: {},
  content: 'input',
  isListed: false,
  question: 'Hi',
  settings: factors.map((factor) => ({ factor, description: factor, requirements: [] })),
};

type Reply = (id: string) => Exchange | Unsent;

/** Takes the row apart as a run does: asks for each part that is due, until none is. */
function takenApart(reply: (kept: readonly string[]) => Reply) {
  const entries: (Exchange | Unsent)[] = [refused('row')];
  const asked: string[] = [];
  for (;;) {
    const view = viewOf('chat', entries, { row: { combination } });
    const reduction = reductionOf(view, 'row');
    if (reduction.kind !== 'ask') return { reduction, asked };
    const id = partId('row', reduction.factors);
    const entry = reply(reduction.factors)(id);
    entries.push('unsent' in entry ? entry : { ...entry, part: { of: 'row', factors: reduction.factors } });
    asked.push(id.replace('row.part.', ''));
  }
}

const refusing = (together: readonly string[]) => (kept: readonly string[]) =>
  together.every((each) => kept.includes(each)) ? refused : answered;

describe('the smallest refused part of a request', () => {
  it.each([['a'], ['d'], ['a', 'b'], ['a', 'd'], ['b', 'c', 'd'], factors, []].map((set) => [set]))(
    'is %j where that is what is refused, and each setting is left out once',
    (together) => {
      const { reduction, asked } = takenApart(refusing(together));
      expect(reduction).toEqual({ kind: 'minimal', factors: together });
      expect(asked.length).toBe(factors.length);
    },
  );

  it('is looked for in what is left: a setting that does not matter is not sent again', () => {
    expect(takenApart(refusing(['b', 'd'])).asked).toEqual(['b+c+d', 'c+d', 'b+d', 'b']);
    expect(takenApart(refusing([])).asked).toEqual(['b+c+d', 'c+d', 'd', 'nothing']);
  });

  it('is one of several where several are refused', () => {
    const either = (kept: readonly string[]) =>
      kept.includes('a') || kept.includes('c') ? refused : answered;
    expect(takenApart(either).reduction).toEqual({ kind: 'minimal', factors: ['c'] });
  });

  it('is not known where a part gets no reply that can be judged, and the rest is asked all the same', () => {
    const busy = (kept: readonly string[]): Reply =>
      kept.includes('b') ? refusing(['c'])(kept) : (id) => silent(id, { kind: 'timeout', afterMs: 1 });
    const { reduction, asked } = takenApart(busy);
    expect(reduction).toEqual({ kind: 'unclear', exchange: 'row.part.c+d' });
    expect(asked.length).toBe(factors.length);
  });

  it('is not known where a part is not sent, and no further one is asked', () => {
    const { reduction, asked } = takenApart(() => (id) => unsent(id));
    expect(reduction).toEqual({ kind: 'unclear', exchange: 'row.part.b+c+d' });
    expect(asked).toEqual(['b+c+d']);
  });

  it('of a request that is no combination is nothing', () => {
    expect(reductionOf(viewOf('chat', [refused('plain')]), 'plain')).toEqual({
      kind: 'minimal',
      factors: [],
    });
  });
});
