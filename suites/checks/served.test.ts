import { describe, expect, it, test } from 'vitest';
import type { Check } from '../model/case.ts';
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
  unsent,
} from './evidence.fixture.ts';

const error = 'HTTP 400, application/json, {"error":{"message":"no","code":"bad"}}';

describe('served', () => {
  const check: Check = { kind: 'served', requirement: 'r', probes: ['a', 'b'] };

  it('passes where one probe is answered, and shows that one', () => {
    const judgement = judge(check, viewOf('chat', [refused('a'), answered('b')]));
    expect(judgement).toEqual({ findings: [{ requirement: 'r', verdict: 'pass' }], shows: 'b' });
  });

  it('takes a stream for output', () => {
    const pieces = events([{ choices: [{ delta: { content: 'hello' } }] }]);
    expect(findingOf(judge(check, viewOf('chat', [replied('a', { pieces })]))).verdict).toBe('pass');
  });

  it('fails where all probes are refused', () => {
    const judgement = judge(check, viewOf('chat', [refused('a'), refused('b')]));
    expect(judgement).toEqual({
      findings: [
        {
          requirement: 'r',
          verdict: 'fail',
          message: 'a valid request is refused',
          expected: 'a reply with output',
          actual: error,
        },
      ],
      shows: 'a',
    });
  });

  it.each(refusals)('takes %s for a refusal', (_, entry) => {
    expect(findingOf(judge(check, viewOf('chat', [entry('a'), entry('b')]))).verdict).toBe('fail');
  });

  it.each(undecided.slice(0, -1))('is left open by %s beside a refusal', (_, entry, why) => {
    const finding = findingOf(judge(check, viewOf('chat', [refused('a'), entry('b')])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'no reply decides it',
      actual: expect.stringMatching(why),
    });
  });

  it('is left open where nothing was sent', () => {
    const finding = findingOf(judge(check, viewOf('chat', [], { a: {}, b: {} })));
    expect(finding).toMatchObject({ verdict: 'inconclusive', actual: 'not sent' });
  });

  it('fails only where something else of its kind is answered, if it names that', () => {
    const relative: Check = { kind: 'served', requirement: 'r', probes: ['a'], unless: ['other'] };
    const open = judge(relative, viewOf('chat', [refused('a'), refused('other')]));
    expect(findingOf(open)).toMatchObject({
      verdict: 'inconclusive',
      message: 'nothing of this kind is answered anywhere on this protocol',
      actual: error,
    });
    expect(findingOf(judge(relative, viewOf('chat', [refused('a'), answered('other')]))).verdict).toBe(
      'fail',
    );
    const two: Check = { ...relative, unless: ['none', 'other'] };
    const entries = [refused('a'), refused('none'), answered('other')];
    expect(findingOf(judge(two, viewOf('chat', entries))).verdict).toBe('fail');
  });

  it('counts a fuller request only where no smallest one of the protocol is answered', () => {
    const roomy: Check = {
      kind: 'served',
      requirement: 'r',
      probes: ['a'],
      fuller: { probes: ['full'], smallest: ['a', 'other'] },
    };
    const alone = judge(roomy, viewOf('chat', [refused('a'), refused('other'), answered('full')]));
    expect(alone).toEqual({ findings: [{ requirement: 'r', verdict: 'pass' }], shows: 'full' });
    const beside = judge(roomy, viewOf('chat', [refused('a'), answered('other'), answered('full')]));
    expect(findingOf(beside)).toMatchObject({ verdict: 'fail', message: 'a valid request is refused' });
  });
});

describe('accepted', () => {
  const check: Check = { kind: 'accepted', requirement: 'r', probe: 'probe', controls: ['probe', 'control'] };

  it('passes where the probe is answered, whatever the control says', () => {
    expect(findingOf(judge(check, viewOf('chat', [answered('probe'), refused('control')]))).verdict).toBe(
      'pass',
    );
  });

  it('fails where the probe is refused and a control is answered', () => {
    expect(findingOf(judge(check, viewOf('chat', [refused('probe'), answered('control')])))).toEqual({
      requirement: 'r',
      verdict: 'fail',
      message: 'a valid value is refused',
      expected: 'a reply with output, as for control',
      actual: error,
    });
  });

  it.each([
    ['answered', answered('other'), 'fail'],
    ['not sent', unsent('other'), 'fail'],
    ['refused', refused('other'), 'untested'],
  ] as const)('blames a value where it is refused elsewhere: that is %s', (_, other, verdict) => {
    const view = viewOf('chat', [refused('probe'), answered('control'), other]);
    expect(findingOf(judge({ ...check, elsewhere: ['other'] }, view)).verdict).toBe(verdict);
  });

  it.each([
    ['answered', answered('other'), 'inconclusive'],
    ['refused', refused('other'), 'untested'],
    ['not sent', unsent('other'), 'untested'],
  ] as const)(
    'has nothing to judge where it was not sent, and the same elsewhere is %s: that is %s',
    (_, other, verdict) => {
      const view = viewOf('chat', [unsent('probe', { kind: 'recalled-before' }), answered('control'), other]);
      expect(findingOf(judge({ ...check, elsewhere: ['other'] }, view)).verdict).toBe(verdict);
    },
  );

  it('is left open where text came on Messages in place of events: it may be the stream', () => {
    const text = replied('probe', { text: 'hello' });
    const verdict = (protocol: 'messages' | 'chat', stream: boolean, entry = text) => {
      const entries = [entry, answered('control', protocol)];
      return findingOf(judge(check, viewOf(protocol, entries, { probe: { stream } }))).verdict;
    };
    expect(verdict('messages', true)).toBe('inconclusive');
    expect(verdict('messages', true, replied('probe', { text: '"hello"' }))).toBe('inconclusive');
    expect(verdict('messages', false)).toBe('fail');
    expect(verdict('chat', true)).toBe('fail');
    expect(verdict('messages', true, replied('probe', { status: 400, text: 'hello' }))).toBe('fail');
  });

  it('passes where a stream was asked for and came, whatever that lacks', () => {
    const empty = replied('probe', { pieces: events(['[DONE]']) });
    const verdict = (stream: boolean) =>
      findingOf(judge(check, viewOf('chat', [empty, answered('control')], { probe: { stream } }))).verdict;
    expect([verdict(true), verdict(false)]).toEqual(['pass', 'fail']);
  });

  it.each([
    ['answered', answered('after'), 'fail'],
    ['refused in another way', refused('after', 500), 'fail'],
    ['refused in the same way', refused('after'), 'inconclusive'],
    ['not sent', unsent('after'), 'fail'],
  ] as const)('with the control %s at the end, gives a refusal its due', (_, after, verdict) => {
    const view = viewOf('chat', [refused('probe'), answered('control'), after]);
    const finding = findingOf(judge({ ...check, after: 'after' }, view));
    expect(finding.verdict).toBe(verdict);
    if (finding.verdict === 'inconclusive')
      expect(finding.message).toBe('refused, and later so is the control in the same way');
  });

  it('is left open where the control is refused, too: the probe is no control of itself', () => {
    const finding = findingOf(judge(check, viewOf('chat', [refused('probe'), refused('control')])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'refused, and so is the control',
      actual: error,
    });
  });

  it.each(undecided)('is left open by %s', (_, entry, why) => {
    const finding = findingOf(judge(check, viewOf('chat', [entry('probe'), answered('control')])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'no reply decides it',
      actual: expect.stringMatching(why),
    });
  });

  it.each(undecided)('is left open where the control is %s', (_, entry) => {
    const finding = findingOf(judge(check, viewOf('chat', [refused('probe'), entry('control')])));
    expect(finding.verdict).toBe('inconclusive');
  });
});

describe('accepted-somehow', () => {
  const check: Check = {
    kind: 'accepted-somehow',
    requirement: 'r',
    probes: ['a', 'b'],
    controls: ['control'],
  };

  it('passes where one spelling is answered', () => {
    const view = viewOf('responses', [
      refused('a'),
      answered('b', 'responses'),
      answered('control', 'responses'),
    ]);
    expect(findingOf(judge(check, view)).verdict).toBe('pass');
  });

  it('fails nothing where none is: the document shows no spelling', () => {
    const view = viewOf('responses', [refused('a'), refused('b'), answered('control', 'responses')]);
    expect(findingOf(judge(check, view))).toEqual({
      requirement: 'r',
      verdict: 'inconclusive',
      message: 'no shape that we know is taken, and the document shows none',
      expected: 'evidence that decides it',
      actual: error,
    });
  });
});

describe('optional', () => {
  const check: Check = {
    kind: 'optional',
    requirement: 'r',
    smallest: ['cell'],
    pairs: [
      { without: 'without', full: 'full' },
      { without: 'less', full: 'more' },
    ],
  };

  it('passes where the smallest request is answered', () => {
    expect(findingOf(judge(check, viewOf('chat', [answered('cell')]))).verdict).toBe('pass');
  });

  it('passes where one of several smallest requests is answered', () => {
    const two: Check = { ...check, smallest: ['other', 'cell'] };
    const view = viewOf('chat', [refused('other'), answered('cell'), answered('full'), refused('without')]);
    expect(findingOf(judge(two, view)).verdict).toBe('pass');
  });

  it('passes where only a fuller request without the parameter is answered', () => {
    const view = viewOf('chat', [refused('cell'), answered('full'), answered('without')]);
    expect(findingOf(judge(check, view)).verdict).toBe('pass');
  });

  it('fails where a fuller request is answered and refused without the parameter', () => {
    const expected = 'a reply with output, as for more';
    const message = 'a request without an optional parameter is refused';
    const view = viewOf('chat', [refused('cell'), refused('full'), answered('more'), refused('less')]);
    expect(judge(check, view)).toEqual({
      findings: [{ requirement: 'r', verdict: 'fail', message, expected, actual: error }],
      shows: 'less',
    });
  });

  it('is left open where no fuller request is answered', () => {
    const view = viewOf(
      'chat',
      ['cell', 'full', 'without', 'more', 'less'].map((id) => refused(id)),
    );
    const message = 'neither the smallest request nor a fuller one is answered';
    expect(findingOf(judge(check, view))).toMatchObject({
      verdict: 'inconclusive',
      message,
      actual: error,
    });
  });

  it.each(undecided)('is left open by %s', (_, entry, why) => {
    const view = viewOf('chat', [refused('cell'), answered('full'), entry('without')]);
    expect(findingOf(judge(check, view))).toMatchObject({
      verdict: 'inconclusive',
      actual: expect.stringMatching(why),
    });
  });
});

test('undeclared leaves every requirement of its case untested, with the reason', () => {
  const reason = 'no image model with a token of a group is declared';
  const { findings } = judge({ kind: 'undeclared', reason }, viewOf('images', []), ['r', 's']);
  expect(findings.map(({ requirement }) => requirement)).toEqual(['r', 's']);
  for (const finding of findings) expect(finding).toMatchObject({ verdict: 'untested', message: reason });
});
