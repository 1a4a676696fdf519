import { expect, test } from 'vitest';
import type { Report } from '../../suites/types/report.ts';
import { emptyReport } from '../empty-report.fixture.ts';
import { smallReport } from '../small.fixture.ts';
import { renderHtml } from '../run/document.ts';
import { textLines } from './text-lines.fixture.ts';

const titles = (report: Report): string[] =>
  [...renderHtml(report).matchAll(/<h[23]>.*?<\/h[23]>/g)].flatMap(([title]) => textLines(title));

test('the parts stand in this order, and each section says how many of which verdict it has', () => {
  expect(titles(smallReport())).toEqual([
    'What decided the verdict',
    'Summary',
    '{inconclusive}? Inconclusive, not gating',
    '{untested}– Untested: 1 requirement',
    '{conflict}≠ Contradictions of the interface, and what this target does',
    'Support matrix',
    'Requirements by section of the interface',
    '1 What the service does 1 inconclusive',
    '2.2 Model families 1 conflict',
    '2.5 Chat completion 1 fail, 1 pass; 1 of them with what decided the verdict',
    '4 Endpoints 1 conflict',
    '4.3 POST /v1/chat/completions 1 inconclusive; 1 of them with what decided the verdict',
    '7 Errors 1 observed, 1 untested',
    'Ambiguities of the interface',
    'Observed behaviour that the interface does not specify',
    'Recorded exchanges (3 exchanges)',
    'Excluded statements',
  ]);
});

test('an empty report says in each part that there is nothing', () => {
  const lines = textLines(renderHtml({ ...emptyReport(), excluded: [], exchanges: [] }));
  const quiet = [
    'Nothing failed, and no inconclusive requirement gates.',
    'Everything that can be judged over HTTP was tested.',
    'None was tested.',
    'No combination was tried.',
    'No requirement was selected.',
    'Nothing was observed.',
    'Every exchange is shown with a finding.',
    'No statement was excluded.',
  ];
  expect(lines.filter((line) => quiet.includes(line))).toEqual(quiet);
  expect(textLines(renderHtml(smallReport()))).not.toContain('No requirement was selected.');
});

test('one can filter by each verdict, level and impact, and by the sections and families that there are', () => {
  const options = [...renderHtml(smallReport()).matchAll(/<option value="([^"]*)">([^<]*)</g)];
  expect(options.map(([, value, word]) => (value === word ? value : `${value}=${word}`))).toEqual([
    '=all',
    ...['fail=Fail', 'inconclusive=Inconclusive', 'conflict=Conflict', 'observed=Observed'],
    ...['untested=Untested', 'pass=Pass'],
    ...['=all', 'stated', 'derived', 'unspecified', 'conflicting'],
    ...['=all', 'credential', 'client', 'lenient'],
    '=all',
    ...['1=1 What the service does', '2.2=2.2 Model families', '2.5=2.5 Chat completion', '4=4 Endpoints'],
    ...['4.3=4.3 POST /v1/chat/completions', '7=7 Errors'],
    '=all',
    ...[
      'general=General (G)',
      'conversational=Conversational (C)',
      'multimodal=Multimodal (M)',
      'image=Image',
    ],
  ]);
});

test('a machine finds the verdicts in the document', () => {
  const json = /<script type="application\/json" id="report-core">(.*?)<\/script>/.exec(
    renderHtml(smallReport()),
  )?.[1];
  const { schemaVersion, suite, target, run, verdict, summary, requirements } = smallReport();
  expect(JSON.parse(json ?? '')).toEqual({
    schemaVersion,
    suite,
    target,
    run,
    verdict,
    summary,
    requirements: requirements.map((row) => [row.id, row.verdict]),
  });
});

test('a long name is cut at the foot of a printed page', () => {
  const report = smallReport();
  const long = {
    ...report,
    target: { ...report.target, name: 'n'.repeat(61) },
    run: { ...report.run, id: 'r'.repeat(41) },
  };
  expect(renderHtml(long)).toContain(
    `content:"${'n'.repeat(60)} \\b7  Not conformant \\b7  run ${'r'.repeat(40)}"`,
  );
});
