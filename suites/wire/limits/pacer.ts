import type { Rate } from '../../types/limits.ts';
import type { OnWait } from '../../types/run.ts';
import { createSemaphore } from '../retry/semaphore.ts';

export interface Slot {
  /** The target had the request at that time of `performance.now()` at the latest. */
  readonly used: (atMs: number) => void;
  /** It was not sent. */
  readonly giveBack: () => void;
}

/** The places of a rate that are taken, which several runs may share. */
export interface Places {
  /** When places that were used are free again, by `performance.now()`. */
  freeAt: readonly number[];
}

/** Keeps a rate: resolves when another request may be sent. */
export type Pacer = () => Promise<Slot>;

/** Two clocks differ by less than this part of a span, and by less than so many milliseconds. */
const [drift, jitterMs] = [0.001, 5];

const free: Slot = { used: () => {}, giveBack: () => {} };

/**
 * As many at once as the rate allows, then each as soon as another has left the window: no other order is faster. A
 * place is free a window after the reply began, and not after the request was sent: when the target counted it, only
 * the reply tells.
 *
 * @param sleep waits, and tells why; rejects where the run has ended
 * @param places those that earlier runs took; none by default
 */
export function createPacer(
  rate: Rate | undefined,
  sleep: (...wait: Parameters<OnWait>) => Promise<void>,
  places: Places = { freeAt: [] },
): Pacer {
  if (rate === undefined) return async () => free;
  const { requests, windowMs } = rate;
  const spanMs = windowMs * (1 + drift) + jitterMs;
  const turn = createSemaphore(1);
  let underWay = 0;
  let changed = (): void => {};

  function slot(): Slot {
    underWay += 1;
    let isOpen = true;
    const close = (next: readonly number[]): void => {
      if (!isOpen) return;
      isOpen = false;
      underWay -= 1;
      places.freeAt = next;
      changed();
    };
    return { used: (atMs) => close([...places.freeAt, atMs + spanMs]), giveBack: () => close(places.freeAt) };
  }

  return async () => {
    const end = await turn.take();
    try {
      for (;;) {
        const now = performance.now();
        places.freeAt = places.freeAt.filter((at) => at > now);
        if (underWay + places.freeAt.length < requests) return slot();
        const next = Math.min(...places.freeAt);
        if (Number.isFinite(next)) await sleep(Math.ceil(next - now), { kind: 'paced' });
        else
          await new Promise<void>((resolve) => {
            changed = resolve;
          });
      }
    } finally {
      end();
    }
  };
}
