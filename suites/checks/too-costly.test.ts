import { expect, test } from 'vitest';
import { judge, viewOf } from './evidence.fixture.ts';

test('too-costly leaves every requirement of its case untested, and names the value', () => {
  const { findings } = judge({ kind: 'too-costly', value: 'n = 10' }, viewOf('images', []), ['r', 's']);
  expect(findings.map(({ requirement }) => requirement)).toEqual(['r', 's']);
  for (const finding of findings)
    expect(finding).toMatchObject({ verdict: 'untested', reason: { kind: 'too-costly', value: 'n = 10' } });
});
