import { beforeEach, describe, expect, it } from 'vitest';
import { type Built, built } from '../cases.fixture.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

const generalAlone = () => built({ families: ['general'], groups: ['default'], rateLimited: true });

describe('the error for an invalid token', () => {
  it('is seen twice for one token, in different requests', () => {
    const [first, again] = ['first', 'again'].map((which) => plan.request(`images.auth.invalid.${which}`));
    expect(again?.credential).toEqual(first?.credential);
    expect(again?.body?.json).toEqual({ model: { $: 'model' }, prompt: 'Two small squares' });
    expect(first?.body?.json).not.toEqual(again?.body?.json);
    expect(plan.request('chat.auth.invalid.again').stream).toBe(true);
    expect(again).toMatchObject({ expect: 'refusal', when: [] });
  });
});

describe('what an error looks like', () => {
  it('is observed where a protocol does not support a model, of the cells that are declared', () => {
    const probes = (of: Built) => of.check('errors.unsupported-route', 'observe').probes;
    expect(probes(plan)).toEqual([
      'cell.multimodal.responses.default',
      'cell.conversational.messages.coding-tool',
      'cell.conversational.responses.default',
    ]);
    const one = built({ families: ['multimodal'], groups: ['default'], rateLimited: false });
    expect(probes(one)).toEqual(['cell.multimodal.responses.default']);
    expect(generalAlone().check('errors.unsupported-route', 'undeclared').reason).toBe(
      'no model with an unsupported protocol is declared',
    );
  });
});

describe('a token whose limit is spent', () => {
  it('leaves its cases untested where none is declared, or no model that it can call', () => {
    const reasonOf = (of: Built) => of.check('errors.rate-limit.enforced', 'undeclared').reason;
    expect(reasonOf(built({ families: ['general'], groups: ['default'], rateLimited: false }))).toBe(
      'no rate-limited token is declared',
    );
    expect(reasonOf(built({ families: ['chat-image'], groups: ['default'], rateLimited: true }))).toBe(
      'no model is declared that its token can call',
    );
  });
});
