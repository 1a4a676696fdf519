import { describe, expect, it } from 'vitest';
import type { Check } from '../model/case.ts';
import { holds } from './recall.ts';
import {
  answered,
  dossierOf,
  events,
  findingOf,
  judge,
  refused,
  replied,
  undecided,
} from './evidence.fixture.ts';

const open = [...undecided, ['a refusal', refused, /^HTTP 400/] as const];

describe('recall', () => {
  const check: Check = {
    kind: 'recall',
    requirement: 'r',
    protocol: 'chat',
    probes: ['OTTER-11111', 'HERON-22222', 'LYNX-33333'].map((nonce, index) => ({
      exchange: `p${index + 1}`,
      nonce,
    })),
    controls: ['BADGER-44444', 'STOAT-55555'].map((nonce, index) => ({ exchange: `c${index + 1}`, nonce })),
    question: 'What is the code name?',
    elsewhere: [{ exchange: 'other', nonce: 'VOLE-66666', protocol: 'chat' }],
  };
  const saying = (id: string, text: string) => answered(id, 'chat', text);
  const control = saying('c1', 'BADGER-44444');
  const deaf = ['p1', 'p2', 'p3'].map((id) => saying(id, 'I do not know.'));

  it.each([
    ['as it is', 'OTTER-11111'],
    ['in a sentence', 'The code name is OTTER-11111.'],
    ['spelt another way', 'otter 11111'],
    ['in bold', '**OTTER**-**11111**'],
  ])('passes where the nonce comes back %s', (_, text) => {
    expect(judge(check, dossierOf('chat', [saying('p1', text)]))).toEqual({
      findings: [{ requirement: 'r', verdict: 'pass' }],
      shows: 'p1',
    });
  });

  it.each(['p2', 'p3'] as const)('passes where only attempt %s recalls', (id) => {
    const nonce = id === 'p2' ? 'HERON-22222' : 'LYNX-33333';
    const entries = [...deaf.filter((entry) => entry.id !== id), saying(id, nonce), control];
    expect(judge(check, dossierOf('chat', entries)).shows).toBe(id);
    expect(findingOf(judge(check, dossierOf('chat', entries))).verdict).toBe('pass');
  });

  it('fails where the control recalls and no attempt does', () => {
    expect(findingOf(judge(check, dossierOf('chat', [...deaf, control])))).toEqual({
      requirement: 'r',
      verdict: 'fail',
      message: 'not recalled in 3 attempts, and recalled where it stands in the question',
      expected: 'OTTER-11111',
      actual: 'I do not know.',
    });
  });

  it('counts a control that recalls only in a later attempt', () => {
    const entries = [...deaf, saying('c1', 'What?'), saying('c2', 'STOAT-55555')];
    expect(findingOf(judge(check, dossierOf('chat', entries))).verdict).toBe('fail');
  });

  it('takes the nonce of another attempt for none', () => {
    const entries = [
      saying('p1', 'LYNX-33333'),
      saying('p2', 'OTTER-11111'),
      saying('p3', 'HERON-22222'),
      control,
    ];
    expect(findingOf(judge(check, dossierOf('chat', entries))).verdict).toBe('fail');
  });

  it('is left open by a model that does not even give back what stands in the question, which does not gate', () => {
    const finding = findingOf(judge(check, dossierOf('chat', [...deaf, saying('c1', 'What?')])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      soft: 'model-behaviour',
      message: expect.stringContaining('stands in the question'),
    });
  });

  const echo = ['p1', 'p2', 'p3'].map((id) => saying(id, 'You said: “What is the code name?”'));

  it('is left open by a model that only repeats its last message, which does not gate', () => {
    const finding = findingOf(judge(check, dossierOf('chat', [...echo, control])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      soft: 'model-behaviour',
      message: expect.stringContaining('repeats its last message'),
    });
  });

  it('fails a model that repeats its last message here, and is given more elsewhere', () => {
    const entries = [...echo, control, saying('other', 'VOLE-66666')];
    expect(findingOf(judge(check, dossierOf('chat', entries))).verdict).toBe('fail');
  });

  it('fails a model that repeats its last message in some attempts only', () => {
    const entries = [...echo.slice(0, 2), saying('p3', 'I do not know.'), control];
    expect(findingOf(judge(check, dossierOf('chat', entries))).verdict).toBe('fail');
  });

  it('is given more elsewhere where one of many ways shows it', () => {
    const ways: Check = {
      ...check,
      elsewhere: [{ exchange: 'lost', nonce: 'VOLE-77777', protocol: 'chat' }, ...check.elsewhere],
    };
    const entries = [...echo, control, saying('other', 'VOLE-66666'), saying('lost', 'What?')];
    expect(findingOf(judge(ways, dossierOf('chat', entries))).verdict).toBe('fail');
  });

  it('says so where there was no text to recall it in', () => {
    const mute = ['p1', 'p2', 'p3'].map((id) => saying(id, ''));
    expect(findingOf(judge(check, dossierOf('chat', [...mute, control])))).toMatchObject({
      verdict: 'fail',
      actual: 'no text',
    });
  });

  it.each(open)('is left open where the control is %s, and that gates', (_, entry, why) => {
    const finding = findingOf(judge(check, dossierOf('chat', [...deaf, entry('c1')])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'the control is not answered',
      actual: expect.stringMatching(why),
    });
    expect(finding).not.toHaveProperty('soft');
  });

  it.each(open)('is left open where an attempt is %s', (_, entry) => {
    const finding = findingOf(judge(check, dossierOf('chat', [...deaf.slice(0, 2), entry('p3'), control])));
    expect(finding).toMatchObject({ verdict: 'inconclusive', message: 'not every attempt was answered' });
    expect(finding).not.toHaveProperty('soft');
  });

  it.each(open)('names the reason where the first attempt is %s', (_, entry, why) => {
    const finding = findingOf(judge(check, dossierOf('chat', [entry('p1'), control])));
    expect(finding).toMatchObject({ verdict: 'inconclusive', actual: expect.stringMatching(why) });
  });

  it('reads a stream, too', () => {
    const pieces = events([
      { choices: [{ delta: { content: 'OTTER' } }] },
      { choices: [{ delta: { content: '-11111' } }] },
    ]);
    expect(findingOf(judge(check, dossierOf('chat', [replied('p1', { pieces })]))).verdict).toBe('pass');
  });

  it('finds a nonce by its letters and digits only', () => {
    expect(holds('O-T-T-E-R 1 1111', 'OTTER-11111')).toBe(true);
    expect(holds('OTTER-1111', 'OTTER-11111')).toBe(false);
  });
});

describe('branch', () => {
  const check: Check = {
    kind: 'branch',
    requirement: 'r',
    probe: 'a',
    own: 'OTTER-11111',
    foreign: 'HERON-22222',
  };
  const saying = (text: string) => dossierOf('responses', [answered('a', 'responses', text)]);

  it('passes where the reply knows its own branch', () => {
    expect(findingOf(judge(check, saying('OTTER-11111'))).verdict).toBe('pass');
  });

  it.each(['HERON-22222', 'First OTTER-11111, now HERON-22222'])(
    'fails where the reply knows the other: %s',
    (text) => {
      expect(findingOf(judge(check, saying(text)))).toEqual({
        requirement: 'r',
        verdict: 'fail',
        message: 'the reply knows what was said in another branch only',
        expected: 'OTTER-11111',
        actual: text,
      });
    },
  );

  it('is left open where the reply names neither, which does not gate', () => {
    expect(findingOf(judge(check, saying('No idea.')))).toMatchObject({
      verdict: 'inconclusive',
      soft: 'model-behaviour',
      actual: 'No idea.',
    });
  });

  it.each(open)('is left open by %s', (_, entry, why) => {
    const finding = findingOf(judge(check, dossierOf('responses', [entry('a')])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'no reply decides it',
      actual: expect.stringMatching(why),
    });
    expect(finding).not.toHaveProperty('soft');
  });
});
