import { beforeEach, describe, expect, it } from 'vitest';
import type { NoncePlacement, NonceQuestion } from '../../types/checks/check.ts';
import { textProtocols } from '../../../spec/vocabulary.ts';
import { type Built, built } from '../cases.fixture.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

const idsOf = (list: readonly NonceQuestion[] = []) => list.map(({ exchange }) => exchange);
const three = (id: string) => [1, 2, 3].map((attempt) => `${id}.${attempt}`);
const recall = (id: string) => plan.check(`context.${id}`, 'recall');
const isOfRow = ({ probes: [first] }: NoncePlacement) => /\.combination\.\d+$/.test(first?.exchange ?? '');
const isOfShape = ({ where }: NoncePlacement) => where.startsWith('among ');
const inRows = (id: string) => recall(id).placements.filter(isOfRow);
const alone = (id: string) => recall(id).placements.filter((placement) => !isOfRow(placement));

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
  it.each(sources)('%s is asked in rows, streamed and not, in six attempts each: %s', (id, place) => {
    const found = inRows(id).filter(({ probes }) => idsOf(probes)[1]?.includes(`.${place}.again.`));
    const streams = found.map(({ probes: [first] }) => plan.request(first?.exchange ?? '').stream);
    expect(new Set(streams)).toEqual(new Set([true, false]));
    for (const { probes, controls, mayBeRefused } of found) {
      const [row = ''] = idsOf(probes);
      expect(idsOf(probes)).toEqual([row, ...[2, 3, 4, 5, 6].map((at) => `${row}.${place}.again.${at}`)]);
      expect(idsOf(controls)).toEqual([`${row}.${place}.control`]);
      expect(mayBeRefused).toBe(true);
    }
  });

  it.each(sources)('%s has its nonce in every attempt, and each attempt another: %s', (id) => {
    for (const { probes, where } of recall(id).placements) {
      for (const { exchange, nonce } of probes)
        expect(JSON.stringify(plan.body(exchange)), where).toContain(JSON.stringify(nonce).slice(1, -1));
      expect(new Set(probes.map(({ nonce }) => nonce)).size).toBe(probes.length);
    }
  });

  it.each(['responses.instructions', 'messages.system', 'messages.history', 'chat.system', 'chat.history'])(
    '%s is asked by itself where no row with it is answered',
    (id) => {
      const [plain, ...others] = alone(id);
      expect(others).toEqual([]);
      const rows = plain?.insteadOf ?? [];
      expect(rows.length).toBeGreaterThan(1);
      const [first] = idsOf(plain?.probes);
      expect(plan.request(first ?? '')).toMatchObject({
        billed: 0,
        when: [{ kind: 'answered' }, { kind: 'unanswered', all: rows }],
      });
    },
  );

  it('is judged beside the same question with the nonce in it', () => {
    for (const [id] of sources) {
      const [protocol, slug] = id.split('.');
      expect(recall(id)).toMatchObject({
        requirement: `${protocol}.context.${slug}`,
        plainRequest: `${protocol}.plain`,
      });
      expect(idsOf(recall(id).controls)).toEqual(three(`${protocol}.context.inline`));
      expect(recall(id).elsewhere.length).toBeGreaterThan(10);
    }
  });

  it('is asked again only where the attempt before was not recalled', () => {
    const [{ probes } = { probes: [] }] = inRows('chat.system');
    const [first, second, third] = probes;
    const [one, two, three_] = idsOf(probes).map((id) => plan.request(id));
    expect([one, two, three_].map((request) => request?.billed)).toEqual([1, 0, 0]);
    expect(one?.when.map(({ kind }) => kind)).toEqual(['answered']);
    const waits = [two, three_].map((request) => request?.when.find(({ kind }) => kind === 'not-recalled'));
    expect(waits).toMatchObject([{ exchange: first?.exchange }, { exchange: second?.exchange }]);
    expect(second?.topic).not.toBe(first?.topic);
    expect(third?.topic).not.toBe(second?.topic);
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
  it('has the nonce of a system prompt as an order in later attempts', () => {
    for (const { probes } of recall('chat.system').placements) {
      const orders = idsOf(probes).map((id) => /Answer every message/.test(JSON.stringify(plan.body(id))));
      const asked = [false, true, true];
      expect([asked, [...asked, ...asked]]).toContainEqual(orders);
    }
  });

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

  it('has a nonce in a turn of each shape of a conversation, in every attempt', () => {
    const shapes = {
      'chat.system': ['system', ['several system turns', 'a system turn behind other turns']],
      'chat.history': [
        'user, assistant',
        [
          'two user turns in a row',
          'one earlier exchange',
          'a turn of the assistant at its beginning',
          'a turn of the assistant without text',
        ],
      ],
      'messages.history': ['user, assistant', ['two user turns in a row', 'one earlier exchange']],
      'responses.input': ['user', ['ten more turns in a list']],
    } as const;
    for (const [id, [roles, descriptions]] of Object.entries(shapes)) {
      const found = inRows(id).filter(isOfShape);
      expect(new Set(found.map(({ where }) => where))).toEqual(
        new Set(descriptions.map((each) => `among ${each}`)),
      );
      for (const { probes, where } of found)
        for (const { exchange, nonce } of probes) {
          const { messages, input } = Object(plan.body(exchange));
          const turns = (messages ?? input) as { role: string; content: string }[];
          const told = turns.findIndex(({ content }) => content.includes(nonce));
          expect(roles, where).toContain(turns[told]?.role);
          expect(told, where).toBeLessThan(turns.length - 1);
        }
    }
  });

  it('is asked for again in a history of the same length, beside a system prompt, too', () => {
    const lengths = ['messages.system', 'messages.history', 'chat.system', 'chat.history'].flatMap((id) =>
      recall(id).placements.map(({ probes }) =>
        probes.map(({ exchange }) => Object(plan.body(exchange)).messages.length),
      ),
    );
    expect(lengths.filter((each) => new Set(each).size > 1)).toEqual([]);
    expect(lengths.flat()).toContain(17);
  });

  it('of the user alone stands in for a history whose turns of the assistant are refused', () => {
    const [plain] = alone('messages.history');
    expect(idsOf(plain?.fallback?.probes)).toEqual(three('messages.context.users'));
    const { body, when, billed } = plan.request('messages.context.users.1');
    const turns = Object(body?.json).messages as readonly { readonly role: string }[];
    expect(new Set(turns.map(({ role }) => role))).toEqual(new Set(['user']));
    expect(billed).toBe(0);
    expect(when.slice(1)).toEqual([
      { kind: 'refused', exchange: plain?.probes[0]?.exchange },
      { kind: 'answered', any: ['messages.context.inline.1'] },
    ]);
  });

  it('has the nonce in the first element of input, in other shapes where that is refused or not recalled', () => {
    for (const { probes, otherForms = [] } of inRows('responses.input').filter((each) => !isOfShape(each))) {
      const [{ exchange, nonce } = { exchange: '', nonce: '' }] = probes;
      const [first, last] = Object(plan.body(exchange)).input as readonly { readonly content: string }[];
      expect([first?.content.includes(nonce), last?.content.includes(nonce)]).toEqual([true, false]);
      expect(otherForms.length).toBeGreaterThan(1);
    }
  });
});

describe('the question that holds its nonce itself', () => {
  it.each(textProtocols)('is asked on %s where a nonce of the protocol does not come back', (protocol) => {
    const asked = three(`${protocol}.context.inline`);
    const first = plan.request(asked[0] ?? '');
    expect(first.when.map(({ kind }) => kind)).toEqual(['answered', 'unrecalled']);
    const any = first.when.flatMap((condition) => (condition.kind === 'unrecalled' ? condition.any : []));
    const sourcesOf = sources.filter(([id]) => id.startsWith(`${protocol}.`));
    const probes = sourcesOf.flatMap(([id]) => recall(id).placements.flatMap((each) => each.probes[0] ?? []));
    expect(any).toEqual(expect.arrayContaining(probes.map(({ exchange, nonce }) => ({ exchange, nonce }))));
    for (const { exchange } of any) expect(plan.request(exchange).protocol).toBe(protocol);
  });

  it.each(textProtocols)('is asked on %s in other words where it does not come back either', (protocol) => {
    const [{ controls } = { controls: [] }] = sources.flatMap(([id]) =>
      id.startsWith(`${protocol}.`) ? [recall(id)] : [],
    );
    for (const [at, { exchange, nonce }] of controls.entries()) {
      expect(plan.request(exchange).billed).toBe(0);
      expect(JSON.stringify(plan.body(exchange))).toContain(
        `The ${controls[at]?.topic} is ${nonce}. What is`,
      );
      const { exchange: before, nonce: given } = controls[at - 1] ?? {};
      expect(plan.request(exchange).when.slice(2)).toEqual(
        before === undefined
          ? []
          : [{ kind: 'not-recalled', exchange: before, nonce: given, control: before }],
      );
    }
    expect(new Set(controls.map(({ topic }) => topic)).size).toBe(3);
  });
});

describe('a list of input in another shape', () => {
  const forms = () => inRows('responses.input')[0]?.otherForms ?? [];

  it('says the nonce in its first element and asks in its last', () => {
    const shapes = forms().map(([first]) => {
      const [said, asked] = Object(plan.body(first?.exchange ?? '')).input;
      expect(JSON.stringify(said)).toContain(first?.nonce);
      expect(JSON.stringify(asked)).toContain('What is');
      return [Object.keys(said).join(), typeof said.content];
    });
    expect(shapes).toEqual([
      ['role,content', 'string'],
      ['type,role,content', 'string'],
      ['role,content', 'object'],
      ['type,role,content', 'object'],
    ]);
  });

  it('is sent where no row and no shape before it gave its nonce back', () => {
    const rows = inRows('responses.input')
      .filter((each) => !isOfShape(each))
      .flatMap(({ probes }) => probes);
    for (const [at, [first]] of forms().entries()) {
      const before = [...rows, ...forms().slice(0, at).flat()];
      expect(plan.request(first?.exchange ?? '').when).toContainEqual({
        kind: 'nowhere-recalled',
        questions: before.map(({ exchange, nonce }) => ({ exchange, nonce })),
      });
    }
  });
});

describe('a chain of responses', () => {
  const previous = (id: string): string | undefined => Object(plan.body(id)).previous_response_id?.exchange;
  const ancestors = (id: string): readonly string[] => {
    const before = previous(id);
    return before === undefined ? [] : [...ancestors(before), before];
  };
  let [chain, reply]: readonly NoncePlacement[] = [];
  beforeEach(() => {
    [chain, reply] = recall('responses.chain').placements;
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

  it('is asked by itself, without a stream, where the row is not answered', () => {
    const [row] = idsOf(chain?.probes);
    expect(idsOf(chain?.fallback?.probes)).toEqual(three('responses.chain.plain.ask'));
    const steps = ['tell', 'between', 'last', 'ask'].map((step) => `responses.chain.plain.${step}.1`);
    expect(steps.map(previous)).toEqual([undefined, ...steps.slice(0, 3)]);
    for (const id of steps) {
      expect(plan.request(id)).toMatchObject({ billed: 0, stream: false });
      expect(plan.request(id).when).toContainEqual({ kind: 'unanswered', all: [row] });
    }
  });

  it('has controls that name an earlier response, too, and the nonce in their own question', () => {
    const forms = [chain?.controls, chain?.fallback?.controls, reply?.formControls];
    for (const [{ exchange, nonce } = { exchange: '', nonce: '?' }] of forms.map((each) => each ?? [])) {
      expect(previous(exchange), exchange).toBeDefined();
      expect(String(Object(plan.body(exchange)).input)).toContain(nonce);
      expect(plan.request(exchange)).toMatchObject({ billed: 0 });
    }
  });

  it('is asked for what a reply said and no message did, three times in other words', () => {
    const said = reply?.restsOn;
    expect(plan.request(said?.exchange ?? '').stream).toBe(false);
    expect(JSON.stringify(Object(plan.body(said?.exchange ?? '')).input)).not.toContain(said?.nonce);
    expect(new Set(reply?.probes.map(({ nonce }) => nonce))).toEqual(new Set([said?.nonce]));
    expect(reply?.probes.map(({ question }) => question)).toEqual([
      'Repeat your last reply, and nothing else.',
      'What was your last reply? Say it again.',
      'Say your last reply once more.',
    ]);
    for (const { exchange } of reply?.probes ?? []) expect(previous(exchange)).toBe(said?.exchange);
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

  it('has a row as the other branch first, and asks for its word as well', () => {
    const [row, ...later] = plan.check('context.responses.branch', 'branch').probes;
    expect(row?.otherBranch).toMatch(/^responses\.combination\.\d+$/);
    expect(JSON.stringify(plan.body(row?.otherBranch ?? ''))).toContain(`The word is ${row?.otherNonces[0]}`);
    expect(plan.body(row?.exchange ?? '')).toMatchObject({
      input: expect.stringContaining('what is the word'),
    });
    for (const { otherBranch, otherNonces, topic } of later)
      expect(plan.body(otherBranch)).toMatchObject({
        input: `The ${topic} is now ${otherNonces[0]}. Reply with the word OK.`,
      });
  });
});

describe('what is unspecified of context', () => {
  it('is whether instructions are carried along a chain', () => {
    const check = plan.check('context.responses.instructions-carried', 'observe');
    expect(check).toMatchObject({
      aspect: 'recalled',
      probes: ['responses.carried.ask'],
      control: { exchange: expect.stringMatching(/^responses\.combination\.\d+$/) },
    });
    const { exchange, nonce } = check.control ?? { exchange: '', nonce: '?' };
    expect(Object(plan.body(exchange)).instructions).toContain(nonce);
    expect(plan.body('responses.carried.tell')).toMatchObject({
      instructions: `The code name is ${check.nonce}.`,
    });
    expect(plan.body('responses.carried.ask')).not.toHaveProperty('instructions');
  });

  it('is whether Messages accepts a turn of the assistant', () => {
    expect(plan.check('context.messages.assistant-role', 'observe')).toMatchObject({
      requirement: 'messages.param.messages.unknown-role',
    });
    for (const id of plan.check('context.messages.assistant-role', 'observe').probes)
      expect(JSON.stringify(plan.body(id))).toContain('"role":"assistant"');
  });

  it('needs a declared caller of each source', () => {
    const partial = built({ families: ['general'], groups: ['default'], rateLimited: false });
    expect(partial.check('context.messages.history', 'undeclared').reason).toBe(
      'no conversational model with a third-party-client token is declared',
    );
    const { elsewhere } = partial.check('context.chat.system', 'recall');
    expect(new Set(elsewhere.map(({ protocol }) => protocol))).toEqual(new Set(['responses', 'chat']));
  });
});
