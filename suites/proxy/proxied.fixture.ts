import { type Console, defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { createGateway } from '../../fixtures/gateway/gateway.ts';
import type { Hooks } from '../../fixtures/gateway/hooks.ts';
import type { Extension } from '../../spec/extension.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { judgeRun } from '../judge/judge-run.ts';
import type { Evidence } from '../types/exchange.ts';
import type { Report } from '../types/report.ts';
import type { TrafficCounts } from '../types/traffic.ts';
import { everything } from '../plan/plan.ts';
import { listening } from '../wire/loopback.fixture.ts';
import { createCredentials } from './credentials.ts';
import { createForwarder } from './forward.ts';
import { createRecorder } from './recorder.ts';
import { emptyRoom, roomIn } from './memory-limit.ts';
import { planTraffic } from './traffic-plan.ts';
import { createWatch } from './observe.ts';

// For tests: a proxy that keeps its evidence in memory, and judges in the thread that passes on.

/** A proxy in front of a target. */
export interface Proxied {
  /** The target as clients see it: at the address of the proxy. */
  readonly target: Target;
  readonly evidence: Evidence;
  readonly counts: () => TrafficCounts;
  /** All that has ended so far, judged. */
  readonly report: () => Promise<Report>;
  readonly close: () => Promise<void>;
}

/**
 * @param maxEvidence bytes
 * @param own what is judged in place of the interface
 */
export async function proxied(target: Target, maxEvidence = 50_000_000, own?: Extension): Promise<Proxied> {
  const room = roomIn(emptyRoom());
  const recorder = createRecorder({
    target,
    credentials: createCredentials(target, undefined, own),
    own,
    room,
    maxEvidence,
    write: () => undefined,
    onFull: () => undefined,
  });
  // As another thread would get it.
  const { watch, counts } = createWatch(room, (id, passed) => recorder.take(id, structuredClone(passed)));
  const server = await listening(createForwarder(new URL(target.baseUrl), watch));
  const startedAt = new Date().toISOString();
  return {
    target: { ...target, baseUrl: server.url },
    evidence: recorder.evidence,
    counts: () => recorder.counts(counts()),
    report: async () => {
      // The proxy may learn of an end a moment after the client.
      await new Promise((resolve) => setTimeout(resolve, 50));
      await recorder.settled();
      const meta = { runId: 'live', startedAt, finishedAt: new Date().toISOString(), partial: false };
      const plan = planTraffic(target, recorder.evidence, own);
      return judgeRun(target, plan, recorder.evidence, {
        ...meta,
        selection: everything,
        traffic: recorder.counts(counts()),
      });
    },
    close: server.close,
  };
}

/** Lets clients use a proxy in front of a gateway of this repository, and gives what came of it. */
export async function behindProxy(
  { hooks = {}, console: settings = defaultConsole() }: { hooks?: Hooks; console?: Console },
  use: (proxy: Proxied) => Promise<void>,
  own?: Extension,
): Promise<Report> {
  const gateway = await createGateway({ console: settings, hooks }).listen();
  const proxy = await proxied(targetFor(settings, gateway.url), undefined, own);
  try {
    await use(proxy);
    return await proxy.report();
  } finally {
    await proxy.close();
    await gateway.close();
  }
}

/** Ids of the requirements with a verdict. */
export const idsWith = (report: Report, verdict: string): readonly string[] =>
  report.requirements.filter((row) => row.verdict === verdict).map(({ id }) => id);
