import type { EvidenceView } from '../checks/evidence-view.ts';
import type { Attempt } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { isReplyOfLock, type WrongSent } from '../reading/lock-outs.ts';
import { createSemaphore } from '../wire/retry/semaphore.ts';
import { hasWrongCredential, wrongCredentials } from './wrong-credentials.ts';

/** Lets the requests with a wrong credential go out between valid ones, while a run is under way. */
export interface Interleaving {
  /** Resolves when the order allows the request to go out. */
  readonly due: (request: PlannedRequest) => Promise<unknown>;
  /** Whether others wait for it, so that it goes first. */
  readonly isUrgent: (id: string) => boolean;
  /**
   * Whether the refusal of a wrong credential may be the reply of a lock-out: the valid request that follows got
   * the same. Where it is so, resolves when the request may go out again, behind a valid one that is answered.
   * @param control sends one
   */
  readonly isLockedOut: (id: string, last: Attempt, control: () => Promise<unknown>) => Promise<boolean>;
  /** The exchange of a request is over. */
  readonly end: (id: string) => void;
}

/** @param recorded resolves when all of these are recorded */
export function createInterleaving(
  view: EvidenceView,
  recorded: (ids: readonly string[]) => Promise<unknown>,
): Interleaving {
  const { before, witness } = wrongCredentials(view.plan);
  const witnesses = new Set(witness.values());
  const replied = new Map<string, { readonly done: Promise<void>; readonly resolve: () => void }>();
  for (const { id } of view.plan.requests.filter(hasWrongCredential)) {
    let resolve = (): void => {};
    const done = new Promise<void>((settle) => {
      resolve = settle;
    });
    replied.set(id, { done, resolve });
  }
  const wrong: WrongSent[] = [];
  const turn = createSemaphore(1);
  const again = new Map<string, () => void>();

  async function isLockedOut(id: string, last: Attempt, control: () => Promise<unknown>): Promise<boolean> {
    wrong.push({ id, ms: Date.parse(last.startedAt) });
    replied.get(id)?.resolve();
    const next = witness.get(id);
    if (again.has(id) || next === undefined) return false;
    await recorded([next]);
    if (!view.lockOuts(wrong).some((lock) => isReplyOfLock(lock, { id, ...last }, wrong, true))) return false;
    again.set(id, await turn.take());
    await control();
    return true;
  }

  return {
    due: ({ id }) => {
      const { recorded: ids = [], replied: logins = [] } = before.get(id) ?? {};
      return Promise.all([recorded(ids), ...logins.map((each) => replied.get(each)?.done)]);
    },
    isUrgent: (id) => replied.has(id) || witnesses.has(id),
    isLockedOut,
    end: (id) => {
      replied.get(id)?.resolve();
      again.get(id)?.();
    },
  };
}
