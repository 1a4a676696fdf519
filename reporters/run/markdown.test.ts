import { describe, expect, test } from 'vitest';
import { applyBaseline } from '../baseline/apply.ts';
import {
  emptyReport,
  reportFollowing,
  manyRequirements,
  mixedFindings,
  withCase,
} from '../empty-report.fixture.ts';
import { renderMarkdown } from './document.ts';
import { smallReport, withRow } from '../small.fixture.ts';
import type { Report } from '../../suites/types/report.ts';
import { conformantReport, unreachableReport, hostileReport, sampleReport } from '../sample.fixture.ts';
import { hostile } from '../sample.wire.fixture.ts';

describe('the summary in Markdown', () => {
  test('has every part of a small report in its place', () => {
    expect(renderMarkdown(smallReport())).toMatchInlineSnapshot(`
      "# ✕ Not conformant: Acme

      2 of 5 stated and derived requirements were judged; 1 failed, 2 are undecided, 1 untested. 1 requirement failed. 1 could not be judged.

      Asked: the whole interface, profile full. Model families: General (G), Conversational (C), Multimodal (M), Image. Token groups: default, coding-tool.

      ## What decided the verdict

      | Verdict | What | Came | Expected |
      | --- | --- | --- | --- |
      | Fail | usage.total\\_tokens is an integer. \`chat.result.usage.total-tokens\` derived, section 2.5 | \`"21"\` | \`an integer\` |
      | Inconclusive | temperature lies between 0 and 2. \`chat.param.temperature.range\` stated, sections 4.3, 8 | \`status 503\` | \`a result\` |

      ### Commands to reproduce

      <details><summary>chat.result.usage.total-tokens</summary>

      usage.total\\_tokens is an integer. The value has another type, at \`/usage/total_tokens\`.

      \`\`\`sh
      curl -X POST 'https://gateway.example.com/v1/chat/completions' \\
        -d 'hello'
      \`\`\`

      </details>

      <details><summary>chat.param.temperature.range</summary>

      temperature lies between 0 and 2. The control failed.

      \`\`\`sh
      curl -X POST 'https://gateway.example.com/v1/chat/completions' \\
        -d 'hot'
      \`\`\`

      </details>

      ## Summary

      | Level | ✕ Fail | ? Inconclusive | ≠ Conflict | ○ Observed | – Untested | ✓ Pass | All |
      | --- | --- | --- | --- | --- | --- | --- | --- |
      | stated | 0 | 1 | 0 | 0 | 1 | 1 | 3 |
      | derived | 1 | 1 | 0 | 0 | 0 | 0 | 2 |
      | unspecified | 0 | 0 | 0 | 1 | 0 | 0 | 1 |
      | conflicting | 0 | 0 | 2 | 0 | 0 | 0 | 2 |
      | all | 1 | 2 | 2 | 1 | 1 | 1 | 8 |

      **Base address** \`https://gateway.example.com\` · **Run** 2026-11-21 09:00:00 UTC, 12.5 s \`run-1\` · **Sent** 1 204 requests, 1 billed generation, seed 7 · **Suite** conformance 1.2.0

      **Requirements digest** \`sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\` · **OpenAPI digest** \`sha256:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\`

      ## ? Inconclusive, not gating

      - Text arrives as it is made. \`chat.stream.incremental\`: left open by the clock: All of it came within 2 ms.

      ## – Untested: 1 requirement

      - No model declared for chat-image.
      - No token declared for the group third-party-client.
      - No rate-limited token declared, so rate-limit errors were not tested.
      - No token with a spent rate limit: 1 requirement

      ## ≠ Contradictions of the interface, and what this target does

      | Where | Reading A | Reading B | Judged by | The target |
      | --- | --- | --- | --- | --- |
      | sections 2.2, 4 \`conflict.conversational-on-chat\` | A conversational model must not be called through Chat Completions. | Chat Completions serves every family with a default-group token. | neither | **follows reading A** |

      ## Support matrix

      1 of 6 combinations was not asked.

      | Family | Token group | Responses | Chat Completions, plain | Chat Completions, stream | Image generation |
      | --- | --- | --- | --- | --- | --- |
      | General (G) | default |  | ✓ served (must serve) | ✕ refused (must serve) |  |
      | General (G) | coding-tool |  | ○ refused (unspecified) |  |  |
      | Conversational (C) | default | ? unknown (must refuse) | ≠ refused (conflict) |  |  |
      | Image | default |  |  |  | – not asked (must serve) |

      ## Observed behaviour that the interface does not specify

      <details><summary>2 observations, none of them a failure</summary>

      | Section | What | Seen | Where |
      | --- | --- | --- | --- |
      | 6 | Framing of a chat stream | \`server-sent events\` | three |
      | 7 | Status of a refused token | \`401\` | two |

      </details>
      "
    `);
  });

  test('leaves out every part that there is nothing for', () => {
    expect(renderMarkdown(emptyReport()).match(/^#+ .*$/gm)).toEqual([
      '# ✕ Not conformant: Acme',
      '## Summary',
    ]);
  });

  test('marks an expected failure, and tells the baseline', () => {
    const entry = { requirement: 'chat.result.usage.total-tokens', reason: 'x', expires: '2027-03-31' };
    const baseline = { file: 'b.yaml', entries: [{ ...entry, line: 2 }] };
    const outcome = applyBaseline(smallReport(), baseline, '2026-11-21');
    const text = renderMarkdown(smallReport(), { outcome });
    expect(text).toContain('\n| Fail, expected | usage.total');
    expect(text).toContain('\n| Inconclusive | temperature');
    expect(text).toContain('## ✓ Expected failures');
  });

  test('tells forty failures and counts the rest; one without a finding has its reason', () => {
    const rows = (length: number): string[] =>
      renderMarkdown({ ...emptyReport(), requirements: manyRequirements(length, { reason: 'Seen.' }) })
        .split('\n')
        .filter((line) => line.startsWith('| Fail | ') || line.startsWith('and '));
    expect(rows(40)).toHaveLength(40);
    expect(rows(40)[0]).toBe('| Fail | Statement 0. `r0` stated, section 2.5 | `Seen.` |  |');
    expect(rows(42).slice(40)).toEqual(['and 2 more.']);
    expect(renderMarkdown({ ...emptyReport(), requirements: manyRequirements(1, {}) })).toContain(
      'section 2.5 |  |  |\n',
    );
  });

  test('has at most ten reasons', () => {
    const reasons = Array.from({ length: 12 }, (_, at) => `Reason ${at}.`);
    expect(renderMarkdown({ ...emptyReport(), reasons })).toContain('Reason 9.\n');
  });

  test.each([
    ['B', 'follows reading B'],
    ['neither', 'follows neither reading'],
    ['unknown', 'could not be determined'],
    ['untested', 'was not tested'],
  ] as const)('says of a conflict followed as %s: %s', (follows, words) => {
    expect(renderMarkdown(reportFollowing(follows))).toContain(`| **${words}** |\n`);
  });

  test('has a command only where a case has one that is short enough', () => {
    const report = smallReport();
    const sized = (reproduce: string): string =>
      renderMarkdown({ ...report, cases: report.cases.map((one) => ({ ...one, reproduce })) });
    expect(sized('c'.repeat(2_500))).toContain(`\`\`\`sh\n${'c'.repeat(2_500)}\n`);
    expect(sized('c'.repeat(2_501))).toContain(
      'The command has 2\u202f501 characters; report.html has it.\n\n</details>',
    );
    // Of the two that decided it one has a command.
    expect(renderMarkdown(mixedFindings()).match(/^```sh$/gm)).toHaveLength(1);
    const without = report.cases.map(({ reproduce, ...one }) => one);
    expect(renderMarkdown({ ...report, cases: without })).not.toContain('Commands to reproduce');
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
    expect(cell(240)).toContain(`| ${'s'.repeat(240)} \`r0\``);
    expect(cell(241)).toContain(`| ${'s'.repeat(240)}… \`r0\``);
  });
});

/** The document without fenced blocks. */
function prose(markdown: string): string[] {
  let fence = '';
  return markdown.split('\n').filter((line) => {
    const run = /^`{3,}/.exec(line)?.[0] ?? '';
    if (fence === '' && run !== '') fence = run;
    else if (fence !== '' && line === fence) fence = '';
    else return fence === '';
    return false;
  });
}

/** Code is written in two ways; a backslash before a pipe decides which. */
const hostiles: readonly (readonly [string, Report])[] = [
  ['as elements', hostileReport()],
  ['as spans', JSON.parse(JSON.stringify(hostileReport()).replaceAll('\\\\|', '|')) as Report],
];

test.each(hostiles)('every row of a table has as many cells as its head, with code %s', (_, report) => {
  let cells = 0;
  for (const line of prose(renderMarkdown(report))) {
    const pipes = line.startsWith('|') ? line.replace(/\\./g, '').split('|').length - 1 : 0;
    if (cells > 0 && pipes > 0) expect(pipes, line).toBe(cells);
    cells = pipes;
  }
});

test('a summary that would be too long is cut, and says what is missing', () => {
  const report: Report = sampleReport();
  const many = {
    ...report,
    observations: Array.from({ length: 400 }, (_, at) => ({
      ...(report.observations[0] ?? never()),
      id: `o${at}`,
      value: hostile,
    })),
  };
  const markdown = renderMarkdown(many);
  expect(Buffer.byteLength(markdown)).toBeLessThan(60_000);
  expect(markdown).toContain('> This summary is cut at 60 KB. Omitted, in whole or in part: Observations.');
  expect(renderMarkdown(report)).not.toContain('is cut at');
});

test('all reports stay below 60 KB and are the same each time', () => {
  for (const make of [sampleReport, hostileReport, conformantReport, unreachableReport]) {
    expect(Buffer.byteLength(renderMarkdown(make()))).toBeLessThan(60_000);
    expect(renderMarkdown(make())).toBe(renderMarkdown(make()));
  }
});

function never(): never {
  throw new Error('the fixture has observations');
}
