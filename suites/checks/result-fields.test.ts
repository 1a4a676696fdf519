import type { Template } from '../types/template.ts';
import { describe, expect, it } from 'vitest';
import { type Protocol, protocols } from '../../spec/vocabulary.ts';
import { fieldRequirements } from '../cases/results/results.ts';
import type { Check } from '../types/checks/check.ts';
import {
  answered,
  viewOf,
  events,
  findingOf,
  findingsOf,
  judge,
  refused,
  replied,
  result,
  undecided,
} from './evidence.fixture.ts';

const check = (protocol: Protocol): Check => ({
  kind: 'result-fields',
  protocol,
  requirements: fieldRequirements(protocol),
  probes: ['probe'],
});

const judged = (protocol: Protocol, ...bodies: readonly unknown[]) => {
  const entries = bodies.map((json, index) => replied(index === 0 ? 'probe' : `other-${index}`, { json }));
  return judge(check(protocol), viewOf(protocol, entries));
};

const failing = (protocol: Protocol, json: unknown) =>
  findingsOf(judged(protocol, json)).flatMap((finding) => (finding.verdict === 'fail' ? [finding] : []));

type Json = Readonly<Record<string, unknown>>;

const chat = result.chat('hello');
const [choice] = chat.choices;
const response = result.responses('hello');
const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hello' }] };
const images = result.images('1');

const without = (json: Json, name: string): Json =>
  Object.fromEntries(Object.entries(json).filter(([key]) => key !== name));
const withChoice = (change: Json): Json => ({ ...chat, choices: [{ ...choice, ...change }] });
const withUsage = (change: Json): Json => ({ ...chat, usage: { ...chat.usage, ...change } });
const withOutput = (...output: readonly unknown[]): Json => ({ ...response, output });

type Mutant = readonly [field: string, json: unknown, pointer: string, actual: string];
/** Results with one thing wrong: what is blamed for it, alone, and where. */
const broken: Readonly<Record<Protocol, readonly Mutant[]>> = {
  responses: [
    ['id', without(response, 'id'), '/id', 'no value'],
    ['id', { ...response, id: '' }, '/id', '""'],
    ['object', { ...response, object: 'resp' }, '/object', '"resp"'],
    ['output', { ...response, output: {} }, '/output', '{}'],
    ['output.message', withOutput({ type: 'reasoning' }), '/output', '[{"type":"reasoning"}]'],
    ['output.role', withOutput({ ...message, role: 'user' }), '/output/0/role', '"user"'],
    [
      'output.role',
      withOutput({ type: 'reasoning' }, { ...message, role: 'user' }),
      '/output/1/role',
      '"user"',
    ],
    ['output.content', withOutput({ ...message, content: 'hello' }), '/output/0/content', '"hello"'],
    [
      'output.content-type',
      withOutput({ ...message, content: [{ type: 'text', text: 'hello' }] }),
      '/output/0/content',
      '[{"type":"text","text":"hello"}]',
    ],
    [
      'output.text',
      withOutput({ ...message, content: [{ type: 'output_text' }] }),
      '/output/0/content/0/text',
      'no value',
    ],
    ['output-text', { ...response, output_text: ['hello'] }, '/output_text', '["hello"]'],
    ['output-text.equal', { ...response, output_text: 'bye' }, '/output_text', '"bye"'],
  ],
  messages: [
    ['content.text', { type: 'message', content: [] }, '/content', '[]'],
    [
      'content.text',
      {
        content: [
          { type: 'text', text: '' },
          { type: 'text', text: 'hello' },
        ],
      },
      '/content/0/text',
      '""',
    ],
    ['content', { type: 'message', content: 'hello' }, '/content', '"hello"'],
    ['content.text', { type: 'message', content: [{ type: 'text' }] }, '/content/0/text', 'no value'],
  ],
  chat: [
    ['id', { ...chat, id: 7 }, '/id', '7'],
    ['id', { ...chat, id: '' }, '/id', '""'],
    ['object', { ...chat, object: 'completion' }, '/object', '"completion"'],
    ['created', { ...chat, created: '1790000000' }, '/created', '"1790000000"'],
    ['created', { ...chat, created: 1_790_000_000_000 }, '/created', '1790000000000'],
    ['created', { ...chat, created: 0 }, '/created', '0'],
    ['model', without(chat, 'model'), '/model', 'no value'],
    ['choices', { ...chat, choices: [] }, '/choices', '[]'],
    ['choices.index', { ...chat, choices: [without(choice ?? {}, 'index')] }, '/choices/0/index', 'no value'],
    [
      'choices.role',
      withChoice({ message: { role: 'bot', content: 'hello' } }),
      '/choices/0/message/role',
      '"bot"',
    ],
    [
      'choices.content',
      withChoice({ message: { role: 'assistant', content: ['hello'] } }),
      '/choices/0/message/content',
      '["hello"]',
    ],
    ['choices.finish-reason', withChoice({ finish_reason: null }), '/choices/0/finish_reason', 'null'],
    ['usage', without(chat, 'usage'), '/usage', 'no value'],
    ['usage.prompt-tokens', withUsage({ prompt_tokens: '5' }), '/usage/prompt_tokens', '"5"'],
    ['usage.completion-tokens', withUsage({ completion_tokens: 1.5 }), '/usage/completion_tokens', '1.5'],
    ['usage.total-tokens', withUsage({ total_tokens: null }), '/usage/total_tokens', 'null'],
  ],
  images: [
    ['created', without(images, 'created'), '/created', 'no value'],
    ['created', { ...images, created: 1_790_000_000_000 }, '/created', '1790000000000'],
    ['data', { ...images, data: { url: 'x' } }, '/data', '{"url":"x"}'],
  ],
};

const mutants = protocols.flatMap((protocol) => broken[protocol].map((row) => [protocol, ...row] as const));

/** Results that differ from the shown ones in what the interface leaves free. */
const conformant: readonly (readonly [Protocol, string, unknown])[] = [
  ['chat', 'created far in the past', { ...chat, created: 1_000_000_000 }],
  ['chat', 'another finish_reason', withChoice({ finish_reason: 'length' })],
  ['chat', 'empty content', withChoice({ message: { role: 'assistant', content: '' } })],
  [
    'chat',
    'unknown fields everywhere',
    { ...withUsage({ cached: 1 }), system_fingerprint: null, service_tier: {} },
  ],
  ['chat', 'several choices', { ...chat, choices: [choice, { ...choice, index: 1 }] }],
  [
    'responses',
    'a reasoning item before the message',
    withOutput({ type: 'reasoning', summary: [] }, message),
  ],
  [
    'responses',
    'a second message item of another shape',
    withOutput(message, { type: 'message', role: 'tool', content: 7 }),
  ],
  [
    'responses',
    'a part of another type after the text',
    withOutput({ ...message, content: [...message.content, { type: 'refusal' }] }),
  ],
  [
    'messages',
    'a second block of another type',
    {
      content: [
        { type: 'text', text: 'hello' },
        { type: 'tool_use', input: {} },
      ],
    },
  ],
  [
    'messages',
    'an empty text before a block of another kind with one',
    {
      content: [
        { type: 'text', text: '' },
        { type: 'note', text: 'filtered' },
      ],
      usage: {},
    },
  ],
  [
    'messages',
    'an empty text after the reply, and before another empty one',
    { content: ['hello', '', ''].map((text) => ({ type: 'text', text })) },
  ],
  ['messages', 'a block without type', { id: 'msg_1', content: [{ text: 'hello' }] }],
  ['images', 'elements as bare strings beside a url', { ...images, data: [...images.data, 'aGVsbG8='] }],
  ['images', 'an empty data, whose count is a requirement of its own', { ...images, data: [] }],
];

describe('result-fields', () => {
  it.each(mutants)('%s.result.%s alone is failed by %j', (protocol, aspect, json, pointer, actual) => {
    const requirement = `${protocol}.result.${aspect}`;
    const fails = failing(protocol, json);
    expect(fails.map((finding) => finding.requirement)).toEqual([requirement]);
    expect(fails[0]).toMatchObject({ pointer, actual, exchange: 'probe' });
    expect(fails[0]?.expected).not.toBe('');
  });

  it('has a mutant for every field that is judged', () => {
    const covered = new Set(mutants.map(([protocol, aspect]) => `${protocol}.result.${aspect}`));
    const all = (['responses', 'messages', 'chat', 'images'] as const).flatMap(fieldRequirements);
    expect([...covered].sort()).toEqual([...all].sort());
  });

  it.each(['responses', 'messages', 'chat', 'images'] as const)(
    'passes every field of a result of %s as section 2 has it',
    (protocol) => {
      const { findings } = judge(check(protocol), viewOf(protocol, [answered('probe', protocol)]));
      expect(findings).toEqual(
        fieldRequirements(protocol).map((requirement) => ({ requirement, verdict: 'pass' })),
      );
    },
  );

  it.each(conformant)('fails nothing of %s for %s', (protocol, _, json) => {
    expect(failing(protocol, json)).toEqual([]);
  });

  it.each([
    [1, []],
    [16, []],
    [17, ['messages.result.content.text']],
    [256, ['messages.result.content.text']],
  ])('takes a reply without any block at max_tokens %i for what it may be', (limit, blamed) => {
    const entries = [
      answered('probe', 'messages'),
      replied('limited', { json: { type: 'message', content: [] } }),
    ];
    const body = { json: { max_tokens: limit } };
    const { findings } = judge(check('messages'), viewOf('messages', entries, { limited: { body } }));
    expect(findings.flatMap(({ verdict, requirement }) => (verdict === 'fail' ? [requirement] : []))).toEqual(
      blamed,
    );
  });

  it.each([
    [
      'messages',
      { type: 'message', content: [{ type: 'text', text: null }] },
      'messages.result.content.text',
    ],
    ['chat', withChoice({ finish_reason: null }), 'chat.result.choices.finish-reason'],
  ] as const)('judges what a reply of %s at its limit does have', (protocol, json, requirement) => {
    const entries = [answered('probe', protocol), replied(`${protocol}.limit.1`, { json })];
    const body = { json: { max_tokens: 1 } };
    const view = viewOf(protocol, entries, { [`${protocol}.limit.1`]: { body } });
    expect(findingOf(judge(check(protocol), view), requirement)).toMatchObject({
      verdict: 'fail',
      exchange: `${protocol}.limit.1`,
    });
  });

  it('judges the answer to each spelling of a list as input, and no other request whose answer is open', () => {
    const wrong = replied('responses.input.elements.typed', { json: { ...response, object: 7 } });
    const open = (input: Template) => ({ expect: 'either', body: { json: { input } } }) as const;
    const found = (input: Template) =>
      findingOf(
        judge(
          check('responses'),
          viewOf('responses', [answered('probe', 'responses'), wrong], { [wrong.id]: open(input) }),
        ),
        'responses.result.object',
      );
    expect(found([{ role: 'user', content: 'hi' }])).toMatchObject({ verdict: 'fail', exchange: wrong.id });
    expect(found('hi').verdict).toBe('pass');
  });

  it('blames a message that is missing for its role and its content', () => {
    const fails = failing('chat', { ...chat, choices: [without(choice ?? {}, 'message')] });
    expect(fails.map(({ requirement }) => requirement)).toEqual([
      'chat.result.choices.role',
      'chat.result.choices.content',
    ]);
  });

  it('does not judge what lies inside a field that is wrong', () => {
    const judgement = judged('chat', { ...chat, usage: 7 });
    expect(findingOf(judgement, 'chat.result.usage').verdict).toBe('fail');
    expect(findingOf(judgement, 'chat.result.usage.total-tokens')).toMatchObject({
      verdict: 'inconclusive',
      message: "`usage` must be an object: what is in it can't be looked at",
    });
  });

  it('looks at every other answer of the plan, and shows the one that is wrong', () => {
    const judgement = judged('chat', chat, chat, { ...chat, model: 7 });
    expect(judgement.shows).toBe('other-2');
    expect(findingOf(judgement, 'chat.result.model')).toMatchObject({
      message: '`model` must be a string, in 1 of 3 replies',
      exchange: 'other-2',
    });
  });

  it('shows the first of several results that are wrong in the same field', () => {
    const judgement = judged('chat', { ...chat, id: 7 }, { ...chat, id: 8 }, { ...chat, id: '9' });
    expect(findingOf(judgement, 'chat.result.id')).toMatchObject({ actual: '7', exchange: 'probe' });
    expect(judgement.shows).toBe('probe');
  });

  it('passes what one result shows where another hides it', () => {
    const judgement = judged('responses', withOutput({ type: 'reasoning' }, message), response);
    expect(findingOf(judgement, 'responses.result.output.text').verdict).toBe('pass');
  });

  it.each([
    ['two text parts', withOutput({ ...message, content: [...message.content, ...message.content] })],
    ['two messages', withOutput(message, message)],
    [
      'a text beside a refusal',
      {
        ...withOutput({ ...message, content: [...message.content, { type: 'refusal' }] }),
        output_text: 'hello, no',
      },
    ],
  ])('leaves output_text untested against %s: how they are joined is not shown', (_, json) => {
    expect(findingOf(judged('responses', json), 'responses.result.output-text.equal')).toMatchObject({
      verdict: 'untested',
      message: 'no reply came with `output_text` and its text in one part',
    });
  });

  const stream = (id: string) =>
    replied(id, { pieces: events([{ choices: [{ delta: { content: 'hello' } }] }]) });
  const none: readonly (readonly [name: string, entry: (typeof undecided)[number][1]])[] = [
    ...undecided.map(([name, entry]) => [name, entry] as const),
    ['a refusal', refused],
    ['a stream', stream],
  ];
  it.each(none)('is inconclusive on %s', (_, entry) => {
    const { findings } = judge(check('chat'), viewOf('chat', [entry('probe')]));
    expect(new Set(findings.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
  });

  it('leaves output_text open, too, where there is no result at all', () => {
    const { findings } = judge(check('responses'), viewOf('responses', [refused('probe')]));
    expect(new Set(findings.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
  });

  it('fails one reply in the shape of another endpoint, whatever the others are (principle 5)', () => {
    const judged = judge(check('chat'), viewOf('chat', [answered('probe'), answered('other', 'messages')]));
    expect(findingOf(judged, 'chat.result.choices')).toMatchObject({ verdict: 'fail', exchange: 'other' });
  });

  it('fails a field of a reply that another attempt followed', () => {
    const { response, attempts } = replied('a', { json: { ...result.chat('hello'), id: 7 } });
    const before = attempts.map((attempt) => ({ ...attempt, ...(response ? { response } : {}) }));
    const again = replied('probe', { json: result.chat('hello'), before });
    const judged = judge(check('chat'), viewOf('chat', [again]));
    expect(findingOf(judged, 'chat.result.id').verdict).toBe('fail');
    expect(findingOf(judged, 'chat.result.object').verdict).toBe('pass');
  });
});
