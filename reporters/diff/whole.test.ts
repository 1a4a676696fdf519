import { expect, test } from 'vitest';
import { textLines } from '../html/text-lines.fixture.ts';
import { smallReport } from '../small.fixture.ts';
import { diffReports } from './diff.ts';
import { renderDiffHtml } from './html.ts';
import { laterReport } from './pair.fixture.ts';
import { renderDiffMarkdown, renderDiffText } from './text.ts';

const diff = () => diffReports(smallReport(), laterReport());
const notes = [
  'The suite changed, so a verdict may differ although the target does not: version 1.2.0 → 1.3.0.',
  'The scope changed: another profile, other families, groups or selection, or a run that was stopped. What is untested or missing now may be outside the new scope.',
  '1 new requirement failed. The earlier report does not have it, so it is no regression.',
];

test('each kind of change stands once in the text, the earlier value before the later one', () => {
  expect(renderDiffText(diff())).toBe(`✕ 1 regression, 1 improvement. Verdict still not conformant.
  before  Acme, not conformant, 2026-11-21 09:00:00 UTC, run run-1
  after   Acme 2, not conformant, 2026-12-01 09:00:00 UTC, run run-2
${notes.map((note) => `  ${note}\n`).join('')}
Regressions (1)
  chat.result.id (section 2.5): ✓ pass → ✕ fail
      id is a string. (stated)
      An id is missing.

Improvements (1)
  chat.result.usage.total-tokens (section 2.5): ✕ fail → ✓ pass
      usage.total_tokens is an integer. (derived)

Other changes of verdict (1)
  chat.param.temperature.range (section 4.3, 8): ? inconclusive → – untested
      temperature lies between 0 and 2. (stated)
      The control failed: status 503.

New requirements (1)
  chat.result.object (section 2.5): — → ✕ fail
      object is “chat.completion”. (stated)

Removed requirements (1)
  errors.rate-limit.distinct (section 7): – untested → —
      A rate limit can be told from an invalid token. (stated)

Changed behaviour that the interface does not specify (3)
  observation.status (section 7): 401 → 403
      Status of a refused token
  observation.order (section 6): — → the token
      What is refused first
  observation.framing (section 6): server-sent events → —
      Framing of a chat stream

Conflicts with another reading followed (1)
  conflict.conversational-on-chat: A → B
      Reading followed

Support matrix (1)
  general/chat/default: served → unknown
      The interface says: served

Latency class (never a regression) (1)
  chat: 0.3 to 1 s (817 ms, 2 answers) → 3 to 10 s (4.00 s, 2 answers)
      Chat Completions: median time of an answer
`);
});

test('Markdown has both sides, the notes, and a table for each kind', () => {
  const [heading, sides, ...parts] = renderDiffMarkdown(diff()).split('\n\n');
  expect(heading).toBe('# ✕ 1 regression, 1 improvement. Verdict still not conformant.');
  expect(sides?.split('\n')).toEqual([
    '|  | Target | Address | When | Suite |',
    '| --- | --- | --- | --- | --- |',
    '| Before | Acme: not conformant | `https://gateway.example.com` | 2026-11-21 09:00:00 UTC | conformance 1.2.0 |',
    '| After | Acme 2: not conformant | `https://gateway.example.com` | 2026-12-01 09:00:00 UTC | conformance 1.3.0 |',
  ]);
  expect(parts.slice(0, 7)).toEqual([
    ...notes.map((note) => `> ${note}`),
    '## Regressions (1)',
    [
      '| What | Section | Before | After |',
      '| --- | --- | --- | --- |',
      '| id is a string. (stated) `chat.result.id`<br>An id is missing. | 2.5 | ✓ pass | ✕ fail |',
    ].join('\n'),
    '## Improvements (1)',
    [
      '| What | Section | Before | After |',
      '| --- | --- | --- | --- |',
      '| usage.total\\_tokens is an integer. (derived) `chat.result.usage.total-tokens` | 2.5 | ✕ fail | ✓ pass |',
    ].join('\n'),
  ]);
});

test('HTML says the same, coloured by the later verdict', () => {
  const facts = (name: string, version: string, day: string, run: string, end: string): string =>
    `${name}, not conformant\`https://gateway.example.com\`${day} 09:00:00 UTC, run \`${run}\`${end} conformance ${version}\`requirements sha256:${'a'.repeat(64)}\`\`OpenAPI sha256:${'b'.repeat(64)}\``;
  const lines = textLines(renderDiffHtml(diff()));
  expect(lines.slice(3, 22)).toEqual([
    '{fail}',
    '✕',
    '1 regression, 1 improvement. Verdict still not conformant.',
    ...notes,
    'Before',
    facts('Acme', '1.2.0', '2026-11-21', 'run-1', ''),
    'After',
    facts('Acme 2', '1.3.0', '2026-12-01', 'run-2', ' (stopped early)'),
    'Regressions (1)',
    'Improvements (1)',
    'Other changes of verdict (1)',
    'New requirements (1)',
    'Removed requirements (1)',
    'Changed behaviour that the interface does not specify (3)',
    'Conflicts with another reading followed (1)',
    'Support matrix (1)',
    'Latency class (never a regression) (1)',
  ]);
  expect(lines.slice(22, 29)).toEqual([
    'Regressions 1',
    '| What | Section | Before | After',
    '| id is a string. (stated) `chat.result.id`',
    'An id is missing.',
    '| 2.5 | ✓ pass | {fail}✕ fail',
    'Improvements 1',
    '| What | Section | Before | After',
  ]);
  expect(lines[29]).toBe(
    '| usage.total_tokens is an integer. (derived) `chat.result.usage.total-tokens` | 2.5 | ✕ fail | {pass}✓ pass',
  );
  expect(lines).toContain(
    '| object is “chat.completion”. (stated) `chat.result.object` | 2.5 | — | {fail}✕ fail',
  );
  expect(lines).toContain('| What is refused first `observation.order` | 6 | — | the token');
  expect(lines.at(-1)).toMatch(/^\| Chat Completions: .* \| 3 to 10 s \(4\.00 s, 2 answers\)$/);
});

test('where nothing changed, HTML has no note and no table, and says so', () => {
  const lines = textLines(renderDiffHtml(diffReports(smallReport(), smallReport())));
  expect(lines.slice(3, 7)).toEqual(['{pass}', '✓', 'Nothing changed.', 'Before']);
  expect(lines.slice(-2)).toEqual([
    'No change',
    'No verdict, no observation, no reading, no cell and no latency class differs.',
  ]);
});
