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
    const { probes, ...check } = plan.check(`streams.${protocol}.declined`, 'unstreamed');
    expect(check).toEqual({
      kind: 'unstreamed',
      requirement: `${protocol}.param.stream.accepted`,
      protocol,
      declined: true,
    });
    expect(probes.length).toBeGreaterThan(1);
    for (const id of probes) expect(plan.body(id)).toMatchObject({ stream: false });
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
  it.each(textProtocols)(
    'of %s is compared with the plain reply, with short ones and with a bounded one',
    (protocol) => {
      const { controls, probes } = plan.check(`streams.${protocol}.arrival`, 'incremental');
      expect(probes).toEqual(five(`${protocol}.stream.long`));
      expect(controls.unstreamed).toBe(`${protocol}.long`);
      expect(JSON.stringify(plan.body(controls.unstreamed))).toContain(controls.asked);
      for (const id of [...controls.short, ...controls.bounded])
        expect(plan.request(id).stream, id).toBe(false);
      const texts = controls.short.map((id) => JSON.stringify(plan.body(id)));
      expect(texts.filter((text) => text.includes('Repeat this text'))).toEqual([]);
      expect(texts.length).toBeGreaterThan(2);
    },
  );

  it('has as bounded reply one that max_tokens ends, or where nothing bounds it, one to a long prompt', () => {
    const boundedOf = (protocol: string) =>
      plan.check(`streams.${protocol}.arrival`, 'incremental').controls.bounded[0] ?? '';
    for (const protocol of ['messages', 'chat'])
      expect(plan.body(boundedOf(protocol))).toMatchObject({ max_tokens: 16 });
    expect(JSON.stringify(plan.body(boundedOf('responses'))).length).toBeGreaterThan(4096);
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
    const { bounded } = plan.check('streams.chat.arrival', 'incremental').controls;
    const [first, second, third] = bounded.map((id) => plan.request(id));
    expect(bounded.slice(1)).toEqual([2, 3, 4, 5].map((attempt) => `${first?.id}.timed.${attempt}`));
    expect(third).toMatchObject({
      body: first?.body,
      callers: first?.callers,
      billed: 0,
      when: [{ kind: 'stalled', exchange: second?.id }],
    });
  });
});
