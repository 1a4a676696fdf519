import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { NonceQuestion } from '../../types/checks/context.ts';
import type { Condition } from '../../types/plan.ts';
import type { RequestBuilder } from './request-builder.ts';
import type { NonEmpty } from './non-empty.ts';
import type { RequestOverrides } from './planned-request.ts';
import { type Wording, wordings } from './question-words.ts';

/** An attempt to be made: in which words, and when. */
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

/** The attempt before was not recalled, or refused as the control in the same words was. */
function notRecalled(before: NonceQuestion, controls: readonly NonceQuestion[]): Condition {
  const { exchange, nonce, scripted = nonce, topic } = before;
  const control = controls.find((asked) => asked.topic === topic) ?? before;
  return { kind: 'not-recalled', exchange, nonce: scripted, control: control.exchange };
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
  const first = (): A =>
    make({
      wording,
      nonce: builder.data.nonce(),
      number: 1,
      overrides: { ...(isBilled ? {} : { billed: 0 }), when: base },
    });
  const made: [A, ...A[]] = [options.first ?? first()];
  let before: A = made[0];
  for (const [index, each] of later.entries()) {
    const again: Condition =
      options.evenIfRefused && index === 0
        ? { kind: 'unrecalled', any: [made[0]].map(({ exchange, nonce }) => ({ exchange, nonce })) }
        : notRecalled(before, controls ?? made);
    before = make({
      wording: each,
      nonce: builder.data.nonce(),
      number: index + 2,
      overrides: { billed: 0, when: [...base, again] },
    });
    made.push(before);
  }
  return made;
}
