import { protocolPath } from '../../../spec/paths.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import type { Profile, Shard } from '../profile.ts';
import type { SameModel } from '../scope.ts';
import type { Catalogue } from './words.ts';

/** Why there was nothing to test a requirement with. */
export const untestedWords = {
  /** `why`: what the target does not declare. */
  undeclared: ({ why }: { why: string }) => why,
  /** `status`: of the reply of the endpoint, where an invented path beside it got another one. */
  'offered-undeclared': (of: { why: string; protocol: Protocol; status: number; invented: number }) =>
    `offered but not declared: ${of.why}, and POST ${protocolPath(of.protocol)} replies by HTTP ${of.status}, where an invented path gets HTTP ${of.invented}`,
  /** `families`: the two, of which the interface does not expect the same here. */
  'same-model': ({ families: [one, other] }: { families: SameModel }) =>
    `models.${one} and models.${other} are the same model: the interface does not expect the same of both here`,
  /** No case that is selected asks for it. */
  'not-selected': 'not selected for this run',
  'not-in-profile': ({ profile }: { profile: Profile }) => `not asked in profile ${profile}`,
  'not-in-shard': ({ shard: { index, count } }: { shard: Shard }) =>
    `asked by another shard than ${index} of ${count}`,
  /** Judged from live traffic, which has nothing that decides it. */
  'not-in-traffic': 'the traffic showed no such request',
  /** `value`: of which parameter, and which, such as `n = 10`. */
  'too-costly': ({ value }: { value: string }) => `${value} was left out: --skip-costly`,
  'token-unalterable': 'the token can’t be changed in this way',
  'not-needed': 'not needed: another request showed the same',
  'no-control-declared':
    'refused, and the target declares no model or token with which the same should be answered',
  'no-near-control': 'refused, and no request that differs from it in one thing alone was sent',
  'controls-unspecified':
    'refused, and no request that it is compared with is answered, nor does the interface say that one has to be',
  /** `exchange`: the answer that explains this one. */
  'answer-explained': ({ exchange }: { exchange: string }) => `answered, as is ${exchange}`,
  'part-unanswered': ({ part }: { part: string }) => `not sent, and ${part} is not answered`,
  'part-refused': ({ part }: { part: string }) => `refused, as is ${part}, which asks for a part of the same`,
  /** `exchange`: the earlier one, whose reply has no value at `pointer`. */
  'reply-lacks': ({ exchange, pointer }: { exchange: string; pointer: string }) =>
    `not sent: the reply to ${exchange} has no ${pointer}`,
  /** `settings`: those that are refused together. */
  'combination-refused-otherwise': ({ settings }: { settings: readonly string[] }) =>
    `refused for other reasons: ${settings.join(' with ')}`,
  /** `requirement`: the one that fails for it. */
  'no-stream-answered': ({ requirement }: { requirement: string }) =>
    `no stream was answered (${requirement})`,
  'only-form-refused': 'refused, in the only form that it is asked in',
  'logins-limited':
    'failed logins are limited: since the first that was told so, no invalid token was told anything else',
  'no-limit-seen':
    'the token that is declared as rate-limited was not refused here: there is nothing to compare with',
  'no-single-text-part': 'no reply came with `output_text` and its text in one part',
} satisfies Catalogue;
