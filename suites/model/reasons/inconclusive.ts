import type { Catalogue, Words } from './words.ts';

const undecided = (message: string): Words => ({ message, expected: 'evidence that decides it' });

/** Why a requirement that was tried could not be decided. */
export const inconclusiveWords = {
  'not-run': () => undecided('not run'),
  /** A bug of ours. */
  'check-error': ({ error }: { readonly error: string }) => undecided(`check error: ${error}`),
  'no-conclusive-reply': () => undecided('no conclusive reply'),
  'nothing-answered': () => undecided('no request was answered'),
  /** `seen`: what came instead. */
  'not-observed': ({ seen }: { readonly seen: string }) => undecided(`not observed: ${seen}`),
  'not-shown-by-reply': () => undecided('the reply does not show it'),

  'control-refused': () => undecided('refused, and so is the control: the refusal proves nothing'),
  'control-unanswered': () => undecided('the control is not answered'),
  'control-not-sent-again': () => undecided('the control was not sent again afterwards'),
  'control-fails-afterwards': () => undecided('the control no longer works afterwards'),
  'control-refused-alike': () => undecided('refused, and the control is later refused in the same way'),
  'control-never-answered': () => undecided('the control was never answered'),
  'valid-request-not-sent-again': () =>
    undecided(
      'a valid request that was answered before was not sent again after the requests that must be refused',
    ),
  'valid-request-fails-afterwards': () =>
    undecided(
      'a valid request that was answered before no longer is, after the requests that must be refused',
    ),

  'protocol-unanswered': () => undecided('no request of this kind is answered anywhere on this protocol'),
  'unknown-framing': () => undecided('text in an unknown framing: it may be the stream, or a refusal'),
  'no-known-form-accepted': () =>
    undecided('none of the forms tried is accepted, and the document shows none'),
  'smallest-and-full-unanswered': () =>
    undecided('neither the smallest request nor a fuller one is answered'),

  'nothing-compared': () => undecided('no refusals were compared'),
  'too-few-refusals': () => undecided('could not be compared: fewer than two refusals of this class'),
  /** `other`: the class to compare with. */
  'no-refusal-to-compare': ({ other }: { readonly other: string }) =>
    undecided(`could not be compared: no reply that is ${other}`),
  'valid-request-indistinguishable': () =>
    undecided('could not be compared: indistinguishable from the refusal of a valid request'),

  'no-result-with-field': () => undecided('no result contains what this requirement is about'),
  'no-text-field': () => undecided('no field that would carry the text'),
  'no-images': () => undecided('no images in the reply'),
  'stream-in-place-of-result': () => undecided('a stream came unrequested'),

  'unlimited-unanswered': () => undecided('the same request without a limit is not answered'),
  'unlimited-no-longer': () =>
    undecided('without a limit the reply is no longer: the model did not need more tokens'),
  'no-limited-reply': () => undecided('no reply with a limit'),
  'long-prompt-refused': () => undecided('every long prompt is refused, and a plain one is answered'),

  'no-stream-shows-it': () => undecided('no stream shows it'),
  'no-stream-with-text': () => undecided('no stream with text'),
  'unstreamed-unanswered': () => undecided('the same request without a stream is not answered'),
  'reply-too-short': () => undecided('the reply without a stream is too short to compare'),
  'stream-of-other-text': () => undecided('the stream carries another text than the reply without a stream'),
  'too-few-streams': () => undecided('not every attempt gave a stream'),
  'too-few-buffered-streams': () => undecided('buffered as far as seen, and not every attempt gave a stream'),
  'too-fast': () => undecided('the generation is too fast to tell whether it is passed on as it is made'),

  'attempt-unanswered': () => undecided('not every attempt was answered'),
  'question-refused': () => undecided('the question itself is refused, in other words too'),
  'question-not-recalled': () =>
    undecided('the model does not even give back what the question itself contains'),
  'question-repeated': () =>
    undecided('the model repeats its last message, and shows nowhere that it is given more'),
  'neither-branch-shown': () => undecided('the reply shows what was given in neither branch'),
} satisfies Catalogue;
