import { describe, expect, it } from 'vitest';
import {
  answered,
  viewOf,
  events,
  findingOf,
  judge,
  refused,
  replied,
  unanswered,
} from './evidence.fixture.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Check, NonceQuestion } from '../types/checks/check.ts';

/** In which words each attempt is made, and what its last message is. */
const topics = ['code name', 'word', 'code name'];
const asks = (nonces: readonly string[], letter: string): readonly NonceQuestion[] =>
  nonces.map((nonce, index) => {
    const topic = topics[index] ?? '';
    return { exchange: `${letter}${index + 1}`, nonce, topic, question: `What is the ${topic}?` };
  });

describe('recall', () => {
  const place = { where: 'in the history', probes: asks(['OTTER-11111', 'HERON-22222', 'LYNX-33333'], 'p') };
  const [other] = asks(['VOLE-66666'], 'other');
  const check = {
    kind: 'recall',
    requirement: 'r',
    protocol: 'chat',
    placements: [place],
    controls: asks(['BADGER-44444', 'STOAT-55555', 'MOLE-88888'], 'c'),
    plainRequest: 'plain',
    elsewhere: other
      ? [{ where: 'elsewhere', probes: [{ ...other, exchange: 'other' }], protocol: 'chat' }]
      : [],
  } satisfies Check;
  const saying = (id: string, text: string) => answered(id, 'chat', text);
  const control = saying('c1', 'BADGER-44444');
  const deaf = ['p1', 'p2', 'p3'].map((id) => saying(id, 'I do not know.'));

  it.each([
    ['as it is', 'OTTER-11111'],
    ['in a sentence', 'The code name is OTTER-11111.'],
    ['spelt another way', 'otter 11111'],
    ['in bold', '**OTTER**-**11111**'],
  ])('passes where the nonce comes back %s', (_, text) => {
    expect(judge(check, viewOf('chat', [saying('p1', text)]))).toEqual({
      findings: [{ requirement: 'r', verdict: 'pass' }],
      shows: 'p1',
    });
  });

  it.each(['p2', 'p3'] as const)('passes where only attempt %s recalls', (id) => {
    const nonce = id === 'p2' ? 'HERON-22222' : 'LYNX-33333';
    const entries = [...deaf.filter((entry) => entry.id !== id), saying(id, nonce), control];
    expect(judge(check, viewOf('chat', entries)).shows).toBe(id);
    expect(findingOf(judge(check, viewOf('chat', entries))).verdict).toBe('pass');
  });

  it('is inconclusive where an attempt got a reply in the shape of another endpoint', () => {
    const other = answered('p3', 'messages', 'I do not know.');
    const finding = findingOf(judge(check, viewOf('chat', [...deaf.slice(0, 2), other, control])));
    expect(finding).toMatchObject({ verdict: 'inconclusive', code: 'attempt-of-other-shape' });
  });

  it('is inconclusive where a reply holds the word of another request', () => {
    const crossed = saying('p2', 'The word is VOLE-66666.');
    const entries = [...deaf.filter(({ id }) => id !== 'p2'), crossed, control];
    const finding = findingOf(judge(check, viewOf('chat', entries)));
    expect(finding).toMatchObject({ verdict: 'inconclusive', code: 'attempt-of-other-word' });
  });

  it('fails where the control recalls and no attempt does', () => {
    expect(findingOf(judge(check, viewOf('chat', [...deaf, control])))).toEqual({
      requirement: 'r',
      verdict: 'fail',
      code: 'context-lost',
      exchange: 'p1',
      message:
        'the model’s answer does not show what was given in the history, in 3 attempts; it does where the question itself contains it',
      expected: 'OTTER-11111',
      actual: 'I do not know.',
    });
  });

  describe('of a word that is now and then lost', () => {
    const compared: Check = { ...check, compared: { source: 'system', requests: [] } };
    const asked = { model: 'm', stream: false } as const;
    const system = 'The code name is OTTER-11111.';
    const question = 'What is the code name?';
    const body = {
      chat: {
        ...asked,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: question },
        ],
      },
      responses: { ...asked, instructions: system, input: question },
    };
    const said = (protocol: 'chat' | 'responses', lost: number, of: number) =>
      Array.from({ length: of }, (_, at) => {
        const text = at < lost ? 'I do not know.' : 'OTTER-11111';
        const exchange = answered(`${protocol}${at}`, protocol, text);
        const request = { ...exchange.request, body: JSON.stringify(body[protocol]) };
        return { ...exchange, request: { ...request, headers: { authorization: 'Bearer token' } } };
      });
    const inQuestion = (text: string, at: number) => {
      const exchange = answered(`chat-question-${at}`, 'chat', text);
      const messages = [{ role: 'user', content: 'Say OTTER-11111.' }];
      const request = { ...exchange.request, body: JSON.stringify({ ...asked, messages }) };
      return { ...exchange, request: { ...request, headers: { authorization: 'Bearer token' } } };
    };
    const inQuestions = (...texts: readonly string[]) => Array.from({ length: 8 }, () => texts).flat();
    const found = (replies: readonly Exchange[], judged = compared, questions = ['OTTER-11111']) => {
      const entries = [...replies, ...inQuestions(...questions).map(inQuestion)];
      const requests = entries.map(({ id }) => [
        id,
        {
          protocol: id.startsWith('chat') ? ('chat' as const) : ('responses' as const),
          stream: false,
          says: ['OTTER-11111'],
          callers: [{ family: 'general' as const, group: 'default' as const }],
        },
      ]);
      const answer = saying('p1', 'OTTER-11111');
      return findingOf(judge(judged, viewOf('chat', [...entries, answer], Object.fromEntries(requests))));
    };

    it('fails where the same model is given it elsewhere, and an exact test rules chance out', () => {
      expect(found([...said('chat', 30, 40), ...said('responses', 0, 40)])).toMatchObject({
        verdict: 'fail',
        code: 'text-differs',
        message:
          '30 of 40 replies without a stream to requests with a system prompt lack a word that the system prompt gives; of replies of the same model to the same turns on another endpoint 0 of 40 do',
        actual: 'I do not know.',
      });
    });

    it.each([
      ['the model does not say what its question holds, either, as a mock behind one endpoint', 'a mock'],
      ['what its question holds is lost as well, in part', '11111'],
      ['what its question holds has other words as well', 'OTTO-11111'],
    ])('passes where %s', (_, text) => {
      const entries = [...said('chat', 30, 40), ...said('responses', 0, 40)];
      expect(found(entries, compared, [text]).verdict).toBe('pass');
      expect(found(entries, compared, [text, 'OTTER-11111']).verdict).toBe('pass');
    });

    it('fails where what its question holds is lost now and then, and less often than chance explains', () => {
      const entries = [...said('chat', 40, 40), ...said('responses', 0, 40)];
      const questions = ['11111', ...Array.from({ length: 4 }, () => 'OTTER-11111')];
      expect(found(entries, compared, questions).verdict).toBe('fail');
    });

    it('passes on an endpoint that keeps it, whatever another one loses', () => {
      const onResponses: Check = { ...compared, protocol: 'responses' };
      const entries = [...said('chat', 30, 40), ...said('responses', 0, 40)];
      expect(found(entries, onResponses).verdict).toBe('pass');
    });

    it.each([
      ['the model loses it elsewhere, too', 20, 18],
      ['it is lost seldom', 4, 0],
    ])('passes where %s', (_, lost, elsewhere) =>
      expect(found([...said('chat', lost, 40), ...said('responses', elsewhere, 40)]).verdict).toBe('pass'),
    );
  });

  describe('of letters beyond ASCII', () => {
    const tail = '-größer-мир-数据-😀-ok';
    const named = (letter: string, count: number) =>
      Array.from({ length: count }, (_, at) => `OTTER-${10_000 + letter.charCodeAt(0) * 100 + at}${tail}`);
    const [probes, controls, others] = [
      asks(named('p', 6), 'p'),
      asks(named('c', 1), 'c'),
      asks(named('o', 20), 'o'),
    ] as const;
    const asked: Check = {
      ...check,
      placements: [{ ...place, probes, controls }],
      elsewhere: others.map((one) => ({ where: 'elsewhere', probes: [one], protocol: 'chat' as const })),
    };
    const planned = Object.fromEntries(others.map(({ exchange, nonce }) => [exchange, { says: [nonce] }]));
    const kept = (those: readonly NonceQuestion[]) =>
      those.map(({ exchange, nonce }) => saying(exchange, nonce));
    const garbled = (those: readonly NonceQuestion[]) =>
      those.map(({ exchange, nonce }) => saying(exchange, nonce.replace(/[^\p{ASCII}]/gu, '?')));

    it('fails where no attempt has them, and each other reply of the model', () => {
      const entries = [...garbled(probes), ...kept(controls), ...kept(others)];
      expect(findingOf(judge(asked, viewOf('chat', entries, planned)))).toMatchObject({
        verdict: 'fail',
        code: 'letters-lost',
        message:
          'letters beyond ASCII of what was given in the history are lost in 6 of 6 answers; of other texts that the same model was asked for, in 0 of 20',
        actual: expect.stringMatching(/-gr\?\?er-/),
      });
    });

    it.each([
      ['the control lacks them, too', [...garbled(probes), ...garbled(controls), ...kept(others)]],
      ['no control was asked', [...garbled(probes), ...kept(others)]],
      [
        'one attempt has them',
        [...garbled(probes.slice(1)), ...kept(probes.slice(0, 1)), ...kept(controls), ...kept(others)],
      ],
      ['few attempts were made', [...garbled(probes.slice(0, 3)), ...kept(controls), ...kept(others)]],
      ['nothing else was asked', [...garbled(probes), ...kept(controls)]],
      [
        'the model drops them now and then elsewhere',
        [...garbled(probes), ...kept(controls), ...garbled(others.slice(0, 8)), ...kept(others.slice(8))],
      ],
    ])('passes where %s', (_, entries) => {
      expect(findingOf(judge(asked, viewOf('chat', entries, planned))).verdict).toBe('pass');
    });
  });

  it('counts a control that recalls only in a later attempt', () => {
    const others = Array.from({ length: 30 }, (_, at) => asks([`VOLE-777${10 + at}`], `other${at}-`));
    const steady: Check = {
      ...check,
      elsewhere: others.map((probes) => ({ where: 'elsewhere', probes, protocol: 'chat' as const })),
    };
    const recalled = others.flat().map(({ exchange, nonce }) => saying(exchange, nonce));
    const entries = [...deaf, saying('c1', 'What?'), saying('c2', 'STOAT-55555')];
    expect(findingOf(judge(steady, viewOf('chat', [...entries, ...recalled]))).verdict).toBe('fail');
  });

  it('is inconclusive with a model that forgets now and then elsewhere, too, which does not gate', () => {
    const entries = [...deaf, saying('c1', 'What?'), saying('c2', 'STOAT-55555')];
    expect(findingOf(judge(check, viewOf('chat', entries)))).toMatchObject({
      verdict: 'inconclusive',
      nonGating: 'model-behaviour',
      message: 'the model forgets now and then: elsewhere, too, 1 of 2 answers lacked the word',
    });
  });

  it('is inconclusive where an attempt was cut off at its limit, which does not gate', () => {
    const message = { role: 'assistant', content: 'You' };
    const cut = replied('p2', { json: { choices: [{ index: 0, message, finish_reason: 'length' }] } });
    const entries = [...deaf.filter(({ id }) => id !== 'p2'), cut, control];
    expect(findingOf(judge(check, viewOf('chat', entries)))).toMatchObject({
      verdict: 'inconclusive',
      nonGating: 'model-behaviour',
      message: 'the reply was cut off at its limit, before it could give back what was given',
    });
  });

  it('takes the nonce of another attempt for none', () => {
    const entries = [
      saying('p1', 'LYNX-33333'),
      saying('p2', 'OTTER-11111'),
      saying('p3', 'HERON-22222'),
      control,
    ];
    expect(findingOf(judge(check, viewOf('chat', entries))).verdict).toBe('fail');
  });

  it('says so where only long prompts are not recalled, which a model may read in part', () => {
    const long = (entry: Exchange): Exchange => ({
      ...entry,
      request: { ...entry.request, body: JSON.stringify('word '.repeat(1000)) },
    });
    const silent = ['c1', 'c2', 'c3'].map((id) => saying(id, 'I do not know.'));
    const codeOf = (...more: readonly Exchange[]) =>
      findingOf(judge(check, viewOf('chat', [...deaf, ...more])));
    const short = saying('other', 'VOLE-66666');
    expect(codeOf(...silent.map(long), short)).toMatchObject({
      verdict: 'inconclusive',
      code: 'long-prompt-not-recalled',
      nonGating: 'model-behaviour',
    });
    for (const entries of [[...silent, short], silent.map(long), [...silent.map(long), long(short)]])
      expect(codeOf(...entries)).toMatchObject({ code: 'question-not-recalled' });
  });

  it('is inconclusive where no answer holds even the word that stands in the question, which does not gate', () => {
    const finding = findingOf(judge(check, viewOf('chat', [...deaf, saying('c1', 'What?')])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      nonGating: 'model-behaviour',
      message: expect.stringContaining('where it stands in the question itself'),
    });
  });

  const echo = place.probes.map(({ exchange, question }) => saying(exchange, `You said: “${question}”`));

  it('is inconclusive with a model that only repeats its last message, which does not gate', () => {
    const finding = findingOf(judge(check, viewOf('chat', [...echo, control])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      nonGating: 'model-behaviour',
      message: expect.stringContaining('repeats its last message'),
    });
  });

  it('fails a model that repeats its last message here, and is given more elsewhere', () => {
    const entries = [...echo, control, saying('other', 'VOLE-66666')];
    expect(findingOf(judge(check, viewOf('chat', entries))).verdict).toBe('fail');
  });

  it('is inconclusive with a model that repeats all messages, which does not gate', () => {
    const [
      {
        probes: [other],
      } = { probes: [] },
    ] = check.elsewhere;
    const all = saying('other', `You said: ${other?.nonce} ${other?.question}`);
    const finding = findingOf(judge(check, viewOf('chat', [...echo, control, all])));
    expect(finding).toMatchObject({ verdict: 'inconclusive', nonGating: 'model-behaviour' });
  });

  it.each([
    [1, 'fail'],
    [2, 'inconclusive'],
  ] as const)('of a model that repeats its last message in %i of 3 replies is %s', (repeated, verdict) => {
    const others = ['p1', 'p2', 'p3'].slice(repeated).map((id) => saying(id, 'I do not know.'));
    const entries = [...echo.slice(0, repeated), ...others, control];
    expect(findingOf(judge(check, viewOf('chat', entries))).verdict).toBe(verdict);
  });

  it('is given more elsewhere where one of many ways shows it', () => {
    const ways: Check = {
      ...check,
      elsewhere: check.elsewhere.flatMap((placement) => [
        {
          where: 'elsewhere',
          protocol: 'chat' as const,
          probes: placement.probes.map((each) => ({ ...each, exchange: 'lost', nonce: 'VOLE-77777' })),
        },
        placement,
      ]),
    };
    const entries = [...echo, control, saying('other', 'VOLE-66666'), saying('lost', 'What?')];
    expect(findingOf(judge(ways, viewOf('chat', entries))).verdict).toBe('fail');
  });

  it('says so where there was no text to recall it in', () => {
    const mute = ['p1', 'p2', 'p3'].map((id) => saying(id, ''));
    expect(findingOf(judge(check, viewOf('chat', [...mute, control])))).toMatchObject({
      verdict: 'fail',
      actual: 'no text',
    });
  });

  it.each(unanswered)('is inconclusive where the control is %s, and that gates', (_, entry, why) => {
    const finding = findingOf(judge(check, viewOf('chat', [...deaf, entry('c1')])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'the request that it is compared with is not answered',
      actual: expect.stringMatching(why),
    });
    expect(finding).not.toHaveProperty('nonGating');
  });

  it.each(unanswered)('is inconclusive where an attempt is %s', (_, entry) => {
    const finding = findingOf(judge(check, viewOf('chat', [...deaf.slice(0, 2), entry('p3'), control])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: expect.stringMatching(/^only 2 of 3 requests with a word .* were answered$/),
    });
    expect(finding).not.toHaveProperty('nonGating');
  });

  it.each(unanswered)('names the reason where the first attempt is %s', (_, entry, why) => {
    const finding = findingOf(judge(check, viewOf('chat', [entry('p1'), control])));
    expect(finding).toMatchObject({ verdict: 'inconclusive', actual: expect.stringMatching(why) });
  });

  describe('of several places', () => {
    const free = { where: 'in another turn', probes: asks(['NEWT-10001', 'TOAD-10002', 'FROG-10003'], 'q') };
    const both: Check = { ...check, placements: [place, free] };
    const deafToo = ['q1', 'q2', 'q3'].map((id) => saying(id, 'No idea.'));
    const heard = [saying('p1', 'OTTER-11111'), saying('q1', 'NEWT-10001')];

    it('passes where each recalls', () => {
      expect(findingOf(judge(both, viewOf('chat', heard))).verdict).toBe('pass');
    });

    it.each([
      ['the first', [...deaf, saying('q1', 'NEWT-10001')], 'in the history', 'p1', 'OTTER-11111'],
      ['the second', [saying('p1', 'OTTER-11111'), ...deafToo], 'in another turn', 'q1', 'NEWT-10001'],
      ['any', [...deaf, ...deafToo], 'in the history or in another turn', 'p1', 'OTTER-11111'],
    ])('fails by %s that is lost, and names it', (_, entries, where, shows, expected) => {
      const judgement = judge(both, viewOf('chat', [...entries, control]));
      expect(judgement.shows).toBe(shows);
      expect(findingOf(judgement)).toMatchObject({
        verdict: 'fail',
        expected,
        message: expect.stringMatching(new RegExp(`does not show what was given ${where}, in 3 attempts;`)),
      });
    });

    it.each([
      ['is inconclusive', false, 'inconclusive'],
      ['passes where the place may be refused', true, 'pass'],
    ])('with a place that is refused, and not for its words, %s', (_, may, verdict) => {
      const places: Check = { ...check, placements: [place, { ...free, mayBeRefused: may }] };
      const entries = [saying('p1', 'OTTER-11111'), refused('q1'), control];
      expect(findingOf(judge(places, viewOf('chat', entries))).verdict).toBe(verdict);
    });

    it('fails a place that may be refused, and is taken and lost', () => {
      const places: Check = { ...check, placements: [place, { ...free, mayBeRefused: true }] };
      const entries = [saying('p1', 'OTTER-11111'), ...deafToo, control];
      expect(findingOf(judge(places, viewOf('chat', entries))).verdict).toBe('fail');
    });

    it.each([
      ['passes where that recalls', [saying('q1', 'NEWT-10001')], 'pass'],
      ['fails where that is lost', deafToo, 'fail'],
      ['is inconclusive where that is refused, too', [refused('q1')], 'inconclusive'],
    ])('judges what stands in for one that is refused, and %s', (_, entries, verdict) => {
      const places: Check = { ...check, placements: [{ ...place, fallback: { probes: free.probes } }] };
      const view = viewOf('chat', [refused('p1'), control, ...entries]);
      expect(findingOf(judge(places, view)).verdict).toBe(verdict);
    });

    it('leaves what stands in for another alone where that is taken', () => {
      const places: Check = { ...check, placements: [{ ...place, fallback: { probes: free.probes } }] };
      const entries = [...deaf, saying('q1', 'NEWT-10001'), control];
      expect(findingOf(judge(places, viewOf('chat', entries))).verdict).toBe('fail');
    });

    it.each([
      ['fails where a reply of the same form is whole', 'NEWT-10001', 'fail'],
      ['is inconclusive where a reply of the same form is damaged, too', 'NEWT--', 'inconclusive'],
    ])('%s', (_, said, verdict) => {
      const formControls = asks(['NEWT-10001'], 'form');
      const places: Check = { ...check, placements: [{ ...place, formControls }] };
      const view = viewOf('chat', [...deaf, control, saying('form1', said)]);
      expect(findingOf(judge(places, view)).verdict).toBe(verdict);
    });

    describe('with other forms', () => {
      const otherForms = [
        asks(['NEWT-10001', 'TOAD-10002', 'FROG-10003'], 'also'),
        asks(['SWAN-10004'], 'or'),
      ];
      const places: Check = { ...check, placements: [{ ...place, otherForms, mayBeRefused: true }] };
      const finding = (...entries: Parameters<typeof viewOf>[1]) =>
        findingOf(judge(places, viewOf('chat', [...entries, control])));
      const deafAlso = ['also1', 'also2', 'also3'].map((id) => saying(id, 'What?'));

      it('takes one that recalls for proof, and one that does not for nothing beside the first', () => {
        expect(finding(...deaf, saying('also1', 'NEWT-10001')).verdict).toBe('pass');
        expect(finding(...deaf, refused('also1'), saying('or1', 'SWAN-10004')).verdict).toBe('pass');
        expect(finding(...deaf, ...deafAlso)).toMatchObject({ verdict: 'fail', expected: 'OTTER-11111' });
        expect(finding(...deaf, refused('also1')).verdict).toBe('fail');
      });

      it('judges the first that is answered, where others are refused', () => {
        expect(finding(refused('p1'), ...deafAlso, refused('or1'))).toMatchObject({
          verdict: 'fail',
          expected: 'NEWT-10001',
        });
        expect(finding(refused('p1'), refused('also1'), saying('or1', 'What?'))).toMatchObject({
          verdict: 'fail',
          expected: 'SWAN-10004',
        });
        expect(finding(refused('p1'), saying('also1', 'What?')).verdict).toBe('inconclusive');
      });

      it('is untested where each is refused', () => {
        expect(finding(refused('p1'), refused('also1'), refused('or1')).verdict).toBe('untested');
      });
    });

    describe('with a control of its own', () => {
      const probes = asks(['NEWT-10001', 'TOAD-10002', 'FROG-10003'], 'q');
      const own = { where: 'in a stream', probes, controls: asks(['SEAL-90001'], 's'), mayBeRefused: true };
      const places: Check = { ...check, placements: [place, own] };
      const finding = (...entries: Parameters<typeof viewOf>[1]) =>
        findingOf(judge(places, viewOf('chat', [saying('p1', 'OTTER-11111'), ...entries])));

      it('passes where it recalls, and needs no control for that', () => {
        expect(finding(saying('q2', 'TOAD-10002')).verdict).toBe('pass');
      });

      it('fails where that control recalls and it does not', () => {
        expect(finding(...deafToo, saying('s1', 'SEAL-90001'))).toMatchObject({
          verdict: 'fail',
          message: expect.stringMatching(/does not show what was given in a stream, in 3 attempts;/),
        });
      });

      it('is inconclusive where only the control of the others recalls: the model is not heard that way', () => {
        expect(finding(...deafToo, control, saying('s1', 'What?'))).toMatchObject({
          verdict: 'inconclusive',
          nonGating: 'model-behaviour',
        });
      });

      it('is inconclusive where that control is not answered, and that gates', () => {
        const left = finding(...deafToo, control);
        expect(left).toMatchObject({
          verdict: 'inconclusive',
          message: 'the request that it is compared with is not answered',
        });
        expect(left).not.toHaveProperty('nonGating');
      });
    });

    it('leaves out a place whose nonce was never said there', () => {
      const [restsOn] = asks(['MINK-10004'], 'said');
      const places: Check = {
        ...check,
        placements: [place, { ...free, ...(restsOn ? { restsOn } : {}) }],
      };
      const entries = [saying('p1', 'OTTER-11111'), ...deafToo, control];
      const verdict = (text: string) =>
        findingOf(judge(places, viewOf('chat', [...entries, saying('said1', text)]))).verdict;
      expect(verdict('I can’t tell.')).toBe('pass');
      expect(verdict('MINK-10004')).toBe('fail');
    });

    it('is not gatingly open only where every place that is open is', () => {
      const entries = [...echo, refused('q1'), control];
      expect(findingOf(judge(both, viewOf('chat', entries)))).not.toHaveProperty('nonGating');
      const nonGating = [...echo, saying('q1', 'NEWT-10001'), control];
      expect(findingOf(judge(both, viewOf('chat', nonGating)))).toMatchObject({
        nonGating: 'model-behaviour',
      });
    });
  });

  describe('of words that are refused, wherever they stand', () => {
    const all = (letter: string) => [1, 2, 3].map((number) => refused(`${letter}${number}`));
    const plain = saying('plain', 'hello');

    it('goes by the attempts in other words', () => {
      const filtered = [refused('p1'), refused('c1'), plain, saying('c2', 'STOAT-55555')];
      const words = (...more: readonly Exchange[]) =>
        findingOf(judge(check, viewOf('chat', [...filtered, ...more])));
      expect(words(refused('p3'), saying('p2', 'HERON-22222')).verdict).toBe('pass');
      expect(words(saying('p3', 'No idea.'), saying('p2', 'No idea.'))).toMatchObject({
        verdict: 'fail',
        message: expect.stringMatching(/in 2 attempts;/),
        expected: 'HERON-22222',
      });
    });

    it('is inconclusive where one attempt alone is in other words', () => {
      const entries = [refused('p1'), refused('c1'), refused('p3'), plain, saying('c2', 'STOAT-55555')];
      const finding = findingOf(judge(check, viewOf('chat', [...entries, saying('p2', 'No idea.')])));
      expect(finding).toMatchObject({ verdict: 'inconclusive', nonGating: 'model-behaviour' });
    });

    it.each([
      ['and the probes', all('p')],
      ['and no probe', deaf],
    ])('is inconclusive where the controls %s are all refused, which does not gate', (_, entries) => {
      const finding = findingOf(judge(check, viewOf('chat', [...entries, ...all('c'), plain])));
      expect(finding).toMatchObject({
        verdict: 'inconclusive',
        nonGating: 'model-behaviour',
        message: 'the question itself is refused, also when it is put in other words',
      });
    });

    it('gates where nothing else is answered either', () => {
      const entries = [...all('p'), ...all('c'), refused('plain')];
      expect(findingOf(judge(check, viewOf('chat', entries)))).not.toHaveProperty('nonGating');
    });

    it('gates where the control in the same words is answered', () => {
      const entries = [refused('p1'), control, plain];
      expect(findingOf(judge(check, viewOf('chat', entries)))).not.toHaveProperty('nonGating');
    });

    it('gates where only a control in other words is refused', () => {
      const entries = [refused('p1'), refused('c2'), control, plain];
      expect(findingOf(judge(check, viewOf('chat', entries)))).not.toHaveProperty('nonGating');
      const lost = [refused('p1'), saying('p2', 'No.'), saying('p3', 'No.'), refused('c2'), control, plain];
      expect(findingOf(judge(check, viewOf('chat', lost)))).toMatchObject({
        verdict: 'inconclusive',
        message: expect.stringMatching(/^only 2 of 3 requests with a word /),
      });
    });
  });

  it('reads a stream, too', () => {
    const pieces = events([
      { choices: [{ delta: { content: 'OTTER' } }] },
      { choices: [{ delta: { content: '-11111' } }] },
    ]);
    expect(findingOf(judge(check, viewOf('chat', [replied('p1', { pieces })]))).verdict).toBe('pass');
  });
});
