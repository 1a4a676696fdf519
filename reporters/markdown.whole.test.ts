import { describe, expect, test } from 'vitest';
import { noExpectedFailures } from './baseline/expected-failures.ts';
import {
  emptyReport,
  reportFollowing,
  manyRequirements,
  mixedFindings,
  withCase,
} from './empty-report.fixture.ts';
import { renderMarkdown } from './markdown.ts';
import { smallReport, withRow } from './small.fixture.ts';

describe('the summary in Markdown', () => {
  const details = (id: string, found: string, prompt: string): string =>
    `<details><summary>${id}</summary>

${found}

\`\`\`sh
curl -X POST 'https://gateway.example.com/v1/chat/completions' \\
  -d '${prompt}'
\`\`\`

</details>`;

  test('has every part of a small report in its place', () => {
    expect(renderMarkdown(smallReport())).toBe(`# ✕ Not conformant: Acme

2 of 5 stated and derived requirements were judged; 1 failed, 2 are undecided, 1 untested. 1 requirement failed. 1 could not be judged.

\`https://gateway.example.com\` on 2026-11-21 09:00:00 UTC, conformance 1.2.0, 1\u202f204 requests, 1 billed generation, profile full. Requirements \`sha256:aaaaaaaaaaaaaaaa\`, OpenAPI \`sha256:bbbbbbbbbbbbbbbb\`.

| Level | ✕ Fail | ? Inconclusive | ≠ Conflict | ○ Observed | – Untested | ✓ Pass | All |
| --- | --- | --- | --- | --- | --- | --- | --- |
| stated | 0 | 1 | 0 | 0 | 1 | 1 | 3 |
| derived | 1 | 1 | 0 | 0 | 0 | 0 | 2 |
| unspecified | 0 | 0 | 0 | 1 | 0 | 0 | 1 |
| conflicting | 0 | 0 | 2 | 0 | 0 | 0 | 2 |

## What decided it

| Verdict | Section | Requirement | Expected | Observed |
| --- | --- | --- | --- | --- |
| Fail | 2.5 (derived) | usage.total\\_tokens is an integer. \`chat.result.usage.total-tokens\` | \`an integer\` | \`"21"\` |
| Inconclusive | 4.3, 8 (stated) | temperature lies between 0 and 2. \`chat.param.temperature.range\` | \`a result\` | \`status 503\` |

## Contradictions of the interface

| Sections | Reading A | Reading B | Judged by | The target follows |
| --- | --- | --- | --- | --- |
| 2.2, 4 \`conflict.conversational-on-chat\` | A conversational model must not be called through Chat Completions. | Chat Completions serves every family with a default-group token. | neither | **reading A** |

## Untested or inconclusive, with the reason

- No model declared for chat-image.
- No token declared for the group third-party-client.
- No rate-limited token declared, so rate-limit errors were not tested.
- No token with a spent rate limit: 1 requirement.
- \`chat.stream.incremental\`: inconclusive, not gating (too fast to time).

## Commands to reproduce

${details('chat.result.usage.total-tokens', 'usage.total\\_tokens is an integer. The value has another type, at `/usage/total_tokens`.', 'hello')}

${details('chat.param.temperature.range', 'temperature lies between 0 and 2. The control failed.', 'hot')}

## Support matrix

| Family | Group | Responses | Chat Completions | Chat Completions, stream | Image generation |
| --- | --- | --- | --- | --- | --- |
| General (G) | default |  | ✓ served (must serve) | ✕ refused (must serve) |  |
| General (G) | coding-tool |  | ○ refused (unspecified) |  |  |
| Conversational (C) | default | ? unknown (must refuse) | ≠ refused (conflict) |  |  |
| Image | default |  |  |  | – not asked (must serve) |

1 of 6 combinations was not asked.

## Observed behaviour that the interface does not specify

| Section | What | Seen |
| --- | --- | --- |
| 7 | Status of a refused token | \`401\` |
| 6 | Framing of a chat stream | \`server-sent events\` |
`);
  });

  test('leaves out every part that there is nothing for', () => {
    expect(renderMarkdown(emptyReport()).split('\n\n')).toEqual([
      '# ✕ Not conformant: Acme',
      expect.stringMatching(/^None of 0 stated and derived requirements could be judged\. /),
      expect.stringMatching(/^`https:/),
      expect.stringMatching(/^\| Level \|[^\n]*\n[^\n]*\n$/),
    ]);
  });

  test('marks an expected failure, and stands other parts behind its head', () => {
    const requirements = new Map([['chat.result.usage.total-tokens', 'ticket 12']]);
    const known = { ...noExpectedFailures, requirements };
    const parts = renderMarkdown(smallReport(), [{ name: 'mine', text: 'Mine.' }], known).split('\n\n');
    expect(parts[3]).toBe('Mine.');
    expect(parts[6]).toContain('\n| Fail, expected | 2.5 (derived) |');
    expect(parts[6]).toContain('\n| Inconclusive | 4.3, 8 (stated) |');
  });

  test('tells forty failures and counts the rest; one without a finding has its reason', () => {
    const table = (length: number): string[] =>
      renderMarkdown({ ...emptyReport(), requirements: manyRequirements(length, { reason: 'Seen.' }) })
        .split('\n\n')
        .slice(5);
    expect(table(40)[0]?.trimEnd().split('\n')).toHaveLength(42);
    expect(table(40)[0]).toContain('| Fail | 2.5 (stated) | Statement 0. `r0` |  | `Seen.` |');
    expect(table(40)).toHaveLength(1);
    expect(table(42)[1]).toBe('2 more requirements in report.html.\n');
    expect(renderMarkdown({ ...emptyReport(), requirements: manyRequirements(1, {}) })).toContain(
      '`r0` |  |  |\n',
    );
  });

  test('has at most ten reasons', () => {
    const reasons = Array.from({ length: 12 }, (_, at) => `Reason ${at}.`);
    expect(renderMarkdown({ ...emptyReport(), reasons })).toContain('Reason 9.\n');
  });

  test.each([
    ['B', 'reading B'],
    ['neither', 'neither'],
    ['unknown', 'could not be determined'],
    ['untested', 'untested'],
  ] as const)('says of a conflict followed as %s: %s', (follows, words) => {
    expect(renderMarkdown(reportFollowing(follows))).toContain(`| **${words}** |\n`);
  });

  test('has a command only where a case has one that is short enough', () => {
    const report = smallReport();
    const sized = (reproduce: string): string =>
      renderMarkdown({ ...report, cases: report.cases.map((one) => ({ ...one, reproduce })) });
    expect(sized('c'.repeat(2_500))).toContain(`\`\`\`sh\n${'c'.repeat(2_500)}\n`);
    expect(sized('c'.repeat(2_501))).toContain(
      '\n\nThe command is too long for a summary; report.html has it.\n\n</details>',
    );
    // Of the two that decided it one has a command.
    expect(renderMarkdown(mixedFindings()).split('<details>')).toHaveLength(2);
    const without = report.cases.map(({ reproduce, ...one }) => one);
    expect(renderMarkdown({ ...report, cases: without })).not.toContain('<details>');
  });

  test('has the command of the first case that has one', () => {
    const [plain] = smallReport().cases;
    const { cases, ...rest } = withCase('streamed', { findings: plain?.findings ?? [] });
    const report = withRow({ ...rest, cases }, 'chat.result.usage.total-tokens', {
      cases: ['streamed', 'plain'],
    });
    expect(renderMarkdown(report)).toContain("-d 'hello'");
  });

  test('cuts a cell at 240 characters', () => {
    const cell = (length: number): string =>
      renderMarkdown({
        ...emptyReport(),
        requirements: manyRequirements(1, { statement: 's'.repeat(length) }),
      });
    expect(cell(240)).toContain(`| ${'s'.repeat(240)} \`r0\` |`);
    expect(cell(241)).toContain(`| ${'s'.repeat(240)}… \`r0\` |`);
  });

  test('that has no room for its parts names five of them and counts the others', () => {
    const big = (length: number) =>
      Array.from({ length }, (_, at) => ({ name: `part ${at}`, text: 'x'.repeat(59_000) }));
    expect(renderMarkdown(emptyReport(), big(5))).toContain(
      '\n\n> This summary is cut at 60 KB. Omitted: part 0, part 1, part 2, part 3, part 4. report.html and',
    );
    expect(renderMarkdown(emptyReport(), big(7))).toContain(' part 4 and 2 more parts. report.html and');
    const fits = 59_000 - Buffer.byteLength(renderMarkdown(emptyReport())) - 3;
    const filled = (length: number) =>
      renderMarkdown(emptyReport(), [{ name: 'mine', text: 'x'.repeat(length) }]);
    expect(filled(fits)).not.toContain('cut at');
  });
});
