import { describe, expect, it } from 'vitest';
import { parameters } from '../../spec/openapi.ts';
import { families, groups } from '../../spec/vocabulary.ts';
import { reads } from '../checks/registry.ts';
import type { Selection } from '../types/run.ts';
import { valueAt } from '../reading/json.ts';
import { countOf } from './plan-counts.ts';
import { everything, planFor } from './plan.ts';

const scope = { families, groups, rateLimited: true };
const planned = (skipCostly: boolean, selection: Selection = everything) =>
  planFor(scope, 1, selection, { profile: 'full', skipCostly });
const [all, cheaper] = [planned(false), planned(true)];
/** Without the number of the row that something is wrong in: without what is costly the rows are others, or more. */
const withoutRow = (id: string): string => id.replace(/\.in\.\d+$/, '.in');
const parameter = (wanted: string) => parameters('images').find(({ name }) => name === wanted);

describe('a plan without what costs most', () => {
  it('asks for neither ten images nor the better quality, which the document has', () => {
    expect(parameter('n')?.maximum).toBe(10);
    expect(parameter('quality')?.allowed).toContain('hd');
    const costly = cheaper.requests.filter(
      ({ expect: due, body }) =>
        due !== 'refusal' && (valueAt(body?.json, '/n') === 10 || valueAt(body?.json, '/quality') === 'hd'),
    );
    expect(costly).toEqual([]);
    const saved = countOf(all.requests).images - countOf(cheaper.requests).images;
    // Ten images are not asked for, and one in their place.
    expect(saved).toBe(9);
  });

  it('keeps every case, and leaves untested those that are about them', () => {
    const named = (plan: typeof all) => new Set(plan.cases.map(({ id }) => withoutRow(id)));
    expect(named(cheaper)).toEqual(named(all));
    const leftOut = cheaper.cases.flatMap(({ check }) => (check.kind === 'too-costly' ? [check.value] : []));
    expect(new Set(leftOut)).toEqual(new Set(['n = 10', 'quality = hd']));
    expect(cheaper.notAsked).toEqual([]);
  });

  it('refuses what must be refused all the same', () => {
    const refused = (plan: typeof all) =>
      new Set(plan.requests.filter(({ expect: due }) => due === 'refusal').map(({ id }) => withoutRow(id)));
    expect(refused(cheaper)).toEqual(refused(all));
    const sent = new Set(cheaper.requests.map(({ id }) => id));
    for (const { id, check } of cheaper.cases)
      if (check.kind === 'refused')
        expect(
          reads(check).some((one) => sent.has(one) && one !== check.probe),
          id,
        ).toBe(true);
  });

  it('needs no other request to be left out', () => {
    const sent = new Set(cheaper.requests.map(({ id }) => withoutRow(id)));
    const gone = all.requests.filter(({ id }) => !sent.has(withoutRow(id)));
    expect(gone.map(({ protocol }) => protocol)).toEqual(gone.map(() => 'images'));
    expect(gone.length).toBeLessThanOrEqual(4);
  });
});
