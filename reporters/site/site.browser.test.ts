import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, openBrowser, violationsOf, visitPage, why } from '../html/browser.fixture.ts';
import { renderSite } from './page.ts';
import { fiftyRuns } from './site.fixture.ts';

describe.skipIf(!hasBrowser)(`in a browser, the index of a site${why}`, () => {
  let browser: Browser;
  let markup = '';
  beforeAll(async () => {
    browser = await openBrowser();
    markup = renderSite(fiftyRuns());
  }, 60_000);
  afterAll(() => browser.close());

  const visit = (use: (page: Page) => Promise<void>, options: Parameters<typeof visitPage>[3] = {}) =>
    visitPage(browser, markup, use, options);
  const visibleRuns = (page: Page) => page.locator('.runs tbody tr:visible').count();

  test.each([
    ['light', 360],
    ['dark', 1280],
  ] as const)(
    'has no violation that axe can find, with results and a comparison: %s, %i pixels',
    async (colorScheme, width) => {
      const trouble = await visit(
        async (page) => {
          expect(await page.locator('#compared table').count()).toBeGreaterThan(0);
          await page.evaluate('for (const one of document.querySelectorAll(".fold")) one.open = true;');
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
          await page.evaluate(
            // The first rows of a table are enough to look at: the rest only repeats them.
            'for (const one of document.querySelectorAll("tr:nth-child(n+8), .series:nth-of-type(n+3)")) one.remove();',
          );
          expect(await violationsOf(page)).toEqual([]);
        },
        { colorScheme, viewport: { width, height: 900 }, hash: '#q=temperature&compare=run-1,run-2,run-4' },
      );
      expect(trouble).toEqual([]);
    },
    60_000,
  );

  test('gives hostile names no way to act, in the page and in what its script makes', async () => {
    const trouble = await visit(
      async (page) => {
        const found = await page.evaluate(`({
          owned: 'owned' in window,
          scripts: document.scripts.length,
          strangers: document.querySelectorAll('img, iframe, object, embed, link, base, [style]').length,
          handlers: [...document.querySelectorAll('*')].filter((one) => one.getAttributeNames().some((name) => name.startsWith('on'))).length,
        })`);
        expect(found).toEqual({ owned: false, scripts: 2, strangers: 0, handlers: 0 });
      },
      { hash: '#compare=run-4,run-9,run-14&q=script' },
    );
    expect(trouble).toEqual([]);
  });

  test('is used with the keyboard alone: chosen runs are compared, and the address keeps them', async () => {
    await visit(async (page) => {
      await page.locator('#q').focus();
      const tabTo = async (selector: string): Promise<void> => {
        for (let presses = 0; presses < 250; presses += 1) {
          await page.keyboard.press('Tab');
          if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
        }
        throw new Error(`${selector} was not reached`);
      };
      await tabTo('.runs input');
      await page.keyboard.press('Space');
      await tabTo('.runs input');
      await page.keyboard.press('Space');
      await tabTo('#compare');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('comparison');
      expect(await page.locator('#compared').textContent()).toMatch(
        /\d+ of \d+ requirements and \d+ of \d+ observations differ/,
      );
      expect(await page.locator('#compared thead').first().locator('a').count()).toBe(2);
      expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('compare')).toBe('run-49,run-48');
    });
  });

  test.each([390, 1280])(
    'gives each compared run a column as wide as the others: %i pixels',
    async (width) => {
      await visit(
        async (page) => {
          const heads = page.locator('#compared thead').first().locator('th:not(:first-child)');
          const widths = (await heads.all()).map(async (one) => (await one.boundingBox())?.width ?? 0);
          const [first = 0, ...others] = await Promise.all(widths);
          expect(first).toBeGreaterThan(0);
          for (const other of others) expect(Math.abs(other - first)).toBeLessThan(2);
        },
        { viewport: { width, height: 900 }, hash: '#compare=run-1,run-2,run-4' },
      );
    },
  );

  test('says what to do where fewer than two runs are chosen', async () => {
    await visit(async (page) => {
      await page.click('#compare');
      expect(await page.locator('#compared').textContent()).toBe(
        'Choose two or more runs in the table above.',
      );
    });
  });

  test('searches runs, requirements and observations, and links into the reports', async () => {
    await visit(async (page) => {
      expect(await visibleRuns(page)).toBe(50);
      await page.fill('#q', 'gateway-2.example');
      expect(await visibleRuns(page)).toBe(10);
      await page.fill('#q', 'chat.result.0.0');
      expect(await page.locator('#results > li').count()).toBe(1);
      expect(await page.locator('#results .id a').getAttribute('href')).toBe(
        'requirements/chat.result.0.0.html',
      );
      expect(await page.locator('#results .found a').first().getAttribute('href')).toMatch(
        /^runs\/run-\d+\/report\.html#chat\.result\.0\.0$/,
      );
      expect(await page.locator('#results .v').first().textContent()).toBe('✕ fail');
      expect(await page.locator('#hits').textContent()).toBe('Runs: 0. Requirements and observations: 1.');
      expect(await visibleRuns(page)).toBe(50);
    });
  });

  test('shows runs and history without scripts, and no control that would do nothing', async () => {
    await visit(
      async (page) => {
        expect(await visibleRuns(page)).toBe(50);
        expect(await page.locator('#history .sec').count()).toBe(5);
        for (const control of ['#search', '#compare', '.runs input'])
          expect(await page.locator(control).first().isVisible(), control).toBe(false);
      },
      { javaScriptEnabled: false },
    );
  });

  test('resolves every link inside itself, and gives no id twice', async () => {
    await visit(async (page) => {
      const found = await page.evaluate(`(() => {
        const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
        const links = [...document.querySelectorAll('a')].map((link) => link.getAttribute('href'));
        return {
          twice: ids.filter((id, at) => ids.indexOf(id) !== at),
          dead: links.filter((link) => link.startsWith('#') && !ids.includes(link.slice(1))),
          strange: links.filter((link) => !/^(#|verify\\.html$|feed\\.xml$|runs\\/run-\\d+\\/report\\.html)/.test(link)),
        };
      })()`);
      expect(found).toEqual({ twice: [], dead: [], strange: [] });
    });
  });

  test('works from a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'site-'));
    const context = await browser.newContext();
    try {
      writeFileSync(join(folder, 'index.html'), markup);
      const page = await context.newPage();
      const trouble: string[] = [];
      page.on('console', (message) => trouble.push(message.text()));
      page.on('pageerror', (error) => trouble.push(error.message));
      await page.goto(`${pathToFileURL(join(folder, 'index.html')).href}#compare=run-1,run-2`);
      expect(await page.locator('#compared table').count()).toBeGreaterThan(0);
      await page.fill('#q', 'chat usage');
      await page.waitForURL(/q=chat\+usage/);
      expect(trouble).toEqual([]);
    } finally {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
