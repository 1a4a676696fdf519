import { BroadcastChannel } from 'node:worker_threads';
import type { SuiteName } from '../model/report.ts';
import type { Outcome, ShellMessage } from './channel.ts';

interface Waiting {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

/** The outcomes of one suite as a shell gets them from the engine. */
export interface Outcomes {
  /** Rejects where the engine ends without having judged the case. */
  readonly of: (caseId: string) => Promise<Outcome>;
  readonly close: () => void;
}

/** Asks the engine for what is known of a suite, then listens. */
export function openOutcomes(name: string, suite: SuiteName): Outcomes {
  const channel = new BroadcastChannel(name);
  const known = new Map<string, Outcome>();
  const waiting = new Map<string, Waiting>();
  let ended = false;
  const notRun = (caseId: string) => new Error(`not run: the engine ended without judging ${caseId}`);
  const take = (outcome: Outcome): void => {
    known.set(outcome.case.id, outcome);
    waiting.get(outcome.case.id)?.resolve(outcome);
    waiting.delete(outcome.case.id);
  };
  channel.onmessage = (event) => {
    const message = (event as { data: ShellMessage }).data;
    if (message.kind === 'outcomes') message.outcomes.forEach(take);
    if (message.kind !== 'end' || message.suite !== suite) return;
    ended = true;
    for (const [caseId, { reject }] of waiting) reject(notRun(caseId));
    waiting.clear();
  };
  channel.postMessage({ kind: 'ask', suite } satisfies ShellMessage);
  return {
    of: (caseId) =>
      new Promise((resolve, reject) => {
        const outcome = known.get(caseId);
        if (outcome) resolve(outcome);
        else if (ended) reject(notRun(caseId));
        else waiting.set(caseId, { resolve, reject });
      }),
    close: () => channel.close(),
  };
}
