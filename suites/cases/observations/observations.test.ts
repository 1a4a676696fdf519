import { beforeEach, describe, expect, it } from 'vitest';
import type { Check } from '../../types/checks/check.ts';
import { type Built, built } from '../cases.fixture.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

describe('observations', () => {
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
      expect(plan.body(id)).toMatchObject({ max_tokens: 5 });
      expect(plan.request(id).stream).toBe(false);
    }
    const layouts = probesOf('images.b64-json');
    expect(layouts.at(-1)).toBe('images.response-format.b64_json');
    expect(layouts.length).toBeGreaterThan(1);
    for (const id of layouts) expect(plan.body(id)).toMatchObject({ response_format: 'b64_json' });
  });

  it('of finish_reason are held against the reply without a limit', () => {
    const { limit, control } = plan.check('observations.chat.finish-reason', 'observe');
    expect({ limit, control }).toEqual({ limit: 5, control: { exchange: 'chat.long' } });
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
