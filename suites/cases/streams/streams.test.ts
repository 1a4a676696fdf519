import { beforeEach, describe, expect, it } from 'vitest';
import { textProtocols } from '../../../spec/vocabulary.ts';
import { type Built, built } from '../cases.fixture.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

const five = (id: string) => [1, 2, 3, 4, 5].map((attempt) => `${id}.${attempt}`);

describe('the arrival of a stream', () => {
  it.each(textProtocols)(
    'of %s is compared with the plain reply, with short ones and with a bounded one',
    (protocol) => {
      const { controls, probes } = plan.check(`streams.${protocol}.arrival`, 'incremental');
      expect(probes).toEqual(five(`${protocol}.stream.long`));
      expect(controls.unstreamed).toBe(`${protocol}.long`);
      expect(plan.request(controls.unstreamed).says).toEqual(plan.request(probes[0] ?? '').says);
      for (const id of [...controls.short, ...controls.bounded])
        expect(plan.request(id).stream, id).toBe(false);
      const texts = controls.short.map((id) => JSON.stringify(plan.body(id)));
      expect(texts.filter((text) => text.includes('Repeat this text'))).toEqual([]);
      expect(texts.length).toBeGreaterThan(2);
      expect(texts.length).toBeLessThan(5);
      const isLong = texts.map((text) => text.length > 4096);
      expect(isLong, 'short prompts first').toEqual([...isLong].sort());
    },
  );

  it('has as bounded reply one that max_tokens ends, or where nothing bounds it, one to a long prompt', () => {
    const boundedOf = (protocol: string) =>
      plan.check(`streams.${protocol}.arrival`, 'incremental').controls.bounded[0] ?? '';
    expect(plan.body(boundedOf('messages'))).toMatchObject({ max_tokens: 16 });
    expect(plan.body(boundedOf('chat'))).toMatchObject({ max_tokens: 5 });
    expect(JSON.stringify(plan.body(boundedOf('responses'))).length).toBeGreaterThan(4096);
  });

  it.each(textProtocols)(
    'of %s is asked for in the situation of each streamed row that came at once',
    (protocol) => {
      const { situations, probes } = plan.check(`streams.${protocol}.arrival`, 'incremental');
      expect(situations.length).toBeGreaterThan(2);
      for (const { isTimed, controls, probes: sent } of situations) {
        const requests = [...controls.bounded, ...sent].map((id) => plan.request(id));
        const [control, first, second] = requests;
        expect(requests.map(({ stream, billed }) => [stream, billed])).toEqual(Array(4).fill([true, 0]));
        const again = expect.objectContaining({ kind: 'row-at-once' });
        expect(control?.when).toContainEqual(again);
        expect(first?.when).toContainEqual({ kind: 'answered', any: controls.bounded });
        expect(second?.when).toContainEqual({
          kind: 'stream-inconclusive',
          exchanges: sent.slice(0, 1),
          controls,
        });
        expect(isTimed).toBe(!JSON.stringify(plan.body(sent[0] ?? '')).includes('previous_response_id'));
        expect(plan.body(sent[0] ?? '')).not.toMatchObject({ max_tokens: 16 });
      }
      expect(probes.length).toBe(5);
    },
  );
});
