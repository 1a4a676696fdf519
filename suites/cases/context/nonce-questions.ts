import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { NonceQuestion } from '../../types/checks/context.ts';
import { type AttemptOptions, attempts } from '../builder/attempts.ts';
import type { Body } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import type { NonEmpty } from '../builder/non-empty.ts';
import { attemptId } from '../../types/request-ids.ts';
import type { Wording } from '../builder/question-words.ts';

/** A request that has a nonce somewhere, and asks for it. */
export type NonceBody = (nonce: string, wording: Wording) => Body;

/** A question to be asked, in up to as many attempts as there are wordings. */
export interface QuestionToAsk {
  readonly protocol: TextProtocol;
  /** Id of its requests, without the number of the attempt. */
  readonly id: string;
  readonly body: NonceBody;
}

export const ask = (
  builder: CaseBuilder,
  { protocol, id, body }: QuestionToAsk,
  options: AttemptOptions = {},
): NonEmpty<NonceQuestion> =>
  attempts(
    builder,
    protocol,
    ({ wording, nonce, number, overrides }) => ({
      exchange: builder.send(attemptId(id, number), protocol, { json: body(nonce, wording), ...overrides }),
      nonce,
      topic: wording.topic,
      question: wording.question,
    }),
    options,
  );
