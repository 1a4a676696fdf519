import { describe, expect, it } from 'vitest';
import type { Check } from '../types/checks/check.ts';
import type { Exchange } from '../types/exchange.ts';
import { answered, viewOf, findingOf, judge, refused, replied, undecided } from './evidence.fixture.ts';

describe('limited', () => {
  const limited: Extract<Check, { kind: 'limited' }> = {
    kind: 'limited',
    requirement: 'r',
    endpoints: [{ probes: ['l1', 'l2'], control: 'control' }],
  };
  const control = answered('control');

  it.each([
    ['a 429', replied('l1', { status: 429 })],
    ['a 403', refused('l1', 403)],
    ['a 400 with Retry-After', replied('l1', { status: 400, headers: { 'retry-after': '7' } })],
    ['a 200 with an error object', refused('l1', 200)],
  ])('passes on %s', (_, entry) => {
    expect(findingOf(judge(limited, viewOf('chat', [entry, control]))).verdict).toBe('pass');
  });

  it('fails where a spent token is answered each time', () => {
    expect(
      findingOf(judge(limited, viewOf('chat', [answered('l1'), answered('l2'), control]))),
    ).toMatchObject({
      verdict: 'fail',
      message: 'a token that is declared as rate-limited is answered',
      expected: 'the rate-limit error',
      actual: expect.stringMatching(/^HTTP 200/),
    });
  });

  it('is inconclusive where it was told to come later as nobody else was, and is answered afterwards', () => {
    const busy = replied('l1', { status: 529, text: 'come later' }).attempts.map((attempt) => ({
      ...attempt,
      retry: { kind: 'transient', transient: { cause: 'status', status: 529 } } as const,
    }));
    const withBusy = (id: string) => ({ ...answered(id), attempts: [...busy, ...answered(id).attempts] });
    const verdictOf = (...entries: Parameters<typeof viewOf>[1]) =>
      findingOf(
        judge(limited, viewOf('chat', entries, { l1: { expect: 'limited' }, l2: { expect: 'limited' } })),
      ).verdict;
    expect(verdictOf(withBusy('l1'), answered('l2'), control)).toBe('inconclusive');
    expect(verdictOf(withBusy('l1'), answered('l2'), withBusy('control'))).toBe('fail');
  });

  it.each(undecided.filter(([name]) => name !== 'a 429'))('is inconclusive on %s', (_, entry, why) => {
    const finding = findingOf(judge(limited, viewOf('chat', [entry('l1'), entry('l2'), control])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'no conclusive reply',
      actual: expect.stringMatching(why),
    });
  });

  it('is inconclusive where a spent token is answered only once', () => {
    const view = viewOf('chat', [answered('l1'), replied('l2', { status: 503 }), control]);
    expect(findingOf(judge(limited, view)).verdict).toBe('inconclusive');
  });

  it('is inconclusive where the control with another token is not answered', () => {
    const finding = findingOf(judge(limited, viewOf('chat', [refused('l1', 429), refused('control')])));
    expect(finding).toMatchObject({ verdict: 'inconclusive', actual: 'no control was answered' });
  });

  describe('whose limit was told at the beginning of the run', () => {
    const begun: Check = {
      ...limited,
      endpoints: [{ probes: ['l1', 'l2'], control: 'control' }],
      first: 'l0',
    };
    const at = (second: number, entry: Exchange): Exchange => ({
      ...entry,
      attempts: entry.attempts.map((attempt) => ({
        ...attempt,
        startedAt: `2026-11-20T12:00:0${second}.000Z`,
      })),
    });
    const verdictOf = (...entries: readonly Exchange[]) =>
      findingOf(judge(begun, viewOf('chat', [...entries, control]))).verdict;

    it('passes where it is answered from some time on: the limit ended then', () => {
      const [l0, l1] = [at(1, refused('l0', 429)), at(2, answered('l1'))];
      expect(verdictOf(l0, l1, at(3, answered('l2')))).toBe('pass');
    });

    it('fails where it is answered before that, too, or told so again behind an answer', () => {
      const [l1, l2] = [at(1, answered('l1')), at(3, answered('l2'))];
      expect(verdictOf(at(2, refused('l0', 429)), l1, l2)).toBe('fail');
      const two: Check = {
        ...begun,
        endpoints: [...limited.endpoints, { probes: ['m1'], control: 'control' }],
      };
      const entries = [at(0, refused('l0', 429)), l1, l2, at(2, refused('m1', 429)), control];
      expect(findingOf(judge(two, viewOf('chat', entries))).verdict).toBe('fail');
    });
  });

  describe('on several endpoints', () => {
    const endpoints = ['x', 'y'].map((at) => ({
      probes: [`${at}1`],
      control: `${at}.control`,
      after: `${at}2`,
    }));
    const several: Check = { kind: 'limited', requirement: 'r', endpoints };
    const controls = [answered('x.control'), answered('y.control')];

    it.each([
      ['pass', 'each refuses it', [refused('x1', 429), refused('y1', 429), ...controls]],
      [
        'pass',
        'one refuses it and the other answers nobody',
        [refused('x1', 429), answered('y1'), answered('x.control')],
      ],
      ['fail', 'one answers it', [refused('x1', 429), answered('y1'), ...controls]],
      [
        'fail',
        'one answers it and the other refuses it afterwards, too',
        [refused('x1', 429), answered('y1'), refused('x2', 429), ...controls],
      ],
      [
        'pass',
        'one answers it and so does the other afterwards: its limit ended',
        [refused('x1', 429), answered('y1'), answered('x2'), ...controls],
      ],
      [
        'pass',
        'one answers it and the other refuses it for something else afterwards',
        [refused('x1', 429), answered('y1'), refused('x2', 403), ...controls],
      ],
      [
        'fail',
        'both answer it, then and afterwards',
        [answered('x1'), answered('y1'), answered('x2'), ...controls],
      ],
      ['inconclusive', 'none answers the control', [refused('x1', 429), refused('y1', 429)]],
    ] as const)('is %s where %s', (verdict, _, entries) => {
      expect(findingOf(judge(several, viewOf('chat', entries))).verdict).toBe(verdict);
    });
  });
});
