import { describe, expect, it } from 'vitest';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { createGateway } from '../../fixtures/gateway/gateway.ts';
import { judgeRun } from '../judge/judge-run.ts';
import { everything, planRun } from '../plan/plan.ts';
import { executePlan } from '../run/execute-plan.ts';

/** A run in smoke against a gateway whose port closes with the reply to so many requests. */
async function stoppedAfter(requests: number) {
  const settings = defaultConsole();
  let closing: Promise<void> | undefined;
  let seen = 0;
  const gateway = await createGateway({
    console: settings,
    hooks: {
      reply: (reply) => {
        seen += 1;
        if (seen === requests) closing = gateway.close();
        return reply;
      },
    },
  }).listen();
  const target = targetFor(settings, gateway.url);
  const asked = { seed: 1, selection: everything };
  const plan = planRun(target, { ...asked, profile: 'smoke', skipCostly: false });
  const policy = { backOffMs: 1, outageBackOffMs: 1, giveUpMs: 500 };
  const ran = await executePlan(target, plan, { ...asked, concurrency: 2, timeoutMs: 2_000, policy });
  await (closing ?? gateway.close());
  return judgeRun(target, plan, ran.evidence, { ...asked, ...ran, runId: 'run' });
}

describe('a target that stops answering', () => {
  it('is said first, with the time, the requests so far, and those that were under way, with a command', async () => {
    const report = await stoppedAfter(12);
    const [first] = report.causes ?? [];
    expect(first?.kind).toBe('stopped-answering');
    expect(first?.summary).toMatch(
      /stopped answering at \d{4}-\d\d-\d\dT[\d:.]+Z, after \d+ requests; \d+ later requests got no reply/,
    );
    expect(first?.evidence.length).toBeGreaterThan(0);
    expect(first?.reproduce).toContain('curl ');
    expect(report.requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(report.verdict).toBe('inconclusive');
  });

  it('is not said of one that answers to the end', async () => {
    const report = await stoppedAfter(Number.POSITIVE_INFINITY);
    expect(report.verdict).toBe('conformant');
    expect(report.causes?.map(({ kind }) => kind)).not.toContain('stopped-answering');
  });
});
