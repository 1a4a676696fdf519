import type { Cell, Protocol, TextProtocol } from '../../spec/vocabulary.ts';
import type { ArrivalControls } from './arrival-controls.ts';
import type { SuiteName } from './report.ts';

/**
 * How a case judges its exchanges: which check, and what that check reads. Names of exchanges are
 * ids of planned requests.
 */
export type Check =
  /**
   * At least one of the probes is answered with output. Where none of `unless` is either, the reason
   * lies elsewhere and nothing is decided. `fuller` requests count where the protocol answers no smallest one.
   */
  | {
      readonly kind: 'served';
      readonly requirement: string;
      readonly probes: readonly string[];
      readonly unless?: readonly string[];
      readonly fuller?: { readonly probes: readonly string[]; readonly smallest: readonly string[] };
    }
  /** A valid request is answered, where its control is. */
  | {
      readonly kind: 'accepted';
      readonly requirement: string;
      readonly probe: string;
      readonly controls: readonly string[];
      /** The control again, last: where it is refused as the probe is, the value was not the reason. */
      readonly after?: string;
      /** What it is made of, each by itself: where one is refused as well, it is blamed there. */
      readonly elsewhere?: readonly string[];
    }
  /** A request without the parameter is answered; where none is, one of a pair that differs only in it tells. */
  | {
      readonly kind: 'optional';
      readonly requirement: string;
      readonly smallest: readonly string[];
      readonly pairs: readonly { readonly without: string; readonly full: string }[];
    }
  /** One of several spellings of a valid request is answered; none answered decides nothing. */
  | {
      readonly kind: 'accepted-somehow';
      readonly requirement: string;
      readonly probes: readonly string[];
      readonly controls: readonly string[];
    }
  /** A request outside the contract gets no output, where a control that differs in one thing does. */
  | {
      readonly kind: 'refused';
      readonly requirement: string;
      readonly probe: string;
      readonly controls: readonly string[];
      /** The control again, after everything that may have upset the target; absent where the protocol has no control. */
      readonly after?: string;
      readonly expected: string;
      /** What a control that is refused by right leaves this requirement: nothing to test it with. */
      readonly freeControl?: boolean;
      /** Where `by` is answered, and `absent` is not, so is this, and for the same reason: it is blamed there. */
      readonly explained?: { readonly by: string; readonly absent: string };
    }
  /** Both readings of a contradiction are looked at, neither is failed. */
  | {
      readonly kind: 'conflict';
      readonly conflict: string;
      readonly served: string;
      readonly refused: string;
      readonly probes: readonly string[];
      readonly controls: readonly string[];
    }
  /** No valid request of the plan is refused as an invalid token is, and answered when it is sent again. */
  | {
      readonly kind: 'steady';
      readonly requirement: string;
      readonly protocol: Protocol;
      readonly probes: readonly string[];
      readonly invalid: readonly string[];
      readonly limited: readonly string[];
    }
  /** The control still works after the requests that must be refused. */
  | {
      readonly kind: 'still-served';
      readonly requirement: string;
      readonly before: string;
      readonly after: string;
    }
  /** Every field of every result, as section 2 lists them; every other answer of the plan is judged with the probes. */
  | {
      readonly kind: 'result-fields';
      readonly protocol: Protocol;
      readonly requirements: readonly string[];
      readonly probes: readonly string[];
    }
  /** A reply with output carries text. */
  | {
      readonly kind: 'output';
      readonly requirement: string;
      readonly protocol: Protocol;
      readonly probes: readonly string[];
    }
  /** `data` has exactly this many elements. */
  | {
      readonly kind: 'image-count';
      readonly requirement: string;
      readonly probe: string;
      readonly count: number;
    }
  /** The elements of `data` have a url. */
  | { readonly kind: 'image-url'; readonly requirement: string; readonly probe: string }
  /** The reply of an image model on chat is a chat completion with something in its content. */
  | {
      readonly kind: 'chat-completion';
      readonly requirement: string;
      readonly probe: string;
      /** Asked for an image, too: one content that is not blank is enough. */
      readonly again: readonly string[];
    }
  /** The output is no longer than max_tokens allows. */
  | {
      readonly kind: 'token-limit';
      readonly requirement: string;
      readonly protocol: TextProtocol;
      readonly probes: readonly { readonly exchange: string; readonly limit: number }[];
      readonly control: string;
      /** A request with a short prompt: answered where all the others are refused, it is their prompt. */
      readonly plain: string;
    }
  /**
   * No stream unless asked for: where `stream` is left out, or where it is declined. Every other such
   * request of the plan is judged with the probes.
   */
  | {
      readonly kind: 'unstreamed';
      readonly requirement: string;
      readonly protocol: TextProtocol;
      readonly declined: boolean;
      readonly probes: readonly string[];
    }
  /** Shape, text and end of every stream of the plan. */
  | { readonly kind: 'stream'; readonly protocol: TextProtocol; readonly probes: readonly string[] }
  /** The stream carries the reply, and carries it as it is made. */
  | {
      readonly kind: 'incremental';
      readonly protocol: TextProtocol;
      readonly probes: readonly string[];
      readonly controls: ArrivalControls;
    }
  /** What was given as context comes back in the reply; the control has it in the question. */
  | {
      readonly kind: 'recall';
      readonly requirement: string;
      readonly protocol: TextProtocol;
      /** Each is judged by itself; one that is lost fails the requirement. */
      readonly places: readonly Place[];
      readonly controls: readonly Asked[];
      /** A request that has nothing of the probes: answered where they and the controls are refused, it is their words. */
      readonly plain: string;
      /** The same asked along every way that context can take. */
      readonly elsewhere: readonly (Asked & { readonly protocol: TextProtocol })[];
    }
  /** What was said in one branch of a chain is not known in another. */
  | {
      readonly kind: 'branch';
      readonly requirement: string;
      /** Attempts, each on a conversation of its own; the nonce is that of the branch asked. */
      readonly probes: readonly Branch[];
      readonly controls: readonly Asked[];
      readonly plain: string;
    }
  /** Refusals of one class differ from those of the others in the status or in a stable field of the body; on one endpoint is enough. */
  | { readonly kind: 'distinct'; readonly requirement: string; readonly comparisons: readonly Comparison[] }
  /** A token whose limit is spent is refused. */
  | {
      readonly kind: 'limited';
      readonly requirement: string;
      /** By endpoint: the same request with the spent token, and with another. */
      readonly endpoints: readonly { readonly probes: readonly string[]; readonly control: string }[];
    }
  /** What the document leaves open is written down. */
  | {
      readonly kind: 'observe';
      readonly requirement: string;
      readonly section: string;
      readonly subject: string;
      readonly see: ObservedAspect;
      readonly protocol: Protocol;
      readonly probes: readonly string[];
      readonly nonce?: string;
    }
  /** The target declares nothing to test it with. */
  | { readonly kind: 'undeclared'; readonly reason: string };

/** Refusals of one class on one endpoint, and those that they must differ from. */
export interface Comparison {
  /** Refusals of the class, at least two. */
  readonly probes: readonly string[];
  /** A valid request, sent last: where it is refused as they are, they tell no class. */
  readonly control: string;
  readonly others: readonly { readonly name: string; readonly probes: readonly string[] }[];
}

/** A question whose context holds a nonce. */
export interface Asked {
  readonly exchange: string;
  readonly nonce: string;
  /** What the nonce is called: a filter refuses the same words wherever they stand. */
  readonly topic: string;
  /** The last message: a reply that repeats it tells nothing about what else was heard. */
  readonly question: string;
}

/** Somewhere that a nonce is put, by attempt. */
export interface Place {
  /** Behind "what stands". */
  readonly where: string;
  readonly probes: readonly Asked[];
  /** Judged in their place where the first is refused. */
  readonly instead?: readonly Asked[];
  /** The same in another form that the document leaves open: recalled there, the first form is not the target's. */
  readonly also?: readonly Asked[];
  /** May be refused; what is taken must still reach the model. */
  readonly free?: boolean;
  /** Asked beside it in place of the controls of the check. */
  readonly controls?: readonly Asked[];
  /** Of a place in a stream: the requests that ask for the same without one, each for a part of it. */
  readonly unstreamed?: readonly string[];
  /** The nonce stands in this reply: where that does not have it, there is nothing to recall. */
  readonly said?: Asked;
}

/** A question asked at the root of a conversation that has gone on in another branch. */
export interface Branch extends Asked {
  readonly foreign: string;
  /** The responses at the root and at the end of the other branch. */
  readonly root: string;
  readonly other: string;
}

/** What an observation looks at. */
export type ObservedAspect =
  | 'answer-or-refusal'
  | 'refusal-status'
  | 'refusal-body'
  | 'retry-after'
  | 'framing'
  | 'event-types'
  | 'extra-fields'
  | 'finish-reason'
  | 'image-count'
  | 'image-layout'
  | 'chat-image-layout'
  | 'recalled';

export interface Case {
  /** A stable slug, never a running number. */
  readonly id: string;
  readonly title: string;
  readonly suite: SuiteName;
  readonly cell?: Cell;
  readonly requirements: readonly string[];
  readonly check: Check;
}
