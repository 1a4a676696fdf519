import type { ReplyChecks } from './replies.ts';
import type { Protocol, TextProtocol } from '../../../spec/vocabulary.ts';
import type { ContextOf } from '../text-situations.ts';
import type { Probed, Single } from './judged.ts';
import type { SameModel } from '../scope.ts';

export interface ValidRequest {
  readonly probe: string;
  readonly controls: readonly string[];
  /** The control again, last: where it and all that follows the probe is refused, the value was not the reason. */
  readonly after?: string;
  /** Requests that have the same among other things: one that is taken shows it. */
  readonly combinations?: readonly string[];
  /** Requests for a part of the same, each by itself: where one is refused as well, it is blamed there. */
  readonly parts?: readonly string[];
}

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
  /** The same in situations, and others of the class: compared where they are sent for another case. */
  readonly further?: readonly string[];
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

/** What each kind of check reads. */
interface Checks extends ReplyChecks {
  /** At least one of the probes is answered with output. */
  readonly served: Probed & {
    /** Where none of these is answered either, there is another reason and nothing is decided. */
    readonly prerequisites?: readonly string[];
    /** Count as probes where none of the smallest requests is answered. */
    readonly fallback?: {
      readonly probes: readonly string[];
      readonly smallest: readonly string[];
      /** Answered, they count as well; any other reply to them says nothing of the smallest requests. */
      readonly streams: readonly string[];
    };
  };
  readonly accepted: ValidRequest & Single;
  /** One of several spellings of a valid request is answered; none answered decides nothing. */
  readonly 'accepted-somehow': Probed & {
    readonly controls: readonly string[];
  };
  /** A parameter may be left out: of the smallest request, or where that is refused, of one that is answered. */
  readonly optional: Single & {
    readonly smallest: readonly string[];
    readonly pairs: readonly { readonly without: string; readonly full: string }[];
  };
  /** A valid request with several parameters at once is answered. */
  readonly combination: {
    readonly probe: string;
    /** Ids of the requests that have each setting as well, by factor. */
    readonly others: Readonly<Record<string, readonly string[]>>;
    /** The same words in a request without anything else: where one is refused, a refusal may be for the words. */
    readonly words: readonly string[];
    /** A request with other words and nothing else: where it is refused, a refusal is not for the words. */
    readonly plain: string;
  };
  readonly refused: Single & {
    readonly probe: string;
    readonly controls: readonly string[];
    /** The control again, after everything that may have upset the target; absent where there is none. */
    readonly after?: string;
    /** What of the contract the request breaks: behind "a refusal:". */
    readonly rule: string;
    /** A control that is refused breaks no requirement here, and leaves this one nothing to test it with. */
    readonly controlMayBeRefused?: boolean;
    /** It must be refused for its caller, model, endpoint or stream: what else it holds is valid, there and in its controls. */
    readonly isValidElsewhere?: boolean;
    /** Where `answered` is answered and `refused` refused, an answer to the probe is blamed on the first. */
    readonly explainedBy?: { readonly answered: string; readonly refused: string };
    /** The same in another request, which is sent where the controls are refused, and decides in its place. */
    readonly instead?: { readonly probe: string; readonly controls: readonly string[] };
    /** Of the second family, which has the same model, nothing is stated here: an answer may be for that. */
    readonly sameModel?: SameModel;
  };
  /** Both readings of a contradiction are looked at, neither is failed. */
  readonly conflict: {
    readonly conflict: string;
    /** The requirement of each reading. */
    readonly served: string;
    readonly refused: string;
    /** What the two readings say different things of, each with the controls that its refusal rests on. */
    readonly pairs: readonly { readonly probe: string; readonly controls: readonly string[] }[];
  };
  /** Its probe is the control. */
  readonly steady: Probed & {
    readonly protocol: Protocol;
    readonly invalid: readonly string[];
    readonly limited: readonly string[];
  };
  /** The control still works after the requests that must be refused (principle 4). */
  readonly 'still-served': Single & {
    /** One of these was answered before them. */
    readonly before: readonly string[];
    readonly after: string;
  };
  /** Two families have the same model name: one must be served what the other must be refused. */
  readonly 'same-model': {
    readonly families: SameModel;
  };
  /** The target declares nothing to test it with. */
  readonly undeclared: {
    /** What is not declared, in words. */
    readonly reason: string;
    /** Whether its endpoint is there all the same: a request to it that asks for nothing, and the same to an invented path. */
    readonly offered?: { readonly probe: string; readonly invented: string };
  };
  /** The run was asked to leave out what costs most. */
  readonly 'too-costly': {
    /** The value that was not asked, such as `n = 10`. */
    readonly value: string;
  };
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
export type CheckKind = keyof Checks;

/** How a case judges its exchanges: which check, and what that check reads. */
export type Check = { [Kind in CheckKind]: { readonly kind: Kind } & Checks[Kind] }[CheckKind];
export type CheckOf<Kind extends CheckKind> = Extract<Check, { readonly kind: Kind }>;
