import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { faults } from '../../fixtures/faults/index.ts';
import { textProtocols } from '../../spec/vocabulary.ts';
import { validateReport } from '../../reporters/schema/validate.ts';
import { productNamed } from '../../fixtures/faults/named.ts';
import { reportedBugs } from '../../fixtures/faults/reported/index.ts';
import type { Context } from '../../fixtures/gateway/context.ts';
import type { Hooks } from '../../fixtures/gateway/hooks.ts';
import { composed } from '../../fixtures/faults/composed.ts';
import type { Report } from '../../suites/types/report.ts';
import { blamed, detect, type DetectOptions, type Subject } from '../detect.ts';

const reference: Subject = { id: 'reference', title: 'the reference gateway', hooks: {} };
const fault = (id: string): Subject => faults.find((one) => one.id === id) ?? reference;

/** The causes that explain a failure or keep the run from a verdict, by id. */
const gating = ({ causes = [], requirements }: Report): readonly string[] =>
  causes
    .filter(({ id }) =>
      requirements.some(
        ({ cause, verdict, nonGating }) =>
          cause === id && (verdict === 'fail' || (verdict === 'inconclusive' && !nonGating)),
      ),
    )
    .map(({ id }) => id);

type Declared = NonNullable<DetectOptions['declared']>;

const mistyped =
  (...names: readonly ('default' | 'coding-tool' | 'third-party-client')[]): Declared =>
  (target) => ({
    ...target,
    tokens: {
      ...target.tokens,
      ...Object.fromEntries(
        names.map((name) => [
          name,
          { value: `sk-mistyped-${name}-x`, variable: target.tokens[name]?.variable ?? name },
        ]),
      ),
    },
  });

/** A server that answers every request alike, while something is done with its address. */
async function besidePage<Result>(use: (url: string) => Promise<Result>): Promise<Result> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works</h1>');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A gateway with several faults. */
const together = (...ids: readonly string[]): Subject => ({
  id: ids.join(),
  title: 'several faults',
  hooks: ids.map((id) => fault(id).hooks).reduce(composed),
});

/** The causes of what a run could not decide of the context of conversations. */
const causesOfContext = ({ requirements }: Report): readonly (string | undefined)[] => [
  ...new Set(
    requirements
      .filter(({ id, verdict }) => id.includes('.context.') && verdict === 'inconclusive')
      .map(({ cause }) => cause),
  ),
];

describe('a field that holds the text and is broken', () => {
  test.concurrent.each([
    ['messages.result.content', ['messages.result.content.object']],
    // The first failure that these replies show is another one.
    ['chat.result.choices', ['chat.result.choices.null', 'chat.result.id.number']],
  ])(
    'is the cause of all that replies without text leave open, and not the model: %s',
    async (field, ids) => {
      const report = await detect(together(...ids));
      expect(report.causes.map(({ kind }) => kind)).not.toContain('model-behaviour');
      expect(causesOfContext(report)).toEqual([`result-field-broken:${field}`]);
    },
  );

  test('is no cause where another field of the same replies is broken, and the text is empty', async () => {
    const silent: Hooks = {
      generate: (plain, ctx) => (ctx.protocol === 'chat' ? { ...plain, tokens: [] } : plain),
    };
    const broken = fault('chat.result.id.number');
    const report = await detect({ ...broken, hooks: composed(broken.hooks, silent) });
    expect(causesOfContext(report)).toEqual(['requirement-broken:service.output']);
  });

  test('is the cause of what stands in it, and no other field is', async () => {
    const { requirements } = await detect(
      together('responses.result.id.number', 'responses.result.output.number'),
    );
    const causeOf = (name: string) => requirements.find(({ id }) => id === name)?.cause;
    for (const inside of ['message', 'role', 'content', 'text'])
      expect(causeOf(`responses.result.output.${inside}`)).toBe(causeOf('responses.result.output'));
  });
});

describe('an endpoint that is absent', () => {
  test('is one cause, with its failures and all that hangs on it', async () => {
    const report = await detect(fault('responses.endpoint.without-v1'));
    expect(gating(report)).toEqual(['endpoint-absent:responses']);
    const cause = report.causes?.find(({ id }) => id === 'endpoint-absent:responses');
    expect(cause?.requirements).toEqual(
      expect.arrayContaining([...blamed(report), 'responses.result.id', 'responses.stream.text']),
    );
    expect(cause?.reproduce).toContain('/v1/responses');
    expect(cause?.configKeys).toBe(undefined);
  });

  test('leaves no row without a cause, and no cause without a row that names it', async () => {
    const report = await detect(fault('chat.endpoint.without-v1'));
    const open = report.requirements.filter(
      ({ verdict }) => verdict === 'fail' || verdict === 'inconclusive',
    );
    expect(open.filter(({ cause }) => cause === undefined)).toEqual([]);
    for (const { id, requirements, evidence } of report.causes ?? []) {
      const naming = report.requirements.filter(({ cause }) => cause === id).map((row) => row.id);
      expect([...requirements].sort()).toEqual(naming.sort());
      const recorded = report.exchanges.map((exchange) => exchange.id);
      expect(recorded).toEqual(expect.arrayContaining([...evidence]));
    }
    expect(validateReport(JSON.parse(JSON.stringify(report)))).toEqual([]);
  });

  test('passes no refusal of the matrix as stated', async () => {
    const { matrix } = await detect(fault('responses.endpoint.without-v1'));
    const refusals = matrix.filter(
      ({ protocol, expectation, observed }) =>
        protocol === 'responses' && expectation === 'refused' && observed === 'refused',
    );
    expect(refusals).toEqual([]);
  });
});

test('an endpoint that stopped is the cause of all that it leaves open', async () => {
  const report = await detect(fault('reply-not-found.responses.from-20'));
  expect(gating(report)).toEqual(['requirement-broken:service.availability']);
  const [cause] = report.causes ?? [];
  expect(cause?.requirements).toEqual(
    expect.arrayContaining(['responses.endpoint', 'responses.stream.text']),
  );
});

test('an endpoint that refuses a token from some time on, which a lock-out may be, is one cause, and no model is', async () => {
  const report = await detect(productNamed('token-refused', 'messages', 'from-20'));
  expect(gating(report)).toEqual(['endpoint-unanswered:messages']);
  expect(report.causes[0]?.summary).toMatch(
    /^POST \/v1\/messages answered \d+ valid requests?, and then none of \d+ to the end of the run \(HTTP 401\)\.$/,
  );
  expect(report.causes.map(({ kind }) => kind)).not.toContain('model-behaviour');
});

describe('a mistake of the operator fails nothing', () => {
  test.concurrent.each([
    ['a token', mistyped('default'), ['token-not-accepted:tokens.default'], ['tokens.default']],
    [
      'a model',
      (target) => ({ ...target, models: { ...target.models, general: 'g-lrge' } }),
      ['model-not-known:models.general'],
      ['models.general'],
    ],
  ] as const satisfies readonly (readonly [string, Declared, readonly string[], readonly string[]])[])(
    '%s that is mistyped',
    async (_, declared, causes, keys) => {
      const report = await detect(reference, { declared });
      expect(blamed(report)).toEqual([]);
      expect(report.verdict).toBe('inconclusive');
      expect(gating(report)).toEqual(causes);
      expect(report.causes?.[0]?.configKeys).toEqual(keys);
    },
  );

  test('all tokens that are mistyped, which can be told from no gateway that refuses everything', async () => {
    const report = await detect(reference, {
      declared: mistyped('default', 'coding-tool', 'third-party-client'),
    });
    expect(blamed(report)).toEqual([]);
    expect(gating(report)[0]).toBe('token-not-accepted:tokens.default');
  });

  test('an address where every path answers alike', async () => {
    const report = await besidePage((baseUrl) =>
      detect(reference, { declared: (target) => ({ ...target, baseUrl }) }),
    );
    expect(blamed(report)).toEqual([]);
    expect(gating(report)).toEqual(['base-address']);
    expect(report.causes?.[0]?.configKeys).toEqual(['target.baseUrl']);
  });
});

test('an endpoint that is absent fails, though a token and a model are mistyped as well', async () => {
  const report = await detect(fault('responses.endpoint.without-v1'), {
    keepGoing: true,
    declared: (target) =>
      mistyped('coding-tool')({ ...target, models: { ...target.models, conversational: 'c-lrge' } }),
  });
  expect(blamed(report)).toContain('responses.endpoint');
  expect(gating(report)).toEqual(
    expect.arrayContaining(['model-not-known:models.conversational', 'endpoint-absent:responses']),
  );
  const [first, second] = (report.causes ?? []).map(({ configKeys }) => configKeys);
  expect([first, second].flat().sort()).toEqual(['models.conversational', 'tokens.coding-tool']);
});

test.each(['smoke', 'full'] as const)('a model that is mistyped fails nothing in %s', async (profile) => {
  const declared: Declared = (target) => ({ ...target, models: { ...target.models, general: 'g-lrge' } });
  const report = await detect(reference, { profile, declared });
  expect(blamed(report)).toEqual([]);
  expect(gating(report)).toEqual(['model-not-known:models.general']);
});

describe('what looks like a mistake and is none', () => {
  test('a token that is refused on one endpoint and taken on another', async () => {
    const subject: Subject = {
      ...reference,
      hooks: {
        authenticate: (found, ctx) =>
          ctx.protocol === 'images' ? { problem: 'invalid-token', token: null } : found,
      },
    };
    const report = await detect(subject);
    expect(blamed(report)).toContain('images.endpoint');
    expect(gating(report)[0]).toBe('token-not-accepted:images');
    const [cause] = report.causes.filter(({ id }) => id === 'token-not-accepted:images');
    expect(cause?.summary).toMatch(
      /^POST \/v1\/images\/generations takes no valid token in its documented form: \d+ valid requests got what an invented token gets \(HTTP 401\), and none an answer\.$/,
    );
  });

  test('an endpoint that refuses every body, with 400 and before it reads the credential', async () => {
    const isCalled = ({ protocol, console: { models }, body }: Context): boolean =>
      protocol === 'responses' && models.some(({ name }) => name === body.model);
    const subject: Subject = {
      ...reference,
      hooks: {
        authenticate: (found, ctx) => (ctx.protocol === 'responses' ? { ...found, problem: null } : found),
        check: (problems, ctx) =>
          isCalled(ctx) ? [{ parameter: 'messages', kind: 'missing', message: 'is required' }] : problems,
      },
    };
    const report = await detect(subject);
    expect(gating(report)).toEqual(['endpoint-unanswered:responses']);
  });

  test('an endpoint that takes no streams, shown by a short request', async () => {
    const report = await detect({
      ...reference,
      hooks: {
        check: (problems, { protocol, body }) =>
          protocol === 'messages' && body.stream === true
            ? [{ parameter: 'stream', kind: 'allowed', message: 'is not offered' }]
            : problems,
      },
    });
    expect(gating(report)).toEqual(['stream-not-offered:messages']);
    const cause = report.causes?.find(({ id }) => id === 'stream-not-offered:messages');
    expect(cause?.reproduce?.length).toBeLessThan(600);
  });

  test.each(textProtocols)(
    '%s that gives nothing but streams, and what it streams is judged',
    async (own) => {
      const report = await detect({
        ...reference,
        hooks: {
          check: (problems, { protocol, body }) =>
            protocol === own && body.stream !== true
              ? [{ parameter: 'stream', kind: 'allowed', message: 'must be true' }]
              : problems,
        },
      });
      expect(gating(report)).toEqual([`parameter-not-supported:${own}.stream`]);
      expect(blamed(report)).toEqual([`${own}.param.stream.default`]);
      const verdicts = new Map(report.requirements.map(({ id, verdict }) => [id, verdict]));
      expect(verdicts.get(`${own}.stream.given`)).toBe('pass');
    },
  );

  test('an endpoint of which every valid request is answered by an error', async () => {
    const report = await detect(fault('service.dead'));
    expect(blamed(report)).toContain('chat.endpoint');
    expect(gating(report)).toContain('endpoint-unanswered:chat');
  });
});

/** Any credential, or none, is worth a token that is right for the protocol. */
const takeAll: NonNullable<Hooks['authenticate']> = (found, { protocol, console: { accounts } }) => {
  const group = protocol === 'messages' ? 'third-party-client' : 'default';
  const own = accounts.flatMap(({ tokens }) => tokens).find((token) => token.group === group);
  return { problem: null, token: found.token ?? own ?? null };
};

test('what needs the refusal of a token has the cause by which the token is answered', async () => {
  const report = await detect({ ...reference, hooks: { authenticate: takeAll } });
  expect(gating(report)[0]).toBe('not-refused:without-valid-token');
  const distinct = report.requirements.find(({ id }) => id === 'errors.authentication.distinct');
  expect(distinct).toMatchObject({ verdict: 'inconclusive', cause: 'not-refused:without-valid-token' });
  expect(report.causes[0]?.summary).toContain('requests without a valid token');
});

test('wrong parameters that are answered are one cause, however many there are', async () => {
  const report = await detect({ ...reference, hooks: { check: () => [] } });
  expect(blamed(report).length).toBeGreaterThan(20);
  expect(gating(report)).toEqual(expect.arrayContaining(['not-refused:outside-contract']));
});

test('a connection that is closed on some requests alone is no target that can’t be reached', async () => {
  const hooks: Hooks = {
    reply: (reply, { json }) => (json === undefined ? { ...reply, ending: 'dropped' } : reply),
  };
  const report = await detect({ id: 'drops-no-json', title: 'drops what is no JSON', hooks });
  expect(gating(report)).toEqual([
    'no-usable-reply:responses',
    'no-usable-reply:messages',
    'no-usable-reply:chat',
    'no-usable-reply:images',
  ]);
});

describe('replies that show a failure', () => {
  test('explain what they keep from being judged: a stream that nobody asked for, in place of each result', async () => {
    const report = await detect(productNamed('stream-unasked', 'responses', 'general'));
    expect(gating(report)).toEqual([
      'requirement-broken:responses.param.stream.accepted',
      'requirement-broken:responses.param.stream.default',
    ]);
  });

  test('explain what they keep from being judged: events of another endpoint, in place of those with a type', async () => {
    const bug = reportedBugs.find(({ source }) => source === 'vllm-project/semantic-router#2446');
    if (bug === undefined) throw new Error('the bug is not listed');
    const report = await detect(bug, { selected: { suites: ['streams', 'results'] } });
    expect(gating(report)).toEqual(['requirement-broken:responses.stream.event-type']);
  });

  test('are one cause for their text, as streams and as replies', async () => {
    const report = await detect(fault('messages.stream.text.none'));
    expect(gating(report)).toEqual(['requirement-broken:service.output']);
    expect(blamed(report)).toContain('messages.stream.text');
  });

  test('explain what they keep from being judged: streams without any event', async () => {
    const report = await detect(fault('responses.stream.text.no-events'));
    expect(gating(report)).toEqual(['requirement-broken:responses.stream.text']);
  });

  test('explain what they keep from being judged: streams that are cut', async () => {
    const report = await detect(productNamed('stream-cut', 'messages', 'history'));
    expect(gating(report)).toEqual(['requirement-broken:messages.stream.end']);
  });

  test('are one cause for all fields that they lack', async () => {
    const report = await detect(productNamed('reply-in-array', 'chat', 'non-ascii'));
    const [cause] = report.causes.filter(({ kind }) => kind === 'result-field-broken');
    expect(gating(report)).toEqual(['result-field-broken:chat.result.id']);
    expect(cause?.summary).toMatch(
      /^POST \/v1\/chat\/completions answers without `id`, .* and `usage`, in \d+ of \d+ replies, exactly those with letters or signs beyond ASCII/,
    );
  });

  test('are one cause where the texts of several endpoints are changed in the same way', async () => {
    const [one, other] = ['chat', 'messages'].map((path) => productNamed('text-trimmed', path, 'streamed'));
    const hooks = composed(one?.hooks ?? {}, other?.hooks ?? {});
    const report = await detect({ id: 'joined', title: 'blanks are lost', hooks });
    expect(gating(report)).toEqual(['requirement-broken:messages.stream.complete']);
    expect(report.causes[0]?.requirements).toEqual(['messages.stream.complete', 'chat.stream.complete']);
    expect(report.causes[0]?.summary).toMatch(
      /^POST \/v1\/messages: .* So it is at POST \/v1\/chat\/completions \(\d+ of \d+\)\.$/,
    );
  });

  test('are the cause of what is refused for an id in them', async () => {
    let whole = 0;
    const chatCompletion = (id: string) => ({
      ...{ id, object: 'chat.completion', created: 1_790_000_000, model: 'm' },
      choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
    });
    const hooks: Hooks = {
      result: (body, { protocol }) => {
        if (protocol === 'responses') whole += 1;
        return protocol === 'responses' && whole % 2 === 0 ? chatCompletion(`chatcmpl-${whole}`) : body;
      },
    };
    const suites = ['results', 'context', 'parameters'] as const;
    const report = await detect(
      { id: 'other-shape', title: 'another shape', hooks },
      { selected: { suites } },
    );
    const id = 'responses.param.previous-response-id.accepted';
    expect(report.requirements.find((row) => row.id === id)).toMatchObject({
      verdict: 'fail',
      cause: expect.stringMatching(/^result-field-broken:responses\.result\./),
    });
    expect(report.causes.map(({ kind }) => kind)).not.toContain('parameter-not-supported');
  });
});
