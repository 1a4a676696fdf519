import { expect, test } from 'vitest';
import type { BaselineOutcome } from '../baseline/apply.ts';
import { calm } from '../baseline/outcome.fixture.ts';
import { smallReport } from '../small.fixture.ts';
import { linesOf } from '../document/printed.fixture.ts';
import { baselineSection } from './beside.ts';
import { renderHtml } from './document.ts';
import { textLines } from '../html/text-lines.fixture.ts';

const failed = 'chat.result.usage.total-tokens';
const fresh = (length: number, statement = 'It is so.'): BaselineOutcome => ({
  ...calm,
  newFailures: Array.from({ length }, (_, at) => ({ requirement: `r${at}`, statement, cases: [] })),
  ok: length === 0,
});
const lines = (outcome: BaselineOutcome): string[] => linesOf(baselineSection(outcome));
const never = 'A baseline changes the exit code of a run and never a verdict.';

test('a hundred lines of a kind are told and the rest is counted; a line is cut at 400 characters', () => {
  expect(lines(fresh(100)).at(-1)).toBe('r99: It is so.');
  expect(lines(fresh(103)).slice(-2)).toEqual(['r99: It is so.', 'and 3 more']);
  expect(lines(fresh(1, 'x'.repeat(396))).at(-1)).toBe(`r0: ${'x'.repeat(396)}`);
  expect(lines(fresh(1, 'x'.repeat(397))).at(-1)).toBe(`r0: ${'x'.repeat(396)}…`);
});

test('a report beside its baseline has it in the contents and a part, and marks what it expects', () => {
  const entry = { requirement: failed, reason: 'ticket 12', expires: '2027-03-31', line: 2 };
  const failures = [{ requirement: failed, statement: 'It is so.', cases: ['plain'] }];
  const outcome = { ...fresh(0), expected: [{ entry, failures }] };
  const page = textLines(renderHtml(smallReport(), { outcome }));
  expect(page).toContain('Expected failures');
  expect(page[page.indexOf('Expected failure: ticket 12, until 2027-03-31') - 1]).toContain(`\`${failed}\``);
  const part = page.indexOf('{pass}✓ Expected failures');
  expect(page.slice(part + 1, part + 5)).toEqual([
    'Baseline: Every failure is expected by b.yaml: 1 failure. Nothing is new.',
    never,
    '{observed}Expected 1',
    `${failed}: ticket 12, until 2027-03-31`,
  ]);
  expect(textLines(renderHtml(smallReport()))).not.toContain('Expected failures');
});
