import { numberMark } from '../../types/numbered.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Built, built } from '../cases.fixture.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

describe('results', () => {
  it('are known of every request that asks for a text that stands in it', () => {
    const asking = plan.requests.filter(({ says }) => says !== undefined);
    for (const { id, says = [] } of asking)
      for (const text of says)
        for (const part of text.split(numberMark))
          expect(JSON.stringify(plan.body(id)), id).toContain(JSON.stringify(part).slice(1, -1));
    expect(asking.filter(({ billed }) => billed > 0).length).toBeGreaterThan(30);
  });

  it('show no word of another request: every nonce of the plan is looked for', () => {
    const { words } = plan.check('results.own-context', 'own-context');
    const asked = plan.cases.flatMap(({ check }) =>
      check.kind === 'recall'
        ? check.placements.flatMap(({ probes }) =>
            probes.flatMap(({ nonce }) => /^[A-Z]+-\d+/.exec(nonce) ?? []),
          )
        : [],
    );
    expect(asked.filter((nonce) => !words.includes(nonce))).toEqual([]);
    for (const id of ['chat.long', 'chat.stream.long.1', 'chat.accept-any'])
      expect(
        words.filter((word) => /\s\d{5}$/.test(word) && JSON.stringify(plan.body(id)).includes(word)),
        `${id}: a number of its own`,
      ).toHaveLength(1);
    const images = built({ families: ['image'], groups: ['default'], rateLimited: false });
    expect(images.check('results.own-context', 'undeclared').reason).toBe(
      'no text model that can be judged is declared',
    );
  });
});

describe('an image model on chat', () => {
  const cell = 'cell.chat-image.chat.default';

  it('has its fields judged where it is all that is declared for chat', () => {
    const alone = built({ families: ['chat-image'], groups: ['default'], rateLimited: false });
    expect(alone.check('results.chat.fields', 'result-fields').probes).toEqual([cell]);
    expect(alone.check('results.responses.fields', 'undeclared').kind).toBe('undeclared');
    expect(plan.check('results.chat.fields', 'result-fields').probes).toEqual(['chat.plain']);
  });

  it.each([
    { families: ['chat-image'], groups: ['coding-tool'], rateLimited: false } as const,
    { families: ['conversational'], groups: ['default'], rateLimited: false } as const,
  ])('is untested without a model and a default token: %j', (scope) => {
    const partial = built(scope);
    for (const id of ['results.chat-image.reply', 'results.chat-image.temperature']) {
      expect(partial.check(id, 'undeclared').reason).toBe(
        'no chat-image model with a default token is declared',
      );
    }
    expect(partial.check('results.chat.fields', 'undeclared').kind).toBe('undeclared');
    expect(partial.check('observations.chat-image.content', 'undeclared').reason).toBe(
      'no chat-image model with a default token is declared',
    );
  });
});
