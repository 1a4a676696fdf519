import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { families, groups } from '../../spec/vocabulary.ts';
import type { Plan } from '../types/plan.ts';
import { profiles } from '../types/profile.ts';
import type { Scope } from '../types/scope.ts';
import { countOf } from './plan-counts.ts';
import { planned } from './planned.fixture.ts';

// Where a plan is meant to change: `npx vitest run suites/plan/digest.test.ts -u`, and the commit says what changed.

const byId = <T extends { readonly id: string }>(rows: readonly T[]): readonly T[] =>
  [...rows].sort((one, other) => (one.id < other.id ? -1 : 1));

function shown({ cases, requests }: Plan) {
  const whole = JSON.stringify([byId(cases), byId(requests)]);
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, 16);
  return { cases: cases.length, ...countOf(requests), digest };
}

it.each(profiles)(
  'the plan of %s asks what it did: its ids, bodies, controls and requirements',
  (profile) => {
    expect(shown(planned(undefined, {}, { profile, skipCostly: false }))).toMatchSnapshot();
  },
);

const whole: Scope = { families, groups, rateLimited: true };
const further = families.map((family) => ({
  family,
  name: `${family}-2`,
  families: [family],
  firstOf: [],
}));
const declarations: readonly (readonly [string, Scope])[] = [
  ['a second model of each family', { ...whole, further }],
  ['general models only', { ...whole, families: ['general'] }],
  ['one token only', { ...whole, groups: ['default'], rateLimited: false }],
  ['one token for two groups', { ...whole, shared: [['default', 'coding-tool']] }],
];

it.each(declarations)('so does the plan for %s', (_, scope) => {
  expect(shown(planned(scope))).toMatchSnapshot();
});
