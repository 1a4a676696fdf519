import { describe, expect, test } from 'vitest';
import { noExpectedFailures } from '../baseline/expected-failures.ts';
import { emptyReport, manyRequirements } from '../empty-report.fixture.ts';
import { smallReport, withRow } from '../small.fixture.ts';
import { countTable, decidingList, reportHeader, untestedView } from './summary.ts';
import { textLines } from './text-lines.fixture.ts';

test('the counts of a small report by level and verdict, with sums', () => {
  expect(textLines(countTable(smallReport()).markup)).toEqual([
    '| Level | {fail}✕ Fail | {inconclusive}? Inconclusive | {conflict}≠ Conflict | {observed}○ Observed | {untested}– Untested | {pass}✓ Pass | All',
    '| statedThe interface says so. | 0 | {inconclusive}1 | 0 | 0 | {untested}1 | {pass}1 | 3',
    '| derivedFollows from a stated type, range, allowed value or “required”. | {fail}1 | {inconclusive}1 | 0 | 0 | 0 | 0 | 2',
    '| unspecifiedThe interface does not say. Never failed: what was seen is recorded. | 0 | 0 | 0 | {observed}1 | 0 | 0 | 1',
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
    'temperature lies between 0 and 2. sections 4.3, 8 · `chat.param.temperature.range`',
    'The control failed: status 503.',
  ];

  test('is what failed, then what keeps the run from a verdict, each with its reason', () => {
    expect(textLines(decidingList(smallReport()).markup)).toEqual(lines);
  });

  test('is marked where a baseline expects it', () => {
    const requirements = new Map([['chat.result.usage.total-tokens', 'ticket 12']]);
    const known = textLines(decidingList(smallReport(), { ...noExpectedFailures, requirements }).markup);
    expect(known).toEqual([...lines.slice(0, 2), 'Expected failure: ticket 12', ...lines.slice(2)]);
  });

  test('is nothing where nothing failed and nothing that gates is open', () => {
    const nonGating = smallReport().requirements.filter(
      ({ nonGating: kind, verdict }) => kind ?? verdict === 'pass',
    );
    expect(textLines(decidingList({ ...emptyReport(), requirements: nonGating }).markup)).toEqual([
      'Nothing failed, and no inconclusive requirement gates.',
    ]);
  });
});

describe('what was not tested', () => {
  const cannot = '1 statement of the interface cannot be judged over HTTP: listed with the reasons.';

  test('is listed with each reason and the limits of the run, and apart from it what is inconclusive and does not gate', () => {
    const model = withRow(smallReport(), 'chat.param.temperature.range', { nonGating: 'model-behaviour' });
    expect(textLines(untestedView(model).markup)).toEqual([
      'No model declared for chat-image.',
      'No token declared for the group third-party-client.',
      'No rate-limited token declared, so rate-limit errors were not tested.',
      'No token with a spent rate limit.',
      '1 requirement',
      '`errors.rate-limit.distinct`',
      'Inconclusive, not gating',
      'Text arrives as it is made. Reason: too fast to time.',
      "temperature lies between 0 and 2. Reason: depends on the model's answer.",
      cannot,
    ]);
  });

  test('is nothing where everything was tried', () => {
    expect(textLines(untestedView(emptyReport()).markup)).toEqual([
      'Everything that can be judged over HTTP was tested.',
      cannot,
    ]);
    const requirements = smallReport().requirements.filter(({ verdict }) => verdict === 'untested');
    expect(textLines(untestedView({ ...emptyReport(), requirements }).markup)[0]).toBe(
      'No token with a spent rate limit.',
    );
    const partial = { ...emptyReport(), requirements, run: { ...emptyReport().run, partial: true } };
    expect(textLines(untestedView(partial).markup)[0]).toBe('The run was stopped before it was complete.');
    expect(textLines(reportHeader(partial).markup)).toContain(
      '1 requirement. The run was stopped before it was complete. Why',
    );
  });

  test('names the requirements of one reason side by side, and nothing that gates', () => {
    const requirements = manyRequirements(2, { verdict: 'untested', reason: 'Because.' });
    expect(textLines(untestedView({ ...emptyReport(), requirements }).markup).slice(0, 3)).toEqual([
      'Because.',
      '2 requirements',
      '`r0`, `r1`',
    ]);
    expect(textLines(untestedView(smallReport()).markup).join()).not.toContain('Depends on the model');
  });
});
