import { beforeEach, describe, expect, it } from 'vitest';
import type { Check } from '../../types/checks/check.ts';
import { enoughOfBoth, readSign } from '../../checks/shared/signs.ts';
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

  it.each([1, 2, 10])('of images have the number of images asked for: %i', (count) => {
    const { probes, ...check } = plan.check(`results.images.count.${count}`, 'image-count');
    expect(check).toEqual({ kind: 'image-count', requirement: 'images.result.data.count', count });
    expect(probes.at(-1)).toBe(`images.n.${count}`);
    expect(probes.length).toBeGreaterThan(1);
    for (const id of probes) expect(plan.body(id)).toMatchObject({ n: count });
  });

  it('of images have one at least where their number is left out', () => {
    const { probes, count } = plan.check('results.images.count.left-out', 'image-count');
    expect(count).toBeUndefined();
    expect(probes[0]).toBe('images.plain');
    expect(probes.length).toBeGreaterThan(1);
    for (const id of probes) expect(plan.body(id)).not.toHaveProperty('n');
  });

  it('of images have links where those are asked for, in rows and in their stead alone', () => {
    const { probes, requirement } = plan.check('results.images.url', 'image-url');
    expect(requirement).toBe('images.result.data.url');
    expect(probes.at(-1)).toBe('images.response-format.url');
    expect(probes.length).toBeGreaterThan(1);
    for (const id of probes) expect(plan.body(id)).toMatchObject({ response_format: 'url' });
  });

  it.each(['responses', 'messages', 'chat'])('of %s come back as the model said them', (protocol) => {
    const { questions, elsewhere, long } = plan.check(`results.${protocol}.intact`, 'intact');
    expect(new Set(questions.map(({ stream }) => stream))).toEqual(new Set([true, false]));
    expect(elsewhere).toEqual(expect.arrayContaining([...questions]));
    for (const { attempts } of questions) {
      expect(attempts.length).toBe(3);
      for (const { exchange, scripted = '?' } of attempts)
        expect(JSON.stringify(plan.body(exchange)), exchange).toContain(scripted);
    }
    expect(new Set(long.unstreamed.map((id) => JSON.stringify(plan.body(id))))).toEqual(
      new Set([JSON.stringify(plan.body(`${protocol}.long`))]),
    );
    expect(long.streamed.filter((id) => !plan.request(id).stream)).toEqual([]);
    const [first, second, third] = long.unstreamed.map((id) => plan.request(id));
    expect([first?.billed, second?.billed, third?.billed]).toEqual([1, 0, 0]);
    const notRecalled = (before?: string) => ({
      kind: 'not-recalled',
      exchange: before,
      nonce: long.asked,
      control: before,
    });
    expect(second?.when).toEqual([...(first?.when ?? []), notRecalled(first?.id)]);
    expect(third?.when).toEqual([...(first?.when ?? []), notRecalled(second?.id)]);
    // The first of both, and those that are sent as long as a sign may be lost.
    const sent = [long.unstreamed, long.streamed].map((ids) =>
      ids.filter((id) => !/\.(again\.|long\.)[2-5]$/.test(id)),
    );
    expect(sent.map(({ length }) => length)).toEqual([enoughOfBoth, enoughOfBoth]);
    const further = [...long.unstreamed, ...long.streamed].filter((id) => id.includes('.signs.'));
    for (const id of further) {
      const { billed, when } = plan.request(id);
      expect(billed, id).toBe(0);
      expect(when, id).toContainEqual(expect.objectContaining({ kind: 'signs-open' }));
    }
  });

  it('are sent in an order that no model has which writes otherwise every so many replies', () => {
    const { long } = plan.check('results.chat.intact', 'intact');
    const attempt = (id: string): number => Number(id.split('.').at(-1));
    const order = [...long.unstreamed, ...long.streamed]
      .filter((id) => id.includes('.signs.'))
      .toSorted((one, other) => attempt(one) - attempt(other))
      .map((id) => plan.request(id).stream);
    const isOrderOf = (isOther: (at: number) => boolean): boolean =>
      new Set(order.map((stream, at) => stream === isOther(at))).size === 1;
    for (let period = 1; period <= 10; period += 1)
      expect(
        isOrderOf((at) => order[at % period] === true),
        `every ${period}`,
      ).toBe(false);
    const parts = Array.from({ length: 100 }, (_, part) => part / 100);
    for (const step of parts)
      for (const start of parts)
        expect(
          isOrderOf((at) => (start + at * step) % 1 < 0.5),
          `step ${step}`,
        ).toBe(false);
  });

  it('hold a sign between two words that stand in the text once', () => {
    const { long } = plan.check('results.chat.intact', 'intact');
    for (const { name, before, after } of long.signs) {
      expect(readSign(long.asked, { name, before, after }), name).toBe('kept');
      expect(long.asked.split(before).length, name).toBe(2);
      expect(long.asked.split(after).length, name).toBe(2);
    }
  });

  it('show no word of another request: every nonce of the plan is looked for', () => {
    const { words } = plan.check('results.own-context', 'own-context');
    const asked = plan.cases.flatMap(({ check }) =>
      check.kind === 'recall'
        ? check.placements.flatMap(({ probes }) => probes.map(({ nonce }) => nonce))
        : [],
    );
    expect(asked.filter((nonce) => !words.includes(nonce))).toEqual([]);
    expect(JSON.stringify(plan.body('chat.long'))).toContain(words.at(-1));
    const images = built({ families: ['image'], groups: ['default'], rateLimited: false });
    expect(images.check('results.own-context', 'undeclared').reason).toBe(
      'no text model that can be judged is declared',
    );
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
      parts: ['chat.temperature.0', 'chat.temperature.0.7', 'chat.temperature.2'],
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
