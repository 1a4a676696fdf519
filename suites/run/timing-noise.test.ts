import { describe, expect, it } from 'vitest';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { createGateway } from '../../fixtures/gateway/gateway.ts';
import { replied, result, viewOf } from '../checks/evidence.fixture.ts';
import type { Exchange } from '../types/exchange.ts';
import { everything, planRun } from '../plan/plan.ts';
import { executePlan } from './execute-plan.ts';
import { createSteadiness, isSteadyUnderLoad } from './timing-noise.ts';

describe('replies under load', () => {
  it('are steady where all but few take the same time', () => {
    expect(isSteadyUnderLoad([800, 805, 803, 810, 801, 802])).toBe(true);
    expect(isSteadyUnderLoad([800, 805, 803, 2_000, 810, 801])).toBe(true);
  });

  it('are not steady where their times differ, or are too few, or too short to matter', () => {
    expect(isSteadyUnderLoad([800, 900, 1_000, 1_100, 1_200, 1_300])).toBe(false);
    expect(isSteadyUnderLoad([800, 800, 800, 800, 800])).toBe(false);
    expect(isSteadyUnderLoad([199, 199, 199, 199, 199, 199])).toBe(false);
    expect(isSteadyUnderLoad([])).toBe(false);
  });

  it('are not steady where one was quick, so that the others waited for something', () => {
    expect(isSteadyUnderLoad([985, 987, 990, 985, 985, 990, 5])).toBe(false);
  });
});

/** Whether steadiness is shown by chat replies that took so many milliseconds, with a stall of ours in each. */
async function isShownBy(times: readonly number[], stallMs = 0): Promise<boolean> {
  const entries = times.map((endMs, at) => replied(`${at}`, { json: result.chat('hello'), endMs, stallMs }));
  const steadiness = createSteadiness(viewOf('chat', entries));
  for (const entry of entries) steadiness.note(entry);
  return Promise.race([
    steadiness.isShown.then(() => true),
    Promise.resolve().then(() => Promise.resolve(false)),
  ]);
}

describe('a run', () => {
  it('shows that a target is steady as soon as enough replies say so', async () => {
    expect(await isShownBy([800, 801, 803, 800, 802, 801])).toBe(true);
    expect(await isShownBy([800, 801, 803, 800, 802])).toBe(false);
  });

  it('counts no reply whose time our own machine made up', async () => {
    expect(await isShownBy([800, 801, 803, 800, 802, 801], 79)).toBe(true);
    expect(await isShownBy([800, 801, 803, 800, 802, 801], 100)).toBe(false);
  });
});

/** Of a run of the streams alone: whether any of those that are timed was under way beside another request. */
async function isTimedBeside(): Promise<boolean> {
  const settings = defaultConsole();
  const gateway = await createGateway({ console: settings }).listen();
  try {
    const target = targetFor(settings, gateway.url);
    const selection = { ...everything, suites: ['streams'] } as const;
    const options = { seed: 1, selection, concurrency: 8, timeoutMs: 20_000 };
    const plan = planRun(target, { ...options, profile: 'standard', skipCostly: false });
    const { evidence } = await executePlan(target, plan, options);
    const timed = new Set(plan.requests.filter(({ stage }) => stage === 'timed').map(({ id }) => id));
    const sent = [...evidence.values()].filter((entry): entry is Exchange => 'attempts' in entry);
    const from = ({ timing }: Exchange): number => Date.parse(timing.startedAt);
    // Times of day are whole milliseconds.
    const overlap = (one: Exchange, other: Exchange): boolean =>
      from(one) + 2 < from(other) + other.timing.endMs && from(other) + 2 < from(one) + one.timing.endMs;
    return sent
      .filter(({ id }) => timed.has(id))
      .some((one) => sent.some((other) => other.id !== one.id && overlap(one, other)));
  } finally {
    await gateway.close();
  }
}

describe('what is timed', () => {
  it('goes alone where replies are too quick to lose time', async () => {
    expect(await isTimedBeside()).toBe(false);
  });
});
