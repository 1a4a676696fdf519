import { describe, expect, it } from 'vitest';
import type { Json } from '../../spec/vocabulary.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { answered, viewOf, refused, replied, result } from '../checks/evidence.fixture.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { NotPreparable, prepare } from './prepare.ts';

const target: Target = {
  name: 'Sample',
  baseUrl: 'http://gateway.test/base',
  versionHeader: { name: 'Acme-Version', value: '2023-06-01' },
  models: { general: 'g-large', multimodal: 'm-large', conversational: 'c-large' },
  tokens: {
    default: { value: 'sk-secret-$&-default', variable: 'TOKEN_DEFAULT' },
    'third-party-client': { value: 'sk-secret-third', variable: 'TOKEN_THIRD' },
  },
};

const caller = { family: 'multimodal', group: 'default' } as const;
const third = { family: 'conversational', group: 'third-party-client' } as const;

const request = (more: Partial<PlannedRequest>): PlannedRequest => {
  const [planned] = viewOf('chat', [], { a: { callers: [caller], ...more } }).plan.requests;
  if (planned === undefined) throw new Error('one request is planned');
  return planned;
};

const nothing = viewOf('chat', []);
const made = (more: Partial<PlannedRequest>, view: EvidenceView = nothing) =>
  prepare(request(more), target, view);
const bodyOf = (json: NonNullable<PlannedRequest['body']>['json'], view?: EvidenceView) =>
  JSON.parse(made({ body: { json } }, view).body ?? '') as unknown;

describe('a prepared request', () => {
  it('goes to its path below the base address, as JSON, with the token of its caller', () => {
    expect(made({ body: { json: { model: { $: 'model' } } } })).toMatchObject({
      id: 'a',
      method: 'POST',
      url: 'http://gateway.test/base/v1/chat/completions',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: 'Bearer sk-secret-$&-default',
      },
      body: '{"model":"m-large"}',
    });
  });

  it('is of a kind of its own where it says of a stream what is no boolean: it may hang as streams do', () => {
    const kindOf = (stream: Json, isStream = false): string =>
      made({ body: { json: { stream } }, stream: isStream }).timingKind.name;
    const [plain, streamed, unclear] = [kindOf(false), kindOf(true, true), kindOf('true')];
    expect(new Set([plain, streamed, unclear]).size).toBe(3);
    expect(kindOf(1)).toBe(unclear);
    expect(made({ body: { json: {} } }).timingKind.name).toBe(plain);
  });

  it('is of a kind of its own by what is due to its credential: refusals may hang where answers come', () => {
    const kinds = [
      made({}),
      made({ expect: 'refusal' }),
      made({ expect: 'refusal', credential: { form: 'none' } }),
      made({ expect: 'limited', credential: { form: 'token', token: 'third-party-client' } }),
    ].map(({ timingKind }) => timingKind);
    expect(new Set(kinds.map(({ name }) => name)).size).toBe(kinds.length);
    expect(kinds.map(({ isAnswerDue }) => isAnswerDue)).toEqual([true, false, false, false]);
  });

  it.each([
    ['none', { form: 'none' }, {}],
    ['right', { form: 'right' }, { authorization: 'Bearer sk-secret-$&-default' }],
    ['invalid', { form: 'invalid', token: 'sk-never' }, { authorization: 'Bearer sk-never' }],
    [
      'another token',
      { form: 'token', token: 'third-party-client' },
      { authorization: 'Bearer sk-secret-third' },
    ],
    [
      'another header',
      { form: 'header', name: 'x-api-key', value: '{token}x' },
      { 'x-api-key': 'sk-secret-$&-defaultx' },
    ],
    [
      'a near-miss token',
      { form: 'near-miss', how: 'shorter' },
      { authorization: 'Bearer sk-secret-$&-defaul' },
    ],
  ] as const)('shows its credential in the form: %s', (_, credential, headers) => {
    const { authorization, 'x-api-key': key } = made({ credential }).headers;
    expect({ ...(authorization ? { authorization } : {}), ...(key ? { 'x-api-key': key } : {}) }).toEqual(
      headers,
    );
  });

  it('shows a variable wherever it sends a token', () => {
    for (const credential of [
      { form: 'right' },
      { form: 'header', name: 'x', value: 'Basic {token}' },
      { form: 'near-miss', how: 'last' },
    ] as const) {
      const shown = JSON.stringify(made({ credential }).shownHeaders);
      expect(shown).toMatch(/\$\{TOKEN_DEFAULT(%\?)?\}/);
      expect(shown).not.toContain('sk-secret');
    }
  });

  it.each([
    ['the declared value', 'declared', '2023-06-01'],
    ['another value', { value: 'latest' }, 'latest'],
    ['none', 'absent', undefined],
  ] as const)('has on Messages the version header with %s', (_, version, expected) => {
    const prepared = made({ protocol: 'messages', path: '/v1/messages', callers: [third], version });
    expect(prepared.headers['acme-version']).toBe(expected);
    expect(prepared.headers['x-api-key']).toBe('sk-secret-third');
    expect(prepared.headers).not.toHaveProperty('authorization');
  });

  it('has no version header elsewhere', () => {
    expect(made({}).headers).not.toHaveProperty('acme-version');
  });

  it('has no body and no content type with GET', () => {
    const prepared = made({ method: 'GET' });
    expect(prepared.body).toBeNull();
    expect(prepared.headers).not.toHaveProperty('content-type');
  });

  it('breaks off in the middle of its JSON where it is to be cut', () => {
    const { body } = made({ body: { json: { model: { $: 'model' }, messages: [] }, damage: 'cut' } });
    expect(body).toMatch(/^\{"model":/);
    expect(() => JSON.parse(body ?? '')).toThrow();
  });

  it('is made for the first caller whose discovery was answered, else for the first of all', () => {
    const callers = [caller, { family: 'general', group: 'default' }] as const;
    const second = viewOf('chat', [
      refused('cell.multimodal.chat.default'),
      answered('cell.general.chat.default'),
    ]);
    const body = { json: { model: { $: 'model' } as const } };
    expect(made({ callers: callers, body }, second).body).toBe('{"model":"g-large"}');
    expect(made({ callers: callers, body }).body).toBe('{"model":"m-large"}');
  });

  it('is made as a stream for a caller that does not refuse one, if there is one', () => {
    const callers = [caller, { family: 'general', group: 'default' }] as const;
    const body = { json: { model: { $: 'model' } as const } };
    const cells = [answered('cell.multimodal.chat.default'), answered('cell.general.chat.default')];
    const unstreamed = refused('cell.multimodal.chat.default.stream');
    const streaming = (stream: boolean, ...more: Parameters<typeof viewOf>[1]) =>
      made({ callers: callers, body, stream }, viewOf('chat', [...cells, ...more])).body;
    expect(streaming(true)).toBe('{"model":"m-large"}');
    expect(streaming(true, unstreamed)).toBe('{"model":"g-large"}');
    expect(streaming(false, unstreamed)).toBe('{"model":"m-large"}');
    expect(streaming(true, unstreamed, refused('cell.general.chat.default.stream'))).toBe(
      '{"model":"m-large"}',
    );
  });
});

describe('a request that takes an id over', () => {
  const general = { family: 'general', group: 'third-party-client' } as const;
  const callers = [caller, general];
  const taking = (exchange: string) => ({
    callers,
    body: { json: { model: { $: 'model' }, x: { $: 'reply', exchange, pointer: '/id' } } } as const,
  });
  const senderOf = (more: Partial<PlannedRequest>, view: EvidenceView) => {
    const { headers, body } = made(more, view);
    return [headers.authorization, Object(JSON.parse(body ?? '')).model];
  };
  const third = ['Bearer sk-secret-third', 'g-large'];
  const cells = ['cell.multimodal.chat.default', 'cell.general.chat.third-party-client'].map((id) =>
    answered(id),
  );

  it('has the token and the model of the request that got it, whoever else is answered', () => {
    const view = viewOf('chat', [...cells, answered('got'), answered('next')], {
      got: { callers: [general] },
      next: taking('got'),
    });
    expect(senderOf(taking('got'), view)).toEqual(third);
    expect(senderOf(taking('next'), view)).toEqual(third);
  });

  it('has those of the request whose reply is taken for that one', () => {
    const standing = { stood: { callers, standsFor: ['other'] }, other: { callers: [general] } };
    const view = viewOf('chat', [...cells, answered('other')], standing);
    expect(senderOf(taking('stood'), view)).toEqual(third);
  });

  it('has them as a stream, too, where the streams of another caller are not refused', () => {
    const view = viewOf('chat', [...cells, refused('cell.multimodal.chat.default.stream'), answered('got')], {
      got: { callers },
    });
    expect(senderOf({ ...taking('got'), stream: true }, view)).toEqual([
      'Bearer sk-secret-$&-default',
      'm-large',
    ]);
    expect(senderOf({ callers, stream: true, body: { json: { model: { $: 'model' } } } }, view)).toEqual(
      third,
    );
  });
});

describe('a hole in a body', () => {
  const earlier = viewOf(
    'responses',
    [
      answered('earlier', 'responses'),
      refused('no'),
      replied('unnamed', { json: { ...result.responses('hello'), id: '' } }),
    ],
    Object.fromEntries(['earlier', 'no', 'unnamed'].map((id) => [id, { callers: [caller] }])),
  );

  it('is filled wherever it stands, and what is beside it stays', () => {
    const json = {
      model: { $: 'model' },
      list: [{ $: 'model' }, { $: 'model', prefix: 'p/', suffix: '-s' }, null, 0, false],
      deep: { x: { $: 'reply', exchange: 'earlier', pointer: '/id' } },
    } as const;
    expect(bodyOf(json, earlier)).toEqual({
      model: 'm-large',
      list: ['m-large', 'p/m-large-s', null, 0, false],
      deep: { x: 'resp_1' },
    });
  });

  it.each([
    ['an exchange that was refused', 'no', '/id'],
    ['an exchange that was not sent', 'never', '/id'],
    ['a place where nothing is', 'earlier', '/nothing/here'],
    ['a place where no string is', 'earlier', '/output'],
    ['a string that is empty', 'unnamed', '/id'],
  ])('can’t be filled from %s', (_, exchange, pointer) => {
    expect(() => bodyOf({ x: { $: 'reply', exchange, pointer } }, earlier)).toThrow(
      new NotPreparable({ kind: 'reply-lacks', exchange, pointer }),
    );
  });
});

describe('a request that can’t be made', () => {
  it.each([
    ['no caller', { callers: [] }, { kind: 'no-model-declared' }],
    [
      'no token of the group',
      { callers: [{ family: 'general', group: 'coding-tool' }] },
      { kind: 'no-token-declared', token: 'coding-tool' },
    ],
    [
      'no token of the name',
      { credential: { form: 'token', token: 'rate-limited' } },
      { kind: 'no-token-declared', token: 'rate-limited' },
    ],
    [
      'no letters of both cases',
      { credential: { form: 'near-miss', how: 'case' } },
      { kind: 'no-near-miss' },
    ],
  ] as const)('for %s says why', (_, more, why) => {
    expect(() => made(more)).toThrow(new NotPreparable(why));
  });
});
