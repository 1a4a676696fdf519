import { describe, expect, it } from 'vitest';
import { chanceOf, chanceOfDifference, levelOf, timesNeeded } from './exact-test.ts';

describe('the chance of seeing something so often', () => {
  it.each([
    [{ seen: 0, of: 10 }, 0.05, 1],
    [{ seen: 10, of: 10 }, 0.5, 1 / 1024],
    [{ seen: 1, of: 2 }, 0.5, 0.75],
    [{ seen: 2, of: 40 }, 0.05, 0.6009],
    [{ seen: 13, of: 52 }, 0.05, 1.2257e-6],
  ])('%j at %d is %d', (tally, each, chance) => {
    expect(chanceOf(tally, each) / chance).toBeCloseTo(1, 2);
  });

  it('is the chance of nothing where it never comes', () => {
    expect(chanceOf({ seen: 1, of: 9 }, 0)).toBe(0);
    expect(chanceOf({ seen: 0, of: 9 }, 0)).toBe(1);
  });
});

describe('the chance of a difference', () => {
  // The figure of principle 9.
  it('of 3 of 3 probes that lack what 40 of 40 controls have is 1 in 12,341', () => {
    expect(chanceOfDifference({ seen: 3, of: 3 }, { seen: 0, of: 40 })).toBeCloseTo(1 / 12_341, 9);
  });

  it('is none where both are alike', () => {
    expect(chanceOfDifference({ seen: 0, of: 9 }, { seen: 0, of: 9 })).toBe(1);
    expect(chanceOfDifference({ seen: 9, of: 9 }, { seen: 9, of: 9 })).toBe(1);
  });

  it('of what comes more often with the controls is none either', () => {
    expect(chanceOfDifference({ seen: 0, of: 9 }, { seen: 9, of: 9 })).toBe(1);
  });
});

describe('a refusal among passing ones', () => {
  it('needs to come so often in a row that chance does not explain it', () => {
    expect(timesNeeded(0.5, 1e-6)).toBe(20);
    expect(timesNeeded(0, 1e-6)).toBe(1);
    expect(0.25 ** timesNeeded(0.25, levelOf(300))).toBeLessThanOrEqual(levelOf(300));
  });
});

it('the exact test gives the probabilities of the hypergeometric distribution', () => {
  const p = (a: number, of: number, b: number, ofB: number): number =>
    chanceOfDifference({ seen: b, of: ofB }, { seen: a, of });
  expect(p(0, 5, 5, 5)).toBeCloseTo(1 / 252, 10);
  expect(p(1, 10, 6, 10)).toBeCloseTo(0.02864, 4);
  expect(p(0, 50, 1, 50)).toBeCloseTo(0.5, 10);
  expect(p(0, 100, 100, 100)).toBeGreaterThan(0);
  expect(p(3, 10, 0, 10)).toBe(1);
});
