import { describe, expect, it } from 'vitest';
import type { Report, ReportCase, ReportCell } from '../suites/types/report.ts';
import { markupOf } from './document/printed.fixture.ts';
import { contextOf } from './run/context.ts';
import { matrixBlocks } from './run/matrix.ts';
import { modelBlocks, withoutPassedModels, modelCellName, modelLines, modelTables } from './models.ts';
import { renderMarkdown, renderSummary } from './run/document.ts';
import { sampleReport } from './sample.fixture.ts';

const cell = (model: string, more: Partial<ReportCell> = {}): ReportCell => ({
  family: 'multimodal',
  protocol: 'chat',
  group: 'default',
  stream: false,
  model,
  expectation: 'served',
  why: 'because',
  requirements: ['family.multimodal.chat'],
  observed: 'served',
  cases: [`families.multimodal.chat.default@multimodal.${model}`],
  ...more,
});

const caseOf = (name: string, isBroken: boolean): ReportCase => ({
  id: `families.multimodal.chat.default@multimodal.${name}`,
  title: `multimodal model ${name}`,
  suite: 'families',
  model: { family: 'multimodal', name },
  requirements: ['family.multimodal.chat'],
  verdict: isBroken ? 'fail' : 'pass',
  findings: isBroken
    ? [
        {
          requirement: 'family.multimodal.chat',
          model: name,
          verdict: 'fail',
          message: `model ${name}: refused`,
          expected: 'a result',
          actual: 'HTTP 403',
        },
      ]
    : [],
  passed: isBroken ? [] : ['family.multimodal.chat'],
  exchanges: [],
});

/** A report with so many further models, of which these are refused. */
function reportWith(amount: number, broken: readonly number[]): Report {
  const report = sampleReport();
  const names = Array.from({ length: amount }, (_, at) => `m-${at + 2}`);
  const isBroken = (at: number): boolean => broken.includes(at);
  return {
    ...report,
    matrix: [
      ...report.matrix,
      ...names.map((name, at) => cell(name, isBroken(at) ? { observed: 'refused' } : {})),
    ],
    cases: [...report.cases, ...names.map((name, at) => caseOf(name, isBroken(at)))],
  };
}

describe('models behind the first of their family', () => {
  it('have a table for each family, those with a failure first', () => {
    const [table, ...others] = modelTables(reportWith(3, [2]));
    expect(others).toEqual([]);
    expect(table?.columns).toEqual([{ protocol: 'chat', group: 'default', stream: false }]);
    expect(table?.rows.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['m-4', 'fail'],
      ['m-2', 'pass'],
      ['m-3', 'pass'],
    ]);
  });

  it('are one line for each family on the terminal, however many they are', () => {
    const options = { colour: false };
    const few = renderSummary(reportWith(2, []), options).split('\n').length;
    const many = renderSummary(reportWith(256, [0, 9, 20, 30, 40, 50, 60]), options);
    expect(many.split('\n').length).toBeLessThanOrEqual(few + 2);
    expect(many).toContain(
      'multimodal: 256 further models, 7 failed: m-2, m-11, m-22, m-32, m-42 and 2 more',
    );
    expect(renderSummary(sampleReport(), options)).not.toContain('Further models');
  });

  it('are one line for each family in Markdown', () => {
    expect(modelLines(reportWith(1, []))).toEqual(['multimodal: 1 further model, all as stated']);
    expect(renderMarkdown(reportWith(256, []))).toContain('multimodal: 256 further models, all as stated');
  });

  it('are no rows of the support matrix of the page, and have a table of at most some rows', () => {
    const [plain, many] = [sampleReport(), reportWith(256, [200])];
    expect(matrixBlocks(contextOf(many))).toEqual(matrixBlocks(contextOf(plain)));
    expect(modelBlocks(plain)).toEqual([]);
    const markup = markupOf(...modelBlocks(many));
    expect(markup.match(/<tr>/g)?.length).toBe(33);
    expect(markup).toContain('<code>m-202</code>');
    expect(markup).toContain('224 more models in report.json');
  });

  it('leave what they passed to report.json', () => {
    const report = reportWith(3, [1]);
    const kept = withoutPassedModels(report).cases.flatMap(({ model }) => model?.name ?? []);
    expect(kept).toEqual(['m-3']);
    expect(withoutPassedModels(sampleReport())).toEqual(sampleReport());
  });

  it('are named by a cell', () => {
    expect(modelCellName(cell('m-2'))).toBe('multimodal/chat/default of m-2');
  });
});
