import { expect, test } from 'vitest';
import type { Report, ReportExchange } from '../../suites/types/report.ts';
import { outcomeWith, entry } from '../baseline/entries.fixture.ts';
import { unreachableReport, hostileReport, conformantReport, sampleReport } from '../sample.fixture.ts';
import { hostile } from '../sample.wire.fixture.ts';
import { renderHtml } from '../run/render.ts';

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
  ['several failures', sampleReport],
  ['nothing but failures', everyCaseFails],
  ['hostile text', hostileReport],
  ['nothing wrong', conformantReport],
  ['long bodies', () => withBodies('word '.repeat(4000))],
  ['long bodies that need escaping', () => withBodies('\u0000<&'.repeat(6000))],
  ['long hostile bodies', () => withBodies(hostile.repeat(50))],
])('300 cases and 350 exchanges with %s stay under 1 MB', (_, make) => {
  expect(Buffer.byteLength(renderHtml(make()))).toBeLessThan(1_000_000);
});

test('bodies are shown as long as there is room for them', () => {
  const shown = (text: string): number =>
    Number(/shortened here to about (\d+) characters/.exec(renderHtml(withBodies(text)))?.[1]);
  expect(shown('x')).toBe(1500);
  const [long, escaped] = [shown('x'.repeat(5000)), shown('<'.repeat(5000))];
  expect(long).toBeLessThan(1500);
  expect(long).toBeGreaterThan(escaped);
  expect(escaped).toBeGreaterThan(50);
});

test('the same report gives the same document', () => {
  expect(renderHtml(hostileReport())).toBe(renderHtml(hostileReport()));
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

test('the offending value is marked where it was received', () => {
  const markup = renderHtml(sampleReport());
  expect(markup.includes('"total_tokens": <mark>"21"</mark>')).toBe(true);
  expect(markup.includes('<code>event 4 /choices/0/delta</code> is missing from what is marked below')).toBe(
    true,
  );
  expect(markup.includes('<mark>{"index":0}</mark>')).toBe(true);
});

test('a run that judged nothing says so and is no pass', () => {
  const markup = renderHtml(unreachableReport());
  expect(markup).toContain('<p class="word">Inconclusive</p>');
  expect(markup).toContain('None of 0 stated and derived requirements could be judged.');
  expect(markup).toContain('The run was stopped before it was complete.');
});

test('a baseline stands in the head and in a part of its own, and marks what it expects', () => {
  const markup = renderHtml(sampleReport(), {
    outcome: outcomeWith(entry('chat.result.0.0'), entry('gone')),
  });
  expect(markup).toContain('<a href="#part-baseline">Expected failures</a>');
  expect(markup).toContain('1 unmatched entry');
  expect(markup).toContain('<b>Expected failure:</b> ticket 12 (Kim), until 2027-03-31</p>');
  expect(renderHtml(sampleReport())).not.toContain('part-baseline"');
});

test('the small map of the support matrix counts what the whole one shows', () => {
  const { matrix } = sampleReport();
  const markup = renderHtml(sampleReport());
  expect(markup).toContain(
    `aria-label="Support matrix, ${matrix.length} combinations: 2 against the interface, `,
  );
  expect(renderHtml(unreachableReport())).not.toContain('class="mini"');
});

test('a printed page names the target, the verdict and the run, whatever the name is', () => {
  const foot = (report: Report) =>
    /@page\{@bottom-left\{content:"([^"]*)"\}\}\n<\/style>/.exec(renderHtml(report))?.[1];
  expect(foot(conformantReport())).toMatch(/ \\b7 {2}Conformant \\b7 {2}run /);
  const evil = { ...conformantReport(), target: { name: '"}</style>\\a\n*{}', baseUrl: 'http://x' } };
  expect(foot(evil)).toMatch(/^\\22 \\7d \\3c \\2f style\\3e \\5c a/);
});
