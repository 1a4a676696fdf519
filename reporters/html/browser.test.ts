import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../suites/types/report.ts';
import { scriptJson } from '../escape.ts';
import { renderJunit } from '../junit.ts';
import { unreachableReport, hostileReport, conformantReport, sampleReport } from '../sample.fixture.ts';
import { hasBrowser, openBrowser, violationsOf, visitPage, why } from './browser.fixture.ts';
import { renderHtml } from '../run/document.ts';

describe.skipIf(!hasBrowser)(`in a browser, the HTML report${why}`, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);

  afterAll(() => browser.close());

  const visit = (
    report: Report,
    use: (page: Page) => Promise<void>,
    options?: BrowserContextOptions & { hash?: string },
  ): Promise<string[]> => visitPage(browser, renderHtml(report), use, options);

  test('gives hostile text no way to act, and asks the network for nothing', async () => {
    const trouble = await visit(hostileReport(), async (page) => {
      await page.evaluate(`for (const one of document.querySelectorAll('.x')) one.open = true`);
      await expect.poll(() => page.locator('[data-packed]').count()).toBe(0);
      const found = await page.evaluate<{ title: string }>(`({
        owned: 'owned' in window,
        title: document.title,
        scripts: document.scripts.length,
        strangers: document.querySelectorAll('img, iframe, object, embed, link, base, svg[onload], [style]').length,
        handlers: [...document.querySelectorAll('*')].filter((one) => one.getAttributeNames().some((name) => name.startsWith('on'))).length,
        core: JSON.parse(document.getElementById('report-core').textContent).verdict,
        last: document.body.lastElementChild.tagName,
      })`);
      expect(found).toMatchObject({
        owned: false,
        scripts: 3,
        strangers: 0,
        handlers: 0,
        core: 'non-conformant',
        last: 'SCRIPT',
      });
      expect(found.title).toContain('</script><img src=x');
    });
    expect(trouble).toEqual([]);
  });

  test('refuses what its policy does not know', async () => {
    const trouble = await visit(conformantReport(), async (page) => {
      await page.evaluate(`{
        const script = document.createElement('script');
        script.textContent = 'window.owned = 1';
        document.body.append(script);
      }`);
      expect(await page.evaluate(`'owned' in window`)).toBe(false);
    });
    expect(trouble.join()).toContain('Content Security Policy');
  });

  test('shows everything without scripts, and no control that would do nothing', async () => {
    const trouble = await visit(
      sampleReport(),
      async (page) => {
        expect(await page.locator('.req').count()).toBe(150);
        expect(await page.locator('.req.fail[open]').count()).toBe(1);
        expect(await page.locator('.sec[open], .exchanges[open]').count()).toBe(0);
        expect(await page.locator('.req.pass[open]').count()).toBe(0);
        expect(await page.locator('#filters').isVisible()).toBe(false);
        expect(await page.locator('button.copy').count()).toBe(0);
      },
      { javaScriptEnabled: false },
    );
    expect(trouble).toEqual([]);
  });

  test('filters by verdict, level, section and family', async () => {
    await visit(sampleReport(), async (page) => {
      const visible = () => page.locator('.req:visible').count();
      await page.selectOption('select[name=verdict]', 'fail');
      expect(await visible()).toBe(9);
      expect(await page.locator('#shown').textContent()).toBe('9 of 150 requirements');
      await page.selectOption('select[name=level]', 'derived');
      expect(await visible()).toBe(2);
      await page.selectOption('select[name=section]', '4.4');
      expect(await visible()).toBe(1);
      await page.click('button[type=reset]');
      await expect.poll(() => page.locator('.req:not([hidden])').count()).toBe(150);
      expect(await page.locator('.sec[open]').count()).toBe(0);
      await page.selectOption('select[name=family]', 'image');
      expect(await visible()).toBeLessThan(150);
    });
  });

  test('finds words anywhere in a requirement, and the address keeps what was looked for', async () => {
    let hash = '';
    await visit(sampleReport(), async (page) => {
      await page.fill('input[name=q]', 'chat.result.0.0 integer');
      expect(await page.locator('.req:visible').count()).toBe(1);
      await page.selectOption('select[name=verdict]', 'pass');
      expect(await page.locator('.req:visible').count()).toBe(0);
      await page.selectOption('select[name=verdict]', 'fail');
      hash = new URL(page.url()).hash;
    });
    await visit(
      sampleReport(),
      async (page) => {
        expect(await page.inputValue('input[name=q]')).toBe('chat.result.0.0 integer');
        expect(await page.locator('.req:visible').count()).toBe(1);
      },
      { hash },
    );
  });

  test('opens what a link leads to, behind a filter and inside a fold', async () => {
    await visit(
      sampleReport(),
      async (page) => {
        const linked = page.locator('[id="chat.result.2.0"]');
        expect(await linked.getAttribute('open')).not.toBeNull();
        expect((await linked.boundingBox())?.y).toBeLessThan(720);
        await page.evaluate(`location.hash = '#x%3Aexchange-200'`);
        await expect.poll(() => page.locator('[id="x:exchange-200"] pre').first().isVisible()).toBe(true);
      },
      { hash: '#chat.result.2.0' },
    );
  });

  test('copies a command as it stands', async () => {
    await visit(
      sampleReport(),
      async (page) => {
        const failed = page.locator('[id="chat.result.0.0"]');
        await failed.locator('button.copy').first().click();
        await expect
          .poll(() =>
            page.evaluate(`navigator.clipboard ? navigator.clipboard.readText() : getSelection().toString()`),
          )
          .toBe(await failed.locator('pre.curl').first().textContent());
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    );
  });

  test('resolves every link inside itself, and gives no id twice', async () => {
    await visit(sampleReport(), async (page) => {
      const found = await page.evaluate(`(() => {
        const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
        const links = [...document.querySelectorAll('a')].map((link) => decodeURIComponent(link.getAttribute('href').slice(1)));
        return {
          twice: ids.filter((id, at) => ids.indexOf(id) !== at),
          dead: links.filter((id) => !ids.includes(id)).slice(0, 5),
          exchanges: ids.filter((id) => id.startsWith('x:')).length,
        };
      })()`);
      expect(found).toEqual({ twice: [], dead: [], exchanges: 350 });
    });
  });

  test.each([1600, 1280, 768, 360])('never scrolls sideways at %i pixels', async (width) => {
    await visit(
      hostileReport(),
      async (page) => {
        await page.click('#unfold');
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      },
      { viewport: { width, height: 900 } },
    );
  });

  test('prints without controls and folds the recorded exchanges into a note', async () => {
    await visit(sampleReport(), async (page) => {
      await page.emulateMedia({ media: 'print' });
      for (const gone of ['#filters', '.toc', '.exchanges', 'button.copy'])
        expect(await page.locator(gone).first().isVisible(), gone).toBe(false);
      expect(await page.locator('.paper').isVisible()).toBe(true);
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      const [, width, height] = /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf)?.map(Number) ?? [];
      expect([Math.round(width ?? 0), Math.round(height ?? 0)]).toEqual([595, 842]);
      // What is wider than the paper would be made small or cut off.
      await page.setViewportSize({ width: 680, height: 960 });
      expect(
        await page.evaluate(
          `[...document.querySelectorAll('table, pre, dl, ul, h1')].filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth + 1).length`,
        ),
      ).toBe(0);
    });
  });

  test.each([
    ['with every verdict', 'light', sampleReport],
    ['with every verdict', 'dark', sampleReport],
    ['without a failure', 'dark', conformantReport],
    ['without anything', 'light', unreachableReport],
  ] as const)(
    'has no violation of WCAG AA that axe can find: %s, %s',
    async (_, colorScheme, make) => {
      await visit(
        // A tenth of the exchanges: the rest looks the same, and axe takes its time.
        { ...make(), exchanges: make().exchanges.slice(0, 35) },
        async (page) => {
          // One of each kind is enough to look at: the rest only repeats it.
          await page.evaluate(`{
          for (const one of document.querySelectorAll('.req.pass, .exchanges .x')) {
            if (one.previousElementSibling?.tagName !== 'DETAILS') one.open = true;
          }
          for (const one of document.querySelectorAll('.req.fail details, .fold, .which')) one.open = true;
        }`);
          expect(await violationsOf(page)).toEqual([]);
        },
        { colorScheme },
      );
    },
    60_000,
  );

  test('reads the JUnit file as XML', async () => {
    await visit(unreachableReport(), async (page) => {
      const found = await page.evaluate(`(() => {
        const read = new DOMParser().parseFromString(${scriptJson(renderJunit(hostileReport()))}, 'application/xml');
        return [read.querySelectorAll('parsererror').length, read.querySelectorAll('testcase').length];
      })()`);
      expect(found).toEqual([0, 300]);
    });
  });
});
