import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyBaseline } from '../baseline/apply.ts';
import { compareReports } from '../compare/compare.ts';
import { renderComparisonHtml } from '../compare/document.ts';
import { diffReports } from '../diff/diff.ts';
import { renderDiffHtml } from '../diff/document.ts';
import { historyEntry } from '../history.ts';
import { unreachableReport, hostileReport, conformantReport, sampleReport } from '../sample.fixture.ts';
import { hostile } from '../sample.wire.fixture.ts';
import { applyPins } from '../pins/behaviours.ts';
import { hasBrowser, openBrowser, violationsOf, visitPage, why } from './browser.fixture.ts';
import { renderHtml } from '../run/document.ts';

/** A report beside what a run can stand beside: earlier runs, pins, and a baseline with entries of every kind. */
function besideEverything(): string {
  const report = hostileReport();
  const entry = (requirement: string, expires: string) => ({
    requirement,
    reason: hostile,
    owner: hostile,
    expires,
    line: 3,
  });
  const entries = [
    entry('chat.result.0.0', '2027-01-01'),
    entry('chat.result.2.0', '2026-01-01'),
    entry('gone', '2027-01-01'),
  ];
  const pin = { value: hostile, run: hostile, exchange: hostile, line: 3 };
  const pins = applyPins(report, {
    file: `${hostile}.yaml`,
    pins: [
      { kind: 'conflict', id: 'conflict.conversational-on-chat', ...pin },
      { kind: 'observation', id: 'gone', ...pin },
    ],
  });
  const earlier = [conformantReport(), unreachableReport(), sampleReport()].map(historyEntry);
  const runs = [...Array.from({ length: 29 }, (_, at) => earlier[at % 3]), historyEntry(report)];
  return renderHtml(
    { ...report, exchanges: report.exchanges.slice(0, 20), pins },
    {
      history: runs.flatMap((run) => (run === undefined ? [] : [{ ...run, whole: true }])),
      outcome: applyBaseline(report, { file: `${hostile}.yaml`, entries }, '2026-11-21'),
    },
  );
}

const pages = {
  'a diff with regressions': () => renderDiffHtml(diffReports(conformantReport(), hostileReport())),
  'a diff without a change': () => renderDiffHtml(diffReports(sampleReport(), sampleReport())),
  'a comparison': () =>
    renderComparisonHtml(compareReports([conformantReport(), hostileReport(), unreachableReport()])),
  'a report with trend, baseline and pins': besideEverything,
} as const;

/** Colours do not depend on the width, nor the layout on the colours. */
const looks = [
  ['light', 360],
  ['dark', 1280],
] as const;

describe.skipIf(!hasBrowser)(`in a browser${why}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser.close());

  describe.each(Object.entries(pages))('%s', (_, make) => {
    test.each(looks)(
      'has no violation that axe can find, does nothing and fits: %s, %i pixels',
      async (colorScheme, width) => {
        const trouble = await visitPage(
          browser,
          make(),
          async (page) => {
            await page.evaluate('for (const one of document.querySelectorAll(".fold")) one.open = true;');
            expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
            expect(await page.evaluate(`'owned' in window`)).toBe(false);
            await page.evaluate(
              // The first rows of a table are enough to look at: the rest only repeats them.
              'for (const one of document.querySelectorAll("tr:nth-child(n+12), .req.pass:nth-of-type(n+4)")) one.remove();',
            );
            expect(await violationsOf(page)).toEqual([]);
          },
          { colorScheme, viewport: { width, height: 900 } },
        );
        expect(trouble).toEqual([]);
      },
      60_000,
    );
  });

  test('a table of a diff is no wider than its page, whatever a target says', async () => {
    const before = conformantReport();
    const long = 'x'.repeat(500);
    const requirements = before.requirements.map((row, at) =>
      at === 0 ? { ...row, verdict: 'fail' as const, reason: long } : row,
    );
    await visitPage(
      browser,
      renderDiffHtml(diffReports(before, { ...before, verdict: 'non-conformant', requirements })),
      async (page) => {
        const found = await page.evaluate(
          '[...document.querySelectorAll(".scroll")].filter((one) => one.scrollWidth > one.clientWidth).length',
        );
        expect(found).toBe(0);
      },
      { viewport: { width: 1280, height: 900 } },
    );
  });

  test('the trend shows a bar for each whole run, and says the numbers', async () => {
    await visitPage(browser, besideEverything(), async (page) => {
      expect(await page.locator('.trend figcaption').textContent()).toMatch(
        /^30 runs since .* Failed, in the latest 8: (\d+, ){7}9\.$/,
      );
      expect(await page.locator('.trend').isVisible()).toBe(true);
    });
  });
});
