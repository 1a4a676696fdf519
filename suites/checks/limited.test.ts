import { describe, expect, it } from 'vitest';
import type { Check } from '../types/checks/check.ts';
import type { Attempt, Exchange } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import {
  answered,
  viewOf,
  findingOf,
  judge,
  refused,
  replied,
  result,
  undecided,
} from './evidence.fixture.ts';
import { createEvidenceView } from './evidence-view.ts';

const spent = (...ids: readonly string[]): Readonly<Record<string, Partial<PlannedRequest>>> =>
  Object.fromEntries(
    ids.map((id) => [id, { expect: 'limited', credential: { form: 'token', token: 'rate-limited' } }]),
  );

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
      findingOf(judge(limited, viewOf('chat', [answered('l1'), answered('l2'), control], spent('l1', 'l2')))),
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
      findingOf(judge(limited, viewOf('chat', entries, spent('l1', 'l2')))).verdict;
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
      endpoints: [...limited.endpoints, { probes: ['m1'], control: 'control' }],
      first: 'l0',
    };
    const at = (second: number, entry: Exchange): Exchange => {
      const startedAt = `2026-11-20T12:00:0${second}.000Z`;
      const attempts = entry.attempts.map((attempt) => ({ ...attempt, startedAt }));
      return { ...entry, timing: { ...entry.timing, startedAt }, attempts };
    };
    const again = (second: number, entry: Exchange): Exchange => ({
      ...at(second, entry),
      id: `${entry.id}~2`,
      repeats: entry.id,
    });
    const lock = (id: string) => replied(id, { status: 429, text: 'locked for a while' });
    const limit = (id: string) => replied(id, { status: 429, text: 'the limit is spent' });
    const unknownModel = (id: string) => refused(id, 404);
    const login: Partial<PlannedRequest> = {
      expect: 'refusal',
      credential: { form: 'invalid', token: 'sk-no' },
    };
    const requests = { ...spent('l0', 'l1', 'l2', 'm1'), login };
    const verdictOf = (...entries: readonly Exchange[]) => {
      const { plan } = viewOf('chat', [control], requests);
      const evidence = new Map([control, ...entries].map((entry) => [entry.id, entry]));
      return findingOf(judge(begun, createEvidenceView(plan, evidence))).verdict;
    };
    const ended = [at(0, limit('l0')), at(1, answered('l1')), at(2, answered('l2'))];
    /** The second sending of l1, and a third. */
    const controls = [4, 6].map((second) => ({ ...again(second, answered('l1')), id: `l1~${second}` }));

    it('passes where the request that was told it is not told it any more: the limit ended', () => {
      expect(verdictOf(...ended, again(3, unknownModel('l0')))).toBe('pass');
      expect(verdictOf(...ended)).toBe('inconclusive');
      expect(verdictOf(...ended, again(3, limit('l0')))).toBe('inconclusive');
    });

    it('fails where it was answered before it was told a limit', () => {
      const entries = [at(1, answered('l1')), at(2, limit('l0')), at(3, answered('l2'))];
      expect(verdictOf(...entries)).toBe('fail');
      expect(verdictOf(...entries, again(4, unknownModel('l0')))).toBe('fail');
      const neverTold = [at(0, unknownModel('l0')), ...ended.slice(1), again(4, unknownModel('l0'))];
      expect(verdictOf(...neverTold, at(3, lock('m1')), again(5, answered('m1')))).toBe('fail');
    });

    it('is not failed where what it was refused at first it is refused no more: a limit may have any words', () => {
      expect(verdictOf(at(0, unknownModel('l0')), ...ended.slice(1))).toBe('inconclusive');
    });

    it('is not failed for a lock-out behind its answers, as that of a token that was used last', () => {
      const locked = [...ended, at(3, lock('m1'))];
      expect(verdictOf(...locked)).toBe('inconclusive');
      expect(verdictOf(...locked, again(5, unknownModel('l0')))).toBe('inconclusive');
      const isOver = [again(5, unknownModel('l0')), again(5, answered('m1'))];
      expect(verdictOf(...locked, ...controls, ...isOver)).toBe('pass');
    });

    /** What was asked once more, and then what was asked a third time. */
    const third = (second: number, entry: Exchange): Exchange => ({
      ...again(second, entry),
      id: `${entry.id}~3`,
    });
    const rounds = [...controls, third(8, answered('l1'))].map((one, at) => ({ ...one, id: `l1~${at + 2}` }));
    const told = [...ended, at(3, limit('m1')), again(5, limit('m1')), third(7, limit('m1'))];

    it('fails where it goes on to be told its limit between answers, and nothing else was under way', () => {
      expect(verdictOf(...told, ...rounds)).toBe('fail');
      expect(verdictOf(...told.slice(0, -1), ...rounds)).toBe('inconclusive');
      expect(verdictOf(...told, ...rounds.slice(0, 2))).toBe('inconclusive');
      expect(verdictOf(...told, ...rounds, at(9, refused('login', 401)))).toBe('fail');
    });

    it('is not failed where what was told it first is told it no more: another endpoint may have its own limit', () => {
      expect(verdictOf(...told, ...rounds, again(5, unknownModel('l0')))).toBe('inconclusive');
    });

    it('does not pass for a failure of one attempt before the first answer', () => {
      const failed = replied('l1', { status: 500, text: 'oops' });
      const before = failed.attempts.map((attempt) => ({
        ...attempt,
        startedAt: at(0, failed).timing.startedAt,
      }));
      const l1 = at(1, answered('l1'));
      const entries = [{ ...l1, attempts: [...before, ...l1.attempts] }, at(2, answered('l2'))];
      expect(verdictOf(at(0, unknownModel('l0')), ...entries)).toBe('inconclusive');
    });

    it.each([
      ['something wrong was under way', at(5, refused('login', 401))],
      ['it was refused for something else between', again(6, unknownModel('l2'))],
    ])('is not failed where %s: that may have locked it out', (_, entry) => {
      expect(verdictOf(...told, ...rounds, entry)).toBe('inconclusive');
    });

    it('is not failed for a limit by time, which a request is told and gets past', () => {
      const later = { ...again(9, answered('m1')), id: 'm1~4' };
      expect(verdictOf(...told, ...rounds, later, { ...again(9, limit('l0')) })).toBe('inconclusive');
    });

    it('has not ended where no reply came to what was told it', () => {
      const busy = again(5, replied('l0', { status: 503, text: 'later' }));
      const late = again(5, replied('m1', { status: 503, text: 'later' }));
      expect(verdictOf(...ended, at(3, limit('m1')), ...controls, busy, late)).toBe('inconclusive');
    });

    it('is not failed for words that a valid request got, too', () => {
      const { status, fingerprint } = limit('m1').attempts[0] as Attempt;
      const busy = {
        ...answered('control'),
        attempts: replied('control', { before: [{ status, fingerprint }] }).attempts,
      };
      expect(verdictOf(...told, ...rounds, busy)).toBe('inconclusive');
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
      ['inconclusive', 'one answers it', [refused('x1', 429), answered('y1'), ...controls]],
      [
        'inconclusive',
        'one answers it and the other refuses it afterwards, too, which may be for a lock-out',
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
      const view = viewOf('chat', entries, spent('x1', 'x2', 'y1', 'y2'));
      expect(findingOf(judge(several, view)).verdict).toBe(verdict);
    });

    it('fails where one answers it and the other did not at first, in words that a valid request got, too', () => {
      const verdictOf = (control: Exchange): string => {
        const entries = [refused('x1', 400), answered('y1'), answered('x2'), control, ...controls.slice(1)];
        return findingOf(judge(several, viewOf('chat', entries, spent('x1', 'x2', 'y1', 'y2')))).verdict;
      };
      const before = refused('x1', 400).attempts.map(({ status, fingerprint }) => ({ status, fingerprint }));
      expect(verdictOf(answered('x.control'))).toBe('pass');
      expect(verdictOf(replied('x.control', { json: result.chat('hello'), before }))).toBe('fail');
    });
  });
});
