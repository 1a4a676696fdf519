import type { Probed, Single } from './judged.ts';

/** Refusals of one class on one endpoint, and those that they must differ from. */
export interface Comparison {
  /** Refusals of the class, at least two. */
  readonly probes: readonly string[];
  /** A valid request, sent last: where it is refused as they are, they tell no class. */
  readonly control: string;
  readonly others: readonly OtherClass[];
  /** The same with a token of each group. Where all are answered, or only other words come, the refusals are not for their group. */
  readonly ofGroups?: readonly string[];
}

/** What a class must differ from, whatever else it differs from. */
interface OtherClass {
  readonly name: string;
  readonly probes: readonly string[];
  /** Compared only where it is refused: that it must be is judged elsewhere. */
  readonly mayBeAbsent?: true;
}

/** The same request with the spent token, and with another. */
export interface LimitedEndpoint {
  readonly probes: readonly string[];
  readonly control: string;
  /** With the spent token once more, sent where any probe of the check is answered. */
  readonly after?: string | undefined;
}

export interface ErrorChecks {
  /** Refusals of one class differ from those of the others in the status or in a stable field of the body. */
  readonly distinct: Single & {
    readonly comparisons: readonly Comparison[];
  };
  /** An invalid token is not refused as a rate limit is (7): a client would be told to retry what never works. */
  readonly 'not-rate-limit': Probed & {
    /** A valid request: where it is not answered, a refusal of the probes proves nothing. */
    readonly control: string;
    /** Requests with a token whose limit is spent; none where no such token is declared. */
    readonly limited: readonly string[];
  };
  /** A token whose limit is spent gets the rate-limit error (7, 8), wherever another token is answered. */
  readonly limited: Single & {
    readonly endpoints: readonly LimitedEndpoint[];
    /** With the spent token before all others: it shows that the token has its limit as the run begins. */
    readonly first?: string;
  };
  /** Whether a model or a caller is refused for a while after wrong requests is written down (7, 8: neither is shown). */
  readonly 'lock-out': Probed;
}
