import { beforeEach, describe, expect, it } from 'vitest';
import { groups } from '../../../spec/vocabulary.ts';
import type { Check } from '../../types/checks/check.ts';
import { type Built, built, everythingDeclared } from '../cases.fixture.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

const caseOf = (id: string) => plan.cases.find((entry) => entry.id === id);

describe('a cell of the support matrix', () => {
  it('that is the only one of its protocol has no control', () => {
    const alone = built({ families: ['chat-image'], groups: ['default'], rateLimited: false });
    expect(alone.check('families.chat-image.chat.default', 'served')).toEqual<Check>({
      kind: 'served',
      requirement: 'family.chat-image.chat',
      probes: ['cell.chat-image.chat.default'],
    });
    expect(caseOf('families.chat-image.chat.default')?.requirements).toEqual(['family.chat-image.chat']);
  });

  it('that must be refused names no control afterwards where its protocol has none', () => {
    const { check } = built({ families: ['multimodal'], groups, rateLimited: false });
    expect(check('families.multimodal.responses.default', 'refused')).not.toHaveProperty('after');
  });
});

describe('the request of a cell', () => {
  it('waits for nothing where its protocol has no caller', () => {
    const { request } = built({ families: ['multimodal'], groups, rateLimited: false });
    expect(request('cell.multimodal.responses.default').when).toEqual([]);
    expect(request('cell.multimodal.messages.default').when).toEqual([]);
  });
});

describe('a token of two groups', () => {
  let shared: Built;
  beforeEach(() => {
    shared = built({ ...everythingDeclared, shared: [['default', 'third-party-client']] });
  });

  it('leaves a cell untested that must be refused for one and not for the other', () => {
    expect(shared.check('families.conversational.messages.default', 'undeclared').reason).toBe(
      'tokens.default and tokens.third-party-client are the same token',
    );
    expect(shared.requests.map(({ id }) => id)).not.toContain('cell.conversational.messages.default');
  });

  it('leaves a cell that must be refused for both, and one of another group', () => {
    expect(shared.check('families.conversational.responses.default', 'refused').kind).toBe('refused');
    expect(shared.check('families.conversational.messages.coding-tool', 'refused').kind).toBe('refused');
  });
});
