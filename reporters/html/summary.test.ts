import { describe, expect, test } from 'vitest';
import type { Report } from '../../suites/types/report.ts';
import { emptyReport, reportFollowing } from '../empty-report.fixture.ts';
import { fullDepth } from '../../suites/types/profile.ts';
import { historyEntry } from '../history.ts';
import { smallReport } from '../small.fixture.ts';
import { reportHeader } from './summary.ts';
import { renderHtml } from './index.ts';
import { textLines } from './text-lines.fixture.ts';

const page = (report: Report, beside?: Parameters<typeof renderHtml>[1]): string[] =>
  textLines(renderHtml(report, beside));
const head = (report: Report): string[] => textLines(reportHeader(report).markup);
/** The line behind a fact's name. */
const fact = (report: Report, name: string): string | undefined => {
  const lines = head(report);
  return lines[lines.indexOf(name) + 1];
};

test('the head and the contents of a small report, whole', () => {
  const lines = page(smallReport());
  expect(lines.slice(0, lines.lastIndexOf('Summary'))).toEqual([
    'Skip to what decided the verdict',
    'Conformance report · Model Inference Gateway Interface',
    'Acme',
    '{fail}',
    '✕',
    'Not conformant',
    '2 of 5 stated and derived requirements were judged; 1 failed, 2 are undecided, 1 untested.',
    '1 requirement failed.',
    '1 could not be judged.',
    'Asked: the whole interface, profile full. Model families: General (G), Conversational (C), Multimodal (M), Image. Token groups: default, coding-tool.',
    'Support matrix',
    'Base address',
    '`https://gateway.example.com`',
    'Run',
    '2026-11-21 09:00:00 UTC, 12.5 s `run-1`',
    'Sent',
    '1\u202f204 requests, 1 billed generation, seed 7',
    'Suite',
    'conformance 1.2.0',
    'Requirements digest',
    `\`sha256:${'a'.repeat(64)}\``,
    'OpenAPI digest',
    `\`sha256:${'b'.repeat(64)}\``,
    'Untested',
    '1 requirement. No model declared for chat-image. No token declared for the group third-party-client. No rate-limited token declared, so rate-limit errors were not tested. Why',
    'Contradictions of the interface',
    'Sections 2.2, 4: follows reading A: A conversational model must not be called through Chat Completions. Both readings',
    'Summary',
    'What decided it',
    'Untested',
    'Conflicts',
    'Support matrix',
    'Requirements',
    '1 What the service does',
    '2.2 Model families',
    '2.5 Chat completion 1 failed',
    '4 Endpoints',
    '4.3 POST /v1/chat/completions',
    '7 Errors',
    'Ambiguities',
    'Observations',
    'Exchanges',
    'Excluded',
  ]);
  expect(lines.at(-1)).toBe(
    'conformance 1.2.0 · run run-1 · 2026-11-21 09:00:12 UTC. Every verdict rests on recorded exchanges; the same evidence always yields the same verdicts.',
  );
});

describe('the head', () => {
  test('says of a run of a part that it is one, and of which families and groups', () => {
    const part = 'Asked: a part of the interface, profile full. Model families: none. Token groups: none.';
    const none = { families: [], groups: [], rateLimited: true, ...fullDepth };
    const [report, { run }] = [emptyReport(), emptyReport()];
    const selected = { ...report, scope: { ...none, selection: { suites: ['errors'], groups: [] } } };
    expect(head(selected)).toContain(part);
    const stopped = { ...report, scope: { ...none, selection: {} }, run: { ...run, partial: true } };
    expect(head(stopped)).toContain(part);
    const smoke = { ...none, selection: {}, profile: 'smoke' as const };
    expect(head({ ...report, scope: smoke })).toContain(part.replace('full', 'smoke'));
    const whole = { ...report, scope: { ...none, selection: { suites: [] } } };
    expect(head(whole)).toContain(
      'Asked: the whole interface, profile full. Model families: none. Token groups: none.',
    );
  });

  test('says where all was tested how many statements cannot be', () => {
    expect(fact(emptyReport(), 'Untested')).toBe('Nothing; 1 statement cannot be judged over HTTP.');
    const { requirements } = smallReport();
    expect(fact({ ...emptyReport(), requirements }, 'Untested')).toBe('1 requirement. Why');
  });

  test('names no reading that the target does not follow, and no contradiction where there is none', () => {
    const name = 'Contradictions of the interface';
    expect(fact(reportFollowing('neither'), name)).toBe(
      'Sections 2.2, 4: follows neither reading Both readings',
    );
    expect(fact(reportFollowing('untested'), name)).toBe('Sections 2.2, 4: was not tested Both readings');
    const [conflict] = smallReport().conflicts;
    const two = { ...reportFollowing('unknown'), conflicts: conflict ? [conflict, conflict] : [] };
    expect(head(two).filter((line) => line.startsWith('Sections 2.2'))).toHaveLength(2);
    expect(head(emptyReport())).not.toContain(name);
  });

  test('gives no duration where a time is none, and cuts a name at 120 characters', () => {
    const report = smallReport();
    const named = (name: string) => head({ ...report, target: { ...report.target, name } })[1];
    expect(fact({ ...report, run: { ...report.run, finishedAt: 'never' } }, 'Run')).toBe(
      '2026-11-21 09:00:00 UTC `run-1`',
    );
    expect(named('n'.repeat(120))).toBe('n'.repeat(120));
    expect(named('n'.repeat(121))).toBe(`${'n'.repeat(120)}…`);
  });

  test('has the trend only with a history', () => {
    const entry = historyEntry(smallReport());
    expect(page(smallReport(), { history: [entry, entry] })).toContain('Latest runs');
    expect(page(smallReport(), { history: [entry] })).not.toContain('Latest runs');
    const styled = (history: (typeof entry)[]) => renderHtml(smallReport(), { history }).includes('.trend{');
    expect([styled([entry, entry]), styled([entry])]).toEqual([true, false]);
  });
});
