import { describe, expect, it } from 'vitest';
import { readExtension } from '../../fixtures/extension/extension.ts';
import type { Condition } from '../../fixtures/faults/conditions.ts';
import { drawProducts } from '../../fixtures/faults/population.ts';
import { defaultConsole, type Console } from '../../fixtures/gateway/console.ts';
import type { Context, Fields, Problem, Refusal, Reply, Route } from '../../fixtures/gateway/context.ts';
import type { Hooks } from '../../fixtures/gateway/hooks.ts';
import { jsonReply } from '../../fixtures/gateway/refusal.ts';
import { type Extension, statesNothing } from '../../spec/extension.ts';
import type { Family, Group } from '../../spec/protocols.ts';
import { packageFile } from '../../spec/package-root.ts';
import { blamed, detect } from '../detect.ts';

const extension = readExtension([packageFile('examples/own/top-k.yaml')]);
const settings = { ...defaultConsole(), ...(extension ? { extension } : {}) };

type Holds = Condition['holds'];
const conditions: Readonly<Record<string, Holds>> = {
  always: () => true,
  'in a stream': ({ body }) => body.stream === true,
  'without a stream': ({ body }) => body.stream !== true,
  'with a system prompt': ({ body }) => body.system !== undefined,
  'with a temperature': ({ body }) => body.temperature !== undefined,
  'after earlier turns': ({ body }) => Array.isArray(body.messages) && body.messages.length > 1,
};

/** Where it holds, the problems of a parameter that are named are not found. */
const unchecked =
  (name: string, ...kinds: readonly Problem['kind'][]) =>
  (holds: Holds): Hooks => ({
    check: (problems, ctx) =>
      problems.filter(({ parameter, kind }) => parameter !== name || !kinds.includes(kind) || !holds(ctx)),
  });

/** Where it holds, valid values of `top_k` are refused. */
const refused =
  (isRefused: (value: unknown) => boolean) =>
  (holds: Holds): Hooks => ({
    check: (problems, ctx) =>
      isRefused(ctx.body.top_k) && holds(ctx)
        ? [{ parameter: 'top_k', kind: 'maximum', message: "'top_k' is not supported" }]
        : problems,
  });

/** Where it holds, the usage of a message result is another. */
const usage =
  (change: (usage: Fields) => unknown) =>
  (holds: Holds): Hooks => ({
    result: (body, ctx) =>
      ctx.protocol === 'messages' && holds(ctx) ? { ...body, usage: change(Object(body.usage)) } : body,
  });

/** Where it holds, the error of a refusal is another. */
const error =
  (isMeant: (kind: Refusal['kind']) => boolean, change: (error: Fields) => unknown) =>
  (holds: Holds): Hooks => ({
    refusal: (reply, ctx, { kind }) => {
      if (ctx.protocol === 'messages' || !isMeant(kind) || !holds(ctx)) return reply;
      const { error: told } = JSON.parse(String(reply.pieces[0]?.bytes)) as { error: Fields };
      return { ...jsonReply(reply.status, { error: change(told) }), headers: reply.headers };
    },
  });

/** Where it holds, the types of the events of Messages are others. */
const typed =
  (change: (type: string) => readonly string[]) =>
  (holds: Holds): Hooks => ({
    events: (list, ctx) =>
      ctx.protocol === 'messages' && holds(ctx)
        ? list.flatMap((event) =>
            change(String(event.data.type)).map((type) => ({
              ...event,
              name: type,
              data: { ...event.data, type },
            })),
          )
        : list,
  });

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const effects: Readonly<Record<string, readonly [breaks: string, make: (holds: Holds) => Hooks]>> = {
  'a top_k below 1 is taken': ['messages.param.top-k.range', unchecked('top_k', 'minimum')],
  'a top_k above 500 is taken': ['messages.param.top-k.range', unchecked('top_k', 'maximum')],
  'a top_k of another type is taken': ['messages.param.top-k.type', unchecked('top_k', 'type')],
  'a top_k of 500 is refused': ['messages.param.top-k.accepted', refused((value) => value === 500)],
  'every top_k is refused': ['messages.param.top-k.accepted', refused(isGiven)],
  'usage is missing': ['messages.result.usage', usage(() => undefined)],
  'usage is null': ['messages.result.usage', usage(() => null)],
  'input_tokens is a string': [
    'messages.result.usage.input-tokens',
    usage((all) => ({ ...all, input_tokens: String(all.input_tokens) })),
  ],
  'output_tokens is missing': [
    'messages.result.usage.output-tokens',
    usage(({ output_tokens: _, ...all }) => all),
  ],
  'the code of an invalid token is another': [
    'own.errors.invalid-token',
    error(
      (kind) => kind === 'authentication',
      (told) => ({ ...told, code: 'denied' }),
    ),
  ],
  'errors have no parameter': [
    'own.errors.wrong-requests',
    error(
      (kind) => kind === 'general',
      ({ param: _, ...told }) => told,
    ),
  ],
  'streams have events of another type': [
    'own.messages.events',
    typed((type) => (type === 'content_block_stop' ? [type, 'content_block_summary'] : [type])),
  ],
  'streams have no end': ['own.messages.events', typed((type) => (type === 'message_stop' ? [] : [type]))],
};

/** A result is no stream, an invalid token comes in few requests, and a wrong value in three beside the plain one. */
const isMet = (effect: string, condition: string): boolean =>
  !(condition === 'in a stream' && /usage|tokens/.test(effect)) &&
  !(condition === 'without a stream' && /^streams/.test(effect)) &&
  !(/system|temperature|turns|in a stream/.test(condition) && /invalid token|errors/.test(effect));

const products = Object.entries(effects).flatMap(([effect, [breaks, make]]) =>
  Object.entries(conditions).flatMap(([condition, holds]) =>
    isMet(effect, condition) ? [{ name: `${effect}, ${condition}`, breaks, hooks: make(holds) }] : [],
  ),
);

const judged = (hooks: Hooks) =>
  detect({ id: 'own', title: 'own', hooks, console: settings }, extension ? { extension } : {});

describe('own statements', () => {
  it.concurrent.each(products)('are found broken, and they alone: $name', async ({ breaks, hooks }) => {
    const report = await judged(hooks);
    expect(blamed(report)).toEqual([breaks]);
    expect(report.verdict).toBe('non-conformant');
    expect(report.causes.flatMap(({ requirements }) => requirements)).toContain(breaks);
  });

  it('breaks that of another kind are found, too: metadata', async () => {
    expect(blamed(await judged(unchecked('metadata', 'type')(() => true)))).toEqual(['own.metadata.object']);
  });

  const variants: Readonly<Record<string, Hooks>> = {
    'it keeps them': {},
    'it refuses in another way': { refusal: (reply) => ({ ...reply, status: 422 }) },
    'its errors tell more': error(
      () => true,
      (told) => ({ ...told, doc_url: 'https://example.com' }),
    )(() => true),
    'its streams have pings': typed((type) => (type === 'content_block_start' ? [type, 'ping'] : [type]))(
      () => true,
    ),
    'it tells more of the usage': usage((all) => ({ ...all, cached_tokens: 0 }))(() => true),
    'it breaks the interface': {
      check: (problems) => problems.filter(({ parameter }) => parameter !== 'temperature'),
      result: (body, { protocol }) => (protocol === 'chat' ? { ...body, usage: undefined } : body),
    },
  };
  it.concurrent.each(Object.entries(variants))('are kept where %s', async (_, hooks) => {
    const report = await judged(hooks);
    expect(blamed(report)).toEqual([]);
    expect(report.verdict).toBe('conformant');
    expect(report.requirements.every(({ level }) => level === 'own' || level === 'unspecified')).toBe(true);
  });
});

const levels = readExtension([packageFile('examples/own/service-levels.yaml')]);

/** Where it holds, replies are changed. */
const serving = (change: (reply: Reply, ctx: Context) => Reply = (reply) => reply): Hooks => ({
  reply: change,
});
const withHeaders = (reply: Reply, headers: Readonly<Record<string, string>>): Reply => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
});
const without = ({ 'x-request-id': _, ...headers }: Reply['headers']) => headers;
const replied = { ...conditions, 'to an invalid token': ({ token }: Context) => token === null };

const levelEffects: Readonly<Record<string, (reply: Reply) => readonly [breaks: string, Reply]>> = {
  'the status of an invalid token is 403': (reply) => [
    'own.invalid-token.status',
    reply.status === 401 ? { ...reply, status: 403 } : reply,
  ],
  'the status of a spent limit is 403': (reply) => [
    'own.spent-limit.status',
    reply.status === 429 ? { ...reply, status: 403 } : reply,
  ],
  'the status of a wrong request is 200': (reply) => [
    'own.wrong-request.status',
    reply.status === 400 ? { ...reply, status: 200 } : reply,
  ],
  'there is no request id': (reply) => ['own.request-id', { ...reply, headers: without(reply.headers) }],
  'request ids are the same': (reply) => ['own.request-id', withHeaders(reply, { 'x-request-id': 'req' })],
  'a result is called text': (reply) => [
    'own.results.json',
    reply.status === 200 && reply.headers['content-type']?.startsWith('application/json')
      ? withHeaders(reply, { 'content-type': 'text/plain' })
      : reply,
  ],
  'a stream has no end': (reply) => [
    'own.chat.done',
    { ...reply, pieces: reply.pieces.filter(({ bytes }) => !String(bytes).includes('[DONE]')) },
  ],
};

/** A result is no stream, an invalid token has none, and only a stream has an end. */
const isSeen = (effect: string, condition: string): boolean =>
  !(/result is called/.test(effect) && /in a stream|invalid/.test(condition)) &&
  !(/no end/.test(effect) && /without a stream|invalid|system prompt/.test(condition)) &&
  !(/status of/.test(effect) && /system prompt|temperature|turns|in a stream/.test(condition)) &&
  !(/of a (spent|wrong)/.test(effect) && /invalid/.test(condition));

const served = Object.entries(levelEffects).flatMap(([effect, change]) =>
  Object.entries(replied).flatMap(([condition, holds]) =>
    isSeen(effect, condition)
      ? [
          {
            name: `${effect}, ${condition}`,
            breaks: change({ status: 0, headers: {}, pieces: [] } as unknown as Reply)[0],
            hooks: serving((reply, ctx) => (holds(ctx) ? change(reply)[1] : reply)),
          },
        ]
      : [],
  ),
);

const levelsOf = (hooks: Hooks) =>
  detect(
    {
      id: 'own',
      title: 'own',
      hooks,
      console: { ...defaultConsole(), ...(levels ? { extension: levels } : {}) },
    },
    levels ? { extension: levels } : {},
  );

/** The example with less time, so that a test need not wait for it. */
function hurried(): Extension | undefined {
  if (levels === undefined) return undefined;
  const [inTime] = levels.statements.filter(({ id }) => id === 'own.results.in-time');
  return inTime && { ...levels, statements: [{ ...inTime, replies: [{ of: 'answers', within: 0.4 }] }] };
}
const slowly = (holds: Holds): Hooks =>
  serving((reply, ctx) => (holds(ctx) ? { ...reply, waitMs: 1000 } : reply));

describe('service levels', () => {
  it.concurrent.each(served)('are found broken, and they alone: $name', async ({ breaks, hooks }) => {
    expect(blamed(await levelsOf(hooks))).toEqual([breaks]);
  });

  it.each([
    ['they are', serving()],
    ['replies have other headers, too', serving((reply) => withHeaders(reply, { 'x-more': '1' }))],
    [
      'the content type names its charset',
      serving((reply) =>
        withHeaders(reply, { 'content-type': `${reply.headers['content-type']}; charset=utf-8` }),
      ),
    ],
    [
      'a passing outage has none',
      serving((reply, { requestNumber }) =>
        requestNumber % 25 === 0 ? { ...reply, status: 503, headers: without(reply.headers) } : reply,
      ),
    ],
  ])('are kept where %s', async (_, hooks) => {
    const report = await levelsOf(hooks);
    expect(blamed(report)).toEqual([]);
    expect(report.summary.inconclusive).toBe(0);
  });

  const timed = (hooks: Hooks) => {
    const extension = hurried();
    return detect({ id: 'own', title: 'own', hooks }, extension ? { extension } : {});
  };

  it.each([
    ['always', conditions.always],
    ['to images', ({ protocol }: Context) => protocol === 'images'],
  ])('of time are found broken where replies are late %s', async (_, holds = () => false) => {
    expect(blamed(await timed(slowly(holds)))).toEqual(['own.results.in-time']);
  });

  it.each([
    ['every 25th reply is late', slowly(({ requestNumber }) => requestNumber % 25 === 0)],
    ['streams are', slowly(({ body }) => body.stream === true)],
    ['refusals are', serving((reply) => (reply.status === 200 ? reply : { ...reply, waitMs: 1000 }))],
  ])('of time are kept where %s', async (_, hooks) => {
    expect(blamed(await timed(hooks))).toEqual([]);
  });
});

const reach = readExtension([packageFile('examples/own/groups-and-paths.yaml')]);
const [second] = reach?.paths ?? [];

/** The shipped console with the group of the example, which is served chat, and its second path. */
function reaching(): Console {
  const { accounts, routes, ...shipped } = defaultConsole();
  const [first, ...others] = accounts;
  const batch = { value: 'demo-batch-5a1c0e93b7d24f68', group: 'batch' as Group };
  const chat = ['default', 'batch'] as readonly Group[];
  return {
    ...shipped,
    accounts: first ? [{ ...first, tokens: [...first.tokens, batch] }, ...others] : accounts,
    routes: { ...routes, general: { ...routes.general, chat }, multimodal: { chat } },
    ...(reach ? { extension: reach } : {}),
  };
}
const reached = (hooks: Hooks, at?: typeof second, selected = {}) =>
  detect(
    { id: 'own', title: 'own', hooks, console: reaching() },
    reach ? { extension: { ...reach, ...(at ? { at } : {}) }, selected } : {},
  );

/** Where it holds, a family is served to the fourth group, or refused. */
const routing = (family: Family, problem: Route['problem'], holds: Holds = () => true): Hooks => ({
  route: (route, ctx) =>
    ctx.token?.group === ('batch' as Group) && ctx.family === family && holds(ctx)
      ? { ...route, problem }
      : route,
});

/** The same on one path alone. */
const onPath = (hooks: Hooks, path: string): Hooks =>
  Object.fromEntries(
    Object.entries(hooks).map(([name, hook]) => [
      name,
      (value: unknown, ctx: Context, ...rest: unknown[]): unknown =>
        ctx.path === path ? (hook as (...all: unknown[]) => unknown)(value, ctx, ...rest) : value,
    ]),
  );

/** A fault of chat that comes on each reply, for what a path shows. */
const withoutUsage: Hooks = { result: (body) => ({ ...body, usage: undefined }) };

describe('a fourth group', () => {
  it.each([
    ['is refused a family', routing('general', 'wrong-group'), 'family.general.chat.batch'],
    [
      'is refused a family in streams',
      routing('multimodal', 'wrong-group', ({ body }) => body.stream === true),
      'family.multimodal.chat.batch',
    ],
    [
      'is served what its token must be refused',
      routing('conversational', null),
      'family.conversational.messages.batch',
    ],
  ])('that %s is found', async (_, hooks, breaks) => {
    expect(blamed(await reached(hooks))).toContain(breaks);
  });

  it('is kept to by the reference gateway, whatever it does for other groups', async () => {
    expect(blamed(await reached({}))).toEqual([]);
    expect(blamed(await reached(withoutUsage))).toEqual([]);
  });
});

describe('a second path', () => {
  it('is kept to by the reference gateway, whatever its first path does', async () => {
    expect(blamed(await reached(onPath(withoutUsage, '/v1/chat/completions'), second))).toEqual([]);
  });

  it.each([
    ['there', '/v2/chat/completions', ['own.request-id']],
    ['on the first path alone', '/v1/chat/completions', []],
  ])('has service levels of its own: broken %s', async (_, path, broken) => {
    const statements = levels?.statements.filter(({ id }) => id === 'own.request-id') ?? [];
    const both = { ...(reach ?? statesNothing), statements };
    const hooks = onPath(
      serving((reply) => ({ ...reply, headers: without(reply.headers) })),
      path,
    );
    const report = await detect(
      { id: 'own', title: 'own', hooks, console: { ...reaching(), extension: both } },
      { extension: { ...both, ...(second ? { at: second } : {}) } },
    );
    expect(blamed(report)).toEqual(broken);
    expect(report.requirements.find(({ id }) => id === 'own.request-id')?.verdict).not.toBe('untested');
  });

  const drawn = drawProducts(120, 290)
    .filter(({ site }) => site.protocol === 'chat')
    .slice(0, 12);
  it.each(drawn)('shows there what the first path shows of the interface: $id', async (one) => {
    const ofInterface = await detect({ ...one, id: 'own' }, { selected: { requirements: one.breaks } });
    const ofPath = await reached(onPath(one.hooks, second?.path ?? ''), second, { requirements: one.breaks });
    // What is stated of the service as a whole is not stated of a path.
    const caught = (ids: readonly string[]): boolean =>
      ids.some((id) => one.breaks.includes(id) && id.startsWith('chat.'));
    expect(caught(blamed(ofPath))).toBe(caught(blamed(ofInterface)));
    expect(ofPath.requirements.every(({ level }) => !['stated', 'derived'].includes(level))).toBe(true);
  });
});
