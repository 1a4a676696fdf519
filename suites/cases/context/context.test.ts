import { beforeEach, describe, expect, it } from 'vitest';
import type { NoncePlacement, NonceQuestion } from '../../types/checks/check.ts';
import { type Built, built } from '../cases.fixture.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

const idsOf = (list: readonly NonceQuestion[] = []) => list.map(({ exchange }) => exchange);
const three = (id: string) => [1, 2, 3].map((attempt) => `${id}.${attempt}`);
const recall = (id: string) => plan.check(`context.${id}`, 'recall');
const isOfRow = ({ probes: [first] }: NoncePlacement) => /\.combination\.\d+$/.test(first?.exchange ?? '');
const isOfShape = ({ where }: NoncePlacement) => where.startsWith('in a conversation with');

const sources = [
  ['responses.instructions', 'system'],
  ['responses.input', 'element'],
  ['messages.system', 'system'],
  ['messages.history', 'user'],
  ['messages.history', 'assistant'],
  ['chat.system', 'system'],
  ['chat.history', 'user'],
  ['chat.history', 'assistant'],
] as const;

describe('a source of context', () => {
  it.each(sources)('%s has its nonce in every attempt, and each attempt another: %s', (id) => {
    for (const { probes, where } of recall(id).placements) {
      for (const { exchange, nonce } of probes)
        expect(JSON.stringify(plan.body(exchange)), where).toContain(JSON.stringify(nonce).slice(1, -1));
      expect(new Set(probes.map(({ nonce }) => nonce)).size).toBe(probes.length);
    }
  });

  it('is asked for each nonce that a request has by another name', () => {
    const asked = new Map<string, string[]>();
    for (const { placements } of ['messages.system', 'messages.history'].map(recall))
      for (const { probes } of placements.filter(isOfRow)) {
        const [first] = probes;
        if (first) asked.set(first.exchange, [...(asked.get(first.exchange) ?? []), first.topic]);
      }
    expect([...asked.values()].some((topics) => topics.length > 2)).toBe(true);
    for (const [id, topics] of asked) {
      expect(new Set(topics).size, id).toBe(topics.length);
      const messages = Object(plan.body(id)).messages as readonly { readonly content: string }[];
      for (const topic of topics) expect(messages.at(-1)?.content).toContain(topic);
    }
  });
});

describe('the body of a question', () => {
  it('has the nonce in the middle of a history, in a turn of its role', () => {
    for (const id of ['messages.history', 'chat.history']) {
      for (const { probes, where } of recall(id).placements.filter((each) => !isOfShape(each))) {
        const [{ exchange, nonce } = { exchange: '', nonce: '?' }] = probes;
        const messages = Object(plan.body(exchange)).messages as { role: string; content: string }[];
        const told = messages.findIndex(({ content }) => content.includes(nonce));
        expect(messages[told]?.role, where).toBe(where.includes('of the assistant') ? 'assistant' : 'user');
        const before = messages.slice(0, told).filter(({ role }) => role === 'user').length;
        if (where.includes('first')) expect(before, `${where} of ${exchange}`).toBeLessThan(2);
        else expect(before, `${where} of ${exchange}`).toBeGreaterThan(0);
        expect(told).toBeLessThan(messages.length - 5);
      }
    }
  });
});

describe('a chain of responses', () => {
  const previous = (id: string): string | undefined => Object(plan.body(id)).previous_response_id?.exchange;
  const ancestors = (id: string): readonly string[] => {
    const before = previous(id);
    return before === undefined ? [] : [...ancestors(before), before];
  };
  let [chain, _reply]: readonly NoncePlacement[] = [];
  beforeEach(() => {
    [chain, _reply] = recall('responses.chain').placements;
  });

  it('is asked in a row, in a stream, more than two responses behind the statement', () => {
    const [first, ...again] = chain?.probes ?? [];
    const [root = '', ...between] = ancestors(first?.exchange ?? '');
    expect(JSON.stringify(plan.body(root))).toContain(first?.nonce);
    expect(between.length).toBeGreaterThanOrEqual(2);
    for (const id of [...between, first?.exchange ?? ''])
      expect(JSON.stringify(plan.body(id))).not.toContain(first?.nonce);
    expect(plan.request(first?.exchange ?? '').stream).toBe(true);
    for (const { exchange } of again) expect(ancestors(exchange).length).toBe(3);
  });

  it('is named as nothing else in it is', () => {
    const [first] = chain?.probes ?? [];
    const [root, ...others] = [...ancestors(first?.exchange ?? ''), first?.exchange ?? ''];
    const given = (id = '') => JSON.stringify(plan.body(id)).match(/The ([a-z ]+) is [A-Z]/g) ?? [];
    expect(given(root)).toEqual([`The ${first?.topic} is ${first?.nonce[0]}`]);
    for (const id of others)
      expect(given(id).filter((each) => each.startsWith(`The ${first?.topic} `))).toEqual([]);
  });

  it('is asked for by nothing between, whose reply would hand it on', () => {
    const [first] = chain?.probes ?? [];
    const [, ...between] = ancestors(first?.exchange ?? '');
    for (const id of between) expect(JSON.stringify(plan.body(id))).not.toContain(`the ${first?.topic}`);
    expect(JSON.stringify(plan.body(first?.exchange ?? ''))).toContain(`the ${first?.topic}`);
  });

  it('has two branches, and the root is asked once the other branch was answered', () => {
    const { probes, controls, plainRequest } = plan.check('context.responses.branch', 'branch');
    expect([idsOf(controls), plainRequest]).toEqual([three('responses.context.inline'), 'responses.plain']);
    expect(idsOf(probes)).toEqual(three('responses.branch.ask'));
    expect(probes[0]?.root).toBe('responses.combination.1');
    for (const { exchange, root, otherBranch, nonce, topic } of probes) {
      expect([previous(exchange), previous(otherBranch)]).toEqual([root, root]);
      expect(plan.request(exchange).when.at(-1)).toEqual({ kind: 'answered', any: [otherBranch] });
      expect(JSON.stringify(plan.body(root))).toContain(`The ${topic} is ${nonce}`);
    }
  });
});

describe('what is unspecified of context', () => {
  it('needs a declared caller of each source', () => {
    const partial = built({ families: ['general'], groups: ['default'], rateLimited: false });
    expect(partial.check('context.messages.history', 'undeclared').reason).toBe(
      'no conversational model with a third-party-client token is declared',
    );
    const { elsewhere } = partial.check('context.chat.system', 'recall');
    expect(new Set(elsewhere.map(({ protocol }) => protocol))).toEqual(new Set(['responses', 'chat']));
  });
});
