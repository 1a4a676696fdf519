import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { families, groups } from '../../spec/vocabulary.ts';
import { answered, refused } from '../checks/evidence.fixture.ts';
import { reads } from '../checks/registry.ts';
import type { Evidence } from '../types/exchange.ts';
import { fullDepth } from '../types/profile.ts';
import { casesToAskAgain } from './asked-cases.ts';
import { everything, planFor } from './plan.ts';
import { planned } from './planned.fixture.ts';
import { takesFrom } from './shards.ts';

const plan = planned();
const nothing: Evidence = new Map();
const failed = (...ids: readonly string[]) => new Set(ids);

/** The plan of a run that asks these cases again. */
const askedAgain = (cases: readonly string[]) =>
  planFor({ families, groups, rateLimited: true }, 1, everything, {
    ...fullDepth,
    again: { run: 'r', requirements: [], cases },
  });

test('all cases of a requirement are asked again, and no request is another than it was', () => {
  const cases = casesToAskAgain({ plan, evidence: nothing }, failed('chat.param.temperature.range'));
  const own = plan.cases.filter(({ requirements }) => requirements.includes('chat.param.temperature.range'));
  expect(own.length).toBeGreaterThan(0);
  expect(cases).toEqual(expect.arrayContaining(own));
  const again = askedAgain(cases.map(({ id }) => id));
  const before = new Map(plan.requests.map((request) => [request.id, request]));
  expect(again.requests.length).toBeLessThan(plan.requests.length / 2);
  expect(again.requests.filter((request) => !isDeepStrictEqual(request, before.get(request.id)))).toEqual([]);
});

test('what takes an id over from a reply is asked again with it', () => {
  const chained = plan.requests.filter((request) => takesFrom(request).length > 0);
  const [first = ''] = chained.flatMap(takesFrom);
  const own = plan.cases.filter(({ check }) => reads(check).includes(first));
  const [requirement = ''] = own.flatMap(({ requirements }) => requirements);
  const cases = casesToAskAgain({ plan, evidence: nothing }, failed(requirement));
  const sent = new Set(askedAgain(cases.map(({ id }) => id)).requests.map(({ id }) => id));
  expect(sent.has(first)).toBe(true);
  const halves = chained.filter(
    (request) => !sent.has(request.id) && takesFrom(request).some((id) => sent.has(id)),
  );
  expect(halves).toEqual([]);
});

test('what a control told from an outage is asked again where that control is', () => {
  const probe = plan.requests.find(({ id }) => id.startsWith('messages.temperature.range'))?.id ?? '';
  const discovery = plan.requests.find(({ stage }) => stage === 'discovery')?.id ?? '';
  const control = { ...answered(`${discovery}~2`), repeats: discovery };
  const { attempts, ...refusal } = refused(probe, 503);
  const entry = { ...refusal, attempts: attempts.map((attempt) => ({ ...attempt, control: control.id })) };
  const evidence: Evidence = new Map([entry, control].map((each) => [each.id, each]));
  const isAsked = (of: Evidence): boolean =>
    casesToAskAgain({ plan, evidence: of }, failed('chat.param.temperature.range')).some(({ check }) =>
      reads(check).includes(probe),
    );
  expect(isAsked(nothing)).toBe(false);
  expect(isAsked(evidence)).toBe(true);
});
