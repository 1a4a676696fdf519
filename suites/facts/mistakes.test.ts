import { describe, expect, it } from 'vitest';
import { answered, refused, replied, silent } from '../checks/evidence.fixture.ts';
import { createEvidenceView } from '../checks/evidence-view.ts';
import type { Exchange } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { fullDepth } from '../types/profile.ts';
import { everything, planFor } from '../plan/plan.ts';
import { configKeysOf, mistakesIn } from './mistakes.ts';

const target = {
  name: 'Sample',
  baseUrl: 'http://gateway.test',
  models: { general: 'g', multimodal: 'm' },
  tokens: {
    default: { value: '', variable: 'TOKEN_DEFAULT' },
    'coding-tool': { value: '', variable: 'TOKEN_CODING' },
  },
};

const plan = planFor(
  { families: ['general', 'multimodal'], groups: ['default', 'coding-tool'], rateLimited: false },
  1,
  everything,
  fullDepth,
);

/** The exchange as it would have been sent: with the token of its first caller, and its model. */
function sent(request: PlannedRequest, exchange: Exchange): Exchange {
  const { callers, credential, body, path } = request;
  const [caller = { family: 'general', group: 'default' }] = callers;
  const variable = caller.group === 'default' ? 'TOKEN_DEFAULT' : 'TOKEN_CODING';
  const headers: Exchange['request']['headers'] =
    credential.form === 'right' ? { authorization: `Bearer \${${variable}}` } : {};
  const named = (body?.json as { model?: unknown } | undefined)?.model;
  const own = target.models[caller.family === 'multimodal' ? 'multimodal' : 'general'];
  const model = typeof named === 'string' ? named : own;
  const url = `http://gateway.test${path}`;
  return { ...exchange, request: { method: 'POST', url, headers, body: JSON.stringify({ model }) } };
}

type Answer = (request: PlannedRequest) => Exchange;

/** The mistakes where a gateway answers so; each with the keys of the config. */
function keysWhere(answer: Answer): readonly (readonly string[])[] {
  const evidence = new Map(plan.requests.map((request) => [request.id, sent(request, answer(request))]));
  return mistakesIn(createEvidenceView(plan, evidence), target).map(configKeysOf);
}

const invalid = ({ id }: PlannedRequest) => refused(id, 401, { error: 'bad token' });
const groupOf = ({ callers }: PlannedRequest) => callers[0]?.group;
const familyOf = ({ callers }: PlannedRequest) => callers[0]?.family;
const isWrongToken = ({ credential }: PlannedRequest): boolean => credential.form === 'invalid';
const isWrongModel = ({ id }: PlannedRequest): boolean => id.endsWith('.model.unknown.unknown');

const conformant: Answer = (request) => {
  if (isWrongToken(request)) return invalid(request);
  if (isWrongModel(request)) return refused(request.id, 404, { error: 'no model' });
  return answered(request.id, request.protocol, 'hello');
};

describe('a mistake of the operator', () => {
  it('is none where everything is as it should be', () => {
    expect(keysWhere(conformant)).toEqual([]);
  });

  it('is a token that is refused wherever it is used, as an invented one is', () => {
    const answer: Answer = (request) =>
      groupOf(request) === 'coding-tool' ? invalid(request) : conformant(request);
    expect(keysWhere(answer)).toEqual([['tokens.coding-tool']]);
  });

  it('is no token that is refused in words of its own', () => {
    const answer: Answer = (request) =>
      groupOf(request) === 'coding-tool' && !isWrongToken(request)
        ? refused(request.id, 401, { error: 'not your group' })
        : conformant(request);
    expect(keysWhere(answer)).toEqual([]);
  });

  it('is no token that is taken once', () => {
    const answer: Answer = (request) =>
      groupOf(request) === 'coding-tool' && request.protocol !== 'chat'
        ? invalid(request)
        : conformant(request);
    expect(keysWhere(answer)).toEqual([]);
  });

  it('is a model that is refused wherever it is called, as an invented one is', () => {
    const answer: Answer = (request) =>
      familyOf(request) === 'multimodal' && !isWrongToken(request)
        ? refused(request.id, 404, { error: 'no model' })
        : conformant(request);
    expect(keysWhere(answer)).toEqual([['models.multimodal']]);
  });

  it('is no model where an invented token gets the same', () => {
    const answer: Answer = (request) =>
      request.protocol === 'chat' ? refused(request.id, 404, { error: 'no model' }) : conformant(request);
    expect(keysWhere(answer)).toEqual([]);
  });

  it.each([
    ['a web page', (id: string) => replied(id, { text: '<h1>It works</h1>' })],
    ['one error', (id: string) => refused(id, 404, { error: 'no such path' })],
    ['a gateway that is down', (id: string) => replied(id, { status: 502, text: 'bad gateway' })],
    ['what is no HTTP', (id: string) => silent(id, { kind: 'garbled', detail: 'SSH' })],
  ])('is an address where every path gives %s', (_, reply) => {
    expect(keysWhere(({ id }) => reply(id))).toEqual([['target.baseUrl']]);
  });

  it.each([
    ['gives no connection', (id: string) => silent(id, { kind: 'unreachable', detail: 'refused' })],
    ['limits everything', (id: string) => replied(id, { status: 429, text: 'slow down' })],
  ])('is no address that %s', (_, reply) => {
    expect(keysWhere(({ id }) => reply(id))).toEqual([]);
  });

  it('is each token, and not the address, where everything is refused as an invented token is', () => {
    expect(keysWhere(invalid)).toEqual([['tokens.default'], ['tokens.coding-tool']]);
  });
});
