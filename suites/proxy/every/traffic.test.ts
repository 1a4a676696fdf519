import Anthropic from '@anthropic-ai/sdk';
import { createServer } from 'node:http';
import OpenAI from 'openai';
import { expect, it } from 'vitest';
import { faultById } from '../../../fixtures/faults/index.ts';
import { readExtension } from '../../../fixtures/extension/extension.ts';
import { defaultConsole } from '../../../fixtures/gateway/console.ts';
import { targetFor } from '../../../fixtures/gateway/describe.ts';
import type { Target } from '../../../fixtures/target/target.ts';
import { variantById } from '../../../fixtures/variants/index.ts';
import { judgeRun } from '../../judge/judge-run.ts';
import type { Report } from '../../types/report.ts';
import { everything } from '../../plan/plan.ts';
import { listening } from '../../wire/loopback.fixture.ts';
import { packageFile } from '../../../spec/package-root.ts';
import { requirements } from '../../../spec/requirements.ts';
import { behindProxy, idsWith, proxied } from '../proxied.fixture.ts';
import { planTraffic } from '../traffic-plan.ts';

const hi = [{ role: 'user' as const, content: 'Hello' }];

const clients = ({ baseUrl, tokens }: Target) => ({
  openai: new OpenAI({ apiKey: tokens.default?.value ?? '', baseURL: `${baseUrl}/v1`, maxRetries: 0 }),
  anthropic: new Anthropic({
    apiKey: tokens['third-party-client']?.value ?? '',
    baseURL: baseUrl,
    maxRetries: 0,
  }),
});

const drained = async (stream: AsyncIterable<unknown>): Promise<number> => {
  let events = 0;
  for await (const _ of stream) events += 1;
  return events;
};

/** Every endpoint with the official clients, streamed and not, and a chain. */
async function useAll(target: Target): Promise<void> {
  const { openai, anthropic } = clients(target);
  const { general = '', conversational = '', multimodal = '', image = '' } = target.models;
  const first = await openai.responses.create({ model: general, input: 'Hello' });
  await openai.responses.create({ model: general, input: 'And now?', previous_response_id: first.id });
  await drained(await openai.responses.create({ model: general, input: 'Hello', stream: true }));
  await openai.chat.completions.create({ model: multimodal, messages: hi, temperature: 1.5, stream: false });
  await drained(await openai.chat.completions.create({ model: multimodal, messages: hi, stream: true }));
  await anthropic.messages.create({ model: conversational, messages: hi, max_tokens: 90 });
  await drained(
    await anthropic.messages.create({ model: conversational, messages: hi, max_tokens: 90, stream: true }),
  );
  await openai.images.generate({
    model: image,
    prompt: 'A lighthouse',
    n: 2,
    size: '256x256',
    response_format: 'url',
  });
}

const seeing = (report: Report, id: string) => report.requirements.find((row) => row.id === id);

const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

it('official clients show what they use, and the rest is untested', async () => {
  const report = await behindProxy({}, async ({ target }) => useAll(target));
  expect(idsWith(report, 'fail')).toEqual([]);
  expect(idsWith(report, 'inconclusive')).toEqual([]);
  expect(idsWith(report, 'pass')).toEqual(
    expect.arrayContaining([
      'service.output',
      ...[
        'responses.result.id',
        'messages.result.content.text',
        'chat.result.usage',
        'images.result.data.count',
      ],
      ...['responses.stream.delta', 'messages.stream.text', 'chat.stream.chunk.delta', 'chat.stream.end'],
      ...['responses.param.previous-response-id.accepted', 'chat.param.temperature.accepted'],
      ...['family.multimodal.chat', 'family.general.responses', 'messages.auth.accepted'],
      ...['chat.param.stream.accepted', 'responses.param.stream.default', 'images.result.data.url'],
    ]),
  );
  expect(seeing(report, 'chat.auth.invalid')).toMatchObject({ verdict: 'untested', code: 'not-in-traffic' });
  expect(seeing(report, 'errors.status')?.verdict).toBe('untested');
  expect(report).toMatchObject({ verdict: 'conformant', scope: { source: 'live-traffic' } });
  expect(report.run.traffic).toMatchObject({
    passed: 8,
    judged: 8,
    failing: 0,
    chained: { known: 1, unknown: 0 },
  });
  const served = report.matrix.filter(({ observed }) => observed === 'served');
  expect(served.map(({ family, protocol, stream }) => `${family} ${protocol} ${stream}`)).toContain(
    'multimodal chat true',
  );
});

it.each([
  ['chat.result.usage.missing', ['chat.result.usage']],
  ['images.result.data.count.always-one', ['images.result.data.count']],
  ['responses.stream.delta.number', ['responses.stream.delta']],
])('a gateway with the fault %s fails that and nothing else, with its exchange', async (id, broken) => {
  const fault = faultById(id);
  if (fault === undefined) throw new Error(`there is no fault ${id}`);
  const report = await behindProxy(fault, async ({ target }) => useAll(target));
  expect(idsWith(report, 'fail')).toEqual(broken);
  const found = report.cases.flatMap(({ findings }) => findings).filter(({ verdict }) => verdict === 'fail');
  const shown = report.exchanges.map((exchange) => exchange.id);
  for (const { exchange } of found) expect(shown).toContain(exchange);
  expect(report.run.traffic?.failing).toBeGreaterThan(0);
});

it.each(['framing.crlf', 'result.extra-fields'])(
  'a conformant gateway with the freedom %s fails nothing',
  async (id) => {
    const known = variantById(id);
    if (known === undefined) throw new Error(`there is no variant ${id}`);
    const report = await behindProxy(known, async ({ target }) => useAll(target));
    expect([...idsWith(report, 'fail'), ...idsWith(report, 'inconclusive')]).toEqual([]);
  },
);

it('own statements are judged by the same traffic, and by themselves', async () => {
  const own = readExtension([packageFile('examples/own/top-k.yaml')]);
  const settings = { ...defaultConsole(), ...(own ? { extension: own } : {}) };
  const use = async ({ target }: { target: Target }): Promise<void> => {
    const { anthropic } = clients(target);
    const { conversational = '' } = target.models;
    const asked = { model: conversational, messages: hi, max_tokens: 90, top_k: 5 };
    await anthropic.messages.create(asked);
    await drained(await anthropic.messages.create({ ...asked, stream: true }));
  };
  const report = await behindProxy({ console: settings }, use, own);
  expect(idsWith(report, 'fail')).toEqual([]);
  expect(idsWith(report, 'pass')).toEqual([
    'messages.param.top-k.accepted',
    'messages.result.usage',
    'messages.result.usage.input-tokens',
    'messages.result.usage.output-tokens',
    'own.messages.events',
  ]);
  const broken = await behindProxy(
    {
      console: settings,
      hooks: {
        result: (body) => ({ ...body, usage: undefined }),
        events: (list) => list.filter(({ data }) => data.type !== 'message_stop'),
      },
    },
    use,
    own,
  );
  expect(idsWith(broken, 'fail')).toEqual(['messages.result.usage', 'own.messages.events']);
});

it('what a client does wrong fails nothing, whatever the gateway makes of it', async () => {
  // It takes everything, with a body that is no result of any endpoint but of chat.
  const lax = await listening(
    createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"object":"chat.completion","choices":[{"message":{"content":"yes"}}]}');
    }),
  );
  const proxy = await proxied(targetFor(defaultConsole(), lax.url));
  const { baseUrl, models, tokens } = proxy.target;
  const chat = `${baseUrl}/v1/chat/completions`;
  const bearer = { authorization: `Bearer ${tokens.default?.value}` };
  const right = { model: models.multimodal, messages: hi };
  const wrong: readonly (readonly [unknown, Record<string, string>?])[] = [
    ['{"model":'],
    [[]],
    [{ ...right, temperature: 2.1 }],
    [{ ...right, stream: 'yes' }],
    [{ messages: hi }],
    [{ ...right, messages: [{ role: 'user', content: 7 }] }],
    [right, { authorization: 'token-without-a-scheme' }],
    [right, { 'content-type': 'text/plain' }],
    [{ ...right, model: 'nobody-knows-it' }],
    [{ ...right, tools: [] }],
    [{ ...right, model: models.conversational }],
    [{ ...right, temperature: null }],
  ];
  for (const [body, headers] of wrong) await (await post(chat, body, { ...bearer, ...headers })).text();
  await (
    await post(
      `${baseUrl}/v1/messages`,
      { model: models.conversational, messages: hi, max_tokens: 5 },
      bearer,
    )
  ).text();
  await (await fetch(`${baseUrl}/v1/models`)).text();
  const report = await proxy.report();
  expect([...idsWith(report, 'fail'), ...idsWith(report, 'pass')]).toEqual([]);
  expect(report.verdict).toBe('inconclusive');
  expect(report.run.traffic?.setAside).toEqual([
    { why: 'other-path', requests: 1, answered: 0 },
    { why: 'outside-contract', requests: 9, answered: 9 },
    { why: 'unspecified', requests: 2, answered: 2 },
    { why: 'undeclared-model', requests: 1, answered: 1 },
    { why: 'unsupported-cell', requests: 1, answered: 1 },
  ]);
  expect(JSON.stringify([...proxy.evidence.values()])).not.toContain('nobody-knows-it');
  await (await post(chat, right, bearer)).text();
  expect(idsWith(await proxy.report(), 'fail')).toContain('chat.result.usage');
  await proxy.close();
  await lax.close();
});

it('a reply without text fails nothing: nobody knows whether there was something to say', async () => {
  const silent = {
    ...{ id: 'a', object: 'chat.completion', created: 1_700_000_000, model: 'm' },
    choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 },
  };
  const gateway = await listening(createServer((_, response) => response.end(JSON.stringify(silent))));
  const proxy = await proxied(targetFor(defaultConsole(), gateway.url));
  for (const model of [proxy.target.models.multimodal, proxy.target.models['chat-image']]) {
    const headers = { authorization: `Bearer ${proxy.target.tokens.default?.value}` };
    await (
      await post(`${proxy.target.baseUrl}/v1/chat/completions`, { model, messages: hi }, headers)
    ).text();
  }
  const report = await proxy.report();
  expect([...idsWith(report, 'fail'), ...idsWith(report, 'inconclusive')]).toEqual([]);
  expect(idsWith(report, 'pass')).toContain('chat.result.choices.content');
  await proxy.close();
  await gateway.close();
});

it('a valid request that is refused is counted, and no failure by itself', async () => {
  const report = await behindProxy({}, async ({ target }) => {
    const body = { model: target.models.multimodal, messages: hi };
    for (const token of ['an-unknown-token-1', target.tokens['rate-limited']?.value ?? ''])
      await (
        await post(`${target.baseUrl}/v1/chat/completions`, body, { authorization: `Bearer ${token}` })
      ).text();
  });
  expect([...idsWith(report, 'fail'), ...idsWith(report, 'inconclusive')]).toEqual([]);
  expect(report.run.traffic).toMatchObject({ judged: 2, unanswered: 2, failing: 0 });
});

it('a stream that the gateway cuts fails once two were cut; one that the client leaves never does', async () => {
  let cut = true;
  const gateway = await listening(
    createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n');
      if (cut) setImmediate(() => response.destroy());
    }),
  );
  const proxy = await proxied(targetFor(defaultConsole(), gateway.url));
  const { openai } = clients(proxy.target);
  const model = proxy.target.models.multimodal ?? '';
  const stream = () => openai.chat.completions.create({ model, messages: hi, stream: true });
  const end = async () => seeing(await proxy.report(), 'chat.stream.end');
  await expect(stream().then(drained)).rejects.toThrow();
  expect((await end())?.verdict).toBe('untested');
  cut = false;
  for await (const _ of await stream()) break;
  expect((await end())?.verdict).toBe('untested');
  cut = true;
  await expect(stream().then(drained)).rejects.toThrow();
  expect(await end()).toMatchObject({ verdict: 'fail', code: 'streams-cut' });
  expect(proxy.counts().setAside).toEqual([{ why: 'client-left', requests: 1, answered: 0 }]);
  await proxy.close();
  await gateway.close();
});

it('two hundred streams at once pass whole, and few of them are kept', async () => {
  const report = await behindProxy({}, async ({ target }) => {
    const { openai } = clients(target);
    const model = target.models.multimodal ?? '';
    const events = await Promise.all(
      Array.from({ length: 200 }, async () =>
        drained(await openai.chat.completions.create({ model, messages: hi, stream: true })),
      ),
    );
    expect(Math.min(...events)).toBe(Math.max(...events));
    expect(events[0]).toBeGreaterThan(3);
  });
  expect(idsWith(report, 'fail')).toEqual([]);
  expect(report.run.traffic).toMatchObject({ passed: 200, judged: 200, failing: 0, kept: 8 });
  expect(report.exchanges).toHaveLength(8);
});

it('with no room for evidence everything still passes, and the report says so', async () => {
  const gateway = await listening(createServer((_, response) => response.end('{"choices":[]}')));
  const proxy = await proxied(targetFor(defaultConsole(), gateway.url), 2_000);
  const { baseUrl, models } = proxy.target;
  for (let turn = 0; turn < 6; turn += 1) {
    const body = { model: models.multimodal, messages: hi };
    const reply = await post(`${baseUrl}/v1/chat/completions`, body, { authorization: 'Bearer somebody' });
    expect(await reply.text()).toBe('{"choices":[]}');
    await proxy.report();
  }
  const { kept, full, passed } = proxy.counts();
  expect({ full, passed }).toEqual({ full: true, passed: 6 });
  expect(kept).toBeLessThan(3);
  await proxy.close();
  await gateway.close();
});

it('no credential is recorded, of the config or of a client, wherever it stands', async () => {
  const gateway = await listening(
    createServer((request, response) => {
      response.setHeader('set-cookie', 'sid=cookie-secret-0001; Path=/');
      response.end(
        JSON.stringify({ error: { message: `bad ${JSON.stringify(request.headers)} ${request.url}` } }),
      );
    }),
  );
  const target = targetFor(defaultConsole(), gateway.url);
  const proxy = await proxied(target);
  const body = {
    model: target.models.multimodal,
    messages: [{ role: 'user', content: 'client-secret-0002' }],
  };
  await (
    await post(
      `${proxy.target.baseUrl}/v1/chat/completions?api%5Fkey=query-secret-0003&sig=query-secret-0007`,
      body,
      {
        authorization: 'Bearer client-secret-0002',
        'x-api-key': target.tokens.default?.value ?? '',
        cookie: 'a=cookie-secret-0004; b=cookie-secret-0005',
        'x-goog-api-key': 'header-secret-0006',
        'x-jwt': 'header-secret-0008',
        referer: 'https://acme.test/?code=header-secret-0009',
      },
    )
  ).text();
  const report = JSON.stringify(await proxy.report());
  expect(report).not.toMatch(/-secret-000/);
  expect(report).not.toContain(target.tokens.default?.value);
  const [exchange] = [...proxy.evidence.values()];
  const headers = exchange && 'request' in exchange ? exchange.request.headers : {};
  expect(headers.authorization).toMatch(/^Bearer \$\{CLIENT_TOKEN_[0-9A-F]{10}\}$/);
  expect(headers['x-api-key']).toBe(`\${${target.tokens.default?.variable}}`);
  await proxy.close();
  await gateway.close();
});

it('a body with the marks of our own templates is judged as any other', async () => {
  const report = await behindProxy({}, async ({ target, evidence }) => {
    const body = {
      model: target.models.general,
      input: 'Hello',
      previous_response_id: 'resp_of_nobody',
      metadata: { $: 'reply', exchange: 'live.responses.1', pointer: '/id' },
    };
    const headers = { authorization: `Bearer ${target.tokens.default?.value}` };
    for (let turn = 0; turn < 2; turn += 1)
      await (await post(`${target.baseUrl}/v1/responses`, body, headers)).text();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const again = { runId: 'a', startedAt: '', finishedAt: '', partial: false, selection: everything };
    const plan = planTraffic(target, evidence);
    expect(judgeRun(target, plan, evidence, again).requirements).toHaveLength(
      requirements().filter(({ excluded }) => excluded === undefined).length,
    );
  });
  expect(idsWith(report, 'fail')).toEqual([]);
  expect(report.run.traffic?.chained.unknown).toBe(2);
});
