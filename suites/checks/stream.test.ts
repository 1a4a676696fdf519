import { describe, expect, it } from 'vitest';
import { type TextProtocol, textProtocols } from '../../spec/vocabulary.ts';
import type { Check } from '../types/checks/check.ts';
import type { Setting } from '../types/combination.ts';
import type { Exchange } from '../types/exchange.ts';
import {
  answered,
  viewOf,
  events,
  findingOf,
  findingsOf,
  judge,
  replied,
  unanswered,
} from './evidence.fixture.ts';

const every = ['given', 'well-formed', 'text', 'end'];
const own: Readonly<Record<TextProtocol, readonly string[]>> = {
  responses: ['event-type', 'delta'],
  messages: [],
  chat: ['chunk.choices', 'chunk.delta', 'chunk.content'],
};
const requirements = (protocol: TextProtocol) =>
  [...every, ...own[protocol]].map((aspect) => `${protocol}.stream.${aspect}`);

const judged = (protocol: TextProtocol, ...entries: readonly Exchange[]) => {
  const check: Check = { kind: 'stream', protocol, probes: ['a'] };
  const callers = [{ family: 'general', group: 'default' }] as const;
  const streamed = Object.fromEntries(
    entries.map(({ id }) => [id, { callers, stream: !id.startsWith('whole') }]),
  );
  return judge(
    check,
    viewOf(protocol, entries, { a: { stream: true }, ...streamed }),
    requirements(protocol),
  );
};

/** The same request several times, beside as many that are answered without a stream as tell a failure from chance. */
const repeated = (entry: Exchange): readonly Exchange[] =>
  ['', ...'bcdefgh'].map((again) => ({ ...entry, id: `${entry.id}${again}` }));
const whole = (protocol: TextProtocol): readonly Exchange[] =>
  Array.from({ length: 20 }, (_, at) => answered(`whole${at}`, protocol));

const failing = (protocol: TextProtocol, entry: Exchange) =>
  findingsOf(judged(protocol, ...repeated(entry), ...whole(protocol))).flatMap((finding) =>
    finding.verdict === 'fail' ? [finding] : [],
  );

const sse = (...data: readonly unknown[]) => replied('a', { pieces: events(data) });
const text = (body: string) => replied('a', { text: body });

const written = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;

const hello = { choices: [{ index: 0, delta: { content: 'hello' } }] };
const delta = { type: 'response.output_text.delta', delta: 'hello' };
const block = { type: 'content_block_delta', delta: { type: 'text_delta', text: 'hello' } };

const conformant: readonly (readonly [TextProtocol, string, Exchange])[] = [
  ['chat', 'a chunk with no choices', sse(hello, { choices: [], usage: { total_tokens: 3 } }, '[DONE]')],
  ['chat', 'a first chunk with a role only', sse({ choices: [{ delta: { role: 'assistant' } }] }, hello)],
  ['chat', 'a content of null', sse({ choices: [{ delta: { content: null } }] }, hello)],
  ['chat', 'an empty content', sse({ choices: [{ delta: { content: '' } }] }, hello)],
  ['chat', 'an empty last delta', sse(hello, { choices: [{ delta: {}, finish_reason: 'stop' }] })],
  ['chat', 'no terminator', sse(hello)],
  ['chat', 'a terminator that comes twice', sse(hello, '[DONE]', '[DONE]')],
  ['chat', 'events of another kind between', sse({ type: 'ping' }, hello, { type: 'metrics', tokens: 1 })],
  [
    'chat',
    'an event of a name of its own, with an id of its own',
    text(`event: hook_results\ndata: {"id":"hk_1","hook_results":{}}\n\n${written(hello)}`),
  ],
  [
    'chat',
    'an event of a name of its own, with the id of the chunks and their model',
    text(`event: cost\ndata: {"id":"c","model":"m","cost":1}\n\n${written({ id: 'c', ...hello })}`),
  ],
  ['chat', 'an event without a name that has an id of its own', sse({ id: 'tr_1', trace: {} }, hello)],
  ['chat', 'an event without a name that has a model and no id', sse({ model: 'm', trace: {} }, hello)],
  [
    'chat',
    'CRLF, comments and a byte order mark',
    text(`\uFEFF: hi\r\n\r\ndata: ${JSON.stringify(hello)}\r\n\r\n`),
  ],
  ['chat', 'JSON lines', text(`${JSON.stringify(hello)}\n${JSON.stringify({ choices: [] })}\n`)],
  ['chat', 'JSON values glued together', text(`${JSON.stringify(hello)}${JSON.stringify({ choices: [] })}`)],
  [
    'responses',
    'events of unknown types',
    sse({ type: 'response.created' }, { type: 'x.y' }, delta, { type: 'response.completed' }),
  ],
  ['responses', 'an empty delta', sse({ ...delta, delta: '' }, delta)],
  ['messages', 'the known dialect', sse({ type: 'message_start' }, block, { type: 'message_stop' })],
  ['messages', 'a dialect of its own', sse({ text: 'hel' }, { text: 'lo' })],
  ['messages', 'events of unknown shape', sse({ t: 'hel' }, { t: 'lo' })],
  ['messages', 'one event of unknown shape', sse({ t: 'hello' }, '[DONE]')],
  ['messages', 'events of bare text', sse('hel', 'lo')],
];

const noText = 'the stream carries no text';

type Mutant = readonly [
  aspect: string,
  data: string | readonly unknown[],
  finding: Readonly<Record<string, string>>,
];
/** Streams with one thing wrong: what is blamed for it, alone, and where. */
const broken: Readonly<Record<TextProtocol, readonly Mutant[]>> = {
  chat: [
    [
      'well-formed',
      `data: ${JSON.stringify(hello)}\n\ndata: {"choices":\n\ndata: [DONE]\n\n`,
      { pointer: 'event 1', message: 'the event is not JSON', actual: '{"choices":' },
    ],
    [
      'well-formed',
      `data: ${JSON.stringify(hello)}\n\ndata: {"choi`,
      { pointer: 'event 1', message: 'the last event is incomplete' },
    ],
    [
      'text',
      [{ choices: [{ delta: { role: 'assistant' } }] }, { choices: [{ delta: {} }] }],
      { message: 'the stream carries no text', expected: 'events that carry text' },
    ],
    [
      'chunk.choices',
      [hello, { id: 'c', object: 'chat.completion.chunk' }],
      { pointer: 'event 1 /choices', actual: '{"id":"c","object":"chat.completion.chunk"}' },
    ],
    ...[{ id: 'c' }, { id: 'd', created: 1_790_000_000 }, { id: 'd', model: 'm-large' }].map(
      (data): Mutant => ['chunk.choices', [{ id: 'c', ...hello }, data], { pointer: 'event 1 /choices' }],
    ),
    [
      'chunk.choices',
      `${written(hello)}event: message\n${written({ id: 'd', model: 'm-large' })}`,
      { pointer: 'event 1 /choices' },
    ],
    ['chunk.choices', [hello, { choices: {} }], { pointer: 'event 1 /choices', actual: '{}' }],
    ['chunk.delta', [hello, { choices: [7] }], { pointer: 'event 1 /choices/0' }],
    ['chunk.delta', [hello, { choices: [{ text: 'hello' }] }], { pointer: 'event 1 /choices/0/delta' }],
    ['chunk.delta', [hello, { choices: [{ delta: 'hello' }] }], { pointer: 'event 1 /choices/0/delta' }],
    [
      'chunk.content',
      [hello, { choices: [{ delta: { content: 7 } }] }],
      { pointer: 'event 1 /choices/0/delta/content', expected: 'a string or null' },
    ],
    ['text', ['[DONE]'], { message: noText }],
    ['text', ': wait\n\n: wait\n\n', { message: noText }],
    ['text', [{ t: 'hel' }, { t: 'lo' }], { message: noText }],
    ['well-formed', ['hel', 'lo'], { message: 'the event is not JSON', pointer: 'event 0' }],
  ],
  responses: [
    ['event-type', [delta, { delta: 'hello' }], { pointer: 'event 1 /type', expected: 'a string' }],
    [
      'delta',
      [delta, { ...delta, delta: { text: 'hello' } }],
      { pointer: 'event 1 /delta', expected: 'a string' },
    ],
    [
      'text',
      [{ type: 'response.created' }, { type: 'response.completed' }],
      { message: 'the stream carries no text' },
    ],
    ['text', ['[DONE]'], { message: noText }],
  ],
  messages: [
    [
      'text',
      [{ type: 'message_start' }, { type: 'message_stop' }],
      { message: 'the stream carries no text' },
    ],
    ['text', [{ n: 1 }, { n: 2 }], { message: noText }],
    ['text', [], { message: noText, actual: 'no event' }],
  ],
};
const mutants = textProtocols.flatMap((protocol) =>
  broken[protocol].map((row) => [protocol, ...row] as const),
);

describe('stream', () => {
  it.each(mutants)('%s.stream.%s alone is failed by %j', (protocol, aspect, data, finding) => {
    const [first, ...more] = failing(protocol, typeof data === 'string' ? text(data) : sse(...data));
    expect(more).toEqual([]);
    const { message = '', ...rest } = finding;
    expect(first).toMatchObject({ requirement: `${protocol}.stream.${aspect}`, ...rest });
    expect(first?.message).toContain(message);
    expect(first?.exchange).toBe('a');
  });

  it('chat.stream.given alone is failed by one document', () => {
    expect(failing('chat', answered('a'))).toMatchObject([
      {
        requirement: 'chat.stream.given',
        message: 'a stream was requested and one document came',
        expected: 'a stream of events',
      },
    ]);
  });

  it.each(conformant)('fails nothing of %s for %s', (protocol, _, entry) => {
    expect(failing(protocol, entry)).toEqual([]);
    for (const aspect of every)
      expect(findingOf(judged(protocol, entry), `${protocol}.stream.${aspect}`).verdict).toBe('pass');
  });

  it('does not blame the text twice where its events are wrong already', () => {
    const entry = sse({ choices: [{ delta: { content: 7 } }] });
    expect(failing('chat', entry).map(({ requirement }) => requirement)).toEqual([
      'chat.stream.chunk.content',
    ]);
    expect(findingOf(judged('chat', entry), 'chat.stream.text').verdict).toBe('inconclusive');
  });

  it('judges the parts of an event only where there are such events', () => {
    const verdictOf = (protocol: TextProtocol, entry: Exchange, aspect: string) =>
      findingOf(judged(protocol, entry), `${protocol}.stream.${aspect}`).verdict;
    for (const aspect of own.chat) expect(verdictOf('chat', sse(hello), aspect)).toBe('pass');
    for (const aspect of own.responses) expect(verdictOf('responses', sse(delta), aspect)).toBe('pass');
    const bare = sse({ choices: [] });
    expect(verdictOf('chat', bare, 'chunk.choices')).toBe('pass');
    expect(verdictOf('chat', bare, 'chunk.delta')).toBe('inconclusive');
    expect(verdictOf('chat', sse({ choices: [{ delta: {} }] }), 'chunk.content')).toBe('inconclusive');
    expect(verdictOf('responses', sse({ type: 'response.created' }), 'delta')).toBe('inconclusive');
  });

  it.each([
    ['by its choices', { choices: {} }, true],
    ['by its object', { object: 'chat.completion.chunk' }, true],
    ['by the id of another', { id: 'c' }, true],
    ['not by an id of its own', { id: 'd' }, false],
    ['not by its id where it has a type', { id: 'c', type: 'metrics' }, false],
    ['not where it has neither', { model: 'm' }, false],
  ])('knows a chunk %s', (_, data, isChunk) => {
    const blamed = isChunk ? ['chat.stream.chunk.choices'] : [];
    expect(failing('chat', sse({ id: 'c', ...hello }, data)).map(({ requirement }) => requirement)).toEqual(
      blamed,
    );
  });

  it('does not blame the text where an event could not be read', () => {
    const blamed = failing(
      'chat',
      text('data: {"choices":[{"delta":{"role":"assistant"}}]}\n\ndata: {"x\n\ndata: [DONE]\n\n'),
    );
    expect(blamed.map(({ requirement }) => requirement)).toEqual(['chat.stream.well-formed']);
  });

  it('shows what came where no text did, and nothing where nothing is wrong', () => {
    const [mute] = failing('messages', sse({ type: 'message_start' }, { type: 'message_stop' }));
    expect(mute?.actual).toContain('message_stop');
    expect(judged('chat', sse(hello))).not.toHaveProperty('shows');
  });

  it('does not decide whether events of messages carry text that say the same string again and again', () => {
    const judgement = judged('messages', sse({ t: 'ha' }, { t: 'ha' }));
    expect(findingOf(judgement, 'messages.stream.text')).toMatchObject({
      verdict: 'inconclusive',
      message: 'no stream came that could show it',
    });
    expect(findingOf(judgement, 'messages.stream.given').verdict).toBe('pass');
  });

  it('fails one bad stream among good ones, and shows it', () => {
    const bad = replied('b', { pieces: events([hello, { choices: {} }]) });
    const judgement = judged('chat', sse(hello), bad);
    expect(judgement.shows).toBe('b');
    expect(findingOf(judgement, 'chat.stream.chunk.choices')).toMatchObject({
      verdict: 'fail',
      exchange: 'b',
    });
    expect(findingOf(judgement, 'chat.stream.text').verdict).toBe('pass');
  });

  it.each(unanswered)('is inconclusive on %s', (_, entry, why) => {
    const judgement = judge(
      { kind: 'stream', protocol: 'chat', probes: ['a'] },
      viewOf('chat', [entry('a')], { a: { stream: true } }),
      requirements('chat'),
    );
    for (const finding of findingsOf(judgement)) {
      expect(finding).toMatchObject({
        verdict: 'inconclusive',
        message: 'no stream came that could show it',
        actual: expect.stringMatching(why),
      });
    }
  });
});

describe('the fragments of a stream', () => {
  const saying = (protocol: TextProtocol, texts: readonly string[]): Exchange =>
    sse(
      ...texts.map((content) =>
        protocol === 'chat'
          ? { choices: [{ index: 0, delta: { content } }] }
          : protocol === 'responses'
            ? { ...delta, delta: content }
            : { ...block, delta: { type: 'text_delta', text: content } },
      ),
    );
  const growing = ['a', 'a b', 'a b c', 'a b c d', 'a b c d e'];

  it.each(['chat', 'responses'] as const)('are pieces of the text: %s', (protocol) => {
    const found = failing(protocol, saying(protocol, growing));
    expect(found).toMatchObject([{ requirement: `${protocol}.stream.text`, code: 'fragments-repeat-all' }]);
  });

  it.each([
    ['that say the same word again', ['ha', 'ha', 'ha', 'ha', 'ha', 'ha']],
    ['of which only some begin as the one before', ['a', 'a b', 'a b c', 'a b c d', 'e']],
    ['of which there are few', growing.slice(0, 3)],
  ])('may be ones %s', (_, texts) => {
    expect(failing('chat', saying('chat', texts))).toEqual([]);
  });

  it('are not judged where the events are not shown', () => {
    expect(failing('messages', saying('messages', growing))).toEqual([]);
  });
});

describe('the end of a stream', () => {
  const cut = { kind: 'cut', detail: 'the connection was reset' } as const;
  const half = (before: readonly Partial<Exchange['attempts'][number]>[]) =>
    replied('a', { pieces: events([hello]), ending: cut, before });

  it('fails where the stream is cut in every attempt', () => {
    const fails = failing('chat', half([{ ending: cut }, { ending: cut }]));
    expect(fails).toHaveLength(1);
    expect(fails[0]).toMatchObject({
      requirement: 'chat.stream.end',
      message: 'the stream is cut in each of 3 attempts',
      exchange: 'a',
      expected: 'a stream that ends in order',
      actual: expect.stringMatching(/^the connection was reset after \d+ bytes$/),
    });
  });

  it('fails where it is cut in both of two attempts, and says how', () => {
    const bare = replied('a', {
      pieces: events([hello]),
      ending: { kind: 'cut', detail: 'closed' },
      before: [{ ending: cut }],
    });
    expect(failing('chat', bare)).toMatchObject([
      {
        message: 'the stream is cut in each of 2 attempts',
        actual: expect.stringMatching(/^closed after/),
      },
    ]);
  });

  it.each([
    ['in the only attempt', half([])],
    ['once, beside another reason', half([{ ending: { kind: 'timeout', afterMs: 100 } }])],
    ['once, after a 503', half([{ status: 503 }])],
  ])('is inconclusive where it is cut %s', (_, entry) => {
    expect(failing('chat', entry)).toEqual([]);
    expect(findingOf(judged('chat', entry), 'chat.stream.end')).toMatchObject({
      verdict: 'inconclusive',
      actual: expect.stringMatching(/^the reply broke off: the connection was reset/),
    });
  });

  const failed = { retry: { kind: 'confirm-failure' } } as const;
  const overload = { type: 'overloaded_error', message: 'Overloaded' };
  const data = { chat: hello, responses: delta, messages: block };
  const ending = (
    protocol: TextProtocol,
    event: object,
    ...before: Partial<Exchange['attempts'][number]>[]
  ) => replied('a', { pieces: events([data[protocol], event]), before });

  it.each<[TextProtocol, object]>([
    ['chat', { error: overload }],
    ['chat', { error: 'overloaded' }],
    ['responses', { type: 'error', code: 'server_error', message: 'Overloaded' }],
    ['responses', { type: 'response.failed', response: { error: overload } }],
    ['messages', { type: 'error', error: overload }],
  ])('of %s fails where an error follows the text, and did before: %j', (protocol, event) => {
    expect(failing(protocol, ending(protocol, event, failed))).toMatchObject([
      { requirement: `${protocol}.stream.end`, exchange: 'a', pointer: 'event 1' },
    ]);
    const once = judged(protocol, ending(protocol, event));
    expect(findingOf(once, `${protocol}.stream.end`).verdict).toBe('inconclusive');
    const afterOverload = ending(protocol, event, { status: 503 });
    expect(findingOf(judged(protocol, afterOverload), `${protocol}.stream.end`).verdict).toBe('inconclusive');
  });

  it('fails where an event is called error', () => {
    const pieces = [`${written(block)}event: error\n${written({ reason: 'overloaded' })}`];
    const entry = replied('a', { text: pieces.join(''), before: [failed] });
    expect(failing('messages', entry)).toMatchObject([{ requirement: 'messages.stream.end' }]);
  });

  it.each<[TextProtocol, object]>([
    ['chat', { choices: [], error: null }],
    ['chat', { choices: [], error: 'none' }],
    ['chat', { choices: [], error: { code: 0, message: '' } }],
    ['responses', { type: 'response.completed', response: { error: null } }],
    ['responses', { type: 'response.incomplete', response: { status: 'incomplete' } }],
    ['messages', { type: 'message_delta', delta: { stop_reason: 'refusal' } }],
  ])('of %s passes where an event tells of no failure: %j', (protocol, event) => {
    const entry = ending(protocol, event, failed);
    expect(findingOf(judged(protocol, entry), `${protocol}.stream.end`).verdict).toBe('pass');
  });

  it('passes where an earlier attempt was cut and the last one was not', () => {
    const entry = replied('a', { pieces: events([hello, '[DONE]']), before: [{ ending: cut }] });
    expect(findingOf(judged('chat', entry), 'chat.stream.end').verdict).toBe('pass');
  });
});

describe('a stream without text', () => {
  const mute = (id: string, times: number): Exchange => {
    const silent = events([{ choices: [{ delta: {} }] }]);
    const { response } = replied(id, { pieces: silent });
    const before = Array.from({ length: times - 1 }, () => (response ? { response } : {}));
    return replied(id, { pieces: silent, before });
  };
  const speaking = Array.from({ length: 120 }, (_, at) => replied(`s${at}`, { pieces: events([hello]) }));
  const textOf = (...entries: readonly Exchange[]) =>
    findingOf(judged('chat', ...entries), 'chat.stream.text');

  it('that stays silent as often as chance does not explain has failed', () => {
    expect(textOf(...speaking, mute('a', 4))).toMatchObject({ verdict: 'fail', exchange: 'a' });
  });

  it('is no failure where other replies are silent now and then, too', () => {
    const others = speaking.map((each, at) => (at % 9 === 0 ? mute(each.id, 1) : each));
    expect(textOf(...others, mute('a', 4)).verdict).toBe('pass');
  });

  it('is undecided where there is nothing to hold it against', () => {
    expect(textOf(mute('a', 4))).toMatchObject({
      verdict: 'inconclusive',
      message: expect.stringContaining('the only stream carries no text'),
    });
  });

  it('and without events may be the refusal of what nothing shows to be taken', () => {
    const empty = repeated(sse('[DONE]'));
    const outcome = (setting: Partial<Setting>, ...taken: readonly Exchange[]) => {
      const settings = [{ factor: 'list', description: 'a list', requirements: [], ...setting }];
      const combination = { base: {}, content: 'input', isListed: false, question: '', settings };
      const requests = Object.fromEntries(
        [...empty, ...taken].map(({ id }) => [id, { stream: id.startsWith('a'), combination }]),
      );
      const entries = [...empty, ...taken, replied('s', { pieces: events([delta]) }), ...whole('responses')];
      const check: Check = { kind: 'stream', protocol: 'responses', probes: ['s'] };
      const view = viewOf('responses', entries, { ...requests, s: { stream: true } });
      return findingOf(judge(check, view, requirements('responses')), 'responses.stream.text').verdict;
    };
    expect(outcome({})).toBe('fail');
    expect(outcome({ mayBeRefused: true })).toBe('pass');
    expect(outcome({ mayBeRefused: true }, answered('taken', 'responses'))).toBe('fail');
  });
});
