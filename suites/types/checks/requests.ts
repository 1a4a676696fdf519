import type { Protocol } from '../../../spec/vocabulary.ts';
import type { SameModel } from '../scope.ts';
import type { Probed, Single } from './judged.ts';

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

export interface RequestChecks {
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
}
