import { expect, test } from 'vitest';
import { answered, refused } from '../../checks/evidence.fixture.ts';
import { createEvidenceView } from '../../checks/evidence-view.ts';
import { planned } from '../../plan/planned.fixture.ts';
import { judgeCase } from '../judge-case.ts';
import { answeredShare } from './answered-share.ts';

const requirement = 'chat.auth.missing';
const plan = planned();
const entries = plan.cases.filter(
  ({ check, requirements }) => check.kind === 'refused' && requirements.includes(requirement),
);
const checks = entries.flatMap(({ check }) => (check.kind === 'refused' ? [check] : []));
const probes = checks.map(({ probe }) => probe);
/** Those that break the same as the first one. */
const alike = checks.filter(({ rule }) => rule === checks[0]?.rule).map(({ probe }) => probe);

/** What is said where these requests without a token are answered, the others refused, and all else is answered. */
function shareOf(open: readonly string[]): string {
  const evidence = plan.requests.map(({ id, protocol }) =>
    probes.includes(id) && !open.includes(id) ? refused(id, 401) : answered(id, protocol),
  );
  const view = createEvidenceView(plan, new Map(evidence.map((exchange) => [exchange.id, exchange])));
  const cases = entries.map((entry) => judgeCase(entry, view));
  return answeredShare([requirement], open, cases, view);
}

test('of requests that break the same, of which others are refused, it says how many are answered', () => {
  expect(alike.length).toBeGreaterThan(2);
  expect(alike.length).toBeLessThan(probes.length);
  expect(shareOf(alike.slice(0, 1))).toMatch(new RegExp(`^It answers 1 of ${alike.length} such requests`));
});

test('it says nothing where all that break the same are answered, and what breaks something else is refused', () => {
  expect(shareOf(alike)).toBe('');
});

test('it says nothing where all of them are answered', () => {
  expect(shareOf(probes)).toBe('');
});
