import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { NonceQuestion } from '../../types/checks/context.ts';
import type { Condition } from '../../types/plan.ts';
import type { RequestBuilder, RequestOverrides } from './request-builder.ts';
import { lastOf, type NonEmpty, type Wording, wordings } from './question-words.ts';

export interface Attempt {
  readonly wording: Wording;
  readonly nonce: string;
  /** Number of the attempt, from 1. */
  readonly number: number;
  /** For the requests of the attempt; only a first one is sure to be billed. */
  readonly overrides: Pick<RequestOverrides, 'billed'> & { readonly when: readonly Condition[] };
}

/** In which words, with which controls and when attempts are made. */
export interface AttemptOptions<A extends NonceQuestion = NonceQuestion> {
  readonly wordings?: NonEmpty<Wording>;
  /** The same in the question itself, by topic. Where left out, the attempts are their own controls. */
  readonly controls?: readonly NonceQuestion[];
  readonly when?: readonly Condition[];
  /** The first attempt, where it is planned already. */
  readonly first?: A;
  /** Another attempt is due as well where the first is refused: it is another request. */
  readonly evenIfRefused?: true;
}

/** The attempt before was not recalled, or refused as the control in the same words was; without one it is its own. */
export function notRecalled(before: NonceQuestion, controls: readonly NonceQuestion[] = []): Condition {
  const { exchange, nonce, topic } = before;
  const control = controls.find((asked) => asked.topic === topic) ?? before;
  return { kind: 'not-recalled', exchange, nonce, control: control.exchange };
}

/** Goes on with one attempt for each wording, each only where the one before failed. */
function laterAttempts<A extends NonceQuestion>(
  builder: RequestBuilder,
  make: (attempt: Attempt) => A,
  made: NonEmpty<A>,
  later: readonly Wording[],
  whenAfter: (before: A) => readonly Condition[],
): NonEmpty<A> {
  const all: [A, ...A[]] = [...made];
  for (const wording of later) {
    const overrides = { billed: 0, when: whenAfter(lastOf(all)) };
    all.push(make({ wording, nonce: builder.data.nonce(), number: all.length + 1, overrides }));
  }
  return all;
}

/** Makes one attempt for each wording, each with a nonce of its own; a later one only where the earlier failed. */
export function attempts<A extends NonceQuestion>(
  builder: RequestBuilder,
  protocol: TextProtocol,
  make: (attempt: Attempt) => A,
  options: AttemptOptions<A> = {},
): NonEmpty<A> {
  const { when = [], controls } = options;
  const base = [builder.served(protocol), ...when];
  const isBilled = when.every(({ kind }) => kind === 'answered');
  const [wording, ...later] = options.wordings ?? wordings;
  const overrides = { ...(isBilled ? {} : { billed: 0 }), when: base };
  const first = options.first ?? make({ wording, nonce: builder.data.nonce(), number: 1, overrides });
  const { exchange, nonce } = first;
  return laterAttempts(builder, make, [first], later, (before) => [
    ...base,
    options.evenIfRefused && before === first
      ? { kind: 'unrecalled', any: [{ exchange, nonce }] }
      : notRecalled(before, controls ?? [first]),
  ]);
}

/**
 * As many attempts again, where none recalled: sent where others like it are recalled, so that the model, too, may have
 * forgotten (principle 9). `others`: the first attempts of those.
 */
export const furtherAttempts = <A extends NonceQuestion>(
  builder: RequestBuilder,
  protocol: TextProtocol,
  make: (attempt: Attempt) => A,
  made: NonEmpty<A>,
  {
    wordings: later,
    controls,
    others,
  }: { readonly [name in 'controls' | 'others']: readonly NonceQuestion[] } & {
    readonly wordings: NonEmpty<Wording>;
  },
): NonEmpty<A> =>
  others.length === 0
    ? made
    : laterAttempts(builder, make, made, later, (before) => [
        builder.served(protocol),
        { kind: 'recalled', any: others.map(({ exchange, nonce }) => ({ exchange, nonce })) },
        notRecalled(before, controls),
      ]);
