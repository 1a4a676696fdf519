/** What a request has, lacks, or was sent beside: what may tell replies apart. */
export type Trait =
  | { readonly kind: 'member'; readonly name: string; readonly value: unknown }
  /** With any value. */
  | { readonly kind: 'any-value'; readonly name: string }
  | { readonly kind: 'left-out'; readonly name: string }
  | { readonly kind: 'streamed' | 'unstreamed' | 'system-turn' | 'content-list' | 'beyond-ascii' }
  /** By the name of the variable that has the token. */
  | { readonly kind: 'model' | 'token'; readonly name: string }
  | { readonly kind: 'header'; readonly name: string; readonly value: string }
  /** So many turns at least. */
  | { readonly kind: 'turns'; readonly least: number }
  /** Its text has a sign, such as a quotation mark. */
  | { readonly kind: 'sign'; readonly sign: string }
  /** Its text, or what of it is no system prompt, has so many characters at least; the longest of the others has fewer. */
  | { readonly kind: 'length' | 'prompt-length'; readonly least: number; readonly others: number }
  /** Sent as the request of this number, from 1, or later; the last of the others by its number. */
  | { readonly kind: 'from'; readonly number: number; readonly others: number }
  /** Every n-th request, of those to its endpoint or of all. */
  | { readonly kind: 'every'; readonly each: number; readonly ofEndpoint: boolean }
  /** Sent while so many others at least were under way. */
  | { readonly kind: 'beside'; readonly least: number }
  /** Sent as the next request with the same token. */
  | { readonly kind: 'after'; readonly what: 'stream' | 'refusal' };

/** What tells the replies that show a failure from those that don't. */
export interface Separation {
  /** Each reply that shows it has all of these. */
  readonly traits: readonly [Trait, ...Trait[]];
  /** Others that tell the same replies apart: nobody knows which of them it is. */
  readonly alike: readonly Trait[];
  /** How many replies have the traits; where more than show the failure, it shows in some of these only. */
  readonly having: number;
}

/** One attempt of an exchange. */
export interface ReplyRef {
  readonly id: string;
  /** From 0. */
  readonly attempt: number;
}

/** The replies that would show a failure: those that do, and the others. */
export interface JudgedReplies {
  readonly broken: readonly ReplyRef[];
  readonly kept: readonly ReplyRef[];
}

/** Which replies show a failure, where it is judged by several. */
export interface ShownByReplies {
  readonly replies?: JudgedReplies;
  /** What tells them apart, where anything does. */
  readonly separation?: Separation;
}
