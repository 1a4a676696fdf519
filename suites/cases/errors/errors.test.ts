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
  it('is sent in two different requests, and in a second stream where the first was answered', () => {
    const [first, second] = [plan.request('chat.rate-limited.1'), plan.request('chat.rate-limited.2')];
    expect(first.credential).toEqual({ form: 'token', token: 'rate-limited' });
    expect(second.credential).toEqual(first.credential);
    expect(first.body).not.toEqual(second.body);
    expect([first.expect, second.expect]).toEqual(['limited', 'limited']);
    const again = plan.request('chat.rate-limited.streamed.again');
    expect(again).toMatchObject({
      stream: true,
      when: [{ kind: 'answered', any: ['chat.rate-limited.streamed'] }],
    });
    expect(again.callers[0]?.family).toBe('general');
  });

  it('is sent in situations, too, and once more where it is answered there', () => {
    const general = generalAlone();
    const { endpoints } = general.check('errors.rate-limit.enforced', 'limited');
    const further = endpoints.flatMap(({ probes: [first = '', again = ''] }) =>
      first.includes('.in.') ? [{ first, again }] : [],
    );
    expect(further).toHaveLength(6);
    for (const { first, again } of further) {
      const [protocol = ''] = first.split('.');
      const row = general.request(`${protocol}.combination.${first.split('.').at(-1)}`);
      const { previous_response_id: _, ...body } = Object(row.body?.json);
      expect(general.body(first)).toMatchObject(body);
      expect(general.request(first).headers).toEqual(row.headers);
      expect(general.request(again).when).toEqual([{ kind: 'answered', any: [first] }]);
    }
  });

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
