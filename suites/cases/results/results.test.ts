import { type TextProtocol, textProtocols } from '../../../spec/vocabulary.ts';
import { situationOf, situationsOf } from '../../types/text-situations.ts';
import { numberMark } from '../../types/numbered.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Built, built } from '../cases.fixture.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

describe('results', () => {
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
    const { probes, compared } = plan.check(`results.${protocol}.intact`, 'intact');
    expect(probes).toEqual([`${protocol}.long`, `${protocol}.stream.long.1`]);
    const [asked = ''] = plan.request(`${protocol}.long`).says ?? [];
    for (const id of compared) {
      const { says, billed, callers, when } = plan.request(id);
      expect(says, 'with a number, for a cache may answer what is the same').toEqual([asked]);
      expect(asked).toContain(numberMark);
      expect(billed, id).toBe(0);
      expect(callers.length, id).toBe(1);
      const [served, unserved] = when;
      expect(served?.kind === 'answered' && served.any, 'never sent but where replies are compared').toEqual(
        unserved?.kind === 'unanswered' && unserved.all,
      );
    }
  });

  const comparedOf = (protocol: TextProtocol) =>
    plan.check(`results.${protocol}.intact`, 'intact').compared.map((id) => ({
      id,
      body: plan.body(id) as Readonly<Record<string, unknown>>,
      accept: plan.requests.find((request) => request.id === id)?.accept,
    }));

  it('are asked of each caller with each value of `stream`, and differ in nothing else that a model sees', () => {
    const bodies = comparedOf('chat').flatMap(({ body, accept }) =>
      situationOf(body, 'chat', accept).length === 0 ? [body] : [],
    );
    expect(new Set(bodies.map(({ stream }) => stream))).toEqual(new Set([true, false, undefined]));
    expect(new Set(bodies.map(({ messages }) => JSON.stringify(messages))).size).toBe(1);
    expect(new Set(bodies.flatMap((body) => Object.keys(body)))).toEqual(
      new Set(['model', 'messages', 'stream']),
    );
  });

  it.each(textProtocols)('are asked in each situation of %s, one at a time, streamed and not', (protocol) => {
    for (const situation of situationsOf[protocol]) {
      const own = comparedOf(protocol).filter(({ body, accept }) =>
        situationOf(body, protocol, accept).includes(situation),
      );
      expect(new Set(own.map(({ body }) => body.stream)), situation).toEqual(new Set([true, false]));
      for (const { id, body, accept } of own)
        expect(situationOf(body, protocol, accept), id).toEqual([situation]);
    }
  });

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
