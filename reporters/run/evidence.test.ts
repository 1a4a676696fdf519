import { describe, expect, test } from 'vitest';
import type { Report, ReportCase } from '../../suites/types/report.ts';
import { withCase } from '../empty-report.fixture.ts';
import { smallReport, withRow } from '../small.fixture.ts';
import { markupOf } from '../document/printed.fixture.ts';
import { contextOf } from './context.ts';
import { requirementEntry } from './requirement.ts';
import { failed, open, requirementLines } from './requirement-lines.fixture.ts';

const failing = (change: Partial<ReportCase>): string[] =>
  requirementLines(withCase('plain', change), failed);
const [finding] = smallReport().cases[0]?.findings ?? [];
if (finding === undefined) throw new Error('the fixture has a finding');

describe('evidence', () => {
  test('whose pointer leads nowhere marks what should hold it; without a pointer there is none to mark', () => {
    expect(failing({ findings: [{ ...finding, pointer: '/usage/prompt_tokens' }] })).toContain(
      '`/usage/prompt_tokens` is missing from what is marked below, in the reply of `one`',
    );
    const { pointer, ...unplaced } = finding;
    expect(pointer).toBeDefined();
    expect(failing({ findings: [unplaced] }).join()).not.toContain('below, in the reply of');
  });

  test('in which nothing can be marked is unfolded: the whole reply is what was found', () => {
    const { pointer: _pointer, ...unplaced } = { ...finding, exchange: 'one' };
    const unfolded = (findings: ReportCase['findings']): boolean => {
      const report = withCase('plain', { findings });
      const row = report.requirements.find(({ id }) => id === failed);
      return row !== undefined && /id="x:one" open>/.test(markupOf(requirementEntry(contextOf(report), row)));
    };
    expect(unfolded([unplaced])).toBe(true);
    expect(unfolded([{ ...unplaced, pointer: '/usage' }])).toBe(false);
  });

  test('that stands with another failure is linked, and what the report does not carry is named', () => {
    const report = smallReport();
    const cases = report.cases.map((one) =>
      one.id === 'hot' ? { ...one, exchanges: ['one', 'gone'] } : one,
    );
    const lines = requirementLines({ ...report, cases }, open);
    expect(lines.slice(-2)).toEqual([
      'Exchanges shown elsewhere: `one`, `gone`',
      'Link to this requirement; in the guide: docs/interface.md#chat.param.temperature.range',
    ]);
    expect(lines).not.toContain('Request');
  });

  test('that nothing shows is the reason; other cases stand behind it, and one that is gone is named', () => {
    const report = withRow(smallReport(), failed, { cases: ['streamed', 'gone'] });
    expect(requirementLines(report, failed).slice(4)).toEqual([
      'Why: The value has another type.',
      'Other cases',
      '{inconclusive}? Inconclusive A chat stream `three`',
      '`gone`: not in this report',
      'Link to this requirement; in the guide: docs/interface.md#chat.result.usage.total-tokens',
    ]);
  });

  test('stands with each case that found something, and a case that found nothing behind them', () => {
    const report = smallReport();
    const cases = report.cases.map((one) =>
      one.id === 'hot' ? { ...one, findings: [{ ...finding, message: 'Here too.' }] } : one,
    );
    const both = withRow({ ...report, cases }, failed, { cases: ['plain', 'hot', 'streamed'] });
    const lines = requirementLines(both, failed);
    expect(lines.filter((line) => /^(Case|curl|Other)|^.\?|-d/.test(line))).toEqual([
      'Case A plain chat completion',
      "curl -X POST 'https://gateway.example.com/v1/chat/completions' \\",
      "-d 'hello'",
      'Case A temperature above 2',
      "curl -X POST 'https://gateway.example.com/v1/chat/completions' \\",
      "-d 'hot'",
      'Other cases',
    ]);
    expect(lines.at(-2)).toBe('{inconclusive}? Inconclusive A chat stream `three`');
  });

  test('of one case stands once, with the first of its findings', () => {
    const twice = failing({ findings: [finding, { ...finding, message: 'Another thing.' }] });
    expect(twice.filter((line) => line.startsWith('Case '))).toHaveLength(2);
    expect(twice.filter((line) => line.startsWith('curl '))).toHaveLength(1);
    expect(twice.filter((line) => line === 'Request')).toHaveLength(1);
    expect(twice.indexOf('Request')).toBeLessThan(twice.indexOf('Another thing.'));
  });

  test('is told for six findings; the rest is counted, with the exchanges of cases not yet shown', () => {
    const many = (length: number, over: Partial<ReportCase> = {}): Report => {
      const report = smallReport();
      const ids = Array.from({ length }, (_, at) => `c${at}`);
      const [plain, ...others] = report.cases;
      if (plain === undefined) throw new Error('the fixture has cases');
      const own = ids.map((id) => ({ ...plain, id, title: `Case ${id}`, exchanges: [], ...over }));
      return withRow({ ...report, cases: [...own, ...others] }, failed, { cases: ids });
    };
    expect(requirementLines(many(6), failed).join()).not.toContain('more finding');
    const lines = requirementLines(many(8), failed);
    expect(
      lines.slice(
        lines.findIndex((line) => line.includes('more finding')),
        -1,
      ),
    ).toEqual(['2 more findings of the same requirement, in full in report.json', 'Case c6', 'Case c7']);
    const seven = requirementLines(many(1, { findings: Array.from({ length: 7 }, () => finding) }), failed);
    expect(seven.at(-2)).toBe('1 more finding of the same requirement, in full in report.json');
  });

  test('is cut where a text is long', () => {
    const long = (length: number) => failing({ findings: [{ ...finding, message: 'm'.repeat(length) }] });
    expect(long(1_200)).toContain('m'.repeat(1_200));
    expect(long(1_201)).toContain(`${'m'.repeat(1_200)}… (shortened)`);
    expect(failing({ title: 't'.repeat(301) })).toContain(`Case ${'t'.repeat(300)}… (shortened)`);
  });
});
