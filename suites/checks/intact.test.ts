import { describe, expect, it } from 'vitest';
import type { Exchange } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import type { Check } from '../types/checks/check.ts';
import { events, findingOf, judge, refused, replied, result, viewOf } from './evidence.fixture.ts';

const text = 'Seven grey herons stood in the shallow water near the old größer mill';
const check = { kind: 'intact', protocol: 'chat', probes: [], compared: [] } satisfies Check;
const whole = 'chat.output.intact';
const inStream = 'chat.stream.complete';

type Asked = {
  readonly protocol?: 'chat' | 'responses';
  readonly stream?: boolean;
  readonly system?: string;
  readonly wanted?: string;
};

/** A reply of one model to the same text, as it is asked for; with its request. */
function reply(
  id: string,
  said: string,
  { protocol = 'chat', stream = false, system, wanted = text }: Asked = {},
) {
  const turns = [...(system ? [{ role: 'system', content: system }] : []), { role: 'user', content: wanted }];
  const asked =
    protocol === 'chat'
      ? { messages: turns }
      : { input: wanted, ...(system ? { instructions: system } : {}) };
  const body = JSON.stringify({ model: 'm', ...asked, stream });
  const written = stream
    ? { pieces: events([{ choices: [{ delta: { content: said } }] }, '[DONE]']) }
    : { json: result[protocol](said) };
  const exchange = replied(id, written);
  const request: Partial<PlannedRequest> = {
    protocol,
    stream,
    says: [wanted],
    callers: [{ family: 'general', group: 'default' }],
  };
  const headers = { authorization: 'Bearer token' };
  return { request, exchange: { ...exchange, request: { ...exchange.request, body, headers } } };
}

type Reply = { readonly request: Partial<PlannedRequest>; readonly exchange: Exchange };
const times = (count: number, one: (id: string) => Reply, name = 'p') =>
  Array.from({ length: count }, (_, at) => one(`${name}${at}`));

function found(replies: readonly Reply[], requirement = whole) {
  const requests = Object.fromEntries(replies.map(({ exchange, request }) => [exchange.id, request]));
  const view = viewOf(
    'chat',
    replies.map(({ exchange }) => exchange),
    requests,
  );
  return findingOf(judge(check, view, [whole, inStream]), requirement);
}
const cut = text.replace(' mill', '');
const onResponses = (id: string) => reply(id, text, { protocol: 'responses' });

describe('a text that a model was asked for', () => {
  it('passes where it comes back, whatever else the model says', () => {
    expect(found([reply('p', `Here it is: “${text}”.`)]).verdict).toBe('pass');
    expect(found([reply('p', text, { stream: true })], inStream).verdict).toBe('pass');
  });

  it('fails where it comes damaged, and the same model says it as it is on another endpoint', () => {
    const replies = [...times(20, (id) => reply(id, cut)), ...times(20, onResponses, 'o')];
    expect(found(replies)).toEqual({
      requirement: whole,
      verdict: 'fail',
      code: 'text-differs',
      message:
        '20 of 20 replies without a stream lack words of the text that was asked for; of replies of the same model to the same text on another endpoint 0 of 20 do',
      expected: 'the text as the same model says it elsewhere',
      actual:
        '"…in the shallow water near the old größer" in place of "…in the shallow water near the old größer mill"',
      exchange: 'p0',
    });
  });

  it('is shown at what is damaged, not where a full stop before it is lost', () => {
    const damaged = text.replace('herons', 'herons.').replace(' mill', '');
    const replies = [...times(20, (id) => reply(id, damaged)), ...times(20, onResponses, 'o')];
    expect(found(replies)).toMatchObject({
      actual: expect.stringMatching(/größer" in place of ".*größer mill"$/),
    });
  });

  it('fails in streams alone where they lack what results have', () => {
    const replies = [
      ...times(20, (id) => reply(id, cut, { stream: true })),
      ...times(20, (id) => reply(id, text), 'o'),
    ];
    expect(found(replies, inStream)).toMatchObject({
      verdict: 'fail',
      code: 'text-differs',
      message: expect.stringContaining('20 of 20 streams lack words'),
    });
    expect(found(replies).verdict).toBe('pass');
  });

  it('is not failed where too few replies show a difference, or the model makes it elsewhere, too', () => {
    expect(found([...times(3, (id) => reply(id, cut)), ...times(3, onResponses, 'o')]).verdict).toBe(
      'inconclusive',
    );
    const elsewhere = (id: string) => reply(id, cut, { protocol: 'responses' });
    expect(found([...times(20, (id) => reply(id, cut)), ...times(20, elsewhere, 'o')])).toMatchObject({
      verdict: 'inconclusive',
      code: 'text-not-said',
      nonGating: 'model-behaviour',
    });
  });

  it('is not decided where it goes by the prompt, which a model sees, and depends on the model then', () => {
    const withSystem = (id: string) => reply(id, cut, { system: 'Be brief.' });
    const whole = (id: string) => reply(id, text);
    expect(found([...times(30, withSystem), ...times(30, whole, 'o')])).toMatchObject({
      verdict: 'inconclusive',
      code: 'text-differs-by-prompt',
      nonGating: 'model-behaviour',
      message:
        '30 of 30 replies without a stream to requests with a system prompt lack words of the text that was asked for; of those of the same model without it 0 of 30 do, and no other endpoint shows whether the model does so',
    });
    expect(found([...times(3, withSystem), ...times(3, whole, 'o')]).verdict).toBe('pass');
  });

  it('passes where a model makes a difference by the prompt on another endpoint, too, or only in another text', () => {
    const withSystem = (id: string) => reply(id, cut, { system: 'Be brief.' });
    const whole = (id: string) => reply(id, text);
    const elsewhere = (id: string) => reply(id, cut, { protocol: 'responses', system: 'Be brief.' });
    const all = [...times(30, withSystem), ...times(30, whole, 'o')];
    expect(found([...all, elsewhere('r')]).verdict).toBe('pass');
    const short = (id: string) => reply(id, 'Herons', { system: 'Be brief.', wanted: 'Grey herons' });
    expect(found([...times(30, short), ...times(30, whole, 'o')]).verdict).toBe('pass');
  });

  it('is weighed where the replacement character comes: a model may sample bytes that are no character', () => {
    const undecoded = (id: string) => reply(id, text.replace('größer', 'gr\ufffd\ufffder'));
    expect(found([...times(20, undecoded), ...times(20, onResponses, 'o')])).toMatchObject({
      verdict: 'fail',
      code: 'text-differs',
      actual: expect.stringContaining('gr\ufffd\ufffder'),
    });
    expect(found([undecoded('p'), reply('q', text), ...times(20, onResponses, 'o')]).verdict).toBe('pass');
  });

  it('fails at one sight where its letters come in another encoding: no model writes so', () => {
    const replies = [reply('p', text.replace('größer', 'grÃ¶Ã\u009fer')), reply('q', text)];
    expect(found(replies)).toMatchObject({ verdict: 'fail', code: 'letters-misread', exchange: 'p' });
  });

  it('is compared with what a model says to all, as a mock does', () => {
    const said = 'This is a mock reply';
    const streams = times(20, (id) => reply(id, 'This a mock', { stream: true }));
    const other = reply('hello', said);
    const hello = { ...other, request: { ...other.request, says: ['hello'] } };
    expect(found([hello, ...times(20, (id) => reply(id, said), 'o'), ...streams], inStream)).toMatchObject({
      verdict: 'fail',
      code: 'text-differs',
    });
  });

  it('passes where each reply is cut off at its limit, and one has all of the text', () => {
    const limited = (said: string) => {
      const message = { role: 'assistant', content: said };
      const json = { ...result.chat(said), choices: [{ index: 0, message, finish_reason: 'length' }] };
      const one = reply('p', said);
      return found([{ ...one, exchange: { ...replied('p', { json }), request: one.exchange.request } }]);
    };
    expect(limited(`${text} and so`).verdict).toBe('pass');
    expect(limited(cut)).toMatchObject({ code: 'text-not-said' });
  });

  it('is inconclusive or untested where no reply shows it', () => {
    expect(found([reply('p', 'I would rather not.')])).toMatchObject({ code: 'text-not-said' });
    const { request } = reply('p', '');
    expect(found([{ request, exchange: refused('p') }]).verdict).toBe('untested');
    expect(found([]).verdict).toBe('inconclusive');
  });
});
