/** Pauses that a target asks for, by credential, and how long it has asked for nothing else. */
export type RetryAfterClock = ReturnType<typeof createRetryAfterClock>;

/**
 * One limited reply among others holds up its own exchange; two in a row hold up all of the credential.
 * @param longestMs a pause longer than this is not kept: waiting less is of no use to anybody
 * @param spentAfterMs a credential that was only limited for so long is spent
 */
export function createRetryAfterClock(longestMs: number, spentAfterMs: number) {
  const until = new Map<string, number>();
  const limitedSince = new Map<string, number>();
  const givenUp = new Set<string>();
  /** It has been limited, and nothing but limited, for longer than the suite waits: its limit is spent for good. */
  const isSpent = (credential: string): boolean =>
    givenUp.has(credential) ||
    performance.now() - (limitedSince.get(credential) ?? performance.now()) >= spentAfterMs;
  return {
    /** A reply to the credential came. `askedMs`: the pause that it asks for; null where it is no rate limit. */
    note: (credential: string, limit: { readonly askedMs: number | null } | null): void => {
      if (limit === null) {
        limitedSince.delete(credential);
        return;
      }
      const { askedMs } = limit;
      if (!limitedSince.has(credential)) limitedSince.set(credential, performance.now());
      else if (askedMs !== null && askedMs <= longestMs)
        until.set(credential, Math.max(until.get(credential) ?? 0, performance.now() + askedMs));
    },
    /** Milliseconds until something with the credential may be sent again. */
    left: (credential: string): number =>
      isSpent(credential) ? 0 : Math.max(0, Math.ceil((until.get(credential) ?? 0) - performance.now())),
    isSpent,
    /** Nothing that the credential gets shows anything: none of its limits is waited for. */
    giveUp: (credential: string): void => void givenUp.add(credential),
  };
}
