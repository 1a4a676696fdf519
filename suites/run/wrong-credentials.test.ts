import { describe, expect, it } from 'vitest';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { createGateway } from '../../fixtures/gateway/gateway.ts';
import { families, groups, protocols } from '../../spec/vocabulary.ts';
import { scopeOf } from '../types/scope.ts';
import { everything } from '../plan/plan.ts';
import { planned } from '../plan/planned.fixture.ts';
import { mostWrongInRow } from '../wire/retry/login-watch.ts';
import { executePlan } from './execute-plan.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { awaitsRefusal, hasWrongCredential, wrongCredentials } from './wrong-credentials.ts';

const standardDepth = { profile: 'standard', skipCostly: false } as const;
const plan = planned({ families, groups, rateLimited: true }, {}, standardDepth);
const { before, witness } = wrongCredentials(plan);
const isAtOnce = (request: PlannedRequest): boolean => hasWrongCredential(request) && !awaitsRefusal(request);
const wrong = plan.requests.filter(isAtOnce).map(({ id }) => id);
const late = plan.requests.filter((request) => hasWrongCredential(request) && awaitsRefusal(request));

describe('the order of the requests with a wrong credential', () => {
  it('has a valid request behind each few of them', () => {
    expect(wrong.length).toBeGreaterThan(50);
    for (const id of new Set(witness.values()))
      expect(before.get(id)?.replied.length).toBeLessThanOrEqual(mostWrongInRow);
    expect(wrong.filter((id) => !witness.has(id))).toEqual([]);
  });

  it('has those that wait for the refusal of a valid request behind all others', () => {
    expect(late.length).toBeGreaterThan(10);
    for (const { id } of late) expect(witness.has(id)).toBe(false);
    const [first] = late;
    expect(before.get(first?.id ?? '')?.recorded.length).toBeGreaterThan(0);
  });

  it('spreads them over the valid requests', () => {
    const valid = plan.requests
      .filter(({ stage, expect: hoped, standsFor }) => stage === 'valid' && hoped === 'answer' && !standsFor)
      .filter(({ when }) => when.every(({ kind }) => kind === 'answered' || kind === 'recorded'))
      .map(({ id }) => id);
    const places = [...new Set(witness.values())].map((id) => valid.indexOf(id));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places[0]).toBeLessThan(valid.length / 4);
    expect(places.at(-1)).toBeGreaterThan(valid.length / 2);
  });

  it('has an invalid token on each endpoint first, before failed logins are limited', () => {
    const first = wrong.filter((id) => before.get(id)?.recorded.every((other) => !wrong.includes(other)));
    expect(first).toEqual(protocols.map((protocol) => `${protocol}.auth.invalid.first`));
  });

  it('is the same for the same plan', () => {
    expect(wrongCredentials(plan)).toEqual(wrongCredentials(plan));
  });

  it('goes without witnesses where no valid request is planned', () => {
    const few = plan.requests.filter(
      (request) => request.stage === 'discovery' || hasWrongCredential(request),
    );
    expect(wrongCredentials({ requests: few }).witness.size).toBe(0);
  });
});

const settings = defaultConsole();

/** A run against a gateway that notes, in the order of arrival, whether each credential was right. */
async function arrivals(concurrency: number) {
  const rightAt: boolean[] = [];
  let billed = 0;
  const gateway = await createGateway({
    console: settings,
    hooks: {
      authenticate: (verdict, { requestNumber }) => {
        rightAt[requestNumber] = verdict.token !== null;
        return verdict;
      },
      result: (body) => {
        billed += 1;
        return body;
      },
    },
  }).listen();
  try {
    const target = targetFor(settings, gateway.url);
    const options = { seed: 1, selection: everything, concurrency, timeoutMs: 20_000 };
    await executePlan(target, planned(scopeOf(target), {}, standardDepth), options);
    return { rightAt: rightAt.filter((right) => right !== undefined), billed };
  } finally {
    await gateway.close();
  }
}

describe('a gateway that counts failed logins', () => {
  it.each([1, 8, 32])(
    'gets few in a row at concurrency %d',
    async (concurrency) => {
      const { rightAt } = await arrivals(concurrency);
      let inRow = 0;
      const longest = Math.max(...rightAt.map((right) => (inRow = right ? 0 : inRow + 1)));
      expect(rightAt.filter((right) => !right).length).toBeGreaterThan(50);
      expect(longest).toBeLessThanOrEqual(mostWrongInRow);
    },
    60_000,
  );
});
