import { expect, test } from 'vitest';
import { historyEntry } from '../history.ts';
import { sampleReport } from '../sample.fixture.ts';
import { causedReport } from '../causes.fixture.ts';
import { smallReport } from '../small.fixture.ts';
import { compareReports } from '../compare/compare.ts';
import { renderComparisonHtml } from '../compare/document.ts';
import { diffReports } from '../diff/diff.ts';
import { renderDiffHtml } from '../diff/document.ts';
import { markupOf } from '../document/printed.fixture.ts';
import { renderHtml } from '../run/document.ts';
import { arrivalBlocks } from '../run/timeline.ts';
import { script } from './script.ts';
import { unpacked } from './unpacked.fixture.ts';
import { style } from './style.ts';

/** Classes that the selectors of a style sheet name; what is between the braces of a rule is left out. */
const classesOfStyle = (sheet: string): ReadonlySet<string> =>
  new Set([...sheet.replace(/\{[^{}]*\}/g, '{}').matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name));

/** Classes of the elements of a document, and those that its script gives to elements. */
const classesOfDocument = (markup: string): ReadonlySet<string> => {
  const body = markup.replace(/<style>.*?<\/style>/gs, '');
  const lists = [...body.matchAll(/\bclass="([^"]*)"/g), ...script.matchAll(/\bclassName = '([^']*)'/g)];
  return new Set(lists.flatMap(([, names = '']) => names.split(' ')));
};

/** A stream that was held back, beside another reply. */
function heldBack(): string {
  const replies = smallReport().exchanges.flatMap((one) =>
    one.response === null
      ? []
      : [
          {
            ...one,
            response: { ...one.response, body: { ...one.response.body, arrivals: [[9, 90] as const] } },
          },
        ],
  );
  const [stream, ...others] = replies;
  return stream === undefined
    ? ''
    : arrivalBlocks(stream, others)
        .map((block) => markupOf(block))
        .join('');
}

test('every class that the style sheet names is one of the documents', () => {
  const history = [historyEntry(smallReport()), historyEntry(sampleReport())];
  const documents =
    unpacked(renderHtml(causedReport())) +
    unpacked(renderHtml(smallReport())) +
    unpacked(renderHtml(sampleReport(), { history })) +
    markupOf({ kind: 'command', text: 'x'.repeat(2_000) }) +
    markupOf({ kind: 'recorded', title: 't', parts: [{ text: 'x', behind: 'x' }] }) +
    heldBack() +
    renderDiffHtml(diffReports(smallReport(), sampleReport())) +
    renderComparisonHtml(compareReports([smallReport(), sampleReport()]));
  const [named, used] = [classesOfStyle(style), classesOfDocument(documents)];
  expect(named.size).toBeGreaterThan(60);
  expect([...named].filter((name) => !used.has(name))).toEqual([]);
});
