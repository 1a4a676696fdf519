import { describe, expect, it } from 'vitest';
import { parameters } from '../../spec/openapi.ts';
import { createCredentials } from './credentials.ts';
import { bodyProblem } from './classify.ts';

const target = {
  tokens: { default: { value: 'token-of-the-config-1', variable: 'GATEWAY_TOKEN_DEFAULT' } },
  versionHeader: { name: 'Acme-Version', value: '2023-06-01' },
  models: { general: 'model-general-1' },
};
const turns = { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5 };
const askedOf = { chat: turns, messages: turns, responses: { input: 'Hi' }, images: { prompt: 'Hi' } };
const credentials = () => createCredentials(target, Buffer.alloc(32));
const client = expect.stringMatching(/^\$\{CLIENT_TOKEN_[0-9A-F]{10}\}$/);

describe('what is written of a request', () => {
  it.each([
    ['Authorization', 'Bearer token-of-the-config-1', `Bearer \${GATEWAY_TOKEN_DEFAULT}`],
    ['X-API-Key', 'token-of-the-config-1', `\${GATEWAY_TOKEN_DEFAULT}`],
    ['Content-Type', 'application/json; charset=utf-8', 'application/json; charset=utf-8'],
    ['Accept', 'text/event-stream, */*;q=0.1', 'text/event-stream, */*;q=0.1'],
    ['Acme-Version', '2023-06-01', '2023-06-01'],
    ['Idempotency-Key', 'retry-1', client],
    ['User-Agent', 'someone/1.0', expect.not.stringContaining('someone')],
    ['Accept', 'application/secret-0001', expect.stringMatching(/^application\/\$\{CLIENT_TOKEN_/)],
  ])('of %s: %s is known', (name, value, shown) => {
    expect(credentials().request([name, value], '/').headers).toEqual([[name.toLowerCase(), shown]]);
  });

  it.each([
    ['Referer', 'https://user:secret-0001@acme.test/?api%5Fkey=secret-0001'],
    ['X-Original-URL', '/v1/chat?sig=secret-0001'],
    ['Forwarded', 'for=192.0.2.1;secret=secret-0001'],
    ['x-jwt', 'secret-0001'],
    ['x-pass', 'secret-0001'],
    ['x-client-cert', 'secret-0001'],
    ['x-secret-0001', '1'],
    ['Sec-WebSocket-Protocol', 'realtime, openai-insecure-api-key.secret-0001'],
    ['Cookie', 'a=1; sid=secret-0001'],
    ['Host', 'user:secret-0001@acme.test'],
    ['Content-Type', 'application/json; key=secret-0001'],
  ])('%s: %s shows no secret, nor does what repeats it', (name, value) => {
    const { headers, redactor } = credentials().request([name, value], '/');
    expect(JSON.stringify(headers)).not.toContain('secret-0001');
    // The gateway never gets the Host of a client.
    if (name === 'Host') return;
    expect(redactor?.text(`you sent ${name}: ${value}`)).not.toContain('secret-0001');
    expect(redactor?.text('you sent nothing')).toBe('you sent nothing');
  });

  it.each([
    ['api_key=abcd%2Fef-0001', 'abcd/ef-0001'],
    ['api%5Fkey=secret-0001', 'secret-0001'],
    ['a[api_key]=secret-0001', 'secret-0001'],
    ['x=1;api_key=secret-0001', 'secret-0001'],
    ...['sig', 'jwt', 'pwd', 'code', 'refresh'].map((name) => [`${name}=secret-0001`, 'secret-0001']),
  ])('a query %s is a digest', (query, secret = '') => {
    const { path, redactor } = credentials().request([], `/v1/responses?${query}`);
    expect(path).toMatch(/^\/v1\/responses\?\$\{CLIENT_TOKEN_\w+\}$/);
    expect(redactor?.text(`no ${secret}`)).not.toContain(secret);
  });

  it.each([
    ['{"model":"m","api_key":"secret-0001"}'],
    ['{"metadata": {"user" : "kim", "session_token" : "secret-0001"}, "messages": []}'],
    ['{"a\\u0075th":"secr\\u0065t-0001"}'],
    ['{"x":[{"key":"secret-0001'],
    ['{"api_key":{"secret-0001":1}}'],
    ['{"tools":[{"server_url":"https://joe:secret-0001@acme.test/mcp"}]}'],
    ['{"tools":[{"server_url":"https://acme.test/mcp?a=1&api_key=secret-0001"}]}'],
    ['{"credentials":{"of":[{"value":"secret-0001"},"secret-0001"]},"n":1}'],
  ])('what a member of a body that is named as a secret says is masked in that exchange: %s', (body) => {
    const own = credentials();
    const { redactor } = own.request([], '/', body);
    expect(redactor?.text('you sent secret-0001')).not.toContain('secret-0001');
    expect(redactor?.text(body)).not.toContain('secret-0001');
    expect(
      own.request([], '/', '{"max_tokens":12345678,"user":"someone-0001"}').redactor?.text('someone-0001'),
    ).toBe('someone-0001');
    const next = own.request([], '/', '{"token":{"a":[1]},"user":"someone-0001"}');
    expect(next.redactor?.text('someone-0001')).toBe('someone-0001');
  });

  it('has the names of models, which judging needs', () => {
    const json = '{"model":"model-general-1","max_tokens":5}';
    const { redactor, body } = credentials().request(['x-model', 'model-general-1'], '/', json);
    expect(redactor?.text('{"model":"model-general-1"}')).toBe('{"model":"model-general-1"}');
    expect(body).toBe(json);
  });

  it.each([
    ['{"model":"secret-0001","stream":true}', { model: client, stream: true }],
    ['{"mod\\u0065l" : "secret-0001" , "n":1}', { model: client, n: 1 }],
    ['{"model":"secret-0001","model":"model-general-1"}', { model: 'model-general-1' }],
    ['{"model":["secret-0001",{"model":"secret-0001"}],"n":2}', { model: [client], n: 2 }],
    ['{"model":4711081512345678}', { model: 0 }],
    ['{"metadata":{"model":"secret-0001"}}', { metadata: expect.not.objectContaining({ model: client }) }],
  ])('has no other name of a model: %s', (json, shown) => {
    const { redactor, body } = credentials().request([], '/', json);
    expect(JSON.parse(body)).toEqual(shown);
    expect(body).not.toMatch(/secret-0001|4711/);
    if (json.includes('secret')) expect(redactor?.text('no model secret-0001')).not.toContain('secret-0001');
  });

  it.each([
    '{"tool_resources":[{"name":"Authorization","value":"Bearer secret-0001"}]}',
    '{"tools":[{"headers":[["X-Api-Key","secret-0001"]]}]}',
    '{"metadata":{"secret-0001":1}}',
    '{"secret-0001":true}',
    '{"messages":[{"role":"secret-0001","content":"Hi"}]}',
    '{"messages":[{"role":"user","content":[{"type":"secret-0001","text":"Hi"}]}]}',
    '{"messages":[{"role":"user","content":"Hi","secret-0001":1}]}',
    '{"response_format":"secret-0001"}',
  ])('shows no name and no word that the interface does not have, nor does what repeats it: %s', (json) => {
    const { redactor, body } = credentials().request([], '/', json);
    expect(body).not.toContain('secret-0001');
    expect(redactor?.text('no such thing: secret-0001')).not.toContain('secret-0001');
    expect(redactor?.text('messages, metadata, response_format, Hi')).toBe(
      'messages, metadata, response_format, Hi',
    );
  });

  it.each([
    '{"user":"secret-0001","seed":4711081512345678,"max_tokens":5}',
    '{"stop":["secret-0001"],"metadata":{"a":{"b":"secret-0001"}}}',
    '{"messages":[{"role":"user","name":"secret-0001","content":[{"type":"image_url","image_url":"https://acme.test/secret-0001"}]}]}',
    '{"previous_response_id":"secret-0001"}',
    '{"size":"secret-0001","n":1}',
  ])('has a digest of each value that nothing is judged by: %s', (json) => {
    expect(credentials().request([], '/', json).body).not.toMatch(/secret-0001|4711/);
  });

  it('has what is asked as it came, and the id of an earlier reply', () => {
    const json = JSON.stringify({
      model: 'model-general-1',
      ...{ instructions: 'Be brief', stream: true, temperature: 0.5, previous_response_id: 'resp_1' },
      input: [
        { role: 'user', content: 'Hello' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] },
      ],
    });
    const { body } = credentials().request([], '/', json, (id) => id === 'resp_1');
    expect(body).toBe(json);
  });

  it('is judged as it came: each wrong or unspecified body for the same reason', () => {
    const values = ['secret-0001', 4711, 1e308, 0.5, true, null, [], ['secret-0001'], {}, { a: 1 }];
    for (const protocol of ['chat', 'messages', 'responses', 'images'] as const) {
      const valid = { model: 'model-general-1', ...askedOf[protocol] };
      const names = [...parameters(protocol).map(({ name }) => name), 'user', 'tools', 'secret-0001'];
      for (const body of names.flatMap((name) => values.map((value) => ({ ...valid, [name]: value })))) {
        const shown = JSON.parse(credentials().request([], '/', JSON.stringify(body)).body);
        expect(bodyProblem(shown, protocol), JSON.stringify(body)).toBe(bodyProblem(body, protocol));
      }
    }
  });

  it.each([
    'model=secret-0001&n=1',
    '["secret-0001"]',
    '{"model":"secret-0001',
    '\u001f\ufffd\b secret-0001',
  ])('is a digest of a body that is no object of JSON: %s', (text) => {
    expect(credentials().request([], '/', text).body).toEqual(client);
  });
});

it('an unknown token has one label, which another salt changes, and is masked wherever it comes again', () => {
  const known = credentials();
  const shown = (from: typeof known) =>
    from.request(['authorization', 'Bearer sk-unknown-4711'], '/').headers[0]?.[1];
  expect(shown(known)).toMatch(/^Bearer \$\{CLIENT_TOKEN_[0-9A-F]{10}\}$/);
  expect(shown(known)).toBe(shown(credentials()));
  expect(shown(known)).not.toBe(shown(createCredentials({ ...target, tokens: {} })));
  expect(known.redactor().text('you sent sk-unknown-4711')).toMatch(/^you sent \[redacted:CLIENT_TOKEN_/);
});

it('a password of Basic is masked by itself, too', () => {
  const known = credentials();
  known.request(['authorization', `Basic ${Buffer.from('joe:hunter2-of-joe').toString('base64')}`], '/');
  expect(known.redactor().text('hunter2-of-joe')).not.toContain('hunter2');
});

it('of a reply what is not known is a digest, and takes no room', () => {
  const known = credentials();
  const raw = ['Set-Cookie', 'sid=abcdefgh-0815; Path=/', 'Retry-After', '30', 'X-Trace', 'a'];
  expect(known.reply(raw)).toEqual([
    [expect.stringMatching(/^header-[0-9a-f]{10}$/), expect.not.stringContaining('0815')],
    ['retry-after', '30'],
    [expect.stringMatching(/^header-/), client],
  ]);
  expect(known.redactor().text('abcdefgh-0815')).toBe('abcdefgh-0815');
});

it('with too many tokens it says that a further one is not searched for', () => {
  const known = credentials();
  const use = (number: number) => known.request(['x-api-key', `client-token-${number}`], '/').redactor;
  for (let number = 0; number < 200; number += 1) expect(use(number)).toBeDefined();
  expect(use(7)).toBeDefined();
  expect(use(200)).toBeUndefined();
});

it('with too many words in one request it says so', () => {
  const words = Array.from({ length: 100 }, (_, at) => `secret-word-${at}`).join(' ');
  expect(credentials().request(['x-words', words], '/').redactor).toBeUndefined();
});
