import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faults } from '../../fixtures/faults/index.ts';
import { composed } from '../../fixtures/faults/composed.ts';
import { hasBrowser, openBrowser, visitPage, why } from '../../reporters/html/browser.fixture.ts';
import { renderHtml } from '../../reporters/run/document.ts';
import type { Report } from '../../suites/types/report.ts';
import { blamed, detect } from '../detect.ts';

/** What a gateway may have wrong, without the text of its replies, which all else hangs on. */
const manyWrong = [
  /^\w+\.param\.[\w-]+(\.content)?\.(required|type\.any|range\.below|allowed)$/,
  /^\w+\.param\.(max-tokens\.limit|model\.unknown)$/,
  /^\w+\.body\./,
  /^\w+\.auth\.(missing|invalid|scheme|bearer|version\.required)$/,
  /^\w+\.result\.(id|object|created|model|choices\.(index|role|finish-reason)|usage\.[\w-]+)\.missing$/,
  /^cell\.(conversational|multimodal)\.\w+\.(default|coding-tool)\.served$/,
  /^(chat|messages)\.context\.system$/,
  /^responses\.(context\.instructions|stream\.event-type\.missing)$/,
  /^errors\.(authentication|rate-limit)\.distinct\.as-general$/,
  /^(messages\.context\.history|images\.result\.data\.count\.always-one)$/,
];

const twoWrong = [/^chat\.result\.usage\.missing$/, /^messages\.param\.temperature\.range\.above$/];

/** What a run says of a gateway with the faults of these names; a few of those that break the same are enough. */
function judgedWith(names: readonly RegExp[]): Promise<Report> {
  const chosen = faults.filter(({ id, console }) => !console && names.some((name) => name.test(id)));
  const hooks = [...new Map(chosen.map((fault) => [fault.breaks[0], fault.hooks])).values()];
  return detect({ id: 'several', title: 'a gateway with several faults', hooks: hooks.reduce(composed) });
}

const width = 'document.documentElement.scrollWidth';
const height = 'document.documentElement.scrollHeight';

describe.skipIf(!hasBrowser)(`in a browser, the page of a gateway${why}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser.close());

  test('with 80 failures is no higher than 12,000 pixels, no wider than a telephone, and smaller than 1 MB', async () => {
    const report = await judgedWith(manyWrong);
    expect(blamed(report).length).toBeGreaterThanOrEqual(80);
    const page = renderHtml(report);
    expect(Buffer.byteLength(page)).toBeLessThan(1_000_000);
    await visitPage(browser, page, async (wide) => expect(await wide.evaluate(height)).toBeLessThan(12_000), {
      viewport: { width: 1400, height: 900 },
    });
    await visitPage(
      browser,
      page,
      async (narrow) => {
        expect(await narrow.evaluate(width)).toBe(390);
        const matrix = 'document.querySelector("#part-matrix .scroll")';
        expect(await narrow.evaluate(`${matrix}.scrollWidth - ${matrix}.clientWidth`)).toBe(0);
      },
      { viewport: { width: 390, height: 844 } },
    );
  }, 120_000);

  test('with two failures is printed on at most eight pages', async () => {
    const report = await judgedWith(twoWrong);
    expect(blamed(report)).toHaveLength(2);
    await visitPage(browser, renderHtml(report), async (page) => {
      const printed = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      expect(printed.match(/\/Type\s*\/Page\b/g)?.length ?? 0).toBeLessThanOrEqual(8);
    });
  }, 120_000);
});
