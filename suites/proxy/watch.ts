import type { SetAside } from '../types/traffic.ts';
import { createStallWatch } from '../wire/stall.ts';
import { protocolOf } from './classify.ts';
import type { RequestHead, Tap } from './forward.ts';
import { observe, type Passed } from './observe.ts';
import type { Room } from './memory-limit.ts';

/** What passed, and what of it nobody was given to judge. */
export interface PassedCounts {
  readonly passed: number;
  readonly aside: readonly (readonly [why: SetAside, requests: number])[];
}

const ignored: Tap = {
  sent: () => undefined,
  head: () => undefined,
  received: () => undefined,
  end: () => undefined,
};

/**
 * Watches all that passes: the part of recording that must not hold it up.
 * @param record takes each exchange of an endpoint that passed whole
 */
export function createWatch(room: Room, record: (id: string, passed: Passed) => void) {
  const aside = new Map<SetAside, number>();
  const stalls = createStallWatch();
  let passed = 0;
  let isStopped = false;
  const putAside = (why: SetAside): void => void aside.set(why, (aside.get(why) ?? 0) + 1);
  return {
    watch: (head: RequestHead): Tap => {
      passed += 1;
      const protocol = protocolOf(head.method, head.path);
      if (protocol === undefined || isStopped) {
        putAside(protocol === undefined ? 'other-path' : 'not-recorded');
        return ignored;
      }
      const id = `live.${protocol}.${passed}`;
      return observe(head, {
        room,
        stalls,
        done: (result) => {
          if (typeof result !== 'string') record(id, result);
          else putAside(result === 'memory-full' ? 'not-recorded' : result);
        },
      });
    },
    counts: (): PassedCounts => ({ passed, aside: [...aside] }),
    /** From now on nothing is gathered. */
    stop: (): void => {
      isStopped = true;
    },
  };
}
