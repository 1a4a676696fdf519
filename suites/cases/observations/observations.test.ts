import { beforeEach, describe, expect, it } from 'vitest';
import { protocols } from '../../../spec/vocabulary.ts';
import type { Check } from '../../types/checks/check.ts';
import { type Built, built } from '../cases.fixture.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

const slugsOf = (protocol: string) =>
  plan.cases
    .filter(({ id }) => id.startsWith(`observations.${protocol}.`))
    .map(({ id }) => id.replace(`observations.${protocol}.`, ''));

const messageForms = ['empty', 'unknown-role', 'content-parts', 'no-role', 'no-content', 'content-null'].map(
  (form) => `messages.${form}`,
);

describe('observations', () => {
  it.each([
    [
      'responses',
      [
        ...['previous-response-id.unknown', 'unknown-parameter'],
        ...['instructions.null', 'previous-response-id.null', 'stream.null'],
        ...['content-type', 'method', 'extra-fields', 'transport'],
        ...['input.short', 'input.typed', 'input.parts', 'input.typed-parts'],
      ],
    ],
    [
      'messages',
      [
        ...messageForms,
        ...[
          'messages.content-number',
          'messages.system-role',
          'unknown-parameter',
          'stream.null',
          'system.null',
          'temperature.null',
        ],
        ...['content-type', 'method', 'extra-fields', 'transport'],
      ],
    ],
    [
      'chat',
      [
        ...messageForms,
        ...['temperature-with-top-p', 'unknown-parameter'],
        ...['max-tokens.null', 'stream.null', 'temperature.null', 'top-p.null'],
        ...['content-type', 'method', 'extra-fields', 'transport', 'finish-reason'],
      ],
    ],
    [
      'images',
      [
        ...['unknown-parameter', 'n.null', 'quality.null', 'response-format.null', 'size.null'],
        ...['content-type', 'method', 'extra-fields', 'transport'],
        ...['n.default', 'response-format.default', 'b64-json'],
      ],
    ],
  ])('of %s are of everything that a client can aspect and the document does not show', (protocol, slugs) => {
    expect(slugsOf(protocol).sort()).toEqual([...slugs].sort());
  });

  it.each(protocols)('of an unspecified request of %s change one thing in the plain request', (protocol) => {
    const plain = Object(plan.body(`${protocol}.plain`));
    const sent = Object(plan.body(`${protocol}.unknown-parameter`));
    const [added, ...others] = Object.keys(sent).filter((name) => !(name in plain));
    expect(added).toMatch(/^x_[a-z]{10}$/);
    expect(others).toEqual([]);
    expect(plan.request(`${protocol}.unknown-parameter`).expect).toBe('either');
  });

  it.each([
    ['messages.messages.empty', { messages: [] }],
    [
      'messages.messages.unknown-role',
      { messages: [{ role: 'narrator', content: 'Reply with the word hello.' }] },
    ],
    [
      'chat.messages.content-parts',
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'Reply with the word hello.' }] }] },
    ],
    ['chat.messages.no-role', { messages: [{ content: 'Reply with the word hello.' }] }],
    ['chat.messages.no-content', { messages: [{ role: 'user' }] }],
    ['chat.messages.content-null', { messages: [{ role: 'user', content: null }] }],
    ['messages.messages.content-number', { messages: [{ role: 'user', content: 42 }] }],
    ['chat.temperature-with-top-p', { temperature: 1, top_p: 0.5 }],
    ['chat.top-p.null', { top_p: null }],
    ['responses.previous-response-id.unknown', { previous_response_id: expect.stringMatching(/^resp_/) }],
    ['images.response-format.b64_json', { response_format: 'b64_json' }],
    [
      'responses.input.elements.typed-parts',
      {
        input: [
          {
            type: 'message',
            role: 'user',
            content: [{ type: 'input_text', text: 'Reply with the word hello.' }],
          },
        ],
      },
    ],
    ['responses.input.elements.short', { input: [{ role: 'user', content: 'Reply with the word hello.' }] }],
  ])('send %s with %j', (id, change) => {
    const [protocol] = id.split('.');
    expect(plan.body(id)).toEqual({ ...Object(plan.body(`${protocol}.plain`)), ...change });
  });

  it.each([
    ['responses', 'responses.result.extra-fields'],
    ['messages', 'messages.result.other-fields'],
    ['chat', 'chat.result.extra-fields'],
    ['images', 'images.result.extra-fields'],
  ] as const)('of %s name their requirement: %s', (protocol, requirement) => {
    expect(plan.check(`observations.${protocol}.extra-fields`, 'observe')).toEqual<Check>({
      kind: 'observe',
      requirement,
      subject: `fields of a result of ${protocol} beyond those stated`,
      aspect: 'extra-fields',
      protocol,
      probes: [`${protocol}.plain`],
    });
    expect(plan.check(`observations.${protocol}.transport`, 'observe')).toMatchObject({
      requirement: `${protocol}.result.transport`,
      aspect: 'result-transport',
      probes: [`${protocol}.plain`],
    });
    expect(plan.check(`observations.${protocol}.method`, 'observe').probes).toEqual([`${protocol}.get`]);
    expect(plan.request(`${protocol}.get`)).toMatchObject({ method: 'GET', expect: 'either', billed: 0 });
    expect(plan.request(`${protocol}.text-plain`)).toMatchObject({
      contentType: 'text/plain',
      expect: 'either',
      billed: 1,
    });
  });

  it.each([
    ['images.n.default', 'image-count', 'images.plain'],
    ['images.response-format.default', 'image-layout', 'images.plain'],
    ['chat-image.content', 'chat-image-layout', 'cell.chat-image.chat.default'],
  ])('%s looks at the %s of %s', (id, aspect, probe) => {
    expect(plan.check(`observations.${id}`, 'observe')).toMatchObject({ aspect, probes: [probe] });
  });

  it('look at the rows that show it, and of images at the plain request in their stead', () => {
    const probesOf = (id: string) => plan.check(`observations.${id}`, 'observe').probes;
    expect(probesOf('chat.finish-reason').length).toBeGreaterThan(0);
    for (const id of probesOf('chat.finish-reason')) {
      expect(plan.body(id)).toMatchObject({ max_tokens: 16 });
      expect(plan.request(id).stream).toBe(false);
    }
    const layouts = probesOf('images.b64-json');
    expect(layouts.at(-1)).toBe('images.response-format.b64_json');
    expect(layouts.length).toBeGreaterThan(1);
    for (const id of layouts) expect(plan.body(id)).toMatchObject({ response_format: 'b64_json' });
  });

  it('of finish_reason are held against the reply without a limit', () => {
    const { limit, control } = plan.check('observations.chat.finish-reason', 'observe');
    expect({ limit, control }).toEqual({ limit: 16, control: { exchange: 'chat.long' } });
  });

  it('of input as a list judge whether some shape is accepted', () => {
    expect(plan.check('parameters.responses.input.accepted.array', 'accepted-somehow')).toEqual<Check>({
      kind: 'accepted-somehow',
      requirement: 'responses.param.input.accepted',
      probes: ['short', 'typed', 'parts', 'typed-parts'].map((shape) => `responses.input.list.${shape}`),
      controls: ['responses.plain'],
    });
  });
});
