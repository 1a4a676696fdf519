import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../spec/vocabulary.ts';
import type { Exchange, Unsent } from '../types/exchange.ts';
import {
  answered,
  viewOf,
  events,
  findingOf,
  judge,
  refused,
  replied,
  result,
  saying,
  silent,
  undecided,
  unsent,
} from './evidence.fixture.ts';
import type { Check } from '../types/checks/check.ts';
import type { JointAspect, ObservedAspect } from '../types/checks/replies.ts';

const check = (
  aspect: ObservedAspect,
  protocol: Protocol = 'chat',
  nonce?: string,
): Extract<Check, { kind: 'observe' }> => ({
  kind: 'observe',
  requirement: 'r',
  subject: 'what is seen',
  aspect,
  protocol,
  probes: ['a', 'b'],
  ...(nonce === undefined ? {} : { nonce }),
});

const hello = { choices: [{ delta: { content: 'hello' } }] };
const stream = replied('a', { pieces: events([hello, { ...hello, id: 'c' }, '[DONE]', '[DONE]']) });
const untyped = replied('a', {
  pieces: events([{ type: 'response.created' }, { type: 'response.output_text.delta', delta: 'x' }]),
});
const html = replied('a', { status: 502, text: '', headers: { 'retry-after': '3' } });
const drawn = (text: string) => answered('a', 'chat', text);
const image = (...data: readonly unknown[]) => replied('a', { json: { created: 1_790_000_000, data } });

const usage = (prompt: number, completion: number, total: number) => ({
  ...result.chat('x'),
  usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total },
});

const prompted = (tokens: number) => replied('a', { json: usage(tokens, 4, tokens + 4) });

const seen: readonly (readonly [ObservedAspect, Protocol, string, Exchange, value: string])[] = [
  ['answer-or-refusal', 'chat', 'an answer', answered('a'), 'answered, HTTP 200'],
  ['answer-or-refusal', 'chat', 'a stream', stream, 'answered by a stream, HTTP 200'],
  ['answer-or-refusal', 'chat', 'a refusal', refused('a', 422), 'refused, HTTP 422'],
  [
    'answer-or-refusal',
    'chat',
    'a timeout',
    silent('a', { kind: 'timeout', afterMs: 100 }),
    'no answer (no complete reply within 100 ms)',
  ],
  ['refusal-status', 'chat', 'a refusal', refused('a', 418), 'HTTP 418'],
  ['refusal-status', 'chat', 'no reply', silent('a', { kind: 'unreachable', detail: 'closed' }), 'HTTP none'],
  ['refusal-body', 'chat', 'JSON', refused('a'), 'application/json: JSON with error{code, message}'],
  ['refusal-body', 'chat', 'text', replied('a', { status: 400, text: 'No.' }), 'text/plain: No.'],
  ['refusal-body', 'chat', 'nothing', html, 'text/plain: empty'],
  ['refusal-internals', 'chat', 'plain words', refused('a'), 'nothing internal'],
  [
    'refusal-internals',
    'chat',
    'a trace',
    replied('a', {
      status: 500,
      text: 'Traceback (most recent call last)\n  File "/app/main.py", line 3\nhttp://upstream.internal:8000/v1',
    }),
    'a stack trace, the path /app/main.py, the address of upstream.internal:8000',
  ],
  [
    'refusal-internals',
    'chat',
    'hosts that were looked up or dialled',
    replied('a', {
      status: 500,
      text: 'dial tcp 10.0.0.7:8443: refused; lookup llm.corp.local: no such host',
    }),
    'the address of 10.0.0.7:8443, the address of llm.corp.local',
  ],
  ['usage-sum', 'chat', 'a sum', replied('a', { json: usage(3, 4, 7) }), 'the sum'],
  ['usage-sum', 'chat', 'another total', replied('a', { json: usage(3, 4, 9) }), '9, and the sum is 7'],
  [
    'prompt-tokens',
    'chat',
    'a prompt',
    saying(prompted(3), 'Hello'),
    'no more tokens than the prompt has bytes',
  ],
  [
    'prompt-tokens',
    'chat',
    'more than the prompt',
    saying(prompted(60), 'Größe'),
    '60 tokens for 7 bytes: 53 at least are for something else, such as the form of a chat or a hidden prompt',
  ],
  ['retry-after', 'chat', 'a Retry-After', html, '3'],
  ['retry-after', 'chat', 'none', refused('a'), 'no Retry-After'],
  ['framing', 'chat', 'a stream', stream, 'sse, text/event-stream, line ends lf, [DONE] ×2 at the end'],
  ['result-transport', 'chat', 'a result', answered('a'), 'HTTP 200, application/json'],
  [
    'framing',
    'responses',
    'a stream without terminator',
    untyped,
    'sse, text/event-stream, line ends lf, no terminator',
  ],
  ['event-types', 'chat', 'chunks', stream, 'choices, choices id'],
  ['event-types', 'responses', 'typed events', untyped, 'response.created, response.output_text.delta'],
  ['extra-fields', 'chat', 'no field more', answered('a'), 'none'],
  [
    'extra-fields',
    'chat',
    'two fields more',
    replied('a', { json: { ...result.chat('x'), b: 1, a: 2 } }),
    'a, b',
  ],
  ['finish-reason', 'chat', 'a finish_reason', answered('a'), '"stop"'],
  ['image-count', 'images', 'one image', answered('a', 'images'), '1 image'],
  ['image-count', 'images', 'three images', answered('a', 'images', '3'), '3 images'],
  ['image-layout', 'images', 'an object', image({ url: 'x', b64_json: 'y' }), 'b64_json, url'],
  ['image-layout', 'images', 'an object', image({ url: 'x', b64_json: null }), 'url'],
  ['image-layout', 'images', 'a string', image('aGVsbG8='), 'string'],
  [
    'chat-image-layout',
    'chat',
    'a data URL in Markdown',
    drawn('![x](data:image/png;base64,AA)'),
    'a Markdown image with a data URL',
  ],
  [
    'chat-image-layout',
    'chat',
    'a link in Markdown',
    drawn('Here: ![x](https://x.test/1.png)'),
    'a Markdown image with a URL',
  ],
  ['chat-image-layout', 'chat', 'a data URL', drawn('data:image/png;base64,AA'), 'a data URL'],
  ['chat-image-layout', 'chat', 'a link', drawn('https://x.test/1.png'), 'a URL'],
  ['chat-image-layout', 'chat', 'words', drawn('I can’t draw.'), 'other text: I can’t draw.'],
];

describe('observe', () => {
  it.each(seen)('%s of %s writes down %s', (aspect, protocol, _, entry, value) => {
    expect(judge(check(aspect, protocol), viewOf(protocol, [entry]))).toMatchObject({
      findings: [{ requirement: 'r', verdict: 'pass' }],
      observations: [{ requirement: 'r', subject: 'what is seen', value }],
    });
  });

  it.each([
    ['It was OTTER-11111.', 'carried'],
    ['No idea.', 'not carried'],
  ])('recalled writes down of %s: %s', (text, value) => {
    const { observations } = judge(
      check('recalled', 'responses', 'OTTER-11111'),
      viewOf('responses', [answered('a', 'responses', text)]),
    );
    expect(observations?.map((observation) => observation.value)).toEqual([value]);
  });

  describe('held against a control', () => {
    const value = (
      against: Partial<Extract<Check, { kind: 'observe' }>>,
      ...entries: readonly Exchange[]
    ) => {
      const protocol = against.aspect === 'recalled' ? 'responses' : 'chat';
      const own = { ...check('finish-reason', protocol), ...against };
      return judge(own, viewOf(protocol, entries)).observations?.[0]?.value;
    };
    const recalled = {
      aspect: 'recalled',
      nonce: 'OTTER-11111',
      control: { exchange: 'own', nonce: 'HERON-22222' },
    } as const;
    const says = (id: string, text: string) => answered(id, 'responses', text);
    const unable = 'unknown: the model does not even give back what the request itself says';

    it.each([
      ['carried', [says('a', 'OTTER-11111'), says('own', 'No idea.')]],
      ['not carried', [says('a', 'No idea.'), says('own', 'HERON-22222')]],
      [unable, [says('a', 'No idea.'), says('own', 'No idea.')]],
      [unable, [says('a', 'No idea.'), says('own', 'OTTER-11111')]],
      [unable, [says('a', 'No idea.'), refused('own')]],
    ])('recalled writes down: %s', (expected, entries) => {
      expect(value(recalled, ...entries)).toBe(expected);
    });

    const limited = { limit: 1, control: { exchange: 'long' } };
    const long = answered('long', 'chat', 'otter badger heron lynx '.repeat(5));
    const ended = (text: string, usage: object, finish = 'length') => {
      const [choice] = result.chat(text).choices;
      return replied('a', {
        json: { ...result.chat(text), choices: [{ ...choice, finish_reason: finish }], usage },
      });
    };

    it.each([
      ['"length"', [ended('otter', {}), long]],
      ['"length"', [ended('', { completion_tokens: 1 }), long]],
      ['unknown: max_tokens does not limit the reply', [ended('otter '.repeat(9), {}, 'stop'), long]],
      ['unknown: max_tokens does not limit the reply', [ended('otter', { completion_tokens: 9 }), long]],
      ['unknown: without max_tokens the reply is no longer', [ended('otter', {}, 'stop'), answered('long')]],
      ['unknown: without max_tokens the reply is no longer', [ended('otter', {}), refused('long')]],
    ])('finish-reason writes down: %s', (expected, entries) => {
      expect(value(limited, ...entries)).toBe(expected);
    });
  });

  it('has every aspect among these examples', () => {
    const aspects = {
      'answer-or-refusal': true,
      'refusal-status': true,
      'refusal-body': true,
      'retry-after': true,
      framing: true,
      'result-transport': true,
      'event-types': true,
      'extra-fields': true,
      'finish-reason': true,
      'image-count': true,
      'image-layout': true,
      'chat-image-layout': true,
      recalled: true,
      'refusal-internals': true,
      'usage-sum': true,
      'prompt-tokens': true,
    } satisfies Record<Exclude<ObservedAspect, JointAspect>, true>;
    expect([...new Set([...seen.map(([aspect]) => aspect), 'recalled'])].sort()).toEqual(
      Object.keys(aspects).sort(),
    );
  });

  describe('keeps as stable', () => {
    const stable = (aspect: ObservedAspect, protocol: Protocol, entries: readonly (Exchange | Unsent)[]) => {
      const own = { ...check(aspect, protocol, 'OTTER-11111'), probes: ['a', 'b'].slice(0, entries.length) };
      const [seen] =
        judge(own, viewOf(protocol, [...entries, answered('served', protocol)])).observations ?? [];
      return seen?.stable === undefined ? seen?.value : seen.stable;
    };
    const page = replied('a', { status: 400, text: '<p>Request 7f3a failed at 10:00</p>' });
    const pinged = replied('a', {
      pieces: events([{ type: 'response.output_text.delta', delta: 'x' }, { type: 'ping' }]),
    });

    it.each([
      ['all of a status', 'refusal-status', [refused('a', 422)], 'HTTP 422'],
      ['no text of a page', 'refusal-body', [page], 'text/plain: text'],
      ['that a wait is asked for, not how long', 'retry-after', [html], 'Retry-After'],
      ['that no wait is asked for', 'retry-after', [refused('a')], 'no Retry-After'],
      ['types of events in no order', 'event-types', [pinged], 'ping, response.output_text.delta'],
      ['no words of a model', 'chat-image-layout', [drawn('I can’t draw.')], null],
      ['nothing that a model says again', 'recalled', [answered('a', 'chat', 'OTTER-11111')], null],
      ['nothing where a reply is missing', 'refusal-status', [refused('a', 404), unsent('b')], null],
      ['nothing that came of an overload', 'refusal-status', [replied('a', { status: 503, text: '' })], null],
      ['all of two replies', 'refusal-status', [refused('a', 404), refused('b', 400)], 'HTTP 404; HTTP 400'],
    ] as const)('%s', (_, aspect, entries, expected) => {
      expect(stable(aspect, aspect === 'event-types' ? 'responses' : 'chat', entries)).toBe(expected);
    });

    it('nothing of a refusal where its protocol answers nothing', () => {
      const own = { ...check('refusal-status'), probes: ['a'] };
      expect(judge(own, viewOf('chat', [refused('a', 401)])).observations?.[0]).toMatchObject({
        value: 'HTTP 401',
        stable: null,
      });
    });
  });

  it('says each value once where its probes differ', () => {
    const two = (one: Exchange, other: Exchange) =>
      judge(check('refusal-status'), viewOf('chat', [one, other])).observations?.[0]?.value;
    expect(two(refused('a', 400), refused('b', 400))).toBe('HTTP 400');
    expect(two(refused('a', 400), refused('b', 401))).toBe('HTTP 400; HTTP 401');
  });

  it.each([
    ['framing', refused('a'), 'the reply does not show it'],
    ['result-transport', refused('a'), 'the reply does not show it'],
    ['refusal-status', answered('a'), 'the reply does not show it'],
    ['image-layout', answered('a', 'images', '0'), 'the reply does not show it'],
    ['answer-or-refusal', unsent('a'), 'not observed: not sent: the run was stopped'],
  ] as const)('says why %s shows nothing, and fails nothing', (aspect, entry, message) => {
    const judgement = judge(check(aspect, 'images'), viewOf('images', [entry]));
    expect(findingOf(judgement)).toMatchObject({ verdict: 'inconclusive', message });
    expect(judgement.observations).toBeUndefined();
  });

  it.each(undecided)('never fails, not on %s', (_, entry) => {
    for (const aspect of new Set(seen.map(([each]) => each))) {
      const { findings } = judge(check(aspect), viewOf('chat', [entry('a')]));
      expect(findings.map(({ verdict }) => verdict)).not.toContain('fail');
    }
  });
});

describe('what was not sent for want of an answer', () => {
  const waits = unsent('a', { kind: 'not-answered', exchanges: ['cell'] });
  const all = unsent('b', { kind: 'not-answered', exchanges: ['a'] });

  it.each([
    [refused('cell', 403), 'HTTP 403'],
    [silent('cell', { kind: 'unreachable', detail: 'closed' }), 'no reply (closed)'],
  ])('names what that one got: %#', (cell, got) => {
    const own = { ...check('answer-or-refusal'), probes: ['b'] };
    expect(findingOf(judge(own, viewOf('chat', [cell, waits, all])))).toMatchObject({
      verdict: 'inconclusive',
      message: `not observed: not sent, for cell got ${got}`,
    });
  });
});
