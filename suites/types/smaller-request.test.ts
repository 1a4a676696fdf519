import { expect, test } from 'vitest';
import { cutsOf, keptWords, smallerRequest } from './smaller-request.ts';
import { planned } from '../plan/planned.fixture.ts';

test('the text of a system turn that is needed is put in few words', () => {
  const [request] = planned().requests.filter(({ protocol, body, id }) => {
    const text = JSON.stringify(body?.json ?? null);
    return protocol === 'chat' && id.includes('combination') && text.includes('"system"');
  });
  if (request === undefined) throw new Error('no request of chat has a system turn');
  expect(cutsOf(request, undefined, []).left).toContain('brief-system');
  const systemOf = (cuts: readonly string[]) => {
    const body: unknown = smallerRequest(request, cuts).body;
    const { json } = body as { json: { messages: { role: string; content: string }[] } };
    return json.messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  };
  const whole = systemOf([]);
  expect(whole.length).toBeGreaterThan(0);
  expect(systemOf(['brief-system'])).toEqual(whole.map(() => 'Hi'));
  expect(systemOf(['brief-system', 'system'])).toEqual([]);
});

test('words of the last message are kept from several places', () => {
  const request = planned().requests.find(({ id }) => id === 'chat.long');
  if (request === undefined) throw new Error('no long request of chat');
  const textOf = (cuts: readonly string[]) => {
    const { json } = smallerRequest(request, cuts).body as unknown as {
      json: { messages: [{ content: string }] };
    };
    return json.messages[0].content.split(/(?<=\s)/);
  };
  const words = textOf([]);
  expect(keptWords([0, 1, 2, 7, 9, 10])).toBe('words:0-3,7-8,9-11');
  expect(textOf([keptWords([0, 1, 2, 7])])).toEqual([...words.slice(0, 3), words[7]]);
});
