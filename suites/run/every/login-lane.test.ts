import { describe, expect, it } from 'vitest';
import { defaultConsole } from '../../../fixtures/gateway/console.ts';
import { targetFor } from '../../../fixtures/gateway/describe.ts';
import { createGateway } from '../../../fixtures/gateway/gateway.ts';
import { scopeOf } from '../../types/scope.ts';
import { everything } from '../../plan/plan.ts';
import { planned } from '../../plan/planned.fixture.ts';
import { mostWrongInRow } from '../../wire/retry/login-watch.ts';
import { executePlan } from '../execute-plan.ts';

const standardDepth = { profile: 'standard', skipCostly: false } as const;
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
