import { expect, test } from 'vitest';
import { laterReport } from '../diff/pair.fixture.ts';
import { textLines } from '../html/text-lines.fixture.ts';
import { smallReport } from '../small.fixture.ts';
import { compareReports } from './compare.ts';
import { renderComparisonHtml, renderComparisonMarkdown } from './document.ts';
import type { Report } from '../../suites/types/report.ts';
import { conformantReport, sampleReport } from '../sample.fixture.ts';

const comparison = () => compareReports([smallReport(), laterReport()]);

test('two small reports stand side by side in Markdown, what differs first, each value below its target', () => {
  expect(renderComparisonMarkdown(comparison())).toMatchInlineSnapshot(`
    "# 2 conformance reports side by side

    - Not all reports were judged by the same suite, so a difference may come from the suite. The digests are listed below.
    - The run of Acme 2 was stopped early.

    | Target | Verdict | Passed | Failed | When | Suite, requirements, OpenAPI |
    | --- | --- | --- | --- | --- | --- |
    | Acme \`https://gateway.example.com\` | ✕ Not conformant | 1 of 5 | 1 | 2026-11-21 09:00:00 UTC | 1.2.0 \`sha256:aaaaaaaaaaaa\` \`sha256:bbbbbbbbbbbb\` |
    | Acme 2 \`https://gateway.example.com\` | ✕ Not conformant | 1 of 5 | 2 | 2026-12-01 09:00:00 UTC | 1.3.0 \`sha256:aaaaaaaaaaaa\` \`sha256:bbbbbbbbbbbb\` |

    ## Requirements (5 of 9 differ)

    | What | Section | Acme | Acme 2 |
    | --- | --- | --- | --- |
    | id is a string. (stated) \`chat.result.id\` | 2.5 | ✓ pass | ✕ fail |
    | usage.total\\_tokens is an integer. (derived) \`chat.result.usage.total-tokens\` | 2.5 | ✕ fail | ✓ pass |
    | object is “chat.completion”. (stated) \`chat.result.object\` | 2.5 | — | ✕ fail |
    | temperature lies between 0 and 2. (stated) \`chat.param.temperature.range\` | 4.3 | ? inconclusive | – untested |
    | A rate limit can be told from an invalid token. (stated) \`errors.rate-limit.distinct\` | 7 | – untested | — |

    <details><summary>4 rows without a difference</summary>

    | What | Section | Acme | Acme 2 |
    | --- | --- | --- | --- |
    | Text arrives as it is made. (derived) \`chat.stream.incremental\` | 1 | ? inconclusive | ? inconclusive |
    | A conversational model must not be called through Chat Completions. (conflicting) \`conflict.a\` | 2.2 | ≠ conflict | ≠ conflict |
    | Chat Completions serves every family with a default-group token. (conflicting) \`conflict.b\` | 4 | ≠ conflict | ≠ conflict |
    | The status of a refusal is not shown. (unspecified) \`errors.status\` | 7 | ○ observed | ○ observed |

    </details>

    ## Behaviour that the interface does not specify (3 of 3 differ)

    | What | Section | Acme | Acme 2 |
    | --- | --- | --- | --- |
    | Framing of a chat stream \`observation.framing\` | 6 | server-sent events | — |
    | What is refused first \`observation.order\` | 6 | — | the token |
    | Status of a refused token \`observation.status\` | 7 | 401 | 403 |

    ## Contradictions of the interface (1 of 1 differ)

    | What | Section | Acme | Acme 2 |
    | --- | --- | --- | --- |
    | A: A conversational model must not be called through Chat Completions. B: Chat Completions serves every family with a default-group token. \`conflict.conversational-on-chat\` | 2.2, 4 | A | B |

    ## Support matrix (1 of 6 differ)

    | What | Section | Acme | Acme 2 |
    | --- | --- | --- | --- |
    | The interface says: must serve \`general/chat/default\` |  | served | unknown |

    <details><summary>5 rows without a difference</summary>

    | What | Section | Acme | Acme 2 |
    | --- | --- | --- | --- |
    | The interface says: must serve \`general/chat/default/stream\` |  | refused | refused |
    | The interface says: unspecified \`general/chat/coding-tool\` |  | refused | refused |
    | The interface says: conflict \`conversational/chat/default\` |  | refused | refused |
    | The interface says: must refuse \`conversational/responses/default\` |  | unknown | unknown |
    | The interface says: must serve \`image/images/default\` |  | not asked | not asked |

    </details>
    "
  `);
});

test('HTML has each cell in the colour of what it amounts to', () => {
  const lines = textLines(renderComparisonHtml(comparison()));
  const row = (words: string, ...values: readonly string[]) =>
    `| The interface says: ${words} |  | ${values.join(' | ')}`;
  expect(lines.find((line) => line.startsWith('| Acme 2 '))).toContain(
    ' | {fail}✕ Not conformant | 1 of 5 | 2 | ',
  );
  expect(lines).toContain('| id is a string. (stated) `chat.result.id` | 2.5 | {pass}✓ pass | {fail}✕ fail');
  expect(lines).toContain(row('must serve `general/chat/default`', '{pass}served', '{inconclusive}unknown'));
  expect(lines.slice(-5)).toEqual([
    row('must serve `general/chat/default/stream`', '{fail}refused', '{fail}refused'),
    row('unspecified `general/chat/coding-tool`', '{observed}refused', '{observed}refused'),
    row('conflict `conversational/chat/default`', '{conflict}refused', '{conflict}refused'),
    row('must refuse `conversational/responses/default`', '{inconclusive}unknown', '{inconclusive}unknown'),
    row('must serve `image/images/default`', '{untested}not asked', '{untested}not asked'),
  ]);
});

test('reports that agree have no note, and a table of agreement only', () => {
  const early = smallReport();
  const twin = { ...early, target: { ...early.target, name: 'Twin' } };
  const lines = textLines(renderComparisonHtml(compareReports([early, twin])));
  expect(lines[3]).toMatch(/^\| Target/);
  expect(lines.filter((line) => line === 'No row differs.')).toHaveLength(4);
  const at = lines.lastIndexOf('Requirements (0 of 8 differ)');
  expect(lines.slice(at + 1, at + 4)).toEqual([
    'No row differs.',
    '8 rows without a difference',
    '| What | Section | Acme | Twin',
  ]);
});

test('what a report does not have is a gap in each grid', () => {
  const early = smallReport();
  const bare = { ...early, observations: [], conflicts: [], matrix: [] };
  const { observations, conflicts, cells } = compareReports([bare, early]);
  expect([observations, conflicts, cells].map((rows) => rows[0]?.values)).toEqual([
    [null, 'server-sent events'],
    [null, 'A'],
    [null, 'served'],
  ]);
});

test('the words of the first report that has a row stand for all', () => {
  const early = smallReport();
  const reworded = early.requirements.map((row) => ({ ...row, statement: 'Said in another way.' }));
  const { requirements } = compareReports([early, { ...early, requirements: reworded }]);
  expect(requirements.find(({ id }) => id === 'chat.result.id')?.what).toBe('id is a string.');
});

test('a long text is cut in HTML', () => {
  const early = smallReport();
  const lines = (length: number): string => {
    const observations = early.observations.map((row) => ({ ...row, value: 'x'.repeat(length) }));
    return textLines(renderComparisonHtml(compareReports([{ ...early, observations }]))).join('\n');
  };
  expect(lines(300)).toContain(`| ${'x'.repeat(300)}\n`);
  expect(lines(301)).toContain(`| ${'x'.repeat(300)}…\n`);
});

const named = (report: Report, name: string): Report => ({ ...report, target: { ...report.target, name } });
const drifted = (): Report => {
  const report = conformantReport();
  return {
    ...report,
    observations: report.observations.map((row, at) => (at === 0 ? { ...row, value: '403' } : row)),
  };
};
const three = () => [
  named(sampleReport(), 'Acme 1'),
  named(conformantReport(), 'Acme 2'),
  named(drifted(), 'Acme 3'),
];

test('the same report twice differs nowhere', () => {
  const comparison = compareReports([sampleReport(), sampleReport()]);
  const rows = [
    comparison.requirements,
    comparison.observations,
    comparison.conflicts,
    comparison.cells,
  ].flat();
  expect(rows.length).toBeGreaterThan(200);
  expect(rows.filter(({ differs }) => differs)).toEqual([]);
  expect(renderComparisonMarkdown(comparison).match(/No row differs\./g)).toHaveLength(4);
});

test('reports of several profiles say which each has', () => {
  const [one, two, other] = three();
  if (!one || !two || !other) throw new Error('there are three');
  const smoke: Report = { ...two, scope: { ...two.scope, profile: 'smoke' } };
  const note =
    '- Not as much was asked of all, so what one leaves untested another may not. Acme 1: profile full; Acme 2: profile smoke.';
  expect(renderComparisonMarkdown(compareReports([one, two, other]))).not.toContain('Not as much');
  expect(renderComparisonMarkdown(compareReports([one, smoke]))).toContain(note);
});

test('a requirement that one suite does not have is a gap, and the suites are told apart', () => {
  const [one, other] = [sampleReport(), sampleReport()];
  const comparison = compareReports([
    one,
    {
      ...other,
      suite: { ...other.suite, requirementsDigest: 'sha256:0' },
      requirements: other.requirements.slice(1),
    },
  ]);
  expect(comparison.sameSuite).toBe(false);
  expect(comparison.requirements[0]).toMatchObject({ values: ['pass', null], differs: true });
  expect(renderComparisonMarkdown(comparison)).toContain('Not all reports were judged by the same suite');
});

test('reports of one target are told apart by date, and where that is the same by place', () => {
  const early = sampleReport();
  const late = { ...early, run: { ...early.run, startedAt: '2026-12-01T10:00:00.000Z' } };
  expect(compareReports([early, late, late]).targets.map(({ label }) => label)).toEqual([
    'Acme gateway 2.3, 2026-11-21 09:00:00 UTC',
    'Acme gateway 2.3, 2026-12-01 10:00:00 UTC (2)',
    'Acme gateway 2.3, 2026-12-01 10:00:00 UTC (3)',
  ]);
});
