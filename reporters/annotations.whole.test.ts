import { describe, expect, test } from 'vitest';
import type { Report } from '../suites/types/report.ts';
import { renderAnnotations } from './annotations.ts';
import { calm } from './baseline/outcome.fixture.ts';
import { smallReport, withRow } from './small.fixture.ts';

describe('annotations', () => {
  test('say statement, message, place, expected and actual; an error before a warning', () => {
    expect(
      renderAnnotations(smallReport()),
    ).toBe(`::error title=chat.result.usage.total-tokens (section 2.5)::usage.total_tokens is an integer.%0AThe value has another type. (at /usage/total_tokens)%0Aexpected: an integer%0Aactual: "21"
::warning title=chat.param.temperature.range (sections 4.3%2C 8)::temperature lies between 0 and 2.%0AThe control failed.%0Aexpected: a result%0Aactual: status 503
`);
  });

  test('say the reason of a requirement where no case shows it, cut at a thousand characters', () => {
    const bare = { ...smallReport(), cases: [] };
    const lines = (change: { reason?: string; statement?: string }): string[] =>
      renderAnnotations(withRow(bare, 'chat.result.usage.total-tokens', change)).split('\n');
    const head = '::error title=chat.result.usage.total-tokens (section 2.5)::';
    expect(lines({ statement: 'a', reason: 'b' })[0]).toBe(`${head}a%0Ab`);
    expect(lines({ statement: 'a', reason: 'b'.repeat(998) })[0]).toBe(`${head}a%0A${'b'.repeat(998)}`);
    expect(lines({ statement: 'a', reason: 'b'.repeat(999) })[0]).toBe(`${head}a%0A${'b'.repeat(998)}…`);
    const { reason, ...silent } = smallReport().requirements[1] ?? {};
    expect(reason).toBeDefined();
    const report = { ...bare, requirements: [silent] } as Report;
    expect(renderAnnotations(report)).toContain('%0Ano finding recorded\n');
  });

  test('of what was not judged are warnings, even where its failure would be expected', () => {
    const entry = {
      requirement: 'chat.param.temperature.range',
      reason: 'x',
      expires: '2027-01-01',
      line: 1,
    };
    const failures = [{ requirement: entry.requirement, statement: '', cases: [] }];
    const outcome = { ...calm, expected: [{ entry, failures }] };
    const lines = renderAnnotations(smallReport(), outcome).split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['::error', '::warning', '']);
  });

  test('are fifty; of fifty-one the last is counted', () => {
    const [, failed] = smallReport().requirements;
    if (failed === undefined) throw new Error('the fixture has rows');
    const lines = (length: number): string[] =>
      renderAnnotations({
        ...smallReport(),
        requirements: Array.from({ length }, (_, at) => ({ ...failed, id: `r${at}` })),
      }).split('\n');
    expect(lines(50)).toHaveLength(51);
    expect(lines(51).slice(-2)).toEqual([
      '::notice title=More in the report::1 more requirement in report.html',
      '',
    ]);
  });

  test('of a run that judged nothing say how far it came and why; a conformant one has none', () => {
    const bare = { ...smallReport(), requirements: [], cases: [] };
    expect(renderAnnotations(bare)).toBe(
      '::warning title=Not conformant::None of 0 stated and derived requirements could be judged.%0A1 requirement failed.%0A1 could not be judged.\n',
    );
    expect(renderAnnotations({ ...bare, verdict: 'conformant' })).toBe('');
    expect(renderAnnotations({ ...smallReport(), verdict: 'conformant' }).split('\n')).toHaveLength(3);
  });
});
