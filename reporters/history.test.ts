import { describe, expect, test } from 'vitest';
import { type HistoryEntry, historyEntry, historyLine, parseHistory } from './history.ts';
import { renderHtml } from './run/document.ts';
import { conformantReport, sampleReport } from './sample.fixture.ts';
import { smallReport } from './small.fixture.ts';
import { hostile } from './sample.wire.fixture.ts';

const [bad, good] = [historyEntry(sampleReport()), historyEntry(conformantReport())];

describe('a history', () => {
  test('is read back as it was written, one line for each run', () => {
    const text = [bad, good].map(historyLine).join('');
    expect(text.trimEnd().split('\n')).toHaveLength(2);
    expect(parseHistory(text)).toEqual([bad, good]);
    expect(bad).toMatchObject({ runId: 'run-1', verdict: 'non-conformant', whole: true });
    expect(parseHistory('')).toEqual([]);
  });

  test.each([
    ['{"runId"', 'line 2 is not JSON'],
    ['[]', 'line 2 is not a run of a history'],
    [JSON.stringify({ ...bad, summary: { ...bad.summary, fail: '9' } }), 'line 2 is not a run of a history'],
    [JSON.stringify({ ...bad, summary: { ...bad.summary, fail: -1 } }), 'line 2 is not a run of a history'],
    [JSON.stringify({ ...bad, verdict: 'great' }), 'line 2 is not a run of a history'],
    [JSON.stringify({ ...bad, suite: {} }), 'line 2 is not a run of a history'],
    ...[
      'null',
      '7',
      { suite: null },
      { suite: ['1'] },
      { suite: { ...bad.suite, version: 1 } },
      { runId: 1 },
      { finishedAt: undefined },
      { whole: 'yes' },
      { summary: null },
      { summary: { ...bad.summary, conflict: 0.5 } },
      { summary: { ...bad.summary, observed: undefined } },
    ].map((change) => [
      typeof change === 'string' ? change : JSON.stringify({ ...bad, ...change }),
      'line 2 is not a run of a history',
    ]),
  ])('with the line %s is refused', (line, message) => {
    expect(() => parseHistory(`${historyLine(bad)}${line}\n`)).toThrow(message);
  });

  test('has blank lines, which count as lines', () => {
    expect(parseHistory(`\n  \n${historyLine(good)}\r\n`)).toEqual([good]);
    expect(() => parseHistory(`\n \n7\n`)).toThrow('line 3 is not a run of a history');
  });

  test('keeps of a run what can be compared, and nothing of its target', () => {
    const { summary } = smallReport();
    expect(historyEntry(smallReport())).toEqual({
      runId: 'run-1',
      finishedAt: '2026-11-21T09:00:12.500Z',
      verdict: 'non-conformant',
      summary,
      whole: true,
      suite: {
        version: '1.2.0',
        requirementsDigest: `sha256:${'a'.repeat(64)}`,
        openapiDigest: `sha256:${'b'.repeat(64)}`,
      },
    });
  });

  test('knows a run of a part from a whole one', () => {
    const report = sampleReport();
    const half = { ...report, scope: { ...report.scope, selection: { suites: ['errors'], families: [] } } };
    expect(historyEntry(half).whole).toBe(false);
    const none = { ...report, scope: { ...report.scope, selection: { suites: [], families: [] } } };
    expect(historyEntry(none).whole).toBe(true);
    const selected = { ...report, scope: { ...report.scope, selection: { suites: ['errors'] } } };
    expect(historyEntry(selected).whole).toBe(false);
    expect(historyEntry({ ...report, run: { ...report.run, partial: true } }).whole).toBe(false);
  });
});

describe('the trend in the HTML report', () => {
  const trendOf = (history: readonly HistoryEntry[]) =>
    /<figure class="trend">.*?<\/figure>/s.exec(renderHtml(conformantReport(), { history }))?.[0];

  test('is there from the second run on, in numbers too', () => {
    expect(trendOf([])).toBeUndefined();
    expect(trendOf([good])).toBeUndefined();
    const trend = trendOf([bad, bad, good]);
    expect(trend).toContain('3 runs since 2026-11-21 09:00:12 UTC. Failed: 9, 9, 0.');
    expect(trend?.match(/<path class="fail"/g)).toHaveLength(2);
  });

  test('a report without a history is the document that it was', () => {
    expect(renderHtml(conformantReport(), { history: [good] })).toBe(renderHtml(conformantReport()));
  });

  test('leaves runs of a part out of a line of whole ones, and says that the suite changed', () => {
    const other = { ...good, suite: { ...good.suite, requirementsDigest: 'sha256:other' } };
    expect(trendOf([bad, { ...bad, whole: false }, other])).toContain(
      'Failed: 9, 0. The suite changed 1 time in between.',
    );
    expect(trendOf([{ ...bad, whole: false }, good])).toBeUndefined();
  });

  test('shows the latest thirty, and hostile text as text', () => {
    const many = Array.from({ length: 40 }, () => ({ ...bad, finishedAt: hostile }));
    const trend = trendOf(many);
    expect(trend?.match(/<path class="fail"/g)).toHaveLength(30);
    expect(trend).not.toMatch(/<(img|script)|<svg\/onload/);
  });
});
