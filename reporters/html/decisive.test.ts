import { describe, expect, test } from 'vitest';
import { noExpectedFailures } from '../baseline/known.ts';
import { bare, many } from '../bare.fixture.ts';
import { smallReport, withRow } from '../small.fixture.ts';
import { countTable, decisive, masthead, untested } from './cover.ts';
import { told } from './told.fixture.ts';

test('the counts of a small report by level and verdict, with sums', () => {
  expect(told(countTable(smallReport()).markup)).toEqual([
    '| Level | {fail}✕ Fail | {inconclusive}? Inconclusive | {conflict}≠ Conflict | {observed}○ Observed | {untested}– Untested | {pass}✓ Pass | All',
    '| statedThe interface says so. | 0 | {inconclusive}1 | 0 | 0 | {untested}1 | {pass}1 | 3',
    '| derivedFollows from a stated type, range, allowed value or “required”. | {fail}1 | {inconclusive}1 | 0 | 0 | 0 | 0 | 2',
    '| unspecifiedThe interface is silent. Never failed: what was seen is recorded. | 0 | 0 | 0 | {observed}1 | 0 | 0 | 1',
    '| conflictingTwo statements contradict. Neither is failed: the reading followed is recorded. | 0 | 0 | {conflict}2 | 0 | 0 | 0 | 2',
    '| All | {fail}1 | {inconclusive}2 | {conflict}2 | {observed}1 | {untested}1 | {pass}1 | 8',
  ]);
});

describe('what decided it', () => {
  const lines = [
    '{fail}✕ Fail',
    'usage.total_tokens is an integer. section 2.5 · `chat.result.usage.total-tokens`',
    'The value has another type.',
    '{inconclusive}? Inconclusive',
    'temperature lies between 0 and 2. section 4.3, 8 · `chat.param.temperature.range`',
    'The control failed: status 503.',
  ];

  test('is what failed, then what keeps the run from a verdict, each with its reason', () => {
    expect(told(decisive(smallReport()).markup)).toEqual(lines);
  });

  test('is marked where a baseline expects it', () => {
    const requirements = new Map([['chat.result.usage.total-tokens', 'ticket 12']]);
    const known = told(decisive(smallReport(), { ...noExpectedFailures, requirements }).markup);
    expect(known).toEqual([...lines.slice(0, 2), 'Expected failure: ticket 12', ...lines.slice(2)]);
  });

  test('is nothing where nothing failed and nothing that gates is open', () => {
    const nonGating = smallReport().requirements.filter(
      ({ nonGating: kind, verdict }) => kind ?? verdict === 'pass',
    );
    expect(told(decisive({ ...bare(), requirements: nonGating }).markup)).toEqual([
      'Nothing failed, and nothing that could have failed was left undecided.',
    ]);
  });
});

describe('what was not tested', () => {
  const cannot = '1 statement of the interface cannot be judged over HTTP: listed with the reasons.';

  test('is told with each reason and what it left out, and what hung on model or clock apart from it', () => {
    const model = withRow(smallReport(), 'chat.param.temperature.range', { nonGating: 'model-behaviour' });
    expect(told(untested(model).markup)).toEqual([
      'No model declared for chat-image.',
      'No token declared for the group third-party-client.',
      'No token with a spent rate limit declared: the rate-limit class was not provoked.',
      'No token with a spent rate limit.',
      '1 requirement',
      '`errors.rate-limit.distinct`',
      'Tried, not decided, and not held against the target',
      'Text arrives as it is made. Too fast to time.',
      'temperature lies between 0 and 2. Hung on the behaviour of the model.',
      cannot,
    ]);
  });

  test('is nothing where everything was tried', () => {
    expect(told(untested(bare()).markup)).toEqual([
      'Everything that can be judged over HTTP was tried.',
      cannot,
    ]);
    const requirements = smallReport().requirements.filter(({ verdict }) => verdict === 'untested');
    expect(told(untested({ ...bare(), requirements }).markup)[0]).toBe('No token with a spent rate limit.');
    const partial = { ...bare(), requirements, run: { ...bare().run, partial: true } };
    expect(told(untested(partial).markup)[0]).toBe('The run was stopped before its plan was done.');
    expect(told(masthead(partial).markup)).toContain(
      'The run was stopped before its plan was done. 1 requirement untested. Why',
    );
  });

  test('names the requirements of one reason side by side, and nothing that gates', () => {
    const requirements = many(2, { verdict: 'untested', reason: 'Because.' });
    expect(told(untested({ ...bare(), requirements }).markup).slice(0, 3)).toEqual([
      'Because.',
      '2 requirements',
      '`r0`, `r1`',
    ]);
    expect(told(untested(smallReport()).markup).join()).not.toContain('Hung on the behaviour');
  });
});
