import { describe, expect, test } from 'vitest';
import { fullDepth } from '../../suites/types/profile.ts';
import type { Report } from '../../suites/types/report.ts';
import { causedReport } from '../causes.fixture.ts';
import { quiet } from '../document/blocks.ts';
import { linesOf, markupOf } from '../document/printed.fixture.ts';
import { emptyReport, manyRequirements } from '../empty-report.fixture.ts';
import { textLines } from '../html/text-lines.fixture.ts';
import { smallReport, withRow } from '../small.fixture.ts';
import { renderHtml } from './document.ts';
import { validateReport } from '../schema/validate.ts';
import { countSection, openSection, untestedSection, verdictBlock } from './summary.ts';

const page = (report: Report, beside?: Parameters<typeof renderHtml>[1]): string[] =>
  textLines(renderHtml(report, beside));
const head = (report: Report): string[] => linesOf(verdictBlock(report));
const counts = (report: Report): string[] => linesOf(countSection(report, null));
/** The line behind a fact's name. */
const fact = (report: Report, name: string): string | undefined => {
  const lines = counts(report);
  return lines[lines.indexOf(name) + 1];
};

test('the head of a page has verdict, how much it rests on, why, and what was asked', () => {
  expect(head(smallReport())).toEqual([
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
  ]);
});

test('the head of a page leads to each cause that counts, where there are several', () => {
  const report = causedReport();
  const [mistake, broken] = report.causes;
  const named = (of: Report): string[] =>
    [...markupOf(verdictBlock(of)).matchAll(/href="#([^"]+)"/g)]
      .map(([, id = '']) => decodeURIComponent(id))
      .filter((id) => id.startsWith('c:'));
  expect(named(report)).toEqual([`c:${mistake?.id}`, `c:${broken?.id}`]);
  expect(named({ ...report, causes: report.causes.slice(1) })).toEqual([]);
  const ids = [...renderHtml(report).matchAll(/class="cause \w+" id="([^"]+)"/g)].map(([, id]) => id);
  expect(ids.slice(0, 2)).toEqual([`c:${mistake?.id}`, `c:${broken?.id}`]);
});

test('the command of the first cause is shown whole, and a long one of another is folded', () => {
  const report = causedReport();
  const reproduce = `curl ${'x'.repeat(1_500)}`;
  const markup = renderHtml({ ...report, causes: report.causes.map((cause) => ({ ...cause, reproduce })) });
  const [before, first, second] = markup.split('<div class="cause');
  expect(before).not.toContain(reproduce);
  expect(first).not.toContain('class="long"');
  expect(first).toContain(reproduce);
  expect(second).toContain('class="long"');
});

test('the contents name each part, and each section with what failed in it', () => {
  const lines = page(smallReport());
  const from = lines.indexOf('Support matrix') + 1;
  expect(lines.slice(from, lines.indexOf('Text'))).toEqual([
    'What decided it',
    'Summary',
    'Not gating',
    'Untested',
    'Contradictions',
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
  expect(lines.at(-1)).toMatch(/^conformance 1\.2\.0 · run run-1 · 2026-11-21 09:00:12 UTC\./);
});

test('a run of a part says that it is one, and of which families and groups', () => {
  const part = 'Asked: a part of the interface, profile full. Model families: none. Token groups: none.';
  const none = { families: [], groups: [], rateLimited: true, ...fullDepth };
  const report = emptyReport();
  const selected = { ...report, scope: { ...none, selection: { suites: ['errors'], groups: [] } } };
  expect(head(selected)).toContain(part);
  expect(verdictBlock(selected)).toMatchObject({ asked: 'Asked: profile full; only suites errors.' });
  const stopped = { ...report, scope: { ...none, selection: {} }, run: { ...report.run, partial: true } };
  expect(head(stopped)).toContain(part);
  const smoke = { ...none, selection: {}, profile: 'smoke' as const };
  expect(head({ ...report, scope: smoke })).toContain(part.replace('full', 'smoke'));
  const whole = { ...report, scope: { ...none, selection: { suites: [] } } };
  expect(head(whole)).toContain(part.replace('a part of', 'the whole').replace('the whole the', 'the whole'));
});

test('a name is cut at 120 characters', () => {
  const report = smallReport();
  const named = (name: string) => head({ ...report, target: { ...report.target, name } })[1];
  expect(named('n'.repeat(120))).toBe('n'.repeat(120));
  expect(named('n'.repeat(121))).toBe(`${'n'.repeat(120)}…`);
});

describe('the summary', () => {
  test('counts by level and verdict, with sums', () => {
    expect(counts(smallReport()).slice(1, 7)).toEqual([
      '| Level | {fail}✕ Fail | {inconclusive}? Inconclusive | {conflict}≠ Conflict | {observed}○ Observed | {untested}– Untested | {pass}✓ Pass | All',
      '| stated | 0 | {inconclusive}1 | 0 | 0 | {untested}1 | {pass}1 | 3',
      '| derived | {fail}1 | {inconclusive}1 | 0 | 0 | 0 | 0 | 2',
      '| unspecified | 0 | 0 | 0 | {observed}1 | 0 | 0 | 1',
      '| conflicting | 0 | 0 | {conflict}2 | 0 | 0 | 0 | 2',
      '| all | {fail}1 | {inconclusive}2 | {conflict}2 | {observed}1 | {untested}1 | {pass}1 | 8',
    ]);
  });

  test('says what was judged, when, and by what', () => {
    const report = smallReport();
    expect(fact(report, 'Base address')).toBe('`https://gateway.example.com`');
    expect(fact(report, 'Run')).toBe('2026-11-21 09:00:00 UTC, 12.5 s `run-1`');
    expect(fact(report, 'Sent')).toBe('1\u202f204 requests, 1 billed generation, seed 7');
    expect(fact(report, 'Requirements digest')).toBe(`\`sha256:${'a'.repeat(64)}\``);
    const endless = { ...report, run: { ...report.run, finishedAt: 'never' } };
    expect(fact(endless, 'Run')).toBe('2026-11-21 09:00:00 UTC `run-1`');
  });
});

describe('what was not tested', () => {
  const cannot = '1 statement of the interface cannot be judged over HTTP: listed with the reasons.';
  const untested = (report: Report): string[] => linesOf(untestedSection(report));

  test('is counted, and not listed, where a cause explains it, also what is never failed', () => {
    const report = withRow(causedReport(), 'errors.rate-limit.distinct', { level: 'unspecified' });
    const [token, ...others] = report.causes;
    if (token === undefined) throw new Error('there is no cause');
    const requirements = [...token.requirements, 'errors.rate-limit.distinct'];
    const lines = untested({ ...report, causes: [{ ...token, requirements }, ...others] });
    expect(lines[0]).toBe('{untested}– Untested: 1 requirement, 1 of them explained by the causes above');
    expect(lines).not.toContain('`errors.rate-limit.distinct`');
  });

  test('is listed with the limits of the run and each reason, apart from what is inconclusive and does not gate', () => {
    const model = withRow(smallReport(), 'chat.param.temperature.range', { nonGating: 'model-behaviour' });
    expect(untested(model)).toEqual([
      '{untested}– Untested: 1 requirement',
      'No model declared for chat-image.',
      'No token declared for the group third-party-client.',
      'No rate-limited token declared, so rate-limit errors were not tested.',
      'No token with a spent rate limit:',
      '1 requirement',
      '`errors.rate-limit.distinct`',
      cannot,
    ]);
    expect(linesOf(openSection(model) || quiet('')).slice(1)).toEqual([
      'Text arrives as it is made. `chat.stream.incremental`: left open by the clock: All of it came within 2 ms.',
      "temperature lies between 0 and 2. `chat.param.temperature.range`: depends on the model's answer: The control failed: status 503.",
    ]);
    expect(openSection(emptyReport())).toBe(false);
  });

  test('is nothing where everything was tried', () => {
    expect(untested(emptyReport())).toEqual([
      '{untested}– Untested',
      'Everything that can be judged over HTTP was tested.',
      cannot,
    ]);
    const requirements = smallReport().requirements.filter(({ verdict }) => verdict === 'untested');
    const partial = { ...emptyReport(), requirements, run: { ...emptyReport().run, partial: true } };
    expect(untested(partial)[1]).toBe('The run was stopped before it was complete.');
  });

  test('names the requirements of one reason together', () => {
    const requirements = manyRequirements(2, { verdict: 'untested', reason: 'Because.' });
    expect(untested({ ...emptyReport(), requirements }).slice(1, 5)).toEqual([
      'Because:',
      '2 requirements',
      '`r0`',
      '`r1`',
    ]);
  });
});

test('replies that nearly took the time that they were given are told with the slowest, others are not', () => {
  const report = smallReport();
  const [first, ...rest] = report.exchanges;
  const [attempt] = first?.attempts ?? [];
  if (first === undefined || attempt === undefined) throw new Error('the fixture has an exchange');
  const attempts = [
    { ...attempt, ms: 9_000, limitMs: 10_000 },
    { ...attempt, ms: 59_000, limitMs: 60_000 },
  ];
  const near = { ...report, exchanges: [{ ...first, attempts }, ...rest] };
  expect(validateReport(near)).toEqual([]);
  expect(fact(near, 'Near the limit')).toBe(
    `2 replies used more than 80 % of the time given, at most 59.0 s of 60 s (${first.id})`,
  );
  expect(counts(report)).not.toContain('Near the limit');
});
