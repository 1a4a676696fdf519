import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { ContextOf } from '../text-situations.ts';
import type { Single } from './judged.ts';

/** A question whose context holds a nonce. */
export interface NonceQuestion {
  readonly exchange: string;
  readonly nonce: string;
  /** What the nonce is called: a filter refuses the same words wherever they stand. */
  readonly topic: string;
  /** The last message: a reply that repeats it tells nothing about what else the model was given. */
  readonly question: string;
}

/** Somewhere that a nonce is put, by attempt. */
export interface NoncePlacement {
  /** In words, such as "in the system prompt". */
  readonly where: string;
  readonly probes: readonly NonceQuestion[];
  /** Judged in its place where the first of the probes is refused. */
  readonly fallback?: Pick<NoncePlacement, 'probes' | 'controls'>;
  /** The same in other forms, of which none is shown: the first form that is answered is judged. */
  readonly otherForms?: readonly (readonly NonceQuestion[])[];
  /** What is taken all the same must still reach the model. */
  readonly mayBeRefused?: boolean;
  /** In place of the controls of the check. */
  readonly controls?: readonly NonceQuestion[];
  /** Controls of their own, where those above are of another form: what comes in the form of the probes is whole. */
  readonly formControls?: readonly NonceQuestion[];
  /** Judged only where none of these is answered. */
  readonly insteadOf?: readonly string[];
  /** Judged only where this is recalled: the reply that gives the nonce, or one that shows that its form is read. */
  readonly restsOn?: NonceQuestion;
}

/** A question asked at the root of a conversation that has gone on in another branch. */
export interface BranchQuestion extends NonceQuestion {
  /** What was given in the other branch, in any of its requests. */
  readonly otherNonces: readonly string[];
  /** The response at the root, and the one at the end of the other branch. */
  readonly root: string;
  readonly otherBranch: string;
}

export interface ContextChecks {
  readonly recall: Single & {
    readonly protocol: TextProtocol;
    /** Each is judged by itself; one that is lost fails the requirement. */
    readonly placements: readonly NoncePlacement[];
    readonly controls: readonly NonceQuestion[];
    /** Requests for a word that stands there, whose replies are compared. */
    readonly compared?: { readonly source: ContextOf; readonly requests: readonly string[] };
    /** A request that has nothing of the probes: answered where they and the controls are refused, it is their words. */
    readonly plainRequest: string;
    /** Of all cases like this one: whether the model is given context in any way, and how often it misses it. */
    readonly elsewhere: readonly (Pick<NoncePlacement, 'where' | 'probes' | 'controls'> & {
      readonly protocol: TextProtocol;
    })[];
  };
  /** What was said in one branch of a chain is not known in another. */
  readonly branch: Single & {
    /** Attempts, each on a conversation of its own; the nonce is that of the branch asked. */
    readonly probes: readonly BranchQuestion[];
    readonly controls: readonly NonceQuestion[];
    /** A request that has nothing of the probes: answered where they and the controls are refused, it is their words. */
    readonly plainRequest: string;
  };
}
