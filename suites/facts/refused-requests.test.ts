import { describe, expect, it } from 'vitest';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { refused, result, replied, viewOf } from '../checks/evidence.fixture.ts';
import type { Combination } from '../types/combination.ts';
import type { Exchange } from '../types/exchange.ts';
import { refusedRequestReader } from './refused-requests.ts';

const asked = (text: string, more: object = {}) => ({ messages: [{ role: 'user', content: text }], ...more });

/** The exchange as it was sent with this body. */
const sent = (exchange: Exchange, body: object): Exchange => ({
  ...exchange,
  request: { ...exchange.request, body: JSON.stringify({ model: 'm', ...body }) },
});

const taken = (id: string, body: object): Exchange => sent(replied(id, { json: result.chat('hello') }), body);
const denied = (id: string, body: object): Exchange => sent(refused(id), body);

/** Why the first of these was refused. */
const read = (view: EvidenceView, id: string, isSmallest = false) =>
  refusedRequestReader(view)(id, isSmallest);

describe('what a valid request is refused for', () => {
  it('is the value that the nearest answer lacks, with the figures of both', () => {
    const view = viewOf('chat', [
      denied('cold', asked('hello', { temperature: 0 })),
      denied('cold, other words', asked('good day', { temperature: 0 })),
      taken('warm', asked('hello', { temperature: 1 })),
      taken('plain', asked('hello')),
    ]);
    expect(read(view, 'cold')).toEqual({
      protocol: 'chat',
      factors: [{ kind: 'member', name: 'temperature', value: 0 }],
      control: 'warm',
      refused: { seen: 2, of: 2 },
      others: { seen: 0, of: 2 },
      exchanges: ['cold', 'cold, other words'],
    });
  });

  it('is the parameter where every one of its values is refused', () => {
    const view = viewOf('chat', [
      denied('cold', asked('hello', { temperature: 0 })),
      denied('warm', asked('hello', { temperature: 1 })),
      taken('plain', asked('hello')),
    ]);
    expect(read(view, 'cold')).toMatchObject({
      factors: [{ kind: 'any-value', name: 'temperature' }],
      refused: { seen: 2, of: 2 },
    });
  });

  it('is what it leaves out', () => {
    const view = viewOf('chat', [
      denied('plain', asked('hello')),
      taken('short', asked('hello', { max_tokens: 9 })),
    ]);
    expect(read(view, 'plain')?.factors).toEqual([{ kind: 'left-out', name: 'max_tokens' }]);
  });

  it('is the one sign that its text has more', () => {
    const view = viewOf('chat', [denied('quoted', asked('say "hello"')), taken('plain', asked('say hello'))]);
    expect(read(view, 'quoted')?.factors).toEqual([{ kind: 'sign', sign: '"' }]);
  });

  it('is its text where more than a sign of it is another', () => {
    const view = viewOf('chat', [denied('other', asked('good day')), taken('plain', asked('hello'))]);
    expect(read(view, 'other')?.factors).toEqual([{ kind: 'text', name: 'messages' }]);
  });

  it('is not told of a request that is answered', () => {
    expect(read(viewOf('chat', [taken('plain', asked('hello'))]), 'plain')).toBe(undefined);
  });
});

describe('the smallest refused combination', () => {
  const history = [{ role: 'user', content: 'before' }];
  const combination: Combination = {
    base: { model: 'm' },
    content: 'messages',
    isListed: true,
    question: 'hello',
    settings: [
      { factor: 'max_tokens', description: '`max_tokens` = 9', requirements: [], fields: { max_tokens: 9 } },
      { factor: 'history', description: 'an earlier turn', requirements: [], turns: history },
    ],
  };
  const whole = { max_tokens: 9, messages: [...history, ...asked('hello').messages] };

  it('names all of its settings, and counts what is known to have them', () => {
    const view = viewOf('chat', [denied('both', whole), taken('one', asked('hello', { max_tokens: 9 }))], {
      both: { combination },
    });
    expect(read(view, 'both', true)).toMatchObject({
      factors: [
        { kind: 'member', name: 'max_tokens', value: 9 },
        { kind: 'setting', factor: 'history', description: 'an earlier turn' },
      ],
      refused: { seen: 1, of: 1 },
      others: { seen: 0, of: 0 },
    });
  });

  it('names a parameter of it with any value where every value is refused beside the rest', () => {
    const other = { ...whole, max_tokens: 5 };
    const settings = combination.settings.map((setting) =>
      setting.fields ? { ...setting, fields: { max_tokens: 5 } } : setting,
    );
    const replies = [
      denied('both', whole),
      denied('other', other),
      taken('one', asked('hello', { max_tokens: 9 })),
    ];
    const view = viewOf('chat', replies, {
      both: { combination },
      other: { combination: { ...combination, settings } },
    });
    expect(read(view, 'both', true)).toMatchObject({
      factors: [{ kind: 'any-value', name: 'max_tokens' }, { kind: 'setting' }],
      refused: { seen: 2, of: 2 },
    });
  });
});

describe('a group that need not be served', () => {
  const cell = (group: 'default' | 'coding-tool') => ({
    callers: [{ family: 'general', group }] as const,
    stage: 'discovery' as const,
  });

  it('is not counted among the refusals where another one is', () => {
    const view = viewOf(
      'responses',
      [
        sent(refused('coding-tool'), { input: 'hello' }),
        sent(replied('default', { json: result.responses('hello') }), { input: 'hello' }),
        sent(refused('told'), { input: 'hello', instructions: 'be brief' }),
      ],
      { 'coding-tool': cell('coding-tool'), default: cell('default') },
    );
    expect(read(view, 'coding-tool')).toBe(undefined);
    expect(read(view, 'told')?.others).toEqual({ seen: 0, of: 1 });
  });

  it('is counted where none of them is served', () => {
    const view = viewOf(
      'responses',
      [sent(refused('coding-tool'), { input: 'hello' }), sent(refused('default'), { input: 'hello' })],
      { 'coding-tool': cell('coding-tool'), default: cell('default') },
    );
    expect(read(view, 'default')).toMatchObject({ factors: [], refused: { seen: 2, of: 2 } });
  });
});
