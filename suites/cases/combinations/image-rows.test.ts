import { describe, expect, it } from 'vitest';
import { parameters } from '../../../spec/openapi.ts';
import { families, groups } from '../../../spec/vocabulary.ts';
import { fullDepth } from '../../types/profile.ts';
import { createCaseBuilder } from '../builder/case-builder.ts';
import { imageCounts, planImageRows } from './image-rows.ts';

const scope = { families, groups, rateLimited: false };
const seeds = Array.from({ length: 12 }, (_, seed) => seed);
const stated = parameters('images').flatMap(({ name, allowed = [] }) =>
  allowed.map((value) => `${name} = ${JSON.stringify(value)}`),
);
const rowsFor = (seed: number, skipCostly = false) => {
  const builder = createCaseBuilder(scope, seed, { ...fullDepth, skipCostly });
  const rows = planImageRows(builder);
  return { builder, rows, requests: [...builder.requests.values()] };
};

const shown = (rows: ReturnType<typeof rowsFor>['rows']): readonly string[] =>
  rows.flatMap(({ values }) =>
    Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
  );

describe('the requests for images', () => {
  it.each(seeds)('of seed %i show each stated value', (seed) => {
    const { rows } = rowsFor(seed);
    expect(stated.filter((value) => !shown(rows).includes(value))).toEqual([]);
    expect(stated.length).toBeGreaterThan(8);
    for (const count of imageCounts()) expect(shown(rows)).toContain(`n = ${count}`);
  });

  it.each(seeds)('of seed %i ask for at most 15 images, and say for how many each', (seed) => {
    const { requests } = rowsFor(seed);
    const images = requests.map(({ body }) => Object(body?.json).n ?? 1);
    expect(requests.map(({ billed }) => billed)).toEqual(images);
    expect(images.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(15);
  });

  it('leave out n somewhere, and ask for ten and for two images once', () => {
    for (const seed of seeds) {
      const { rows } = rowsFor(seed);
      expect(
        rows.some(({ values }) => !('n' in values)),
        `seed ${seed}`,
      ).toBe(true);
      const counts = rows.map(({ values }) => values.n);
      expect([2, 10].map((n) => counts.filter((count) => count === n).length)).toEqual([1, 1]);
    }
  });

  it('are asked twice in other scripts, and are the same for the same seed', () => {
    const { rows, requests } = rowsFor(3);
    expect(requests.filter(({ body }) => /[^\p{ASCII}]/u.test(JSON.stringify(body))).length).toBe(2);
    expect(rowsFor(3).rows).toEqual(rows);
    expect(rowsFor(4).rows).not.toEqual(rows);
  });

  it('ask for nothing costly where that is skipped', () => {
    const { rows } = rowsFor(1, true);
    expect(shown(rows)).not.toContain('n = 10');
    expect(rows.length).toBe(rowsFor(1).rows.length);
  });

  it('are none without an image model', () => {
    expect(planImageRows(createCaseBuilder({ ...scope, families: ['general'] }, 1, fullDepth))).toEqual([]);
  });
});
