import { count, firstOf } from '../../../spec/text.ts';
import { differingInWords, type TextDiffers } from './failures.ts';
import type { StopReason } from './exchange-reasons.ts';
import { stopWords } from './exchange-words.ts';
import type { Catalogue } from './words.ts';

interface Stopped {
  readonly stop?: StopReason;
}

const endWords = (stop: StopReason | undefined): string =>
  stop === undefined ? 'the evidence ends before' : `the run ended before: ${stopWords(stop)}`;

/** How often replies differ from a text with a part of the prompt, and without. */
type DiffersByPrompt = Required<
  Pick<TextDiffers, 'difference' | 'within' | 'isStreamed' | 'probes' | 'controls'>
>;

/** Why a requirement that was tried could not be decided. */
export const inconclusiveWords = {
  'not-run': 'not run',
  /** A bug of ours. */
  'check-error': ({ error }: { error: string }) => `check error: ${error}`,
  'no-conclusive-reply': 'no conclusive reply',
  'limit-may-have-ended': 'the token was refused before it was answered: its limit may have ended',
  /** `stop`: why the run ended; absent where the evidence ends. */
  'not-asked': ({ stop }: Stopped) => `not asked, for ${endWords(stop)}`,
  /** `message`: what is missing. */
  'not-all-asked': ({ message, stop }: Stopped & { message: string }) =>
    `${message}; not all was asked, for ${endWords(stop)}`,
  /** `seen`: what came in place of answers. */
  'asked-in-vain': ({ seen }: { seen: string }) => `asked, and not answered: ${seen}`,
  /** `keys`: of the config, of what the operator declared wrong. */
  'every-path-alike': ({ keys }: { keys: readonly string[] }) =>
    `every path of ${firstOf(keys)} answers alike: there seems to be no gateway`,
  'declared-token-refused': ({ keys }: { keys: readonly string[] }) =>
    `${firstOf(keys)} is refused wherever it is used, as an invented token is`,
  'declared-tokens-exchanged': ({ keys }: { keys: readonly string[] }) =>
    `${keys.join(' and ')} seem to be exchanged`,
  'declared-token-of-one-group': ({ keys }: { keys: readonly string[] }) =>
    `${keys.join(' and ')} are the same token, which belongs to one group`,
  'declared-token-not-told': ({ keys }: { keys: readonly string[] }) =>
    `${firstOf(keys)} gets the reply of an invented token: whether the target knows it can't be told`,
  'declared-model-not-told': ({ keys }: { keys: readonly string[] }) =>
    `${firstOf(keys)} gets the reply of an invented model: whether the target knows it can't be told`,
  'declared-model-unknown': ({ keys }: { keys: readonly string[] }) =>
    `${firstOf(keys)} is refused wherever it is called, as an invented model is`,
  'combination-not-taken-apart': 'refused, and which part of the request is refused could not be found',
  'nothing-answered': 'no request that would show it was answered',
  /** `seen`: what came instead. */
  'not-observed': ({ seen }: { seen: string }) => `not observed: ${seen}`,
  'not-shown-by-reply': 'the reply does not show it',

  'control-refused':
    'refused, and no valid request that differs in one thing is answered: the refusal proves nothing',
  /** `model`: the one that the refusal names. */
  'refusal-of-other-model': ({ model }: { model: string }) =>
    `the refusal names ${model}, which was not asked for: it shows nothing of the model that was`,
  /** `seen` of `of` valid requests, `where` they were sent. */
  'lacking-often': (data: { seen: number; of: number; where: string }) =>
    `${data.seen} of ${data.of} valid requests${data.where} were not served at first: more than passing outages of one request in twenty mostly cost, and too few to rule them out`,
  'never-text': ({ silent }: { silent: number }) =>
    `none of ${silent} replies that should have text has any: too few to tell that from a model that says nothing now and then`,
  'control-unanswered': 'the request that it is compared with is not answered',
  'control-not-sent-again': 'the request that it is compared with was not sent again afterwards',
  'control-fails-afterwards': 'the request that it is compared with was answered before, and no longer is',
  'control-refused-alike': 'refused, and the request that it is compared with is refused in the same way',
  /** `exchange`: the valid request that got the same reply. */
  'refused-while-locked': ({ exchange }: { exchange: string }) =>
    `refused in words that ${exchange} got as well, which is valid: a lock-out may have refused both`,
  'control-never-answered': 'the request that it is compared with was never answered',
  'valid-request-not-sent-again':
    'a valid request that was answered before was not sent again after the requests that must be refused',
  'valid-request-fails-afterwards':
    'a valid request that was answered before no longer is, after the requests that must be refused',

  'protocol-unanswered': 'none of the requests that it is compared with is answered',
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

  'no-word-shown':
    'no reply repeats the random word of its request, so that a reply to another request would not show',
  'text-of-other-shape': 'the replies to requests for a known text have the shape of another endpoint',
  'text-not-said': 'no reply gives the text that was asked for once and whole',
  'text-differs-by-prompt': (data: DiffersByPrompt) =>
    `${differingInWords({ ...data, by: 'situation' })}; of those of the same model without it ${data.controls.seen} of ${data.controls.of} do, and no other endpoint shows whether the model does so`,
  /** `within`: what is wrong with the field that contains it, and the requirement that says so. */
  'no-result-with-field': ({ within }: { within?: { seen: string; requirement: string } }) =>
    within === undefined
      ? 'no result came in which the field could be looked for'
      : `${within.seen}: what is in it can't be looked at`,
  'no-text-field': 'no field that would carry the text',
  'no-images': 'no images in the reply',
  'stream-in-place-of-result': 'a stream came unrequested',

  'unlimited-unanswered': 'the same request without a limit is not answered',
  'unlimited-no-longer':
    'the reply without a limit is no longer than text of so many tokens may be: it does not show whether the limit is kept',
  'no-limited-reply': 'no reply with a limit',
  'long-prompt-refused': ({ refused, seen, answered }: { refused: number; seen: number; answered: number }) =>
    `every valid request with a text of ${refused} characters or more is refused (${seen} of ${seen}), and shorter ones with the same signs, of up to ${answered}, are answered`,
  'word-refused': ({ word, seen }: { word: string; seen: number }) =>
    `every valid request with the word ${word} in its text is refused (${seen} of ${seen}), and others with the same signs are answered`,

  'no-stream-shows-it': 'no stream came that could show it',
  'streams-silent': ({ silent }: { silent: number }) =>
    `${silent === 1 ? 'the only stream carries' : `all ${silent} streams carry`} no text, too few to tell that from a model that says nothing now and then`,
  'no-stream-with-text': 'no stream with text',
  'too-few-buffered-streams':
    'the text came all at once in every stream, but not every attempt gave a stream',
  'stream-too-short':
    'the text of the stream is too short to tell whether it is passed on as it is made: a model that thinks in silence may have written it at once',
  'too-fast': 'the text came too fast to tell whether it is passed on as it is made',
  'timing-disturbed':
    'the machine of the run stood still while the text came, which hides whether it is passed on as it is made',
  'timing-unsteady':
    'some streams took so much longer than others that waiting is not told from generation, and all text came at once',

  /** `where`: the word was given, such as "in the system prompt". */
  'attempt-unanswered': ({ where, answered, asked }: { where: string; answered: number; asked: number }) =>
    answered === 0
      ? `no request with a word ${where} was answered`
      : `only ${answered} of ${count(asked, 'request')} with a word ${where} ${answered === 1 ? 'was' : 'were'} answered`,
  'attempt-of-other-shape': ({ where }: { where: string }) =>
    `a reply to a request with a word ${where} has the shape of another endpoint`,
  'attempt-of-other-word':
    'a reply holds the word of another request, so that it may be the reply to that one',
  'question-refused': 'the question itself is refused, also when it is put in other words',
  'question-not-recalled':
    'no answer holds the word that was asked for, not even where it stands in the question itself',
  'long-prompt-not-recalled':
    'no answer to a long prompt holds the word that was asked for, not even where it stands in the question itself; an answer to a short one does: the model may read no more',
  'reply-cut-off': 'the reply was cut off at its limit, before it could give back what was given',
  /** `answers`: elsewhere, where the word came back at least once. */
  'recalled-now-and-then': ({ missed, answers }: { missed: number; answers: number }) =>
    `the model forgets now and then: elsewhere, too, ${missed} of ${count(answers, 'answer')} lacked the word`,
  'question-repeated': 'the model repeats its last message, so that nothing shows what else it was given',
  // How long an id lasts is not shown, nor whether it may end with its first use (2.3, 4.1).
  'id-taken-once':
    'a response that one request went on from is not found for a second one: how often its id may be named is not shown',
  'neither-branch-shown': 'the reply shows what was given in neither branch',
} satisfies Catalogue;
