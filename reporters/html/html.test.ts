import { expect, test } from 'vitest';
import type { Report, ReportExchange } from '../../suites/types/report.ts';
import { hostileReport, conformantReport, sampleReport } from '../sample.fixture.ts';
import { hostile } from '../sample.wire.fixture.ts';
import { renderHtml } from '../run/document.ts';
import { unpacked } from './unpacked.fixture.ts';

const withBodies = (text: string): Report => {
  const report = sampleReport();
  const swell = (exchange: ReportExchange): ReportExchange => ({
    ...exchange,
    request: { ...exchange.request, body: text },
    response: {
      status: 200,
      headers: [['x', text]],
      body: { text, encoding: 'utf8', bytes: text.length, arrivals: [] },
    },
  });
  return { ...report, exchanges: report.exchanges.map(swell) };
};

/** Nothing is as it should be: every case fails for each of its requirements, in long words. */
const everyCaseFails = (): Report => {
  const report = sampleReport();
  const words = 'as the interface does not say '.repeat(12);
  return {
    ...report,
    requirements: report.requirements.map((row) => ({ ...row, verdict: 'fail' })),
    cases: report.cases.map((outcome) => ({
      ...outcome,
      verdict: 'fail',
      reproduce: `curl -sS -i --data-raw '${words}'`,
      findings: outcome.requirements.map((requirement) => ({
        requirement,
        verdict: 'fail' as const,
        message: words,
        expected: words,
        actual: words,
      })),
    })),
  };
};

test.each([
  ['nothing but failures', everyCaseFails],
  ['hostile text', hostileReport],
  ['long bodies', () => withBodies('word '.repeat(4000))],
  ['long bodies that need escaping', () => withBodies('\u0000<&'.repeat(6000))],
  ['long hostile bodies', () => withBodies(hostile.repeat(50))],
])('300 cases and 350 exchanges with %s stay under 1 MB', (_, make) => {
  expect(Buffer.byteLength(renderHtml(make()))).toBeLessThan(1_000_000);
});

test('a long body has all of it, what is between its ends behind a line that tells how long it is', () => {
  const page = unpacked(renderHtml(withBodies('x'.repeat(9_000))));
  expect(page).toMatch(/<summary>⋯ [^<]+ of 9\u202f000 characters<\/summary><pre>x{7000,}<\/pre>/);
});

test('where there is no room for all, a long body loses what is between its ends', () => {
  const report = withBodies('');
  const own = ({ id }: ReportExchange): string => `${id} `.repeat(300).slice(0, 3_000);
  const exchanges = report.exchanges.map((one) => ({ ...one, request: { ...one.request, body: own(one) } }));
  const page = unpacked(renderHtml({ ...report, exchanges }));
  expect(page).toMatch(
    /exchange-\d+ [\we -]*<i>⋯ 1\u202f000 of 3\u202f000 characters, in full in report\.json ⋯<\/i>/,
  );
  expect(page).not.toContain('<details class="middle">');
});

test('a page holds a line of recorded exchanges once, and gives each of them as it was', () => {
  const page = renderHtml(withBodies('one line of a body\n<!--/packed--> and another'));
  expect(page.split('and another').length).toBeLessThan(6);
  const whole = unpacked(page);
  expect(whole.match(/one line of a body\n&lt;!--\/packed--&gt; and another/g)?.length).toBeGreaterThan(600);
  expect(whole).not.toContain('packed-->');
});

test('the document has nothing to fetch', () => {
  const markup = renderHtml(sampleReport());
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(markup)?.[1];
  expect(policy).toMatch(
    /^default-src &#39;none&#39;; style-src &#39;sha256-\S+&#39;; script-src &#39;sha256-/,
  );
  expect(
    /<(?:link|img|iframe|base)\b|<[^>]*\ssrc=|href="(?!#)|@import|url\(/.exec(markup)?.[0],
  ).toBeUndefined();
});

test('a printed page names the target, the verdict and the run, whatever the name is', () => {
  const foot = (report: Report) =>
    /@page\{@bottom-left\{content:"([^"]*)"\}\}\n<\/style>/.exec(renderHtml(report))?.[1];
  expect(foot(conformantReport())).toMatch(/ \\b7 {2}Conformant \\b7 {2}run /);
  const evil = { ...conformantReport(), target: { name: '"}</style>\\a\n*{}', baseUrl: 'http://x' } };
  expect(foot(evil)).toMatch(/^\\22 \\7d \\3c \\2f style\\3e \\5c a/);
});
