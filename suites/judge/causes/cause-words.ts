import { protocolFacts } from '../../../spec/protocols.ts';
import { count, firstOf, inParentheses } from '../../../spec/text.ts';
import { protocols } from '../../../spec/vocabulary.ts';
import type { CauseKind } from '../../types/cause.ts';

/** What the sentence of a cause is made of. */
interface CauseFacts {
  /** What stands behind the kind in its id; empty where nothing does. */
  readonly about: string;
  readonly configKeys: readonly string[];
  /** The status that shows it, such as `HTTP 404`; undefined where no reply came. */
  readonly status: string | undefined;
  /** What the findings behind it say, each once, the most frequent first. */
  readonly messages: readonly string[];
  /** How many requirements fail by it. */
  readonly requirements: number;
}

type Words = (facts: CauseFacts) => string;

/** `POST /v1/responses`: the endpoint of what begins with a protocol. */
function endpoint(about: string): string {
  const protocol = protocols.find((name) => about === name || about.startsWith(`${name}.`));
  return protocol === undefined ? about : `POST ${protocolFacts[protocol].path}`;
}

const afterDot = (about: string): string => about.slice(about.indexOf('.') + 1);

const first = (messages: readonly string[]): string => messages[0] ?? 'no finding recorded';

/** What is answered that must be refused, by the suite that asks it. */
const answered: Readonly<Record<string, string>> = {
  authentication: 'Requests without the right credential are answered',
  parameters: 'Requests with wrong parameters are answered',
  families: 'Models are served where they must be refused',
};

/** The sentence behind that of a cause which is seen with these models only. */
export function onlyWith(models: readonly string[]): string {
  return `Only with ${models.length === 1 ? 'model' : 'models'} ${firstOf(models)}.`;
}

const leftOut: Readonly<Record<string, string>> = {
  selection: 'Not selected for this run.',
  profile: 'Not asked in this profile.',
  shard: 'Asked by another shard.',
  traffic: 'The traffic showed no such request.',
  'skip-costly': 'Left out: --skip-costly.',
};

/** One sentence for each kind. */
export const causeWords: Readonly<Record<CauseKind, Words>> = {
  unreachable: ({ messages }) => `The target can't be reached: ${first(messages)}.`,
  'base-address': ({ status }) =>
    `Every path of target.baseUrl answers alike${inParentheses(status)}: there seems to be no gateway at this address.`,
  'token-not-accepted': ({ about, configKeys, status }) =>
    configKeys.length > 0
      ? `${configKeys.join(' and ')} is refused wherever it is used, as an invented token is${inParentheses(status)}: check the token.`
      : `${endpoint(about)} does not take a valid token in its documented form every time${inParentheses(status)}.`,
  'model-not-known': ({ configKeys, status }) =>
    `${configKeys.length > 2 ? firstOf(configKeys) : configKeys.join(' and ')} is refused wherever it is called, as an invented model is${inParentheses(status)}: check the name.`,
  'endpoint-absent': ({ about, status }) =>
    `${endpoint(about)} does not exist: whatever is sent there gets the same reply${inParentheses(status)}.`,
  'endpoint-unanswered': ({ about, status }) =>
    `${endpoint(about)} answers no valid request${inParentheses(status)}.`,
  'family-not-served': ({ about, status }) => {
    const [family = '', protocol = ''] = about.split('.');
    return `The model of models.${family} is not served by ${endpoint(protocol)} where it must be${inParentheses(status)}.`;
  },
  'stream-not-offered': ({ about, status }) =>
    `${endpoint(about)} gives no stream that could be read${inParentheses(status)}.`,
  'parameter-not-supported': ({ about, status }) =>
    `${endpoint(about)} refuses valid requests with \`${afterDot(about).replaceAll('-', '_')}\`${inParentheses(status)}.`,
  'result-field-broken': ({ about, messages }) => `Result of ${endpoint(about)}: ${first(messages)}.`,
  'requirement-broken': ({ about, messages }) => `${about}: ${first(messages)}.`,
  'not-refused': ({ about, requirements }) =>
    `${answered[about] ?? 'Requests that must be refused are answered'}: ${count(requirements, 'requirement')}.`,
  'limit-hit': ({ about, status }) =>
    `${endpoint(about)} answered that a limit is reached${inParentheses(status)}, and no later attempt passed.`,
  'no-answer-in-time': ({ about }) => `${endpoint(about)} gave no complete reply in time.`,
  'no-usable-reply': ({ about, messages }) =>
    `${endpoint(about)} gave no reply that can be judged: ${first(messages)}.`,
  'run-stopped': ({ messages }) => `The run ended before all was sent: ${first(messages)}.`,
  'not-decided': ({ messages }) => `Not decided: ${messages.join('; ')}.`,
  'model-behaviour': () => 'Depends on what the model answers; it did not do as it was told.',
  'too-fast': () => 'The text came too fast to tell whether it is passed on as it is made.',
  'not-declared': ({ messages }) => `Not declared in the config: ${messages.join('; ')}.`,
  'not-asked': ({ about, messages }) => leftOut[about] ?? `Not asked: ${messages.join('; ')}.`,
};
