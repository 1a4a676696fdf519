import { describe, expect, it } from 'vitest';
import type { Check } from '../types/checks/check.ts';
import {
  answered,
  unsent,
  viewOf,
  events,
  findingOf,
  judge,
  refusals,
  refused,
  replied,
  undecided,
  foundIn,
} from './evidence.fixture.ts';

const error = 'HTTP 400, application/json, {"error":{"message":"no","code":"bad"}}';

describe('refused', () => {
  const check = {
    kind: 'refused',
    requirement: 'r',
    probe: 'probe',
    controls: ['control'],
    after: 'after',
    rule: 'temperature is 2.01',
  } satisfies Check;
  const control = answered('control');
  const after = answered('after');

  it.each(refusals)('passes on %s beside a control that works before and after', (_, entry) => {
    expect(judge(check, viewOf('chat', [entry('probe'), control, after]))).toEqual({
      findings: [{ requirement: 'r', verdict: 'pass' }],
    });
  });

  it('fails on output', () => {
    expect(foundIn(check, [answered('probe'), control, after])).toMatchObject({
      verdict: 'fail',
      code: 'not-refused',
      message: 'answered with output',
      expected: 'a refusal: temperature is 2.01',
      actual: expect.stringMatching(/^HTTP 200, application\/json, \{"id":"chatcmpl-1"/),
    });
  });

  it('fails on output even where no control works', () => {
    expect(foundIn(check, [answered('probe'), refused('control')]).verdict).toBe('fail');
  });

  it.each([
    ['a stream', replied('probe', { pieces: events([{ choices: [{ delta: { content: 'hello' } }] }]) })],
    ['a 400 whose body is a result', replied('probe', { status: 400, json: answeredJson() })],
    ['a result in the shape of another protocol', answered('probe', 'messages')],
  ])('fails on output as %s', (_, entry) => {
    expect(foundIn(check, [entry, control, after]).verdict).toBe('fail');
  });

  it('is untested where the control was not needed, as another group is served in its place', () => {
    const open = { ...check, controlMayBeRefused: true };
    const entries = [refused('probe'), unsent('control', { kind: 'stand-in-not-needed' }), after];
    expect(foundIn(open, entries)).toMatchObject({
      verdict: 'untested',
      code: 'controls-unspecified',
    });
  });

  it.each([
    ['the token cannot be changed so', 'no-near-miss'],
    ['what it stands in for was answered', 'stand-in-not-needed'],
  ] as const)('has nothing to test where %s', (_, kind) => {
    const unsent = { id: 'probe', unsent: { kind } };
    expect(foundIn(check, [unsent, control, after]).verdict).toBe('untested');
    const other = { id: 'probe', unsent: { kind: 'stopped' } } as const;
    expect(foundIn(check, [other, control, after]).verdict).toBe('inconclusive');
  });

  it.each(undecided)('is inconclusive on %s', (_, entry, why) => {
    expect(foundIn(check, [entry('probe'), control, after])).toMatchObject({
      verdict: 'inconclusive',
      message: 'no conclusive reply',
      actual: expect.stringMatching(why),
    });
  });

  it.each(['data: [DONE]\n\n', 'data: {"hello":1}\n\n', ''])(
    'passes where a stream was asked for and one without output came: %j',
    (text) => {
      const empty = replied('probe', { text, headers: { 'content-type': 'text/event-stream' } });
      const view = viewOf('chat', [empty, control, after], { probe: { stream: true } });
      expect(findingOf(judge(check, view)).verdict).toBe('pass');
    },
  );

  it('is inconclusive where the control is refused, too', () => {
    expect(foundIn(check, [refused('probe'), refused('control'), after])).toEqual({
      requirement: 'r',
      verdict: 'inconclusive',
      code: 'control-refused',
      message:
        'refused, and no valid request that differs in one thing is answered: the refusal proves nothing',
      expected: 'evidence that decides it',
      actual: error,
    });
  });

  it.each(undecided)('is inconclusive where the control is %s', (_, entry) => {
    const view = viewOf('chat', [refused('probe'), entry('control'), after]);
    expect(findingOf(judge(check, view)).verdict).toBe('inconclusive');
    expect(findingOf(judge({ ...check, controlMayBeRefused: true }, view)).verdict).toBe('inconclusive');
  });

  it.each([...undecided, ['refused', refused, /^HTTP 400/] as const])(
    'is inconclusive where the control afterwards is %s',
    (_, entry, why) => {
      const finding = foundIn(check, [refused('probe'), control, entry('after')]);
      const message =
        /^the request that it is compared with was (?:answered before, and no longer is|not sent again afterwards)$/;
      expect(finding).toMatchObject({
        verdict: 'inconclusive',
        message: expect.stringMatching(message),
        actual: expect.stringMatching(why),
      });
    },
  );

  it('blames an answer nowhere twice: it is explained where another is answered, and none is without', () => {
    const explainedBy = { answered: 'any', refused: 'none' };
    const verdict = (...entries: Parameters<typeof viewOf>[1]) =>
      foundIn({ ...check, explainedBy }, [answered('probe'), control, ...entries]).verdict;
    expect(verdict(answered('any'), refused('none'))).toBe('untested');
    expect(verdict(refused('any'), refused('none'))).toBe('fail');
    expect(verdict(answered('any'), answered('none'))).toBe('fail');
  });

  it('says of a control that was not sent again no more than that', () => {
    const gone = { id: 'after', unsent: { kind: 'not-answered', exchanges: ['control'] } } as const;
    expect(foundIn(check, [refused('probe'), control, gone])).toMatchObject({
      message: 'the request that it is compared with was not sent again afterwards',
    });
  });

  it('needs no control afterwards where none is named', () => {
    const { after: _, ...withoutAfter } = check;
    expect(foundIn(withoutAfter, [refused('probe'), control]).verdict).toBe('pass');
  });

  it('is untested where every control is refused that may be', () => {
    const free: Check = { ...check, controls: ['control', 'other'], controlMayBeRefused: true };
    expect(foundIn(free, [refused('probe'), refused('control'), refused('other'), after])).toMatchObject({
      verdict: 'untested',
      message:
        'refused, and no request that it is compared with is answered, nor does the interface say that one has to be',
    });
    const behindIt = { id: 'other', unsent: { kind: 'not-answered', exchanges: ['control'] } } as const;
    const chained = viewOf('chat', [refused('probe'), refused('control'), behindIt, after]);
    expect(findingOf(judge(free, chained)).verdict).toBe('untested');
    const served = viewOf('chat', [refused('probe'), refused('control'), answered('other'), after]);
    expect(findingOf(judge(free, served)).verdict).toBe('pass');
  });

  it.each(undecided)('is inconclusive where one free control is refused and another is %s', (_, entry) => {
    const free: Check = { ...check, controls: ['control', 'other'], controlMayBeRefused: true };
    const view = viewOf('chat', [refused('probe'), refused('control'), entry('other'), after]);
    expect(findingOf(judge(free, view)).verdict).toBe('inconclusive');
  });

  it('is untested where it takes an id of a reply that has none, and its control may be refused', () => {
    const probe = {
      id: 'probe',
      unsent: { kind: 'reply-lacks', exchange: 'earlier', pointer: '/id' },
    } as const;
    const view = viewOf('chat', [probe, control, after]);
    expect(findingOf(judge({ ...check, controlMayBeRefused: true }, view))).toMatchObject({
      verdict: 'untested',
      message: 'not sent: the reply to earlier has no /id',
    });
    expect(findingOf(judge(check, view)).verdict).toBe('inconclusive');
  });

  it('is untested where there is no control at all', () => {
    expect(foundIn({ ...check, controls: [] }, [refused('probe'), after])).toMatchObject({
      verdict: 'untested',
      message: 'refused, and the target declares no model or token with which the same should be answered',
    });
  });
});

function answeredJson(): unknown {
  const { response } = answered('any');
  return JSON.parse(response?.body.text ?? '');
}
