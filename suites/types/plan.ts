import { type Template, type FromReply, isHole } from './template.ts';
import type { TokenName } from '../../fixtures/target/target.ts';
import { oncePerObject } from '../../spec/once.ts';
import type { Family, Group, Protocol } from '../../spec/vocabulary.ts';
import type { ArrivalControls, RowPace } from './arrival-controls.ts';
import type { Case } from './case.ts';
import type { Combination } from './combination.ts';
import type { Depth } from './profile.ts';

const nothing: readonly FromReply[] = [];

/** What a body takes over from earlier replies. */
export function takenOverIn(template: Template): readonly FromReply[] {
  if (typeof template !== 'object' || template === null) return nothing;
  if (isHole(template)) return template.$ === 'reply' ? [template] : nothing;
  // Most bodies take nothing over, and each is looked through.
  let taken = nothing;
  for (const inner of Object.values(template)) {
    const found = takenOverIn(inner);
    if (found.length > 0) taken = [...taken, ...found];
  }
  return taken;
}

/** The same of a planned request; looked for once, since every case asks for it. */
export const takenOver = oncePerObject((request: PlannedRequest) => takenOverIn(request.body?.json ?? null));

/** Who a request is made as: which model, with which group's token. */
export interface Caller {
  readonly family: Family;
  /** The name of a model behind the first of its family; absent for the first. */
  readonly model?: string;
  readonly group: Group;
}

/** How a token differs from an issued one; `wildcard`: a percent sign, which stands for anything in SQL, in its middle. */
export const nearMisses = ['last', 'middle', 'shorter', 'case', 'unprefixed', 'wildcard'] as const;
export type NearMiss = (typeof nearMisses)[number];

/** How the credential is shown to the endpoint (section 5). `right` is the documented form of the endpoint. */
export type Credential =
  | { readonly form: 'right' }
  | { readonly form: 'none' }
  /** The documented form with a token that no console ever issued. */
  | { readonly form: 'invalid'; readonly token: string }
  /** The documented form with a declared token of another name. */
  | { readonly form: 'token'; readonly token: TokenName }
  /** The documented form with the caller's token changed in one place: known to the run alone. */
  | { readonly form: 'near-miss'; readonly how: NearMiss }
  /** A token that no console issued in the documented form of Messages, and the caller's in the one of the others. */
  | { readonly form: 'conflicting'; readonly token: string }
  /** The caller's token in a header value of another shape; `{token}` stands for it. */
  | { readonly form: 'header'; readonly name: string; readonly value: string };

/** A question, and the nonce that its reply is to carry. */
export interface AskedNonce {
  readonly exchange: string;
  readonly nonce: string;
}

/** When a planned request is worth sending; judged on what was recorded before it. */
export type Condition =
  /** At least one of these was answered with output. */
  | { readonly kind: 'answered'; readonly any: readonly string[] }
  /** These are recorded, whatever came of them: only the order matters. */
  | { readonly kind: 'recorded'; readonly all: readonly string[] }
  /** None of these was answered: something else has to be tried. */
  | { readonly kind: 'unanswered'; readonly all: readonly string[] }
  /** The reply lacks the nonce, or its letters beyond ASCII. A refused one is asked again only where `control`, in its words, is refused, too. */
  | ({ readonly kind: 'not-recalled'; readonly control: string } & AskedNonce)
  /** One of these was refused, or answered without its nonce: what it is compared with is due. */
  | { readonly kind: 'unrecalled'; readonly any: readonly AskedNonce[] }
  /** One of these replies carries its nonce: the model is given what stands there, and may have forgotten it once. */
  | { readonly kind: 'recalled'; readonly any: readonly AskedNonce[] }
  /** None of these replies carries its nonce: another form of the same is due, whatever came of this one. */
  | { readonly kind: 'nowhere-recalled'; readonly questions: readonly AskedNonce[] }
  /** One of these was not answered: why has to be found out. */
  | { readonly kind: 'one-unanswered'; readonly any: readonly string[] }
  /** One of these was not answered, and that by another reply than a limit. */
  | { readonly kind: 'one-unanswered-unlimited'; readonly any: readonly string[] }
  /** This got another reply than a limit. */
  | { readonly kind: 'not-limited'; readonly exchange: string }
  /** This was refused: something in its place has to be tried. */
  | { readonly kind: 'refused'; readonly exchange: string }
  /** Our own machine stood still while this ran, so that its timing says little. */
  | { readonly kind: 'stalled'; readonly exchange: string }
  /** The text of a streamed row came at once, where that of others took its time. */
  | { readonly kind: 'row-at-once'; readonly pace: RowPace }
  /** The streams so far look buffered: another attempt is due. */
  | {
      readonly kind: 'stream-inconclusive';
      readonly exchanges: readonly string[];
      readonly controls: ArrivalControls;
    };

/**
 * The parts of a run: what must work first, what tells whether the target knows the declared tokens and models, all that
 * goes beside each other, what goes at once behind that, what is timed, what waits for one of these, then the controls
 * again (principle 4). What is timed goes alone, one after another, so that no load of ours is in a timing (principle 8),
 * unless the replies before it show that requests under way at once leave each other's timing alone. The plan gives
 * `timed` and `further`.
 */
export const stages = ['discovery', 'declared', 'lanes', 'burst', 'timed', 'further', 'after'] as const;
export type Stage = (typeof stages)[number];

/**
 * What is wrong with a body that is not JSON (section 4): it is empty, or almost JSON. That is cut off in its middle, a comma stands behind its
 * last member, a comment at its beginning, the whole a second time behind it, a line feed in a string, NaN in place of
 * its last value, its strings are in single quotes, or its names in none.
 */
export const damages = [
  'cut',
  'empty',
  'trailing-comma',
  'comment',
  'twice',
  'line-feed',
  'not-a-number',
  'single-quotes',
  'bare-names',
] as const;
export type Damage = (typeof damages)[number];

export interface PlannedRequest {
  readonly id: string;
  readonly protocol: Protocol;
  readonly method: 'POST' | 'GET';
  readonly path: string;
  /** The first caller whose discovery was answered; where a body takes an id over, the callers of the reply with the id. */
  readonly callers: readonly Caller[];
  readonly credential: Credential;
  /** The version header of Messages: the declared value, left out, or another value. */
  readonly version: 'declared' | 'absent' | { readonly value: string };
  readonly accept: string;
  readonly contentType: string;
  /** In place of those that every request has, or besides. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: { readonly json: Template; readonly damage?: Damage } | null;
  /** What the body is made of, where a refusal of it can be taken apart. */
  readonly combination?: Combination;
  /** Where one of these is answered, it is taken for this request, which is not sent. */
  readonly standsFor?: readonly string[];
  readonly stream: boolean;
  /** The texts that it asks a model to say. */
  readonly says?: readonly string[];
  /** It differs from others of its kind in nothing that a model sees, and is sent where their replies are compared. */
  readonly isCompared?: true;
  /** Its reply is broken off at its first byte, as a client does that goes away. */
  readonly breaksOff?: true;
  /** What the case hopes for. It steers sending again, never the verdict. */
  readonly expect: 'answer' | 'refusal' | 'either' | 'limited';
  readonly stage: Stage;
  /** Generations that an answer is billed for. */
  readonly billed: number;
  readonly when: readonly Condition[];
}

/** Names the model of a request among those behind the first of their family; undefined where it is a first one. */
export const modelKeyOf = ({ callers: [caller] }: Pick<PlannedRequest, 'callers'>): string | undefined =>
  caller?.model === undefined ? undefined : `${caller.family} ${caller.model}`;

export interface Plan extends Depth {
  readonly seed: number;
  readonly requests: readonly PlannedRequest[];
  readonly cases: readonly Case[];
  /** Ids of the requirements that are selected, and that only a deeper profile has a case for. */
  readonly notAsked: readonly string[];
  /** Of a shard: ids of the requirements that only other shards have a case for. */
  readonly elsewhere?: readonly string[];
}

/** Whether replies make it necessary. What must be refused is sent in any case, unless a valid one is refused, or it explains another. */
export const isConditional = ({ expect, when, standsFor, stage }: PlannedRequest): boolean =>
  when.some(({ kind }) => kind === 'refused') ||
  ((expect !== 'refusal' || stage === 'declared') &&
    (standsFor !== undefined || when.some(({ kind }) => kind !== 'answered' && kind !== 'recorded')));
