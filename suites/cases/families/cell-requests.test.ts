import { describe, expect, it } from 'vitest';
import { groups } from '../../../spec/vocabulary.ts';
import { built, everythingDeclared } from '../cases.fixture.ts';

describe('the request of a cell', () => {
  it('is sent as the caller of the cell', () => {
    const own = built().requests.filter(({ id }) => /^cell\./.test(id));
    expect(own.length).toBeGreaterThan(40);
    for (const { id, callers } of own) {
      const [, family, , group] = id.split('.');
      expect(callers, id).toEqual([{ family, group }]);
    }
  });
});

describe('a cell that nothing is declared for', () => {
  const few = built({ families: ['general'], groups: ['default'], rateLimited: false });

  it('is untested for its model first, then for its token', () => {
    expect(few.check('families.multimodal.chat.default', 'undeclared').reason).toBe(
      'no multimodal model is declared',
    );
    expect(few.check('families.general.responses.coding-tool', 'undeclared').reason).toBe(
      'no coding-tool token is declared',
    );
  });
});

it('a token of two groups leaves a cell untested only for the protocol and the stream that the other is served', () => {
  const scope = { ...everythingDeclared, shared: [[groups[0], groups[2]]] };
  const untested = built(scope).cases.filter(
    ({ id, check }) =>
      id.startsWith('families.') && check.kind === 'undeclared' && check.reason.includes('the same token'),
  );
  expect(untested.map(({ id }) => id)).toEqual([
    'families.conversational.messages.default',
    'families.conversational.messages.default.stream',
    'families.conversational.chat.third-party-client',
    'families.conversational.chat.third-party-client.stream',
    ...untested
      .map(({ id }) => id)
      .filter((id) => id.startsWith('families.conversational.messages.default.by.')),
  ]);
  expect(untested.some(({ id }) => id.endsWith('.by.model-suffix.unstreamed'))).toBe(true);
});
