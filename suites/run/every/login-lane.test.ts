import { request as undici } from 'undici';
import { describe, expect, it } from 'vitest';
import { defaultConsole } from '../../../fixtures/gateway/console.ts';
import { targetFor } from '../../../fixtures/gateway/describe.ts';
import { createGateway } from '../../../fixtures/gateway/gateway.ts';
import { groupBy } from '../../../spec/group-by.ts';
import { isLogin } from '../../plan/lanes.ts';
import { serveHttp } from '../../wire/loopback.fixture.ts';
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

/** Holds answers back until nothing else is under way, then lets all of them go: one round after the other. */
function createRounds() {
  let [rounds, underWay, timer]: [number, number, NodeJS.Timeout | undefined] = [0, 0, undefined];
  const held: (() => void)[] = [];
  const next = (): void => {
    if (held.length === 0 || held.length < underWay) return;
    rounds += 1;
    for (const release of held.splice(0)) release();
  };
  /** What follows a reply goes out before any timer. */
  const look = (): void => {
    clearTimeout(timer);
    timer = setTimeout(next, 20);
  };
  return {
    count: (): number => rounds,
    change: (by: number): void => {
      underWay += by;
      look();
    },
    hold: (): Promise<void> =>
      new Promise((resolve) => {
        held.push(resolve);
        look();
      }),
  };
}

/** In which rounds of answers a gateway that refuses at once gets its logins. */
async function roundsOfLogins() {
  const rounds = createRounds();
  const ofLogins: number[] = [];
  const gateway = await createGateway({ console: settings }).listen();
  const front = await serveHttp(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = Buffer.concat(await request.toArray());
    const sent = { method, headers: headers as Record<string, string> };
    const reply = await undici(`${gateway.url}${url}`, method === 'GET' ? sent : { ...sent, body });
    const bytes = Buffer.from(await reply.body.arrayBuffer());
    if (reply.statusCode === 401) ofLogins.push(rounds.count());
    if (reply.statusCode < 300) await rounds.hold();
    response.writeHead(reply.statusCode, { 'content-type': `${reply.headers['content-type']}` }).end(bytes);
  });
  try {
    const target = targetFor(settings, front.url);
    const plan = planned(scopeOf(target), {}, standardDepth);
    const options = { seed: 1, selection: everything, concurrency: 8, timeoutMs: 20_000 };
    const begun = new Set<string>();
    await executePlan(target, plan, options, {
      onBegin: (id) => {
        begun.add(id);
        rounds.change(1);
      },
      onEvidence: ({ id }) => {
        if (begun.delete(id)) rounds.change(-1);
      },
    });
    return { ofLogins, planned: plan.requests.filter(isLogin).length };
  } finally {
    await Promise.all([front.close(), gateway.close()]);
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

  it('gets as many as may follow each other in each round of answers, where refusals take no time', async () => {
    const { ofLogins, planned: logins } = await roundsOfLogins();
    expect(ofLogins.length).toBeGreaterThan(50);
    const inRound = groupBy(ofLogins, (round) => round);
    expect(inRound.size).toBeLessThanOrEqual(Math.ceil(logins / mostWrongInRow));
    expect(Math.max(...[...inRound.values()].map(({ length }) => length))).toBe(mostWrongInRow);
  }, 120_000);
});
