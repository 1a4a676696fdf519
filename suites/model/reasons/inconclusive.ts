import type { Catalogue } from './words.ts';

/** Why a requirement that was tried could not be decided. */
export const inconclusiveWords = {
  'not-run': 'not run',
  /** A bug of ours. */
  'check-error': ({ error }: { error: string }) => `check error: ${error}`,
  'no-conclusive-reply': 'no conclusive reply',
  'combination-not-taken-apart': 'refused, and which part of the request is refused could not be found',
  'nothing-answered': 'no request was answered',
  /** `seen`: what came instead. */
  'not-observed': ({ seen }: { seen: string }) => `not observed: ${seen}`,
  'not-shown-by-reply': 'the reply does not show it',

  'control-refused': 'refused, and no control is answered: the refusal proves nothing',
  'control-unanswered': 'the control is not answered',
  'control-not-sent-again': 'the control was not sent again afterwards',
  'control-fails-afterwards': 'the control no longer works afterwards',
  'control-refused-alike': 'refused, and the control is later refused in the same way',
  'control-never-answered': 'the control was never answered',
  'valid-request-not-sent-again':
    'a valid request that was answered before was not sent again after the requests that must be refused',
  'valid-request-fails-afterwards':
    'a valid request that was answered before no longer is, after the requests that must be refused',

  'protocol-unanswered': 'no request of this kind is answered anywhere on this protocol',
  'unknown-framing': 'text in an unknown framing: it may be the stream, or a refusal',
  'no-known-form-accepted': 'none of the forms tried is accepted, and the document shows none',
  'smallest-and-full-unanswered': 'neither the smallest request nor a fuller one is answered',

  'nothing-compared': 'no refusals were compared',
  'too-few-refusals': 'could not be compared: fewer than two refusals of this class',
  /** `other`: the class to compare with. */
  'no-refusal-to-compare': ({ other }: { other: string }) =>
    `could not be compared: no reply that is ${other}`,
  'valid-request-indistinguishable':
    'could not be compared: indistinguishable from the refusal of a valid request',

  'no-word-shown': 'no reply shows a word of its request, so none could show one of another',
  'text-not-said': 'the model says nowhere the text that it was asked for, as far as this shows',
  'no-result-with-field': 'no result contains what this requirement is about',
  'no-text-field': 'no field that would carry the text',
  'no-images': 'no images in the reply',
  'stream-in-place-of-result': 'a stream came unrequested',

  'unlimited-unanswered': 'the same request without a limit is not answered',
  'unlimited-no-longer': 'without a limit the reply is no longer: the model did not need more tokens',
  'no-limited-reply': 'no reply with a limit',
  'long-prompt-refused': 'every long prompt is refused, and a plain one is answered',

  'no-stream-shows-it': 'no stream shows it',
  'no-stream-with-text': 'no stream with text',
  'unstreamed-unanswered': 'the same request without a stream is not answered',
  'reply-too-short': 'the reply without a stream is too short to compare',
  'stream-of-other-text': 'the stream carries another text than the reply without a stream',
  'too-few-streams': 'not every attempt gave a stream',
  'too-few-buffered-streams': 'buffered as far as seen, and not every attempt gave a stream',
  'stream-too-short':
    'the text of the stream is too short to tell whether it is passed on as it is made: a model that thinks in silence may have written it at once',
  'too-fast': 'the generation is too fast to tell whether it is passed on as it is made',

  'attempt-unanswered': 'not every attempt was answered',
  'question-refused': 'the question itself is refused, in other words too',
  'question-not-recalled': 'the model does not even give back what the question itself contains',
  'question-repeated': 'the model repeats its last message, and shows nowhere that it is given more',
  'neither-branch-shown': 'the reply shows what was given in neither branch',
} satisfies Catalogue;
