import { groupBy } from '../../../spec/group-by.ts';
import { count, firstOf, inParentheses, inWords } from '../../../spec/text.ts';
import type { AddressFault } from '../../facts/facts.ts';
import type { Silence } from '../../facts/silence.ts';
import type { Fact, MistakeKind } from '../../facts/fact.ts';
import type { ModelAnswers } from '../../facts/model-answers.ts';
import type { RefusedFactor } from '../../facts/refused-requests.ts';
import type { WrongKind } from '../../facts/wrongly-answered.ts';
import { brokenWords, elsewhereToo, endpointOf, refusing, tallyWords } from './broken-words.ts';
import { traitInWords } from '../../types/separation.ts';
import { stopWords } from '../../types/reasons/exchange-words.ts';

type Of<Kind extends Fact['kind']> = Extract<Fact, { readonly kind: Kind }>;

/** The sentence behind that of a cause which is seen with these models only. */
export const onlyWith = (models: readonly string[]): string =>
  `Only with ${models.length === 1 ? 'model' : 'models'} ${firstOf(models)}.`;

const leftOut: Readonly<Record<string, string>> = {
  selection: 'Not selected for this run.',
  profile: 'Not asked in this profile.',
  shard: 'Asked by another shard.',
  traffic: 'The traffic showed no such request.',
  'skip-costly': 'Left out: --skip-costly.',
};

/** ` by POST /v1/responses`: whose facts these are, as far as that is known. */
function ofEndpoints(same: readonly Of<'too-fast'>[]): string {
  const names = same.flatMap(({ protocol }) => (protocol === undefined ? [] : [endpointOf(protocol)]));
  return names.length === 0 ? '' : ` by ${inWords(unique(names))}`;
}

/** What stands at an address that is not that of a gateway. */
const addressWords: Readonly<Record<AddressFault, (status: string) => string>> = {
  alike: (status) =>
    `Every path of target.baseUrl answers alike${status}: there seems to be no gateway at this address.`,
  redirected: (status) =>
    `Every path of target.baseUrl leads to another address${status}, such as that of a login: check the address, and what stands before the gateway.`,
  'upstream-down': (status) =>
    `Every path of target.baseUrl is answered by a proxy${status}: the gateway behind it seems to be down.`,
  'proxy-credentials': () =>
    'A proxy before target.baseUrl wants credentials of its own (HTTP 407): put them into HTTPS_PROXY or HTTP_PROXY, or the host into NO_PROXY.',
  'speaks-http': () =>
    'target.baseUrl begins with https, and http is spoken at this address: check the scheme.',
  'speaks-https': () =>
    'target.baseUrl begins with http, and https is spoken at this address: check the scheme.',
};

function silenceWords({ since, answered, unanswered, suspects }: Silence): string {
  const seen = suspects.length === 1 ? 'was under way then, or was sent next' : 'were under way then';
  return `The target stopped answering at ${since}, after ${count(answered, 'request')}; ${count(unanswered, 'later request')} got no reply. ${firstOf(suspects)} ${seen}.`;
}

const named = (keys: readonly string[]): string => (keys.length > 2 ? firstOf(keys) : keys.join(' and '));

const spentKey = 'tokens.rate-limited';

const mistakes: Readonly<Record<MistakeKind, (fact: Of<'mistake'>) => string>> = {
  'base-address': ({ fault = 'alike', status }) => addressWords[fault](inParentheses(status)),
  'token-not-accepted': ({ configKeys, status }) =>
    `${named(configKeys)} is refused wherever it is used, as an invented token is${inParentheses(status)}: check the token.`,
  'model-not-known': ({ configKeys, status }) =>
    `${named(configKeys)} is refused wherever it is called, as an invented model is${inParentheses(status)}: check the name.`,
  'tokens-exchanged': ({ configKeys }) =>
    `${named(configKeys)} seem to be exchanged: ${configKeys.includes(spentKey) ? 'every reply to the one is a limit, and none to the other' : 'what the one must be served is refused with it, and answered with the other'}.`,
  'same-token': ({ configKeys, status }) =>
    `${named(configKeys)} are the same token, and what must be served with one of them is refused with it${inParentheses(status)}: a token belongs to one group.`,
  'token-not-told': ({ configKeys, status }) =>
    `${named(configKeys)} gets the reply that an invented token gets, and so does all else there${inParentheses(status)}: whether the target knows the token can't be told.`,
  'model-not-told': ({ configKeys, status }) =>
    `${firstOf(configKeys)} gets the reply that an invented model gets${inParentheses(status)}: whether the target knows the model can't be told.`,
};

/** What a gateway does behind the names of endpoints; the verb is that of several. */
const wrongs: Readonly<Record<WrongKind, readonly [verb: string, what: string]>> = {
  'without-valid-token': ['answer', 'requests without a valid token'],
  'unsupported-family': ['serve', 'models that must be refused'],
  'other-form-of-token': ['take', 'a valid token in a form that the interface does not show'],
  'version-header': ['answer', 'requests that must be refused'],
  'outside-contract': ['answer', 'requests outside the contract'],
};

/** `model is a number, null; n is 0`: which sentences requests break, what they are about once, with so many of each. */
function rulesInWords(rules: readonly string[], most: number): string {
  const groups = [...groupBy(unique(rules), (rule) => /^\S+ is /.exec(rule)?.[0] ?? rule)];
  const told = groups.map(([about, own]) =>
    own.length === 1
      ? own.join()
      : `${about}${firstOf(
          own.map((rule) => rule.slice(about.length)),
          groups.length > 1 ? 2 : most,
        )}`,
  );
  const rest = told.length - most;
  return [...told.slice(0, most), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

/** What endpoints do alike is said once. */
function notRefusedWords(same: readonly Of<'not-refused'>[]): string {
  const groups = [...groupBy(same, (fact) => fact.endpoint)];
  const most = groups.length > 1 ? 3 : 5;
  const byEndpoint = groups.map(
    ([name, own]) =>
      [
        name,
        rulesInWords(
          own.map(({ what }) => what),
          most,
        ),
      ] as const,
  );
  const parts = [...groupBy(byEndpoint, ([, rules]) => rules)].map(([rules, own], at) => {
    const names = own.map(([name]) => name);
    const [verb, what] = wrongs[same[0]?.wrong ?? 'outside-contract'];
    return `${inWords(names)}${at === 0 ? ` ${verb}${names.length === 1 ? 's' : ''} ${what}` : ''}: ${rules}`;
  });
  return `${parts.join('. ')}.`;
}

/** What a refused request has or lacks, behind "a valid request". */
function factorInWords(factor: RefusedFactor): string {
  switch (factor.kind) {
    case 'text':
      return `for what its \`${factor.name}\` says`;
    case 'setting':
      return `with ${factor.description}`;
    case 'caller':
      return 'of one caller';
    default:
      return traitInWords(factor);
  }
}

type RefusedFact = Of<'parameter-not-supported' | 'text-refused'>;

/** What is refused, by what it has or lacks, how often with it and without it, and where else. */
function refusedWords(first: RefusedFact, same: readonly RefusedFact[]): string {
  const { factors, request, status } = first;
  const what = `a valid request ${factors.map(factorInWords).join(' and ')}`;
  const [does, done] = refusing(status);
  const told = `${endpointOf(request.protocol)} ${does} ${what}${inParentheses(status)}: ${tallyWords(request.refused)} such requests ${done}, and ${tallyWords(request.others)} others.`;
  const elsewhere = same.flatMap(({ request: { protocol, refused, others } }) =>
    protocol === request.protocol
      ? []
      : [[protocol, `${tallyWords(refused)}, and ${tallyWords(others)} others`] as const],
  );
  return `${told}${elsewhereToo(elsewhere)}`;
}

/** How many replies hold what was asked for, by endpoint and model; a reply that several rest on counts once. */
function answersWords(all: readonly ModelAnswers[]): string {
  const groups = groupBy(all, ({ protocol, model }) => `${model} on ${endpointOf(protocol)}`);
  const each = [...groups].map(([name, group]) => {
    const unsaid = new Set(group.flatMap((one) => one.unsaid));
    const of = new Set([...unsaid, ...group.flatMap((one) => one.said)]).size;
    return `${of - unsaid.size} of ${of} of ${name}`;
  });
  return `Replies that hold what was asked for: ${each.join(', ')}.`;
}

/** One sentence for each kind of fact; `same` are all facts of the cause, the first of which it is told by. */
const sentences: {
  readonly [Kind in Fact['kind']]: (fact: Of<Kind>, same: readonly Of<Kind>[]) => string;
} = {
  unreachable: ({ detail }) => `The target can't be reached: ${detail}.`,
  mistake: (fact) => mistakes[fact.mistake](fact),
  'stopped-answering': ({ silence }) => silenceWords(silence),
  'token-not-accepted': ({ protocol, passingOf, refused, status }) =>
    passingOf !== undefined
      ? `${endpointOf(protocol)} refuses a valid token at first in ${refused} of ${count(passingOf, 'valid request')}${inParentheses(status)}, and takes it when the request is sent again.`
      : `${endpointOf(protocol)} takes no valid token in its documented form: ${count(refused, 'valid request')} got what an invented token gets${inParentheses(status)}, and none an answer.`,
  'endpoint-absent': ({ protocol, status }) =>
    `${endpointOf(protocol)} does not exist: whatever is sent there gets the same reply${inParentheses(status)}.`,
  'endpoint-unanswered': ({ protocol, status, refused, answered }) =>
    answered === undefined
      ? `${endpointOf(protocol)} answers no valid request: ${refused} were refused${inParentheses(status)}.`
      : `${endpointOf(protocol)} answered ${count(answered, 'valid request')}, and then none of ${refused} to the end of the run${inParentheses(status)}.`,
  'family-not-served': ({ family, protocol, groups, isStreamed, status }) =>
    `The model of models.${family} is not served${isStreamed ? ' as a stream' : ''} by ${endpointOf(protocol)} with the token of ${groups.join(', nor with that of ')}, where it must be${inParentheses(status)}.`,
  'stream-not-offered': ({ protocols }) =>
    `No stream is given by ${protocols.map(endpointOf).join(', ')}: every request with \`stream\` = true is refused there.`,
  'parameter-not-supported': refusedWords,
  'text-refused': refusedWords,
  'result-field-broken': brokenWords,
  'requirement-broken': brokenWords,
  'not-refused': (_, same) => notRefusedWords(same),
  'limit-hit': ({ replies: { protocol, tally } }) =>
    `${endpointOf(protocol)} answered ${tallyWords(tally)} requests that a limit is reached, and no later attempt passed.`,
  'no-answer-in-time': ({ replies: { protocol, tally } }) =>
    `${endpointOf(protocol)} gave no complete reply in time to ${tallyWords(tally)} requests.`,
  'no-usable-reply': ({ replies: { protocol, tally, most } }) =>
    `${endpointOf(protocol)} gave ${tallyWords(tally)} requests no reply that can be judged: ${most}.`,
  'run-stopped': ({ stop }) =>
    `The run ended before all was sent: ${stop === undefined ? 'the evidence ends before' : stopWords(stop)}.`,
  'not-decided': (_, same) => `Could not be judged: ${firstOf(unique(same.map(({ message }) => message)))}.`,
  'model-behaviour': (_, same) =>
    `Could not be judged, since it depends on what the model says: ${firstOf(unique(same.map(({ message }) => message)))}. ${answersWords(same.flatMap(({ answers }) => answers))}`,
  'too-fast': (_, same) =>
    `Streaming${ofEndpoints(same)} could not be judged: ${firstOf(unique(same.map(({ message }) => message)))}.`,
  'not-declared': (_, same) =>
    `Not declared in the config: ${firstOf(unique(same.map(({ message }) => message)))}.`,
  'not-asked': ({ why }, same) =>
    leftOut[why] ?? `Not asked: ${firstOf(unique(same.map(({ message }) => message)))}.`,
};

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

/** What a cause says: a sentence about facts of one kind and about the same. */
export function causeWords<Kind extends Fact['kind']>(same: readonly [Of<Kind>, ...Of<Kind>[]]): string {
  const [first] = same;
  // The kind of the first is that of all, which the type of an indexed function does not show.
  return (sentences[first.kind] as (fact: Fact, same: readonly Fact[]) => string)(first, same);
}
