import { describe, expect, it, onTestFinished } from 'vitest';
import { productNamed } from '../../fixtures/faults/named.ts';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { createGateway } from '../../fixtures/gateway/gateway.ts';
import type { Hooks } from '../../fixtures/gateway/hooks.ts';
import { variantById } from '../../fixtures/variants/index.ts';
import { judgeRun } from '../../suites/judge/judge-run.ts';
import type { Evidence } from '../../suites/types/exchange.ts';
import { isConditional, type Plan } from '../../suites/types/plan.ts';
import type { ReportObservation } from '../../suites/types/report.ts';
import type { Selection } from '../../suites/types/run.ts';
import { planRun, everything } from '../../suites/plan/plan.ts';
import { executePlan } from '../../suites/run/execute-plan.ts';
import { mergedEvidence } from '../../suites/run/merged-evidence.ts';

const settings = defaultConsole();
/** Whether text is passed on as it is made hangs on how busy this machine is. */
const isUntimed = ({
  id,
  requirements = [],
}: {
  readonly id: string;
  readonly requirements?: readonly string[];
}) => ![id, ...requirements].some((each) => each.endsWith('.incremental'));
const isStable = ({ stable }: ReportObservation): boolean => stable !== null;
const options = { seed: 5, concurrency: 8, timeoutMs: 5000, selection: everything };

/** The reports of one run and of three shards merged, without times and what a gateway makes up. */
async function both(hooks: Hooks = {}, selection: Selection = everything) {
  const gateway = await createGateway({ console: settings, hooks }).listen();
  onTestFinished(gateway.close);
  const target = targetFor(settings, gateway.url);
  const depth = { ...options, selection, profile: 'standard', skipCostly: false } as const;
  const plan = planRun(target, depth);
  const send = async (part: Plan): Promise<Evidence> => (await executePlan(target, part, options)).evidence;
  const shards = [1, 2, 3].map((index) => planRun(target, { ...depth, shard: { index, count: 3 } }));
  const evidence: Evidence[] = [];
  for (const shard of shards) evidence.push(await send(shard));
  const merged = mergedEvidence(
    plan,
    shards.map((shard, at) => ({ plan: shard, evidence: evidence[at] ?? new Map() })),
  );
  const judged = (all: Evidence) => {
    const meta = { runId: 'run', startedAt: '', finishedAt: '', partial: false, selection };
    const { verdict, requirements, matrix, ...report } = judgeRun(target, plan, all, meta);
    const cases = report.cases.map(({ reproduce: _, exchanges: _ids, ...each }) => each);
    const texts = JSON.stringify(
      // How many requests there were is another number where shards ask for the same.
      [requirements.filter(isUntimed), cases.filter(isUntimed), report.observations.filter(isStable)],
      null,
      1,
    )
      // A pause that is asked for counts down, and a gateway makes up ids.
      .replace(/"\d+(; \d+)*"/g, '"seconds"')
      .replace(/[0-9a-f]{32}|created[^0-9]*\d+/g, 'made up');
    const asked = new Set(plan.requests.filter((one) => !isConditional(one)).map(({ id }) => id));
    const sent = report.exchanges.map(({ id }) => id).filter((id) => asked.has(id));
    return { verdict, texts: texts.split('\n'), matrix, sent };
  };
  return { whole: judged(await send(plan)), merged: judged(merged), plan, shards };
}

describe('three shards merged equal one run', () => {
  it('of the reference gateway, in standard', async () => {
    const { whole, merged, plan, shards } = await both();
    expect(whole.verdict).toBe('conformant');
    expect(merged).toEqual(whole);
    expect(shards.flatMap(({ cases }) => cases.map(({ id }) => id)).sort()).toEqual(
      plan.cases.map(({ id }) => id).sort(),
    );
  }, 60_000);

  it('of a gateway that refuses by 503, where a refusal rests on a control that is sent once more', async () => {
    const suites = ['families', 'results'] as const;
    const { whole, merged } = await both(variantById('refusal.no-channel')?.hooks, { ...everything, suites });
    expect(merged).toEqual(whole);
  }, 60_000);

  it('of a gateway with a fault, whose refused combinations are taken apart', async () => {
    const suites = ['results', 'parameters'] as const;
    const { hooks } = productNamed('reply-bad-request', 'chat', 'given-temperature', 'given-max-tokens');
    const { whole, merged } = await both(hooks, { ...everything, suites });
    expect(whole.verdict).toBe('non-conformant');
    expect(merged).toEqual(whole);
  }, 60_000);
});
