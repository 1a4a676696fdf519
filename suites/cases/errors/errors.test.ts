import { beforeEach, describe, expect, it } from 'vitest';
import { type Built, built } from '../cases.fixture.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

const generalAlone = () => built({ families: ['general'], groups: ['default'], rateLimited: true });

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

describe('the error for an invalid token', () => {
  it('is compared with general errors in each situation that shows one, to clients that accept any type, too', () => {
    const { comparisons } = plan.check('errors.chat.authentication', 'distinct');
    const compared = comparisons.flatMap(({ others }) =>
      others.flatMap(({ probes, further = [] }) => [...probes, ...further]),
    );
    const accepted = compared.map((id) => plan.request(id).headers?.accept);
    expect(new Set(accepted)).toContain('*/*');
    expect(compared.filter((id) => plan.request(id).stream).length).toBeGreaterThan(0);
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
