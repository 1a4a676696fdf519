import { cellsWhere } from '../../spec/matrix.ts';
import { once, oncePerObject } from '../../spec/once.ts';
import { drawsImages, type Family } from '../../spec/vocabulary.ts';
import { repeatedText } from '../cases/builder/bodies.ts';
import { cellId } from '../types/request-ids.ts';
import { isConditional, type PlannedRequest } from '../types/plan.ts';
import { type FromReply, isHole, type Template } from '../types/template.ts';
import { valueAt } from '../reading/json.ts';
import { retryPolicy } from '../wire/retry/policy.ts';
import { countTokens, type Usage } from './usage.ts';

/** Tokens of the longest reply that is reckoned with, whatever a request allows. */
export const longestReply = 4096;
/** The most images of one request (8.1). */
const mostImages = 10;

export type Requests = (id: string) => PlannedRequest | undefined;

/** Whether it is asked for images, of a family of images or on their path (2.6, 4.5). */
const isDrawn = ({ protocol }: PlannedRequest, family: Family | undefined): boolean =>
  protocol === 'images' || (family !== undefined && drawsImages(family));

/** Members of a body that the model reads: first those that a chain does not carry. */
const [given, turns] = [
  ['system', 'instructions'],
  ['input', 'messages', 'prompt'],
] as const;
/** Members of a turn that are no text. */
const marks = new Set(['role', 'type']);

/** The texts in a part of a body, in their order. */
function textsIn(template: Template | undefined): readonly string[] {
  if (typeof template === 'string') return [template];
  if (typeof template !== 'object' || template === null || isHole(template)) return [];
  if (Array.isArray(template)) return template.flatMap(textsIn);
  return Object.entries(template).flatMap(([name, inner]) => (marks.has(name) ? [] : textsIn(inner)));
}

const sumOf = (texts: readonly string[]): number => total(texts.map(countTokens));

const textsAt = ({ body }: PlannedRequest, members: readonly string[]): readonly string[] =>
  members.flatMap((name) => textsIn(valueAt(body?.json, `/${name}`) as Template | undefined));

/** The texts of a request, looked for once: a plan is counted by suite, by profile, at least and at most. */
const textsOf = oncePerObject((request: PlannedRequest) => ({
  given: textsAt(request, given),
  turns: textsAt(request, turns),
}));

/** Tokens of the same. */
const tokensOf = oncePerObject((request: PlannedRequest) => {
  const texts = textsOf(request);
  return { given: sumOf(texts.given), turns: sumOf(texts.turns) };
});

/** The request that a chain goes on from (4.1): its turns are part of the prompt. */
function earlier(request: PlannedRequest, requests: Requests): PlannedRequest | undefined {
  const id = valueAt(request.body?.json, '/previous_response_id') as Template | undefined;
  const isReply = typeof id === 'object' && id !== null && isHole(id) && id.$ === 'reply';
  return isReply ? requests((id as FromReply).exchange) : undefined;
}

/** What a request and those that its chain goes on from come to, the request last. */
function alongChain<T>(
  request: PlannedRequest,
  requests: Requests,
  of: (one: PlannedRequest) => T,
): readonly T[] {
  const before = earlier(request, requests);
  return [...(before ? alongChain(before, requests, of) : []), of(request)];
}

/** The texts that the model is given, but for replies in the chain; the question comes last. */
const promptOf = (request: PlannedRequest, requests: Requests): readonly string[] => [
  ...textsOf(request).given,
  ...alongChain(request, requests, (one) => textsOf(one).turns).flat(),
];

const total = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** Tokens of the turns of the chain and of the request, and of the replies that the chain holds before it. */
function chainTokens(request: PlannedRequest, requests: Requests): number {
  const turns = alongChain(request, requests, (one) => tokensOf(one).turns);
  const before = earlier(request, requests);
  const replies = before ? alongChain(before, requests, (one) => outputOf(one, requests)) : [];
  return total([...turns, ...replies]);
}

/** A nonce with what may follow it, as prompts of ours state it. */
const nonce = /\b[A-Z]{3,}-\d{5}[^\s.,]*/gu;

/** Tokens of the reply of a model that does as it is told: the text to repeat, the words to recall, or a word. */
function outputOf(request: PlannedRequest, requests: Requests): number {
  const prompt = promptOf(request, requests);
  const question = prompt.at(-1) ?? '';
  const repeated = repeatedText(question);
  const nonces = question.includes('?') ? prompt.flatMap((text) => text.match(nonce) ?? []) : [];
  const asked = repeated === undefined ? Math.max(1, countTokens(nonces.join(', '))) : countTokens(repeated);
  const limit = valueAt(request.body?.json, '/max_tokens');
  return typeof limit === 'number' && limit >= 1 ? Math.min(asked, limit) : asked;
}

function imagesOf({ protocol, body }: PlannedRequest): Pick<Usage, 'images' | 'hdImages'> {
  const n = protocol === 'images' ? valueAt(body?.json, '/n') : 1;
  const images = typeof n === 'number' ? Math.min(mostImages, Math.max(1, Math.floor(n))) : 1;
  const isHd = valueAt(body?.json, '/quality') === 'hd';
  return isHd ? { images: 0, hdImages: images } : { images, hdImages: 0 };
}

export function usageIfAnswered(
  request: PlannedRequest,
  requests: Requests,
  family = request.callers[0]?.family,
): Usage {
  const isImages = isDrawn(request, family);
  return {
    input: tokensOf(request).given + chainTokens(request, requests),
    output: isImages ? 0 : outputOf(request, requests),
    ...(isImages ? imagesOf(request) : { images: 0, hdImages: 0 }),
  };
}

/** The most that one attempt of it is billed by: a reply of the longest length, and images as they are asked for. */
export function mostUsage(request: PlannedRequest, requests: Requests, family = request.callers[0]?.family) {
  const usage = usageIfAnswered(request, requests, family);
  return isDrawn(request, family) ? usage : { ...usage, output: longestReply };
}

/** The most generations that one attempt of it is billed for, images counted each. */
export const mostGenerations = (request: PlannedRequest, family: Family | undefined): number =>
  isDrawn(request, family) ? imagesOf(request).images + imagesOf(request).hdImages : 1;

/** What is served as the interface states it, in one group at least, by id of the cell. */
const stated = once(() => {
  const served = cellsWhere({ expectation: 'served', stream: false });
  return new Set(served.map((cell) => cellId(cell, cell.protocol)));
});

/** Where one of several groups must serve a family, the first that is asked is reckoned with. */
function isFirstGroup(request: PlannedRequest, all: readonly PlannedRequest[]): boolean {
  const keyOf = ({ stage, callers: [caller, ...others], path, stream }: PlannedRequest) =>
    stage === 'discovery' && caller && others.length === 0
      ? JSON.stringify([caller.family, path, stream])
      : undefined;
  const key = keyOf(request);
  return key === undefined || all.find((other) => keyOf(other) === key) === request;
}

/** What a conformant target is thought to answer: a right credential, for a cell that is served; of what is left open, all. */
export const thoughtAnswered = (requests: readonly PlannedRequest[]): readonly PlannedRequest[] =>
  requests.filter((request) => {
    const { billed, credential, callers, protocol } = request;
    if (billed === 0 || isConditional(request) || credential.form !== 'right') return false;
    const isStated = callers.some((caller) => stated().has(cellId(caller, protocol)));
    return isStated && isFirstGroup(request, requests);
  });

/** Causes of another attempt after which the one before may have been billed. */
const billedCauses = ['cut', 'timeout', 'garbled', 'oversize', 'failure'] as const;

/** The most attempts of one request that may be billed. */
export const mostBilledAttempts = Math.max(
  ...billedCauses.flatMap((cause) => {
    const { attempts, whereAnswerIsDue = 0, wherePassed = 0 } = retryPolicy.table[cause];
    return [attempts, whereAnswerIsDue, wherePassed === 'by-chance' ? retryPolicy.mostAttempts : wherePassed];
  }),
);
