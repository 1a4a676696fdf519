import { beforeEach, describe, expect, it } from 'vitest';
import { type Built, built } from '../cases.fixture.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

describe('observations', () => {
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
});
