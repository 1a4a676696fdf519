import { beforeAll, describe, expect, test } from 'vitest';
import { faults } from '../../fixtures/faults/index.ts';
import type { Hooks } from '../../fixtures/gateway/hooks.ts';
import { composed } from '../../fixtures/faults/composed.ts';
import { renderAnnotations } from '../../reporters/annotations.ts';
import { renderBadge } from '../../reporters/badge.ts';
import { causesHeadline, causesOf, explained } from '../../reporters/causes.ts';
import { coversOf } from '../../reporters/certificate/covers.ts';
import { renderCtrf } from '../../reporters/ctrf.ts';
import { renderJunit } from '../../reporters/junit.ts';
import { renderHtml, renderMarkdown, renderSummary } from '../../reporters/run/document.ts';
import { renderSarif } from '../../reporters/sarif/sarif.ts';
import { renderSite } from '../../reporters/site/page.ts';
import { inWords } from '../../spec/text.ts';
import { isGatingLevel } from '../../spec/vocabulary.ts';
import type { Report, Verdict } from '../../suites/types/report.ts';
import { judgedTest } from '../../suites/vitest/judged-test.ts';
import { startTestRunner } from '../../suites/vitest/runner.ts';
import { type DetectOptions, detect, type Subject } from '../detect.ts';

const withFaults = (...some: readonly string[]): Subject => ({
  id: 'gateway',
  title: 'a gateway with these faults',
  hooks: faults.filter(({ id }) => some.includes(id)).reduce((all, { hooks }) => composed(all, hooks), {}),
});
const several = [
  'chat.auth.invalid',
  'messages.param.max-tokens.accepted.not-small',
  'responses.auth.scheme',
];
const everywhere: Hooks = {
  result: (body) => Object.fromEntries(Object.entries(body).map(([name]) => [name, null])),
  check: () => [],
  events: (events) => events.slice(0, 1),
};

const withoutImages: DetectOptions['declared'] = ({ models, ...target }) => ({
  ...target,
  models: { general: models.general, conversational: models.conversational } as typeof models,
});

const runs: readonly (readonly [string, Report['verdict'], Subject, DetectOptions])[] = [
  ['the reference gateway', 'conformant', withFaults(), {}],
  ['one failure', 'non-conformant', withFaults('chat.result.usage.missing'), {}],
  [
    'several faults, and families left out',
    'non-conformant',
    withFaults(...several),
    { declared: withoutImages },
  ],
  ['a gateway that is broken everywhere', 'non-conformant', { ...withFaults(), hooks: everywhere }, {}],
  ['a run that is stopped early', 'inconclusive', withFaults(), { limits: { maxRequests: 60 } }],
];

/** The words of a document, on one line. */
const words = (markup: string): string =>
  markup
    .replace(/<(?:style|script)\b[\s\S]*?<\/(?:style|script)>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\\(?=[^\w\s])/g, '')
    .replace(/\s+/g, ' ');

const sentence =
  /(\d+|None) of (\d+) stated and derived requirements (?:was|were|could be) judged(?:; (none|\d+) failed)?(?:, (\d+) (?:is|are) undecided)?(?:, (\d+) untested)?[.]/;

/** The figures of the headline: judged, all, failed, undecided, untested. */
const figuresIn = (text: string): readonly number[] =>
  (sentence.exec(words(text)) ?? [])
    .slice(1, 6)
    .map((figure) => Number(/\d/.test(figure ?? '') ? figure : 0));

const countOf = (text: string, attribute: string): number =>
  Number(new RegExp(`<testsuites [^>]*\\b${attribute}="(\\d+)"`).exec(text)?.[1]);

describe.each(runs)('the numbers of a report add up: %s', (_, verdict, subject, options) => {
  let report: Report;
  const count = (verdict: Verdict): number =>
    report.requirements.filter((row) => row.verdict === verdict && isGatingLevel(row.level)).length;

  beforeAll(async () => {
    report = await detect(subject, options);
  }, 120_000);

  test('the same in the headline of each rendering, and all of them are all', () => {
    expect(report.verdict).toBe(verdict);
    const figures = figuresIn(renderSummary(report, { colour: false }));
    const [failed, undecided, untested] = [count('fail'), count('inconclusive'), count('untested')];
    const judged = count('pass') + failed;
    expect(figures).toEqual([judged, judged + undecided + untested, failed, undecided, untested]);
    expect(figuresIn(renderHtml(report))).toEqual(figures);
    expect(figuresIn(renderMarkdown(report))).toEqual(figures);
  });

  test('each row hangs on one cause, and is counted there as in the headline of the causes', () => {
    const causes = causesOf(report);
    const rows = causes.flatMap((one) => one.rows.map(({ id }) => id));
    expect(new Set(rows).size).toBe(rows.length);
    const sum = (of: 'failed' | 'undecided' | 'untested') =>
      causes.reduce((total, one) => total + one[of], 0);
    expect([sum('failed'), sum('undecided')]).toEqual([count('fail'), count('inconclusive')]);
    expect(rows).toHaveLength(sum('failed') + sum('undecided') + sum('untested'));
    for (const text of [renderSummary(report, { colour: false }), renderHtml(report), renderMarkdown(report)])
      expect(words(text)).toContain(causesHeadline(report));
    const gating = causes.filter(({ gates }) => gates);
    const annotations = renderAnnotations(report);
    expect(annotations.split('\n').filter((line) => line.includes('explains '))).toHaveLength(gating.length);
    for (const one of gating) expect(annotations).toContain(`explains ${inWords(explained(one))}`);
  });

  test('the same where others see them: report.json, badge, certificate and site', () => {
    const { requirements, summary } = report;
    for (const [name, of] of Object.entries(summary))
      expect(requirements.filter((row) => row.verdict === name)).toHaveLength(of);
    const [passed, failed] = [count('pass'), count('fail')];
    const total = passed + failed + count('inconclusive') + count('untested');
    const [, said = ''] = /<title>[^<]*: ([^<]*)/.exec(renderBadge(report)) ?? [];
    const isFailed = report.verdict === 'non-conformant';
    expect(said.match(/\d+/g)?.slice(0, 2).map(Number)).toEqual(isFailed ? [failed, total] : [passed, total]);
    const { covers, doesNotCover } = coversOf(report);
    expect(covers).toContain(`${passed + failed} of ${total} requirements`);
    const open = total - passed - failed;
    expect(doesNotCover.match(/(\d+) requirements?, which/)?.[1]).toBe(open > 0 ? String(open) : undefined);
    expect(renderSite([{ report, folder: 'run' }])).toContain(
      `<td>${passed} of ${total}</td><td>${failed}</td>`,
    );
  });

  test('the same for programs: by requirement in SARIF, by case in JUnit and CTRF', () => {
    const results = JSON.parse(renderSarif(report)).runs[0].results as readonly { level: string }[];
    expect(results.filter(({ level }) => level === 'error')).toHaveLength(report.summary.fail);
    expect(results).toHaveLength(report.summary.fail + report.summary.inconclusive);
    const junit = renderJunit(report);
    const { summary } = JSON.parse(renderCtrf(report)).results;
    const [tests, failures, errors, skipped] = ['tests', 'failures', 'errors', 'skipped'].map((name) =>
      countOf(junit, name),
    ) as [number, number, number, number];
    expect([tests, failures]).toEqual([summary.tests, summary.failed]);
    expect(errors + skipped).toBe(summary.other + summary.skipped);
    expect(tests - failures - errors - skipped).toBe(summary.passed);
  });

  test('the same in the results of Allure, one for each case', async () => {
    const runner = startTestRunner();
    const { allure } = await runner.run(report.cases.map(judgedTest)).finally(runner.close);
    const withStatus = (status: string): number => allure.filter((result) => result.status === status).length;
    const { summary } = JSON.parse(renderCtrf(report)).results;
    expect(allure).toHaveLength(summary.tests);
    expect(withStatus('passed')).toBe(summary.passed);
    expect(withStatus('failed')).toBe(summary.failed);
    expect(withStatus('skipped')).toBe(summary.other + summary.skipped);
  });
});
