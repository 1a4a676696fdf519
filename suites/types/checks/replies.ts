import type { ReplyRule } from '../../../spec/extension.ts';
import type { Protocol, TextProtocol } from '../../../spec/vocabulary.ts';
import type { ArrivalControls } from '../arrival-controls.ts';
import type { Probed, Single } from './judged.ts';

/** Long streams of a request that has what a row has. */
export interface SituationStreams {
  /** In words, such as "with `instructions`". */
  readonly where: string;
  /** Whether they go alone. */
  readonly isTimed: boolean;
  readonly probes: readonly string[];
  readonly controls: ArrivalControls;
}

/** What an observation looks at in several replies at once. */
export type JointAspect = 'ids' | 'stream-usage' | 'after-broken-off';

export type ObservedAspect =
  | JointAspect
  | 'answer-or-refusal'
  | 'refusal-status'
  | 'refusal-body'
  | 'refusal-internals'
  | 'retry-after'
  | 'framing'
  | 'result-transport'
  | 'event-types'
  | 'usage-sum'
  | 'prompt-tokens'
  | 'extra-fields'
  | 'finish-reason'
  | 'image-count'
  | 'image-layout'
  | 'chat-image-layout'
  | 'recalled';

export interface ReplyChecks {
  /** Every field of every result, as section 2 lists them (2.3 to 2.6); every other answer of the plan is judged with the probes. */
  readonly 'result-fields': {
    readonly protocol: Protocol;
    readonly requirements: readonly string[];
    readonly probes: readonly string[];
  };
  /** Replies with output carry text: one of an endpoint that does is enough. In how many it is missing is another question. */
  readonly output: Probed & {
    readonly protocol: Protocol;
  };
  /** Valid requests are answered each time, and with output, but for passing outages (1). */
  readonly availability: {
    readonly probes: readonly string[];
  };
  /** No result ends in the middle of its JSON document (1, 2.3 to 2.6). */
  readonly 'whole-results': Probed;
  /** A text that a model was asked for comes back whole, in order, once, in its letters (1, 2.3 to 2.5). */
  readonly intact: {
    readonly protocol: TextProtocol;
    /** Requests for a long text, without a stream and with one; every other one for a known text is read with them. */
    readonly probes: readonly string[];
    /** The same of every caller, sent where replies are compared. */
    readonly compared: readonly string[];
  };
  /** Its probes: requests with such words, and those that go out at once; whatever else is sent is read, too. */
  readonly 'own-context': Probed & {
    /** Words that no model can guess; each stands in the requests that ask for it, and in no other. */
    readonly words: readonly string[];
  };
  /** `data` has exactly `n` elements, and one at least where `n` is left out (4.4, 2.6). */
  readonly 'image-count': Probed & {
    /** What they give for `n`; absent where they leave it out. */
    readonly count?: number;
  };
  /** Each element of `data` has a string field `url` (2.6), which names the image: an empty one names none. */
  readonly 'image-url': Probed;
  readonly 'chat-completion': Single & {
    readonly probe: string;
    /** Asked for an image, too: one content that is not blank is enough. */
    readonly again: readonly string[];
  };
  /** `max_tokens` limits the output: by the count that chat gives, and everywhere by a text far too long (4.2, 4.3). */
  readonly 'token-limit': Single & {
    readonly protocol: TextProtocol;
    readonly probes: readonly { readonly exchange: string; readonly limit: number }[];
    /** The same request without a limit. */
    readonly control: string;
  };
  readonly unstreamed: Probed & {
    readonly protocol: TextProtocol;
    readonly declined: boolean;
    /** One that takes any media type, where a target that goes by them would stream: nothing is decided without its reply. */
    readonly deciding?: string;
    /** Streams that are asked for where no request without one is answered. */
    readonly streamed?: readonly string[];
  };
  /** Shape, text and end of every stream of the plan (4.1 to 4.3, 6). */
  readonly stream: {
    readonly protocol: TextProtocol;
    readonly probes: readonly string[];
  };
  /** The stream carries the reply as it is made (4.2, 6; principle 8). */
  readonly incremental: {
    readonly protocol: TextProtocol;
    /** Attempts of the same long stream. */
    readonly probes: readonly string[];
    readonly controls: ArrivalControls;
    /** The same text asked for in the situations of rows whose own text came at once; sent only there. */
    readonly situations: readonly SituationStreams[];
  };
  /** What an extension states of each reply of a kind, on one endpoint; the probes come in any case, and all else there is judged, too. */
  readonly 'reply-rule': Probed & {
    readonly protocol: Protocol;
    readonly rule: ReplyRule;
  };
  /** What the document leaves unspecified is written down; nothing here can fail. */
  readonly observe: Probed & {
    readonly subject: string;
    readonly aspect: ObservedAspect;
    readonly protocol: Protocol;
    /** Looked for where the aspect is `recalled`. */
    readonly nonce?: string;
    /** `max_tokens` of the probe, where the aspect is `finish-reason`. */
    readonly limit?: number;
    /** What the probe is held against: for `recalled` a reply with its own nonce, for `finish-reason` one without a limit. */
    readonly control?: { readonly exchange: string; readonly nonce?: string };
  };
}
