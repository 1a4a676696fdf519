import { describe, expect, it } from 'vitest';
import type { Check } from '../model/case.ts';
import type { RetryReason } from '../model/reasons.ts';
import {
  answered,
  viewOf,
  events,
  findingOf,
  judge,
  refusals,
  refused,
  replied,
  undecided,
} from './evidence.fixture.ts';

const error = 'HTTP 400, application/json, {"error":{"message":"no","code":"bad"}}';

describe('refused', () => {
  const check = {
    kind: 'refused',
    requirement: 'r',
    probe: 'probe',
    controls: ['control'],
    after: 'after',
    expected: 'no output: temperature is 2.01',
  } as const satisfies Check;
  const control = answered('control');
  const after = answered('after');

  it.each(refusals)('passes on %s beside a control that works before and after', (_, entry) => {
    expect(judge(check, viewOf('chat', [entry('probe'), control, after]))).toEqual({
      findings: [{ requirement: 'r', verdict: 'pass' }],
    });
  });

  it('fails on output', () => {
    const finding = findingOf(judge(check, viewOf('chat', [answered('probe'), control, after])));
    expect(finding).toMatchObject({
      verdict: 'fail',
      message: 'answered with output',
      expected: 'no output: temperature is 2.01',
      actual: expect.stringMatching(/^HTTP 200, application\/json, \{"id":"chatcmpl-1"/),
    });
  });

  it('fails on output even where no control works', () => {
    expect(findingOf(judge(check, viewOf('chat', [answered('probe'), refused('control')]))).verdict).toBe(
      'fail',
    );
  });

  it.each([
    ['a stream', replied('probe', { pieces: events([{ choices: [{ delta: { content: 'hello' } }] }]) })],
    ['a 400 whose body is a result', replied('probe', { status: 400, json: answeredJson() })],
    ['a result in the shape of another protocol', answered('probe', 'messages')],
  ])('fails on output as %s', (_, entry) => {
    expect(findingOf(judge(check, viewOf('chat', [entry, control, after]))).verdict).toBe('fail');
  });

  it.each([
    ['the token cannot be changed so', 'no-near-miss'],
    ['what it stands in for was answered', 'stand-in-not-needed'],
  ] as const)('has nothing to test where %s', (_, kind) => {
    const unsent = { id: 'probe', unsent: { kind } };
    expect(findingOf(judge(check, viewOf('chat', [unsent, control, after]))).verdict).toBe('untested');
    const other = { id: 'probe', unsent: { kind: 'stopped' } } as const;
    expect(findingOf(judge(check, viewOf('chat', [other, control, after]))).verdict).toBe('inconclusive');
  });

  it.each(undecided)('is left open by %s', (_, entry, why) => {
    const finding = findingOf(judge(check, viewOf('chat', [entry('probe'), control, after])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'no reply decides it',
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

  it('is left open where the control is refused, too', () => {
    expect(findingOf(judge(check, viewOf('chat', [refused('probe'), refused('control'), after])))).toEqual({
      requirement: 'r',
      verdict: 'inconclusive',
      message: 'refused, and so is the control: the refusal proves nothing',
      expected: 'evidence that decides it',
      actual: error,
    });
  });

  it.each(undecided)('is left open where the control is %s', (_, entry) => {
    const view = viewOf('chat', [refused('probe'), entry('control'), after]);
    expect(findingOf(judge(check, view)).verdict).toBe('inconclusive');
    expect(findingOf(judge({ ...check, freeControl: true }, view)).verdict).toBe('inconclusive');
  });

  it.each([...undecided, ['refused', refused, /^HTTP 400/] as const])(
    'is left open where the control afterwards is %s',
    (_, entry, why) => {
      const finding = findingOf(judge(check, viewOf('chat', [refused('probe'), control, entry('after')])));
      const message = /^the control (?:no longer works|was not sent again) afterwards$/;
      expect(finding).toMatchObject({
        verdict: 'inconclusive',
        message: expect.stringMatching(message),
        actual: expect.stringMatching(why),
      });
    },
  );

  it('blames an answer nowhere twice: it is explained where another is answered, and none is without', () => {
    const explained = { by: 'any', absent: 'none' };
    const verdict = (...entries: Parameters<typeof viewOf>[1]) =>
      findingOf(judge({ ...check, explained }, viewOf('chat', [answered('probe'), control, ...entries])))
        .verdict;
    expect(verdict(answered('any'), refused('none'))).toBe('untested');
    expect(verdict(refused('any'), refused('none'))).toBe('fail');
    expect(verdict(answered('any'), answered('none'))).toBe('fail');
  });

  it('says of a control that was not sent again no more than that', () => {
    const gone = { id: 'after', unsent: { kind: 'not-answered', exchanges: ['control'] } } as const;
    const finding = findingOf(judge(check, viewOf('chat', [refused('probe'), control, gone])));
    expect(finding).toMatchObject({ message: 'the control was not sent again afterwards' });
  });

  it('needs no control afterwards where none is named', () => {
    const { after: _, ...without } = check;
    expect(findingOf(judge(without, viewOf('chat', [refused('probe'), control]))).verdict).toBe('pass');
  });

  it('is untested where every control is refused that the document leaves open', () => {
    const free: Check = { ...check, controls: ['control', 'other'], freeControl: true };
    const finding = findingOf(
      judge(free, viewOf('chat', [refused('probe'), refused('control'), refused('other'), after])),
    );
    expect(finding).toMatchObject({
      verdict: 'untested',
      message: 'refused, as is every control that the document leaves open',
    });
    const served = viewOf('chat', [refused('probe'), refused('control'), answered('other'), after]);
    expect(findingOf(judge(free, served)).verdict).toBe('pass');
  });

  it.each(undecided)('is left open where one free control is refused and another is %s', (_, entry) => {
    const free: Check = { ...check, controls: ['control', 'other'], freeControl: true };
    const view = viewOf('chat', [refused('probe'), refused('control'), entry('other'), after]);
    expect(findingOf(judge(free, view)).verdict).toBe('inconclusive');
  });

  it('is untested where there is no control at all', () => {
    const finding = findingOf(judge({ ...check, controls: [] }, viewOf('chat', [refused('probe'), after])));
    expect(finding).toMatchObject({
      verdict: 'untested',
      message: 'refused, and the target declares no control that would not be',
    });
  });
});

function answeredJson(): unknown {
  const { response } = answered('any');
  return JSON.parse(response?.body.text ?? '');
}

describe('conflict', () => {
  const check: Check = {
    kind: 'conflict',
    conflict: 'c',
    served: 'served',
    refused: 'refused',
    probes: ['plain', 'stream'],
    controls: ['control'],
  };
  const control = answered('control');

  it.each([
    ['A where both are refused beside a control', [refused('plain'), refused('stream'), control], 'A'],
    ['B where both are answered', [answered('plain'), answered('stream'), refused('control')], 'B'],
    ['neither where only one is answered', [answered('plain'), refused('stream'), control], 'neither'],
    [
      'unknown where the control is refused, too',
      [refused('plain'), refused('stream'), refused('control')],
      'unknown',
    ],
    [
      'unknown where one has no reply',
      [answered('plain'), replied('stream', { status: 503 }), control],
      'unknown',
    ],
    ['unknown where nothing was sent', [control], 'unknown'],
  ] as const)('follows %s, and fails neither reading', (_, entries, follows) => {
    const judgement = judge(check, viewOf('chat', entries));
    expect(judgement.follows).toBe(follows);
    expect(judgement.findings.some(({ verdict }) => verdict === 'fail')).toBe(false);
    expect(judgement.findings.map(({ requirement }) => requirement).sort()).toEqual(['refused', 'served']);
  });
});

it('a conflict needs one control that is answered, not all', () => {
  const check: Check = {
    kind: 'conflict',
    conflict: 'c',
    served: 'served',
    refused: 'refused',
    probes: ['plain'],
    controls: ['other', 'control'],
  };
  const entries = [refused('plain'), refused('other'), answered('control')];
  expect(judge(check, viewOf('chat', entries)).follows).toBe('A');
});

describe('still-served', () => {
  const check: Check = { kind: 'still-served', requirement: 'r', before: 'before', after: 'after' };

  it('passes where the control is answered afterwards', () => {
    expect(findingOf(judge(check, viewOf('chat', [answered('before'), answered('after')]))).verdict).toBe(
      'pass',
    );
  });

  it.each([...undecided, ['a refusal', refused, /^HTTP 400/] as const])(
    'says what was lost, by %s',
    (_, entry, why) => {
      const finding = findingOf(judge(check, viewOf('chat', [answered('before'), entry('after')])));
      expect(finding).toMatchObject({
        verdict: 'inconclusive',
        message: expect.stringMatching(/ was answered before (?:no longer is|was not sent again),? after /),
        actual: expect.stringMatching(why),
      });
    },
  );

  it('says of a control that was not sent again no more than that', () => {
    const gone = { id: 'after', unsent: { kind: 'stopped' } } as const;
    const finding = findingOf(judge(check, viewOf('chat', [answered('before'), gone])));
    expect(finding).toMatchObject({ message: expect.stringContaining('was not sent again') });
  });

  it('says where there was nothing to lose', () => {
    const finding = findingOf(judge(check, viewOf('chat', [refused('before'), refused('after')])));
    expect(finding).toMatchObject({ verdict: 'inconclusive', message: 'the control was never answered' });
  });
});

describe('steady', () => {
  const check: Check = {
    kind: 'steady',
    requirement: 'r',
    protocol: 'chat',
    probes: ['control'],
    invalid: ['invalid'],
    limited: ['limited'],
  };
  const others = [refused('invalid', 401), replied('limited', { status: 429, text: 'later' })];
  const notValid = { invalid: { expect: 'refusal' }, limited: { expect: 'limited' } } as const;
  const wavering = (status: number, retry: RetryReason = { kind: 'confirm-refusal' }) =>
    replied('later', { json: answeredJson(), before: [{ status, retry }] });

  it('passes where every valid request is answered at once', () => {
    const view = viewOf('chat', [answered('control'), answered('later'), ...others], notValid);
    expect(judge(check, view)).toEqual({ findings: [{ requirement: 'r', verdict: 'pass' }] });
  });

  it('fails where one was refused as an invalid token is, and answered when sent again', () => {
    const judgement = judge(check, viewOf('chat', [answered('control'), wavering(401), ...others], notValid));
    expect(judgement.shows).toBe('later');
    expect(findingOf(judgement)).toMatchObject({
      verdict: 'fail',
      message: 'a valid request is refused once as an invalid token is, and answered when sent again',
      exchange: 'later',
      expected: 'the token accepted on every request',
      actual: expect.stringMatching(/^HTTP 401, then HTTP 200/),
    });
  });

  it('fails where a stream was', () => {
    const entry = replied('later', {
      pieces: events([{ choices: [{ delta: { content: 'hello' } }] }]),
      before: [{ status: 401, retry: { kind: 'confirm-refusal' } }],
    });
    const planned = { ...notValid, later: { stream: true } };
    const judgement = judge(check, viewOf('chat', [answered('control'), entry, ...others], planned));
    expect(judgement.shows).toBe('later');
    expect(findingOf(judgement).verdict).toBe('fail');
  });

  it.each([
    ['refused with another status', wavering(400)],
    ['refused with the status of a spent limit', wavering(429)],
    ['unavailable', wavering(503, { kind: 'transient', transient: { cause: 'status', status: 503 } })],
  ])('passes where one was %s before it was answered', (_, entry) => {
    expect(
      findingOf(judge(check, viewOf('chat', [answered('control'), entry, ...others], notValid))).verdict,
    ).toBe('pass');
  });

  it('does not blame a gateway that answers 500 to an invalid token, and once to something else', () => {
    const view = viewOf(
      'chat',
      [answered('control'), wavering(500, { kind: 'confirm-failure' }), refused('invalid', 500)],
      notValid,
    );
    expect(findingOf(judge(check, view)).verdict).toBe('pass');
  });

  it('does not blame a gateway whose invalid token looks like its spent limit', () => {
    const same = [refused('invalid', 403), refused('limited', 403)];
    expect(
      findingOf(judge(check, viewOf('chat', [answered('control'), wavering(403), ...same], notValid)))
        .verdict,
    ).toBe('pass');
  });

  it.each([...undecided, ['a refusal', refused, /^HTTP 400/] as const])(
    'is left open where the control is %s',
    (_, entry, why) => {
      const finding = findingOf(judge(check, viewOf('chat', [entry('control'), ...others], notValid)));
      expect(finding).toMatchObject({
        verdict: 'inconclusive',
        message: 'the control is not answered',
        actual: expect.stringMatching(why),
      });
    },
  );
});
