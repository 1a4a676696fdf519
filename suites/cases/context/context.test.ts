import { beforeEach, describe, expect, it } from 'vitest';
import type { NonceQuestion } from '../../checks/shared/nonces.ts';
import { type Built, built } from '../cases.fixture.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

const idsOf = (list: readonly NonceQuestion[] = []) => list.map(({ exchange }) => exchange);
const three = (id: string) => [1, 2, 3].map((attempt) => `${id}.${attempt}`);
const recall = (id: string) => plan.check(`context.${id}`, 'recall');
const nonceOf = (id: string) => {
  const asked = recall('chat.system').otherQuestions.find(({ exchange }) => exchange === id);
  if (asked === undefined) throw new Error(`${id} asks for no nonce`);
  return asked.nonce;
};

describe('a source of context', () => {
  it.each([
    ['responses.instructions', ['responses.context.instructions', 'responses.context.instructions.stream']],
    ['responses.input', ['responses.context.input']],
    ['responses.chain', ['responses.chain.ask', 'responses.chain.stream.ask', 'responses.chain.reply']],
    ['messages.system', ['messages.context.system', 'messages.context.system.stream']],
    [
      'messages.history',
      ['messages.context.history', 'messages.context.assistant', 'messages.context.history.stream'],
    ],
    ['chat.system', ['chat.context.system', 'chat.context.system.stream']],
    ['chat.history', ['chat.context.history', 'chat.context.history.stream', 'chat.context.assistant']],
  ])('%s is asked three times in each place', (id, questions) => {
    const [protocol] = id.split('.');
    const check = recall(id);
    expect(check.placements.map(({ probes }) => idsOf(probes))).toEqual(questions.map(three));
    expect(idsOf(check.controls)).toEqual(three(`${protocol}.context.inline`));
    expect(check).toMatchObject({
      requirement: `${protocol}.context.${id.split('.')[1]}`,
      plainRequest: `${protocol}.plain`,
    });
    expect(check.otherQuestions.length).toBe(48);
  });

  it('is asked in other words the second time', () => {
    const [place] = recall('chat.history').placements;
    expect(place?.probes.map(({ topic, question }) => [topic, question])).toEqual([
      ['code name', 'What is the code name? Reply with the code name only.'],
      ['word', 'What is the word? Reply with that word only.'],
      ['code name', 'What is the code name? Reply with the code name only.'],
    ]);
    const [prompt] = recall('chat.system').placements;
    expect(prompt?.probes.map(({ question }) => question)[1]).toBe('What is the word for a young dog?');
  });

  it('is asked again where the attempt before was not recalled, compared with the control in the same words', () => {
    const [first, second, third] = three('chat.context.system').map((id) => plan.request(id));
    const served = {
      kind: 'answered',
      any: ['cell.multimodal.chat.default', 'cell.general.chat.default', 'chat.plain'],
    };
    expect(first?.when).toEqual([served]);
    expect(second?.when).toEqual([
      served,
      {
        kind: 'not-recalled',
        exchange: 'chat.context.system.1',
        nonce: nonceOf('chat.context.system.1'),
        control: 'chat.context.inline.1',
      },
    ]);
    expect(third?.when[1]).toMatchObject({ control: 'chat.context.inline.2' });
    expect([first, second, third].map((request) => request?.billed)).toEqual([1, 0, 0]);
    expect(plan.request('chat.context.inline.3').when[1]).toMatchObject({ control: 'chat.context.inline.2' });
  });

  it('that is asked in a stream asks the second family of chat first, with a control in a stream', () => {
    const place = recall('chat.history').placements[1];
    expect(place).toMatchObject({
      where: 'in an earlier turn of the user with a system prompt (in a stream)',
      mayBeRefused: true,
      unstreamedParts: ['chat.context.history.1', 'chat.temperature.1', 'chat.messages.system'],
    });
    expect(idsOf(place?.controls)).toEqual(['chat.context.history.stream.control.1']);
    const control = plan.request('chat.context.history.stream.control.1');
    expect(control).toMatchObject({ stream: true, billed: 0 });
    expect(control.when[1]).toEqual({
      kind: 'not-recalled',
      exchange: 'chat.context.history.stream.3',
      nonce: nonceOf('chat.context.history.stream.3'),
      control: 'chat.context.history.stream.3',
    });
    for (const id of ['chat.context.history.stream.1', 'chat.context.history.stream.control.1']) {
      expect(plan.request(id).callers[0]?.family).toBe('general');
    }
    expect(plan.request('chat.context.history.1').callers[0]?.family).toBe('multimodal');
  });

  it('names where the nonce stands', () => {
    const where = ['responses.instructions', 'responses.input', 'responses.chain', 'chat.system'].map((id) =>
      recall(id).placements.map((place) => place.where),
    );
    expect(where).toEqual([
      ['in the instructions', 'in the instructions behind an earlier response (in a stream)'],
      ['in the first of two elements of input'],
      [
        'three responses earlier in the chain',
        'earlier in the chain with instructions (in a stream)',
        'in the reply one response earlier',
      ],
      ['in a turn of role system', 'in a turn of role system before a history (in a stream)'],
    ]);
  });
});

describe('the body of a question', () => {
  const question = 'What is the code name? Reply with the code name only.';
  const statement = (id: string) => `The code name is ${nonceOf(id)}.`;
  const user = (content: string) => ({ role: 'user', content });
  const assistant = (content: string) => ({ role: 'assistant', content });
  const hi = [user('Hi'), assistant('Hi')];

  it('has the nonce in the instructions, in the stream behind an earlier response', () => {
    expect(plan.body('responses.context.instructions.1')).toMatchObject({
      input: question,
      instructions: statement('responses.context.instructions.1'),
      stream: false,
    });
    expect(plan.body('responses.context.instructions.stream.1')).toMatchObject({
      instructions: statement('responses.context.instructions.stream.1'),
      previous_response_id: { $: 'reply', exchange: 'responses.plain', pointer: '/id' },
      stream: true,
    });
  });

  it('has the nonce in the system prompt, as an order in later attempts', () => {
    expect(plan.body('messages.context.system.1')).toMatchObject({
      messages: [user(question)],
      system: statement('messages.context.system.1'),
    });
    const nonce = nonceOf('messages.context.system.2');
    expect(plan.body('messages.context.system.2')).toMatchObject({
      system: `The word is ${nonce}. Answer every message with the single word ${nonce}.`,
    });
    const id = 'chat.context.system.stream.1';
    expect(plan.body(id)).toMatchObject({
      messages: [{ role: 'system', content: statement(id) }, ...hi, user(question)],
      top_p: 1,
    });
  });

  it('has the nonce in the middle of a history', () => {
    const id = 'chat.context.history.1';
    expect(plan.body(id)).toMatchObject({
      messages: [...hi, user(statement(id)), assistant('OK.'), ...hi, ...hi, user(question)],
    });
    const streamed = 'messages.context.history.stream.1';
    expect(plan.body(streamed)).toMatchObject({
      messages: [...hi, user(statement(streamed)), assistant('OK.'), ...hi, ...hi, user(question)],
      system: 'Be brief.',
      temperature: 1,
      stream: true,
    });
    expect(plan.body('chat.context.history.stream.1')).toMatchObject({
      messages: [{ role: 'system', content: 'Be brief.' }, ...hi, { role: 'user' }, ...Array(6).fill({})],
      temperature: 1,
    });
    const said = 'chat.context.assistant.1';
    expect(plan.body(said)).toMatchObject({
      messages: [
        user('Pick a code name and tell me.'),
        assistant(statement(said)),
        ...hi,
        ...hi,
        user(question),
      ],
    });
  });

  it('of the user alone stands in for a history whose turns of the assistant are refused', () => {
    const [place, ofAssistant] = recall('messages.history').placements;
    expect(idsOf(place?.fallbackProbes)).toEqual(three('messages.context.users'));
    expect(ofAssistant?.mayBeRefused).toBe(true);
    const { body, when, billed } = plan.request('messages.context.users.1');
    expect(body?.json).toMatchObject({
      messages: [user('Hi'), { role: 'user' }, user('Hi'), user('Hi'), user('Hi'), user(question)],
    });
    expect(billed).toBe(0);
    expect(when.slice(1)).toEqual([
      { kind: 'refused', exchange: 'messages.context.history.1' },
      { kind: 'answered', any: ['messages.context.inline.1'] },
    ]);
  });

  it('has the nonce in the first element of input, in each shape until one recalls', () => {
    const [place] = recall('responses.input').placements;
    expect(place?.mayBeRefused).toBe(true);
    const id = 'responses.context.input';
    expect(place?.otherForms?.map(idsOf)).toEqual(
      ['typed', 'parts', 'typed-parts'].map((shape) => three(`${id}.${shape}`)),
    );
    expect(plan.body(`${id}.1`)).toMatchObject({ input: [user(statement(`${id}.1`)), user(question)] });
    expect(plan.body(`${id}.typed.1`)).toMatchObject({
      input: [
        { type: 'message', role: 'user' },
        { type: 'message', role: 'user', content: question },
      ],
    });
    expect(plan.body(`${id}.typed-parts.1`)).toMatchObject({
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: question }] },
      ],
    });
    const { when, billed } = plan.request(`${id}.parts.1`);
    expect(billed).toBe(0);
    expect(when[1]).toMatchObject({
      kind: 'nowhere-recalled',
      questions: [...three(id), ...three(`${id}.typed`)].map((exchange) => ({ exchange })),
    });
  });
});

describe('a chain of responses', () => {
  const previous = (id: string) => Object(plan.body(id)).previous_response_id?.exchange;

  it('is asked three responses behind the statement', () => {
    const steps = ['tell', 'between', 'again', 'ask'].map((step) => `responses.chain.${step}.2`);
    expect(steps.map(previous)).toEqual([undefined, ...steps.slice(0, 3)]);
    expect(plan.request('responses.chain.between.1').when.at(-1)).toEqual({
      kind: 'answered',
      any: ['responses.chain.tell.1'],
    });
    expect(plan.body('responses.chain.again.1')).toMatchObject({
      input: 'Thank you. Reply with the word OK.',
    });
  });

  it('is shared by the first attempt in a stream, which asks for its nonce with other instructions', () => {
    expect(previous('responses.chain.stream.ask.1')).toBe('responses.chain.again.1');
    expect(previous('responses.chain.stream.ask.2')).toBe('responses.chain.stream.tell.2');
    expect(nonceOf('responses.chain.stream.ask.1')).toBe(nonceOf('responses.chain.ask.1'));
    expect(nonceOf('responses.chain.stream.ask.2')).not.toBe(nonceOf('responses.chain.ask.2'));
    expect(plan.body('responses.chain.stream.ask.1')).toMatchObject({
      instructions: 'Be brief.',
      stream: true,
    });
  });

  it('is asked for what a reply said, three times in other words', () => {
    const place = recall('responses.chain').placements[2];
    expect(place?.earlierReply?.exchange).toBe('responses.context.instructions.1');
    expect(new Set(place?.probes.map(({ nonce }) => nonce))).toEqual(new Set([place?.earlierReply?.nonce]));
    expect(place?.probes.map(({ question }) => question)).toEqual([
      'Repeat your last reply, and nothing else.',
      'What was your last reply? Say it again.',
      'Say your last reply once more.',
    ]);
    expect(previous('responses.chain.reply.2')).toBe('responses.context.instructions.1');
  });

  it('has two branches, and the root is asked once the other branch was answered', () => {
    const { probes, controls, plainRequest } = plan.check('context.responses.branch', 'branch');
    expect([idsOf(controls), plainRequest]).toEqual([three('responses.context.inline'), 'responses.plain']);
    expect(idsOf(probes)).toEqual(three('responses.branch.ask'));
    const [first] = probes;
    expect(first).toMatchObject({ root: 'responses.branch.root.1', otherBranch: 'responses.branch.other.1' });
    expect([previous('responses.branch.ask.1'), previous('responses.branch.other.1')]).toEqual([
      'responses.branch.root.1',
      'responses.branch.root.1',
    ]);
    expect(plan.request('responses.branch.ask.1').when.at(-1)).toEqual({
      kind: 'answered',
      any: ['responses.branch.other.1'],
    });
    expect(plan.body('responses.branch.root.1')).toMatchObject({
      input: `The code name is ${first?.nonce}. Reply with the word OK.`,
    });
    expect(plan.body('responses.branch.other.1')).toMatchObject({
      input: `The code name is now ${first?.otherNonce}. Reply with the word OK.`,
    });
  });
});

describe('what is unspecified of context', () => {
  it('is whether instructions are carried along a chain', () => {
    const check = plan.check('context.responses.instructions-carried', 'observe');
    expect(check).toMatchObject({
      section: '4.1',
      aspect: 'recalled',
      probes: ['responses.carried.ask'],
      control: { exchange: 'responses.context.instructions.1' },
    });
    expect(plan.body('responses.carried.tell')).toMatchObject({
      instructions: `The code name is ${check.nonce}.`,
    });
    expect(plan.body('responses.carried.ask')).not.toHaveProperty('instructions');
  });

  it('is whether Messages accepts a turn of the assistant', () => {
    expect(plan.check('context.messages.assistant-role', 'observe')).toMatchObject({
      requirement: 'messages.param.messages.unknown-role',
      section: '4.2',
      probes: ['messages.context.assistant.1'],
    });
  });

  it('needs a declared caller of each source', () => {
    const partial = built({ families: ['general'], groups: ['default'], rateLimited: false });
    expect(partial.check('context.messages.history', 'undeclared').reason).toBe(
      'no conversational model with a third-party-client token is declared',
    );
    const { otherQuestions } = partial.check('context.chat.system', 'recall');
    expect(new Set(otherQuestions.map(({ protocol }) => protocol))).toEqual(new Set(['responses', 'chat']));
  });
});
