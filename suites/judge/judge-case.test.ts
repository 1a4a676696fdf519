import type { Level } from '../../spec/vocabulary.ts';
import { describe, expect, it } from 'vitest';
import { answered, viewOf, refused, replied, result, unsent } from '../checks/evidence.fixture.ts';
import type { Check } from '../types/checks/check.ts';
import type { ObservedAspect } from '../types/checks/replies.ts';
import { fail, inconclusive, pass, untested } from '../checks/shared/findings.ts';
import type { Case } from '../types/case.ts';
import type { Finding } from '../types/finding.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Verdict } from '../types/report.ts';
import { judgeCase, verdictAt, worstOf } from './judge-case.ts';
import { judgeRequirements } from './requirements.ts';

const accepted = 'chat.param.temperature.accepted';
const open = 'chat.param.temperature.null';

const caseOf = (id: string, check: Check, requirements: readonly string[] = [accepted]): Case => ({
  id,
  title: id,
  suite: 'parameters',
  requirements,
  check,
});

const asks = (id: string, probe: string): Case =>
  caseOf(id, { kind: 'accepted', requirement: accepted, probe, controls: ['control'] });

const view = viewOf('chat', [answered('good'), refused('bad'), unsent('none'), answered('control')]);

describe('a case', () => {
  it('holds what failed, which exchanges say so, and a command that shows it', () => {
    const { outcome } = judgeCase(asks('c', 'bad'), view);
    expect(outcome).toMatchObject({
      id: 'c',
      suite: 'parameters',
      verdict: 'fail',
      findings: [{ requirement: accepted, verdict: 'fail', message: 'a valid value is refused' }],
      passed: [],
      exchanges: ['bad', 'control'],
      reproduce: expect.stringMatching(/^curl .*-X POST 'http:\/\/gateway\.test\/v1'/),
    });
  });

  it('names with a failure the exchange that shows it, and with nothing else', () => {
    const of = (entry: Case) => judgeCase(entry, view).outcome.findings.map(({ exchange }) => exchange);
    expect(of(asks('c', 'bad'))).toEqual(['bad']);
    expect(of(asks('c', 'none'))).toEqual([undefined]);
  });

  it('keeps the exchange that its check names', () => {
    const fields: Check = {
      kind: 'result-fields',
      protocol: 'chat',
      requirements: ['chat.result.id'],
      probes: ['a'],
    };
    const wrong = replied('b', { json: { ...result.chat('hello'), id: 7 } });
    const { outcome } = judgeCase(
      caseOf('c', fields, ['chat.result.id']),
      viewOf('chat', [answered('a'), wrong]),
    );
    expect(outcome.findings).toMatchObject([{ requirement: 'chat.result.id', exchange: 'b' }]);
    expect(outcome.exchanges).toEqual(expect.arrayContaining(['a', 'b']));
  });

  it('holds what was kept, and no finding', () => {
    expect(judgeCase(asks('c', 'good'), view).outcome).toMatchObject({
      verdict: 'pass',
      findings: [],
      passed: [accepted],
    });
  });

  it('names first the exchange that a check shows, and reproduces that one', () => {
    const check: Check = { kind: 'served', requirement: accepted, probes: ['bad', 'good'] };
    const { outcome } = judgeCase(
      caseOf('c', check),
      viewOf('chat', [refused('bad'), other(answered('good'))]),
    );
    expect(outcome.exchanges).toEqual(expect.arrayContaining(['bad', 'good']));
    expect(outcome.reproduce).toContain("'http://gateway.test/other'");
  });

  it('has no command where nothing was sent', () => {
    const { outcome } = judgeCase(asks('c', 'none'), viewOf('chat', [unsent('none')], { control: {} }));
    expect(outcome).toMatchObject({ verdict: 'inconclusive', exchanges: [] });
    expect(outcome).not.toHaveProperty('reproduce');
  });

  it('is not run where its check says nothing of a requirement, and that is never a pass', () => {
    const silent = caseOf('c', { kind: 'accepted', requirement: accepted, probe: 'good', controls: [] }, [
      accepted,
      'chat.endpoint',
    ]);
    const { outcome } = judgeCase(silent, view);
    expect(outcome.verdict).toBe('inconclusive');
    expect(outcome.passed).toEqual([accepted]);
    expect(outcome.findings).toMatchObject([
      { requirement: 'chat.endpoint', verdict: 'inconclusive', code: 'not-run', message: 'not run' },
    ]);
  });

  it.each([
    ['on what it was not made for', broken(), [open]],
    ['on evidence that nobody can have recorded', steady(), [accepted, 'chat.endpoint']],
  ] as const)('whose check throws %s decides nothing about the target', (_, check, requirements) => {
    const entry: Exchange = { ...answered('good'), attempts: null as unknown as [] };
    const { outcome } = judgeCase(caseOf('c', check, requirements), viewOf('chat', [entry]));
    expect(outcome.verdict).toBe(requirements[0] === open ? 'untested' : 'inconclusive');
    expect(outcome.findings.map(({ requirement }) => requirement)).toEqual(requirements);
    for (const { code, message, verdict } of outcome.findings) {
      expect(code).toBe('check-error');
      expect(verdict).toBe('inconclusive');
      expect(message).toMatch(/^check error: /);
    }
  });
});

function other(exchange: Exchange): Exchange {
  return { ...exchange, request: { ...exchange.request, url: 'http://gateway.test/other' } };
}

function broken(): Check {
  const aspect = 'no such aspect' as ObservedAspect;
  return {
    kind: 'observe',
    requirement: open,
    subject: 's',
    aspect,
    protocol: 'chat',
    probes: ['good'],
  };
}

function steady(): Check {
  return {
    kind: 'steady',
    requirement: accepted,
    protocol: 'chat',
    probes: ['good'],
    invalid: [],
    limited: [],
  };
}

const findings = {
  pass: { requirement: 'r', ...pass() },
  fail: { requirement: 'r', ...fail('no-text', 'a') },
  inconclusive: { requirement: 'r', ...inconclusive('not-run') },
  untested: { requirement: 'r', ...untested('not-needed') },
} satisfies Record<Finding['verdict'], Finding>;

describe('the worst of several verdicts', () => {
  it.each([
    [['pass', 'fail', 'inconclusive', 'untested'], 'fail'],
    [['pass', 'inconclusive', 'untested'], 'inconclusive'],
    [['untested', 'pass'], 'pass'],
    [['untested'], 'untested'],
    [[], 'inconclusive'],
  ] as const)('of %j is %s', (verdicts, worst) => {
    expect(worstOf(verdicts)).toBe(worst);
    expect(worstOf([...verdicts].reverse())).toBe(worst);
  });

  it.each([
    ['stated', 'fail', 'fail'],
    ['derived', 'fail', 'fail'],
    ['derived', 'inconclusive', 'inconclusive'],
    ['stated', 'untested', 'untested'],
    ['stated', 'pass', 'pass'],
    ['unspecified', 'pass', 'observed'],
    ['unspecified', 'fail', 'untested'],
    ['unspecified', 'inconclusive', 'untested'],
    ['conflicting', 'pass', 'conflict'],
    ['conflicting', 'fail', 'conflict'],
    ['conflicting', 'untested', 'untested'],
  ] as const)('at the level %s, a finding of %s is %s', (level: Level, verdict, expected: Verdict) => {
    expect(verdictAt(level, [findings[verdict]])).toBe(expected);
  });
});

describe('a requirement', () => {
  const nonGating = caseOf('nonGating', {
    kind: 'branch',
    requirement: accepted,
    probes: [
      {
        exchange: 'lost',
        nonce: 'OTTER-1',
        otherNonces: ['HERON-2'],
        topic: 'code name',
        question: 'What is the code name?',
        root: 'root',
        otherBranch: 'other',
      },
    ],
    controls: [],
    plainRequest: 'plain',
  });
  const absent = caseOf('absent', { kind: 'undeclared', reason: 'no model' });
  const responses = viewOf('responses', [answered('lost', 'responses', 'No idea.')]);
  const plan = { notAsked: [], profile: 'smoke' } as const;
  const row = (...judged: readonly ReturnType<typeof judgeCase>[]) =>
    judgeRequirements(judged, plan).find(({ id }) => id === accepted);
  const [good, bad, none] = ['good', 'bad', 'none'].map((probe) => judgeCase(asks(probe, probe), view));
  const lost = judgeCase(nonGating, responses);
  const undeclared = judgeCase(absent, view);
  if (!good || !bad || !none) throw new Error('three cases are judged');

  it('fails where one of its cases fails, and says what was seen', () => {
    expect(row(good, none, bad)).toMatchObject({
      verdict: 'fail',
      reason: expect.stringMatching(/^a valid value is refused: HTTP 400/),
      code: 'valid-value-refused',
      cases: ['good', 'none', 'bad'],
    });
  });

  it('is inconclusive where one of its cases is', () => {
    expect(row(good, none)).toMatchObject({
      verdict: 'inconclusive',
      reason: 'no conclusive reply',
      code: 'no-conclusive-reply',
    });
    expect(row(good, none)).not.toHaveProperty('nonGating');
  });

  it('does not gate only where no case that leaves it undecided does', () => {
    expect(row(good, lost)).toMatchObject({ verdict: 'inconclusive', nonGating: 'model-behaviour' });
    expect(row(lost, none)).not.toHaveProperty('nonGating');
  });

  it('is kept where the cases that could be tested are', () => {
    expect(row(undeclared, good)).toMatchObject({ verdict: 'pass' });
    expect(row(undeclared)).toMatchObject({ verdict: 'untested', reason: 'no model' });
  });

  it('is untested where no case was selected', () => {
    expect(row()).toMatchObject({ verdict: 'untested', reason: 'not selected for this run', cases: [] });
  });

  it('is untested where the profile has no case for it, and says which profile', () => {
    const [asked] = judgeRequirements([], { notAsked: [accepted], profile: 'smoke' }).filter(
      ({ id }) => id === accepted,
    );
    expect(asked).toMatchObject({
      verdict: 'untested',
      code: 'not-in-profile',
      reason: 'not asked in profile smoke',
      cases: [],
    });
  });

  it('is said of the same whatever the order of its cases', () => {
    for (const judged of [
      [good, bad, none, lost],
      [lost, none, bad, good],
    ])
      expect(row(...judged)?.verdict).toBe('fail');
  });

  it('takes what another case found of it, too', () => {
    const check: Check = { kind: 'accepted', requirement: accepted, probe: 'bad', controls: ['control'] };
    const stray = judgeCase(caseOf('stray', check, ['chat.endpoint']), view);
    expect(row(good, stray)).toMatchObject({ verdict: 'fail', cases: ['good', 'stray'] });
  });

  it('is in the report once, unless it is excluded', () => {
    const rows = judgeRequirements([], plan);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });
});
