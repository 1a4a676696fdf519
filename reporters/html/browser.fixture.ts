import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const candidates = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const executablePath = candidates.find((path) => path !== undefined && existsSync(path));

/** False where there is no browser; then `why` says so in the name of the tests. */
export const hasBrowser = executablePath !== undefined;
export const why = hasBrowser ? '' : ' (skipped: no chromium found; name one in CHROMIUM)';

const address = 'http://report.test/report.html';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: unknown }[];
}

/** A browser that asks the network for nothing. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

/** Opens a document, uses it, and gives what the browser complained of or asked the network for. */
export async function visitPage(
  browser: Browser,
  markup: string,
  use: (page: Page) => Promise<void>,
  options: BrowserContextOptions & { hash?: string } = {},
): Promise<string[]> {
  const { hash = '', ...rest } = options;
  const context = await browser.newContext(rest);
  const trouble: string[] = [];
  try {
    const page = await context.newPage();
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
    await page.route('**/*', (route) => {
      if (route.request().url().startsWith(address))
        return route.fulfill({ contentType: 'text/html', body: markup });
      trouble.push(`asked for ${route.request().url()}`);
      return route.abort();
    });
    await page.goto(address + hash);
    await use(page);
  } finally {
    await context.close();
  }
  return trouble;
}

/** What axe finds against WCAG AA and its best practices: a line for each rule, with the first places. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const violations = (await page.evaluate(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then(({ violations }) => violations)",
  )) as Violation[];
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ target }) => String(target))
        .join(' ')}`,
  );
}
