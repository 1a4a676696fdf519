import { describe, expect, it } from 'vitest';
import { requirement } from '../../../spec/requirements.ts';
import { families, groups } from '../../../spec/vocabulary.ts';
import { reads } from '../../checks/registry.ts';
import { type PlannedRequest, stages } from '../../types/plan.ts';
import { profiles } from '../../types/profile.ts';
import type { Scope } from '../../types/scope.ts';
import { dependencies } from '../dependencies.ts';
import { countOf } from '../plan-counts.ts';
import { asked, ids, isFraction, planIn, whole } from '../profiles.fixture.ts';

/** Declarations that leave something out, as targets do. */
const scopes: readonly (readonly [string, Scope])[] = [
  ['everything', whole],
  ['no rate-limited token', { ...whole, rateLimited: false }],
  ...families.map((family): [string, Scope] => [`${family} models only`, { ...whole, families: [family] }]),
  ...groups.map((group): [string, Scope] => [`a ${group} token only`, { ...whole, groups: [group] }]),
  ...families.map((family): [string, Scope] => [
    `no ${family} model`,
    { ...whole, families: families.filter((one) => one !== family) },
  ]),
  ['nothing', { families: [], groups: [], rateLimited: false }],
];

const rank = ({ stage }: PlannedRequest): number => stages.indexOf(stage);

describe.each(scopes)('with %s', (_, scope) => {
  it('reads nothing that is planned by nobody: what is absent has no model or token', () => {
    const partial = planIn('full', scope);
    const known = new Set(ids(partial.requests));
    const unplanned = partial.cases.filter(({ check }) => {
      const [about] = reads(check);
      return (
        check.kind !== 'undeclared' &&
        check.kind !== 'distinct' &&
        check.kind !== 'own-context' &&
        (about === undefined || !known.has(about))
      );
    });
    expect(ids(unplanned)).toEqual([]);
    const ofNobody = partial.requests.filter(
      ({ callers }) =>
        callers.length === 0 ||
        callers.some(
          ({ family, group }) => !scope.families.includes(family) || !scope.groups.includes(group),
        ),
    );
    expect(ids(ofNobody)).toEqual([]);
  });

  it.each(profiles)(
    '%s lets each request wait only for those before it, of its stage or an earlier one',
    (profile) => {
      const { requests } = planIn(profile, scope);
      const place = new Map(requests.map((request, index) => [request.id, { request, index }]));
      const wrong = requests.flatMap((request, index) =>
        dependencies(request)
          .filter((id) => {
            const before = place.get(id);
            return before === undefined || before.index >= index || rank(before.request) > rank(request);
          })
          .map((id) => `${request.id} waits for ${id}`),
      );
      expect(wrong).toEqual([]);
    },
  );

  it('standard has every case that can fail but fractions that no row has, and every cell', () => {
    const kept = new Set(ids(planIn('standard', scope).cases));
    const due = planIn('full', scope).cases.filter(
      ({ cell, requirements: judged }) =>
        cell !== undefined || judged.some((id) => requirement(id).level !== 'unspecified'),
    );
    expect(ids(due).filter((id) => !kept.has(id) && !isFraction(id))).toEqual([]);
    expect([...asked(planIn('standard', scope))]).toEqual(
      expect.arrayContaining(due.flatMap(({ requirements: judged }) => judged)),
    );
  });

  it('smoke bills twelve generations at most', () => {
    expect(countOf(planIn('smoke', scope).requests).billed).toBeLessThanOrEqual(12);
  });
});
