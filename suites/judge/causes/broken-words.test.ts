import { describe, expect, it, test } from 'vitest';
import type { BrokenFact, Fact } from '../../facts/fact.ts';
import type { FailureReason } from '../../types/reasons/index.ts';
import { causeWords } from './cause-words.ts';

const fact = (reason: FailureReason, more: Partial<BrokenFact> = {}): BrokenFact => ({
  kind: 'result-field-broken',
  requirement: 'chat.result.id',
  protocol: 'chat',
  message: 'the message',
  reason,
  actual: '0.5',
  pointer: undefined,
  share: '',
  evidence: [],
  ...more,
});

const missing = (field: string, more: Partial<BrokenFact> = {}): BrokenFact =>
  fact({ kind: 'field-missing', field, expected: 'a string' }, { pointer: `/${field}`, ...more });

const wrong = (pointer: string): BrokenFact =>
  fact({ kind: 'field-wrong', pointer, expected: 'an integer', counts: false }, { pointer });

const path = 'POST /v1/chat/completions';

const answered = (endpoint: string, what: string) =>
  ({ kind: 'not-refused', wrong: 'outside-contract', endpoint, what, evidence: [] }) as const;

describe('requests that were answered and must be refused, in a sentence', () => {
  it('are told by the endpoint, and what they are about once', () => {
    const rules = ['`n` is 0', '`n` is 11', 'no prompt'];
    expect(causeWords([answered(path, '`n` is 0'), ...rules.map((rule) => answered(path, rule))])).toBe(
      `${path} answers requests outside the contract: \`n\` is 0, 11; no prompt.`,
    );
  });

  it('are the first few of many', () => {
    const rules = ['a', 'b', 'c', 'd'].flatMap((name) =>
      ['0', '1', '2'].map((value) => `${name} is ${value}`),
    );
    expect(causeWords([answered('POST /x', 'z'), ...rules.map((rule) => answered(path, rule))])).toBe(
      `POST /x answers requests outside the contract: z. ${path}: a is 0, 1 and 1 more; b is 0, 1 and 1 more; c is 0, 1 and 1 more; and 1 more.`,
    );
  });

  it('are told once where endpoints do alike, and apart where they do not', () => {
    const [one, two, three] = ['POST /a', 'POST /b', 'POST /c'];
    expect(causeWords([answered(one, 'x'), answered(two, 'x'), answered(three, 'y')])).toBe(
      'POST /a and POST /b answer requests outside the contract: x. POST /c: y.',
    );
  });
});

describe('what an endpoint does wrong, in a sentence', () => {
  it('names the fields that replies lack together once', () => {
    expect(causeWords([missing('id'), missing('model'), missing('id')])).toBe(
      `${path} answers without \`id\` and \`model\`.`,
    );
  });

  it.each([
    [missing('id', { share: ', in 2 of 16 replies' }), 'answers without `id`, in 2 of 16 replies.'],
    [
      missing('id', { pointer: 'event 3 /id' }),
      'streams an event without `id` (in the reply shown event 3, counted from 0).',
    ],
    [wrong('/choices/0/index'), 'answers with `choices[0].index` = 0.5; it must be an integer.'],
    [
      { ...wrong('/x'), pointer: 'event 2 /choices' },
      'streams an event with `choices` = 0.5 (in the reply shown event 2, counted from 0); it must be an integer.',
    ],
    [
      fact({ kind: 'created-not-seconds' }),
      'answers with `created` = 0.5; it must be a time in Unix seconds.',
    ],
    [
      fact({ kind: 'unrequested-stream', declined: true }),
      'answers a request with `stream` = false by a stream.',
    ],
    [
      fact(
        { kind: 'field-wrong', pointer: '/data', expected: 'at least 1 element', counts: true },
        { pointer: '/data', actual: '[]' },
      ),
      'answers with `data` = []; it must have at least 1 element.',
    ],
    [
      fact({ kind: 'image-url-missing' }, { share: ', in 2 of 3 replies' }),
      'answers with an image that has no url, where one is asked for, in 2 of 3 replies.',
    ],
    [fact({ kind: 'image-count', found: 1, asked: 10 }), 'answers `n` = 10 with 1 image.'],
    [
      fact({ kind: 'stream-buffered', attempts: 3 }),
      'holds streams back: the whole text arrives at once at the end of the generation, in each of 3 attempts.',
    ],
    [
      fact({ kind: 'stream-cut', attempts: 5 }, { share: ', in 2 of 3 replies' }),
      'cuts streams off, in 2 of 3 replies; each of 5 attempts was cut.',
    ],
    [
      fact({ kind: 'reply-of-another', word: 'HERON-1', other: 'b' }),
      'answers a request with words of another one, to which it is not chained: HERON-1.',
    ],
    [fact({ kind: 'no-stream' }), 'answers a request with `stream` = true by one document.'],
    [
      fact(
        { kind: 'class-indistinguishable', other: 'a general error', like: 'b' },
        { requirement: 'errors.rate-limit.distinct' },
      ),
      'refuses a spent limit with the same status and the same stable fields as a general error.',
    ],
    [
      fact({ kind: 'spent-token-answered' }),
      'answers the token that is declared in tokens.rate-limited, whose limit should be spent.',
    ],
  ] as const)('%#: what came, how often, and what must come', (broken, words) => {
    expect(causeWords([broken])).toBe(`${path} ${words}`);
  });

  it('says the reason where that is all, and what is stated where a valid request is refused', () => {
    expect(causeWords([fact({ kind: 'no-text' })])).toBe(`${path}: the message.`);
    const refused = { status: 'HTTP 403', statement: 'A prompt is taken.' };
    expect(causeWords([fact({ kind: 'valid-request-refused' }, { refused })])).toBe(
      `${path} refuses a valid request (HTTP 403). The interface states: A prompt is taken.`,
    );
    const settings = ['`max_tokens` = 512', 'a long prompt'];
    const page = { ...refused, status: 'HTTP 200' };
    expect(causeWords([fact({ kind: 'combination-refused', settings }, { refused: page })])).toBe(
      `${path} gives no result for a valid request with \`max_tokens\` = 512 and a long prompt (HTTP 200). The interface states: A prompt is taken.`,
    );
    expect(causeWords([fact({ kind: 'no-text' }, { protocol: undefined })])).toBe('The message.');
  });
});

test('a text that several endpoints change in the same way is told once, with how often each does', () => {
  const differs = (protocol: 'chat' | 'messages', seen: number): BrokenFact => {
    const tallies = { probes: { seen, of: 30 }, controls: { seen: 0, of: 20 } };
    const reason = {
      kind: 'text-differs',
      difference: 'joined',
      isStreamed: true,
      by: 'stream',
      ...tallies,
    } as const;
    return fact(reason, {
      kind: 'requirement-broken',
      protocol,
      message: `${seen} of 30 streams are changed`,
    });
  };
  const [first, other] = [differs('messages', 30), differs('chat', 29)] as const;
  const words = 'POST /v1/messages: 30 of 30 streams are changed.';
  expect(causeWords([first, first])).toBe(words);
  expect(causeWords([first, other, other])).toBe(`${words} So it is at ${path} (29 of 30).`);
});

test.each<[string, { readonly answered?: number }, string]>([
  ['that never answered', {}, ' answers no valid request: 4 were refused (HTTP 403).'],
  [
    'that stopped',
    { answered: 19 },
    ' answered 19 valid requests, and then none of 4 to the end of the run (HTTP 403).',
  ],
])('an endpoint %s is told with how many it refused', (_, more, words) => {
  const refused = { protocol: 'chat', refused: 4, status: 'HTTP 403', evidence: [] } as const;
  const told: Fact = { kind: 'endpoint-unanswered', ...refused, ...more };
  expect(causeWords([told])).toBe(`${path}${words}`);
});
