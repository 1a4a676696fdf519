import type { EvidenceView } from '../checks/evidence-view.ts';
import type { Attempt } from '../model/exchange.ts';
import type { PlannedRequest } from '../model/plan.ts';
import { isReplyOfLock, type WrongSent } from '../reading/lock-outs.ts';
import { createSemaphore } from '../wire/retry/semaphore.ts';
import { type Before, hasWrongCredential, wrongCredentials } from './wrong-credentials.ts';

/** Lets the requests with a wrong credential go out between valid ones, while a run is under way. */
export interface Interleaving {
  /** Resolves when the order allows the request to go out. */
  readonly due: (request: PlannedRequest) => Promise<unknown>;
  /** Whether others of these wait for it, so that it goes first. */
  readonly isUrgent: (id: string) => boolean;
  /**
   * Whether the refusal of a wrong credential may be the reply of a lock-out: the valid request that follows got
   * the same. Where it is so, resolves when the request may go out again, behind a valid one that is answered.
   * @param control sends one
   */
  readonly isLockedOut: (id: string, last: Attempt, control: () => Promise<unknown>) => Promise<boolean>;
  /** Called when an attempt of a request is sent; what it gives is called when its reply is there. */
  readonly sent: (id: string) => () => void;
  /** The exchange of a request is over. */
  readonly end: (id: string) => void;
}

/**
 * Milliseconds after which a request that was sent is taken to be ahead of one that is sent then. Of logins, which may
 * arrive in any order, it is enough that their times tell which went first.
 */
const aheadMs = { witness: 25, login: 5 };

interface Event {
  readonly happened: Promise<void>;
  readonly happens: () => void;
}

function event(): Event {
  let happens = (): void => {};
  const happened = new Promise<void>((resolve) => {
    happens = resolve;
  });
  return { happened, happens };
}

/** @param recorded resolves when all of these are recorded */
export function createInterleaving(
  view: EvidenceView,
  recorded: (ids: readonly string[]) => Promise<unknown>,
): Interleaving {
  const { before, witness } = wrongCredentials(view.plan);
  const witnesses = new Set(witness.values());
  const logins = view.plan.requests.filter(hasWrongCredential).map(({ id }) => id);
  const ahead = new Map([...logins, ...witnesses].map((id) => [id, event()]));
  const replied = new Map(logins.map((id) => [id, event()]));
  const wrong: WrongSent[] = [];
  const turn = createSemaphore(1);
  const again = new Map<string, () => void>();

  /** A witness that is over is not under way: its reply may be that of a lock-out. */
  function hasReply(id: string): void {
    if (!witnesses.has(id)) ahead.get(id)?.happens();
    replied.get(id)?.happens();
  }

  /** Resolves when the group before is over, or, where nothing shows a lock-out, its witness is under way. */
  async function groupDue({ recorded: ids, early }: Before): Promise<void> {
    const over = recorded(ids);
    if (early === undefined) {
      await over;
      return;
    }
    const underWay = Promise.all([recorded(early.recorded), ahead.get(early.witness)?.happened]);
    await Promise.race([over, underWay]);
    if (again.size > 0) await over;
  }

  async function isLockedOut(id: string, last: Attempt, control: () => Promise<unknown>): Promise<boolean> {
    wrong.push({ id, ms: Date.parse(last.startedAt), isRefusedLogin: true });
    hasReply(id);
    const next = witness.get(id);
    if (again.has(id) || next === undefined) return false;
    await recorded([next]);
    if (!view.lockOuts(wrong).some((lock) => isReplyOfLock(lock, last, wrong, true))) return false;
    again.set(id, await turn.take());
    await control();
    return true;
  }

  return {
    due: ({ id }) => {
      const waits = before.get(id);
      if (waits === undefined) return Promise.resolve();
      return Promise.all([
        groupDue(waits),
        ...waits.sent.map((each) => ahead.get(each)?.happened),
        ...waits.replied.map((each) => replied.get(each)?.happened),
      ]);
    },
    isUrgent: (id) => ahead.has(id),
    isLockedOut,
    sent: (id) => {
      const own = ahead.get(id);
      if (own === undefined) return () => {};
      const clock = setTimeout(own.happens, witnesses.has(id) ? aheadMs.witness : aheadMs.login);
      // A reply that comes sooner tells more: whether it is the one hoped for.
      return () => clearTimeout(clock);
    },
    end: (id) => {
      hasReply(id);
      again.get(id)?.();
    },
  };
}
