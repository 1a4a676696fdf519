import { expect, test } from 'vitest';
import type { ReportCost } from '../suites/types/report.ts';
import { renderHtml, renderMarkdown, renderSummary } from './run/document.ts';
import { smallReport } from './small.fixture.ts';
import { costText } from './wording.ts';

const cost: ReportCost = { currency: 'EUR', expected: 1.2, actual: 0.98765, estimated: 3 };
const small = smallReport();
const priced = { ...small, run: { ...small.run, cost } };
const text = 'cost 0.9877 EUR, 3 replies by an estimate (1.20 EUR expected)';

test('every rendering for people tells what a run cost, and nothing where it has no prices', () => {
  const renderings = (report: typeof priced | typeof small): readonly string[] => [
    renderSummary(report, { colour: false, width: 1000 }),
    renderMarkdown(report),
    renderHtml(report),
  ];
  for (const rendering of renderings(priced)) expect(rendering).toContain(text);
  for (const rendering of renderings(small)) expect(rendering).not.toContain('expected)');
});

test.each([
  [0, 0, 'cost 0 EUR (1.20 EUR expected)'],
  [0.00004, 0, 'cost under 0.0001 EUR (1.20 EUR expected)'],
  [1234.5, 1, 'cost 1234.50 EUR, 1 reply by an estimate (1.20 EUR expected)'],
])('a cost of %d is told in digits that can be told apart', (actual, estimated, words) => {
  expect(costText({ ...small.run, cost: { ...cost, actual, estimated } })).toBe(words);
});
