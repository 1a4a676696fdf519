import { expect, test } from 'vitest';
import type { PlannedRequest } from '../types/plan.ts';
import { chooseSample, type Repeatable } from './repeatable.ts';

const groups = ['default', 'coding-tool', 'third-party-client'] as const;

const pool = (refused: number, answered: number): readonly Repeatable[] =>
  (['refused', 'answered'] as const).flatMap((recorded) =>
    Array.from({ length: recorded === 'refused' ? refused : answered }, (_, at) => ({
      request: {
        id: `${recorded}.${at}`,
        credential: { form: 'right' },
        callers: [{ family: 'general', group: groups[at % 3] }],
      } as unknown as PlannedRequest,
      recorded,
    })),
  );

const idsOf = (sample: readonly Repeatable[]): readonly string[] => sample.map(({ request }) => request.id);
const counted = (sample: readonly Repeatable[]) =>
  [sample.length, sample.filter(({ recorded }) => recorded === 'answered').length] as const;

test('refusals come first, and one in four is an answer', () => {
  expect(counted(chooseSample(pool(100, 100), 12, 1))).toEqual([12, 3]);
  expect(counted(chooseSample(pool(100, 100), 1, 1))).toEqual([1, 1]);
});

test('where there are too few of one kind the other fills up, and never more than there are', () => {
  expect(counted(chooseSample(pool(2, 100), 12, 1))).toEqual([12, 10]);
  expect(counted(chooseSample(pool(100, 1), 12, 1))).toEqual([12, 1]);
  expect(counted(chooseSample(pool(2, 3), 12, 1))).toEqual([5, 3]);
});

test('the same seed gives the same sample, and another one another', () => {
  expect(idsOf(chooseSample(pool(100, 100), 12, 7))).toEqual(idsOf(chooseSample(pool(100, 100), 12, 7)));
  expect(idsOf(chooseSample(pool(100, 100), 12, 7))).not.toEqual(idsOf(chooseSample(pool(100, 100), 12, 8)));
});

test('the answers are of as many token groups as there are: each shows that its token works', () => {
  const answers = chooseSample(pool(100, 100), 12, 1).filter(({ recorded }) => recorded === 'answered');
  expect(new Set(answers.map(({ request }) => request.callers[0]?.group)).size).toBe(3);
});

test('a refusal is asked only beside an answer to its token, and one of an invented token always', () => {
  const sample = chooseSample(pool(100, 100), 4, 1);
  const tokens = sample.map(({ request }) => request.callers[0]?.group);
  expect(counted(sample)).toEqual([4, 1]);
  expect(new Set(tokens).size).toBe(1);
  const invented = { id: 'invented', credential: { form: 'invalid', token: 'x' }, callers: [] };
  const more = { request: invented as unknown as PlannedRequest, recorded: 'refused' } as const;
  for (const seed of [1, 2, 3])
    expect(idsOf(chooseSample([...pool(100, 100), more], 4, seed))).toContain('invented');
});
