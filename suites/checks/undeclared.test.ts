import { expect, test } from 'vitest';
import { viewOf, judge } from './evidence.fixture.ts';

test('undeclared leaves every requirement of its case untested, with the reason', () => {
  const reason = 'no image model with a token of a group is declared';
  const { findings } = judge({ kind: 'undeclared', reason }, viewOf('images', []), ['r', 's']);
  expect(findings.map(({ requirement }) => requirement)).toEqual(['r', 's']);
  for (const finding of findings)
    expect(finding).toMatchObject({ verdict: 'untested', reason: { kind: 'undeclared', why: reason } });
});
