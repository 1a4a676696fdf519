import { beforeEach, describe, expect, it } from 'vitest';
import { textProtocols } from '../../../spec/vocabulary.ts';
import type { Check } from '../../checks/registry.ts';
import { type Built, built } from '../cases.fixture.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

const requirementsOf = (id: string) => plan.cases.find((entry) => entry.id === id)?.requirements;
const five = (id: string) => [1, 2, 3, 4, 5].map((attempt) => `${id}.${attempt}`);

describe('streams', () => {
  it.each([
    ['responses', ['stream.event-type', 'stream.delta']],
    ['messages', []],
    ['chat', ['stream.chunk.choices', 'stream.chunk.delta', 'stream.chunk.content']],
  ])('of %s have a shape', (protocol, events) => {
    const everyStream = ['stream.given', 'stream.well-formed', 'stream.text', 'stream.end'];
    expect(requirementsOf(`streams.${protocol}.shape`)).toEqual(
      [...everyStream, ...events].map((aspect) => `${protocol}.${aspect}`),
    );
    expect(plan.check(`streams.${protocol}.shape`, 'stream').probes).toEqual([`${protocol}.stream.true`]);
  });

  it.each(textProtocols)('of %s come only when asked for', (protocol) => {
    expect(plan.check(`streams.${protocol}.default`, 'unstreamed')).toMatchObject({
      requirement: `${protocol}.param.stream.default`,
      declined: false,
      probes: expect.arrayContaining([`${protocol}.accept-any`]),
    });
    expect(plan.check(`streams.${protocol}.declined`, 'unstreamed')).toEqual<Check>({
      kind: 'unstreamed',
      requirement: `${protocol}.param.stream.accepted`,
      protocol,
      declined: true,
      probes: [`${protocol}.plain`],
    });
  });

  it('that are unspecified in something are observed', () => {
    const observed = plan.cases.filter(({ suite, check }) => suite === 'streams' && check.kind === 'observe');
    expect(observed.map(({ id, requirements: [requirement] }) => [id, requirement])).toEqual([
      ['streams.responses.framing', 'responses.stream.framing'],
      ['streams.responses.events', 'responses.stream.other-events'],
      ['streams.responses.accept', 'responses.stream.accept'],
      ['streams.messages.framing', 'messages.stream.framing'],
      ['streams.messages.events', 'messages.stream.event-types'],
      ['streams.messages.accept', 'messages.stream.accept'],
      ['streams.chat.framing', 'chat.stream.framing'],
      ['streams.chat.events', 'chat.stream.chunk.extra'],
      ['streams.chat.accept', 'chat.stream.accept'],
    ]);
    expect(plan.check('streams.chat.framing', 'observe')).toEqual<Check>({
      kind: 'observe',
      requirement: 'chat.stream.framing',
      section: '6',
      subject: 'framing of a chat stream',
      aspect: 'framing',
      protocol: 'chat',
      probes: ['chat.stream.true'],
    });
    expect(plan.request('chat.accept-any')).toMatchObject({ accept: '*/*', expect: 'either', stream: false });
    expect(plan.body('chat.accept-any')).not.toHaveProperty('stream');
  });
});

describe('the arrival of a stream', () => {
  it('is compared with the plain reply, with six short replies and with a bounded one', () => {
    const { controls, probes } = plan.check('streams.chat.arrival', 'incremental');
    expect(probes).toEqual(five('chat.stream.long'));
    expect(controls).toMatchObject({
      unstreamed: 'chat.long',
      short: [
        'chat.messages.unicode',
        'chat.temperature.1',
        'chat.temperature.0',
        'chat.temperature.0.01',
        'chat.temperature.1.99',
        'chat.temperature.2',
      ],
      bounded: ['chat.limit.1', ...[2, 3, 4, 5].map((attempt) => `chat.limit.1.timed.${attempt}`)],
    });
    expect(JSON.stringify(plan.body('chat.long'))).toContain(controls.asked);
  });

  it('of responses is compared with a long prompt, because nothing bounds the output', () => {
    const { controls } = plan.check('streams.responses.arrival', 'incremental');
    expect(controls.short).toEqual([
      'responses.input.unicode',
      'responses.instructions.sample',
      'responses.previous-response-id.earlier',
    ]);
    expect(controls.bounded[0]).toBe('responses.long.prompt');
    expect(plan.body('responses.long.prompt')).toMatchObject({
      input: `Reply with the word hello. The sentences after this one are sample text. ${controls.asked}`,
    });
  });

  it('of messages takes no short reply of a request with every parameter', () => {
    const { controls } = plan.check('streams.messages.arrival', 'incremental');
    expect(controls.short).toEqual([
      'messages.messages.unicode',
      'messages.max-tokens.sample',
      'messages.system.sample',
      'messages.temperature.0.5',
      'messages.temperature.0',
      'messages.temperature.0.01',
    ]);
  });

  it('is asked for again where the attempts before are inconclusive', () => {
    const { controls } = plan.check('streams.chat.arrival', 'incremental');
    const [first, , third] = five('chat.stream.long').map((id) => plan.request(id));
    expect([first?.billed, third?.billed]).toEqual([1, 0]);
    expect(first?.stream).toBe(true);
    expect(first?.when.map(({ kind }) => kind)).toEqual(['answered', 'recorded']);
    expect(third?.when[0]).toEqual({
      kind: 'stream-inconclusive',
      exchanges: ['chat.stream.long.1', 'chat.stream.long.2'],
      controls,
    });
  });

  it('has a bounded reply that is asked for again where our machine stalled', () => {
    const [first, third] = ['chat.limit.1', 'chat.limit.1.timed.3'].map((id) => plan.request(id));
    expect(third?.body).toEqual(first?.body);
    expect(third).toMatchObject({
      billed: 0,
      when: [{ kind: 'stalled', exchange: 'chat.limit.1.timed.2' }],
    });
  });
});

describe('a stream that is accepted', () => {
  it.each([
    ['responses.accepted.instructions', ['responses.previous-response-id.earlier']],
    ['messages.accepted.system', []],
    ['messages.accepted.history', ['messages.temperature.1', 'messages.system.sample']],
    ['chat.accepted.system', ['chat.top-p.1', 'chat.messages.assistant']],
    ['chat.accepted.history', ['chat.temperature.1', 'chat.messages.system']],
  ])('%s is compared with the same without a stream, and with its parts', (id, parts) => {
    const [protocol, , source] = id.split('.');
    expect(plan.check(`streams.${id}`, 'accepted')).toMatchObject({
      requirement: `${protocol}.param.stream.accepted`,
      probe: `${protocol}.context.${source}.stream.1`,
      after: `${protocol}.plain.after`,
      parts: [`${protocol}.context.${source}.1`, ...parts],
    });
  });

  it('along a chain is compared with the same chain without a stream', () => {
    expect(plan.check('streams.responses.accepted.chain', 'accepted')).toEqual<Check>({
      kind: 'accepted',
      requirement: 'responses.param.stream.accepted',
      controls: ['responses.stream.true'],
      after: 'responses.plain.after',
      probe: 'responses.chain.stream.ask.1',
      parts: ['responses.chain.ask.1', 'responses.instructions.sample'],
    });
  });

  it('with a limit is compared with the same limit without a stream', () => {
    expect(plan.check('streams.chat.accepted.max-tokens', 'accepted')).toMatchObject({
      probe: 'chat.limit.16.stream',
      parts: ['chat.limit.16'],
      controls: [
        'cell.general.chat.default.stream',
        'cell.multimodal.chat.default.stream',
        'chat.stream.true',
      ],
    });
    expect(plan.cases.map(({ id }) => id)).not.toContain('streams.responses.accepted.input');
  });
});
