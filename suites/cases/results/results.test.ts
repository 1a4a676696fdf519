import { beforeEach, describe, expect, it } from 'vitest';
import type { Check } from '../../checks/registry.ts';
import { type Built, built } from '../cases.fixture.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

describe('results', () => {
  it('are judged by every requirement of their fields that can fail', () => {
    expect(plan.check('results.images.fields', 'result-fields')).toEqual<Check>({
      kind: 'result-fields',
      protocol: 'images',
      requirements: ['images.result.created', 'images.result.data'],
      probes: ['images.plain'],
    });
    expect(plan.check('results.chat.fields', 'result-fields').requirements).toEqual([
      ...[
        'id',
        'object',
        'created',
        'model',
        'choices',
        'choices.index',
        'choices.role',
        'choices.content',
      ].map((field) => `chat.result.${field}`),
      ...['choices.finish-reason', 'usage', 'usage.prompt-tokens', 'usage.completion-tokens'].map(
        (field) => `chat.result.${field}`,
      ),
      'chat.result.usage.total-tokens',
    ]);
  });

  it('of text protocols carry output', () => {
    const output = plan.cases.filter(({ check }) => check.kind === 'output').map(({ id }) => id);
    expect(output).toEqual(['results.responses.output', 'results.messages.output', 'results.chat.output']);
    expect(plan.check('results.chat.output', 'output')).toEqual<Check>({
      kind: 'output',
      requirement: 'service.output',
      protocol: 'chat',
      probes: ['chat.plain', 'chat.long'],
    });
  });

  it.each([
    ['1', 'images.n.1', 1, { n: 1 }],
    ['2', 'images.n.2', 2, { n: 2 }],
    ['10', 'images.n.10', 10, { n: 10 }],
    ['urls', 'images.urls', 2, { n: 2, response_format: 'url' }],
  ])('of images have the number of images asked for: %s', (slug, probe, count, fields) => {
    expect(plan.check(`results.images.count.${slug}`, 'image-count')).toEqual<Check>({
      kind: 'image-count',
      requirement: 'images.result.data.count',
      probe,
      count,
    });
    expect(plan.body(probe)).toEqual({ ...Object(plan.body('images.plain')), ...fields });
    expect(plan.request(probe).billed).toBe(count);
  });

  it.each([
    ['url', 'images.urls'],
    ['url.alone', 'images.response-format.url'],
  ])('of images have links where those are asked for: %s', (slug, probe) => {
    expect(plan.check(`results.images.${slug}`, 'image-url')).toEqual<Check>({
      kind: 'image-url',
      requirement: 'images.result.data.url',
      probe,
    });
  });
});

describe('an image model on chat', () => {
  const cell = 'cell.chat-image.chat.default';

  it('replies with a chat completion, with and without a temperature', () => {
    expect(plan.check('results.chat-image.reply', 'chat-completion')).toEqual<Check>({
      kind: 'chat-completion',
      requirement: 'chat-image.reply',
      probe: cell,
      again: ['chat-image.temperature'],
    });
    expect(plan.check('results.chat-image.temperature', 'accepted')).toEqual<Check>({
      kind: 'accepted',
      requirement: 'chat-image.reply',
      probe: 'chat-image.temperature',
      controls: [cell],
      parts: ['chat.temperature.1'],
    });
    expect(plan.body('chat-image.temperature')).toEqual({ ...Object(plan.body(cell)), temperature: 1 });
    expect(plan.request('chat-image.temperature').when).toEqual([{ kind: 'answered', any: [cell] }]);
  });

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
