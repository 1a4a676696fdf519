import { describe, expect, it } from 'vitest';
import type { Exchange, Unsent } from '../types/exchange.ts';
import { answered, events, findingOf, judge, refused, replied, viewOf } from './evidence.fixture.ts';
import type { ScriptedQuestion } from '../types/checks/replies.ts';
import { readsIn } from './registry.ts';
import type { Check } from '../types/checks/check.ts';

const nonces = ['OTTER-11111', 'HERON-22222', 'LYNX-33333'] as const;
const scripted = (nonce: string) => `${nonce}-größer-мир`;
const question = (name: string, more: Partial<ScriptedQuestion> = {}): ScriptedQuestion => ({
  stream: false,
  model: 'general',
  attempts: nonces.map((nonce, at) => ({
    exchange: `${name}${at + 1}`,
    nonce,
    scripted: scripted(nonce),
    topic: 'word',
    question: 'What?',
    protocol: 'chat',
  })),
  ...more,
});
const asked = 'Seven grey herons stood in the shallow water near the old mill. '.repeat(4).trim();
const longIds = ['long1', 'long2', 'long3', 'long4', 'long5'];
const check = {
  kind: 'intact',
  protocol: 'chat',
  questions: [question('p')],
  elsewhere: [question('p'), question('other')],
  long: { asked, unstreamed: longIds, streamed: ['stream1'], signs: [] },
} satisfies Check;
const streamedCheck: Check = { ...check, questions: [question('p', { stream: true })] };

const whole = 'chat.output.intact';
const inStream = 'chat.stream.complete';
const found = (
  entries: readonly (Exchange | Unsent)[],
  { of = check, requirement = whole }: { of?: Check; requirement?: string } = {},
) => findingOf(judge(of, viewOf('chat', entries), [whole, inStream]), requirement);

const saying = (id: string, text: string) => answered(id, 'chat', text);
const each = (say: (nonce: string) => string, name = 'p') =>
  nonces.map((nonce, at) => saying(`${name}${at + 1}`, say(nonce)));
const mojibake = (nonce: string) => `${nonce}-grÃ¶Ã\u009fer-Ð¼Ð¸Ñ\u0080`;
const windows = (nonce: string) => `${nonce}-grÃ¶ÃŸer-Ð¼Ð¸Ñ€`;
const marks = (nonce: string) => `${nonce}-gr??er-???`;
const saidElsewhere = saying('other1', scripted(nonces[0]));

describe('letters beyond ASCII', () => {
  it.each([
    ['as they are', scripted(nonces[0])],
    ['in a sentence', `The word is ${scripted(nonces[0])}.`],
    ['decomposed, which is the same letters', scripted(nonces[0]).normalize('NFD')],
  ])('pass where they come back %s', (_, text) => {
    expect(found([saying('p1', text)]).verdict).toBe('pass');
  });

  it('pass where one attempt has them', () => {
    const [, second, third] = each(mojibake);
    const entries = [saying('p1', scripted(nonces[0])), second, third].flatMap((entry) => entry ?? []);
    expect(found([...entries, saidElsewhere]).verdict).toBe('pass');
  });

  it.each([
    ['read byte by byte', mojibake],
    ['lost', (nonce: string) => nonce],
    ['replaced', marks],
  ])('fail where three replies have them %s, and the model says them elsewhere', (_, say) => {
    expect(found([...each(say), saidElsewhere])).toEqual({
      requirement: whole,
      verdict: 'fail',
      code: 'letters-damaged',
      message: 'letters beyond ASCII come back as others, or not at all',
      expected: scripted(nonces[0]),
      actual: say(nonces[0]),
      exchange: 'p1',
    });
  });

  it('fail without such a reply where they are bytes read in another encoding, which no model writes', () => {
    expect(found(each(mojibake))).toMatchObject({ verdict: 'fail', code: 'letters-damaged' });
    expect(found(each(windows))).toMatchObject({ verdict: 'fail', code: 'letters-damaged' });
    const [, second, third] = each(mojibake);
    const entries = [saying('p1', nonces[0]), second, third].flatMap((entry) => entry ?? []);
    expect(found(entries).verdict).toBe('inconclusive');
    expect(found(each(marks)).verdict).toBe('inconclusive');
  });

  it('fail in a stream as a stream that is not complete', () => {
    const entries = [...each(mojibake), saidElsewhere];
    expect(found(entries, { of: streamedCheck, requirement: inStream })).toMatchObject({
      code: 'letters-damaged',
    });
    expect(found(entries, { of: streamedCheck }).verdict).toBe('inconclusive');
  });

  it.each([
    ['two replies have them damaged', [...each(marks).slice(0, 2), saidElsewhere]],
    ['the model says them nowhere', each(marks)],
    [
      'the model leaves them out elsewhere, too, in one reply of two',
      [...each(marks), saying('other1', marks(nonces[0])), saying('other2', scripted(nonces[1]))],
    ],
    ['the model gives no word at all', [...each(() => 'I do not know.'), saidElsewhere]],
  ])('depend on the model where %s', (_, entries) => {
    expect(found(entries)).toMatchObject({
      verdict: 'inconclusive',
      code: 'text-not-said',
      nonGating: 'model-behaviour',
    });
  });

  it('are untested where all that asks for them is refused', () => {
    const refusals = nonces.map((_, at) => refused(`p${at + 1}`));
    expect(found(refusals)).toMatchObject({ verdict: 'untested', code: 'only-form-refused' });
  });

  it('say nothing of one model where another says them', () => {
    const other = { ...check, elsewhere: [question('other', { model: 'multimodal' })] };
    expect(found([...each(marks), saidElsewhere], { of: other }).verdict).toBe('inconclusive');
  });
});

describe('a long reply', () => {
  const stream = replied('stream1', {
    pieces: events([{ choices: [{ delta: { content: asked } }] }, '[DONE]']),
  });
  const long = (text: string) => longIds.map((id) => saying(id, text));
  const half = asked.slice(0, asked.length / 2);

  it.each([asked, `Here it is: ${asked} That was it.`])('passes where one attempt is %s', (text) => {
    expect(found([saying('long1', half), saying('long2', text), stream]).verdict).toBe('pass');
  });

  it.each([
    ['is cut', half],
    ['comes twice', `${asked} ${asked}`],
    ['has its words in another order', asked.split(' ').reverse().join(' ')],
    ['has no spaces', asked.replaceAll(' ', '')],
  ])('that %s in five attempts fails where a stream has it whole', (_, text) => {
    expect(found([...long(text), stream])).toMatchObject({
      verdict: 'fail',
      code: 'reply-damaged',
      exchange: 'long1',
      expected: 'the text that the same request gets as a stream',
    });
  });

  it.each([
    ['no stream has it whole', long(half)],
    ['four attempts are cut', [...long(half).slice(0, 4), stream]],
    [
      'the model says something else',
      [...long('I would rather not repeat that text for you. '.repeat(5)), stream],
    ],
  ])('depends on the model where %s', (_, entries) => {
    expect(found(entries)).toMatchObject({ verdict: 'inconclusive', nonGating: 'model-behaviour' });
  });
});

it('intact reads what the model says elsewhere where that is planned', () => {
  const { requests } = viewOf('chat', [saidElsewhere]).plan;
  expect(readsIn(check, { requests })).toContain('other1');
  expect(readsIn(check, { requests })).not.toContain('other2');
});
