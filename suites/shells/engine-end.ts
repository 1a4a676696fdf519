import { BroadcastChannel } from 'node:worker_threads';
import type { SuiteName } from '../model/report.ts';
import type { Outcome, ShellMessage } from './channel.ts';

/** What the engine tells the shells of its cases. */
export interface EngineEnd {
  readonly settle: (outcome: Outcome) => void;
  readonly end: () => void;
  readonly close: () => void;
}

/**
 * The engine's end of the channel: keeps what is known, sends what has been asked for. The end is told
 * to each suite behind all that is known of it, also to one whose question is still on its way.
 */
export function openEngineEnd(name: string): EngineEnd {
  const channel = new BroadcastChannel(name);
  const known = new Map<SuiteName, Outcome[]>();
  const asked = new Set<SuiteName>();
  let ended = false;
  const say = (message: ShellMessage): void => channel.postMessage(message);
  channel.onmessage = (event) => {
    const message = (event as { data: ShellMessage }).data;
    if (message.kind !== 'ask') return;
    const { suite } = message;
    asked.add(suite);
    say({ kind: 'outcomes', outcomes: known.get(suite) ?? [] });
    if (ended) say({ kind: 'end', suite });
  };
  return {
    settle: (outcome) => {
      const { suite } = outcome.case;
      const sofar = known.get(suite);
      if (sofar) sofar.push(outcome);
      else known.set(suite, [outcome]);
      if (asked.has(suite)) say({ kind: 'outcomes', outcomes: [outcome] });
    },
    end: () => {
      ended = true;
      for (const suite of asked) say({ kind: 'end', suite });
    },
    close: () => channel.close(),
  };
}
