import type { NonceQuestion } from '../../types/checks/check.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import type { Template } from '../../types/template.ts';
import { asking, type Body, hello, plain, turn } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import {
  lastOf,
  type NonEmpty,
  codeName,
  shortReply,
  type Wording,
  wordingsAt,
  type Attempt,
  type AttemptOptions,
  attempts,
  notRecalled,
} from '../builder/attempts.ts';
import { attemptId, chainId, contextControlId } from '../../types/request-ids.ts';

/** What chains a request on an earlier one. */
const follow = (previous: string): Body => ({
  previous_response_id: { $: 'reply', exchange: previous, pointer: '/id' },
});

interface ChainedRequest {
  readonly id: string;
  readonly input: string;
  readonly previous: string;
  /** Sent once this is answered; `previous` where left out. */
  readonly sentAfter?: string;
  readonly extraFields?: Body;
}

export const chained = (
  builder: CaseBuilder,
  { id, input, previous, sentAfter = previous, extraFields = {} }: ChainedRequest,
  { when, ...overrides }: Attempt['overrides'] = { when: [] },
): string =>
  builder.send(id, 'responses', {
    json: { ...asking('responses', input), ...follow(previous), ...extraFields },
    ...overrides,
    when: [...when, { kind: 'answered', any: [sentAfter] }],
  });

export const withShortReply = (text: string): string => `${text} ${shortReply}`;

/** A response that was given the nonce and asked for nothing. */
export const withStatement = (builder: CaseBuilder, id: string, { wording, nonce, overrides }: Attempt) =>
  builder.send(id, 'responses', {
    json: asking('responses', withShortReply(wording.statement(nonce))),
    ...overrides,
  });

interface ChainOptions extends Pick<AttemptOptions, 'controls' | 'first' | 'when'> {
  /** Of its requests, without the step and the number of the attempt. */
  readonly id: string;
  /** Of the last request, which asks. */
  readonly extraFields?: Body;
}

/** The same behind an earlier response, with the nonce in the question, where it is not recalled: only the place differs. */
function inlineBehind(
  builder: CaseBuilder,
  { id, previous, extraFields = {} }: Omit<ChainedRequest, 'input'>,
  asked: NonceQuestion,
): NonceQuestion {
  const nonce = builder.data.nonce();
  const [{ newStatement, question }] = wordingsAt('chain');
  const input = `${newStatement(nonce)} ${question}`;
  const overrides = { billed: 0, when: [builder.served('responses'), notRecalled(asked)] };
  const exchange = chained(builder, { id, input, previous, extraFields }, overrides);
  return { exchange, nonce, topic: asked.topic, question };
}

/** Asks several responses behind the statement, so that more than the last two exchanges must be carried. */
export function askAlongChain(builder: CaseBuilder, { id, extraFields = {}, ...options }: ChainOptions) {
  const idOf = (step: string, number: number) => attemptId(`${id}.${step}`, number);
  const ask = (attempt: Attempt): NonceQuestion => {
    const { wording, nonce, number, overrides } = attempt;
    const { topic, question } = wording;
    const statement = withStatement(builder, idOf('tell', number), attempt);
    const send = (request: Omit<ChainedRequest, 'sentAfter'>) => chained(builder, request, overrides);
    const between = send({ id: idOf('between', number), input: hello, previous: statement });
    const last = send({ id: idOf('last', number), input: withShortReply('Thank you.'), previous: between });
    const exchange = send({ id: idOf('ask', number), input: question, previous: last, extraFields });
    return { exchange, nonce, topic, question };
  };
  const probes = attempts(builder, 'responses', ask, { ...options, wordings: wordingsAt('chain') });
  const control = { id: contextControlId(id), previous: idOf('last', probes.length), extraFields };
  return { probes, controls: [inlineBehind(builder, control, lastOf(probes))] };
}

interface ElementOptions extends Pick<ChainOptions, 'extraFields'> {
  readonly first: NonceQuestion;
  /** Another list that is asked for at once, and shows that lists are read. */
  readonly restsOn: NonceQuestion;
}

/** Asks for what stood in a list of the response before. */
export function askForElement(builder: CaseBuilder, { first, restsOn, extraFields = {} }: ElementOptions) {
  const idOf = (step: string, number: number) => attemptId(`${chainId('list')}.${step}`, number);
  const ask = ({ wording, nonce, number, overrides }: Attempt): NonceQuestion => {
    const { topic, question, statement } = wording;
    const json = { ...plain.responses, input: [turn('user', statement(nonce)), turn('user', shortReply)] };
    const previous = builder.send(idOf('tell', number), 'responses', { json, ...overrides });
    const request = { id: idOf('ask', number), input: question, previous, extraFields };
    return { exchange: chained(builder, request, overrides), nonce, topic, question };
  };
  const { inline: controls } = builder.rows('responses');
  const options = { controls, first, wordings: wordingsAt('element-before') };
  const probes = attempts(builder, 'responses', ask, options);
  const previous = idOf('tell', probes.length);
  const behind = { id: contextControlId(chainId('list')), previous, extraFields };
  return {
    where: 'in an element of `input` one response earlier',
    restsOn,
    probes,
    mayBeRefused: true,
    controls: [inlineBehind(builder, behind, lastOf(probes))],
  };
}

const repeating = (question: string): Wording => ({ ...codeName, question });

const repetitions: NonEmpty<Wording> = [
  repeating('Repeat your last reply, and nothing else.'),
  repeating('What was your last reply? Say it again.'),
  repeating('Say your last reply once more.'),
];

/** Asks for what only a reply said: that to `said`, which has its nonce in the instructions. */
export function askForReply(builder: CaseBuilder, said: NonceQuestion, controls: readonly NonceQuestion[]) {
  const { nonce, topic } = said;
  const ask = ({ wording: { question }, number, overrides }: Attempt): NonceQuestion => {
    const request = { id: attemptId(chainId('reply'), number), input: question, previous: said.exchange };
    return { exchange: chained(builder, request, overrides), nonce, topic, question };
  };
  const probes = attempts(builder, 'responses', ask, { controls, wordings: repetitions });
  const asked = lastOf(probes);
  const behind = { id: contextControlId(chainId('reply.form')), previous: said.exchange };
  return {
    where: 'in the reply one response earlier',
    restsOn: said,
    probes,
    controls: sentAgain(builder, asked),
    formControls: [inlineBehind(builder, behind, asked)],
  };
}

/** The same question behind turns that are sent again, on chat if it can be (4.3): not each model says its own reply once more. */
function sentAgain(builder: CaseBuilder, asked: NonceQuestion): readonly NonceQuestion[] {
  const { topic, question } = asked;
  const turns = (own: string): Template => [
    turn('user', codeName.question),
    turn('assistant', own),
    turn('user', question),
  ];
  const ofChat = builder.callers('chat').filter(({ family }) => family === 'general');
  const protocol = ofChat.length > 0 ? 'chat' : 'responses';
  const own = builder.data.nonce();
  const id = contextControlId(chainId('reply'));
  builder.send(id, protocol, {
    json: { ...plain[protocol], [protocolFacts[protocol].content]: turns(own) },
    callers: ofChat.length > 0 ? ofChat : builder.callers('responses'),
    billed: 0,
    when: [builder.served(protocol), notRecalled(asked)],
  });
  return [{ exchange: id, nonce: own, topic, question }];
}
