import { describe, expect, test } from 'vitest';
import type { Report } from '../suites/types/report.ts';
import { renderAnnotations } from './annotations.ts';
import { calm } from './baseline/outcome.fixture.ts';
import { smallReport, withRow } from './small.fixture.ts';
import { outcomeWith, entry } from './baseline/entries.fixture.ts';
import { hostileReport, sampleReport } from './sample.fixture.ts';

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

/** Reads workflow commands as the runner does. */
function parse(output: string): { command: string; title: string; message: string }[] {
  const back = (text: string) =>
    text.replace(/%(0D|0A|3A|2C|25)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return output
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [, command = '', title = '', message = ''] =
        /^::(\w+) (?:file=[^:,]*,line=\d+,)?title=([^:,]*)::(.*)$/.exec(line) ?? [];
      return { command, title: back(title), message: back(message) };
    });
}

describe('GitHub annotations', () => {
  test('an expected failure is a notice, behind what turns the job red', () => {
    const found = parse(renderAnnotations(sampleReport(), outcomeWith(entry('chat.result.0.0'))));
    expect(found.map(({ command }) => command)).toEqual([
      ...Array(8).fill('error'),
      ...Array(2).fill('warning'),
      'notice',
    ]);
    const { title, message } = found.at(-1) ?? {};
    expect(title).toBe('Expected failure: chat.result.0.0 (section 2.5)');
    expect(message).toMatch(/^expected: ticket 12 \(Kim\), until 2027-03-31\n/);
  });

  test('an entry that is expired, stale or unmatched is an error at its line', () => {
    const late = { ...entry('chat.result.0.0'), expires: '2026-01-01', line: 2 };
    const entries = [late, { ...entry('chat.result.0.1'), line: 5 }, { ...entry('gone'), line: 8 }];
    const output = renderAnnotations(sampleReport(), outcomeWith(...entries));
    expect(output.split('\n').slice(0, 3)).toEqual([
      '::error file=b.yaml,line=2,title=Expired baseline entry::chat.result.0.0: still fails after its expiry date',
      '::error file=b.yaml,line=5,title=Stale baseline entry::chat.result.0.1: passes now; remove the entry',
      '::error file=b.yaml,line=8,title=Unmatched baseline entry::gone: this full run judged nothing that it names',
    ]);
    expect(parse(output).filter(({ command }) => command === 'notice')).toEqual([]);
  });

  test('hostile text begins no command of its own and leaves its line at no point', () => {
    const report = hostileReport();
    const evil = {
      ...report,
      requirements: report.requirements.map((row) => ({ ...row, sections: ['a:b,c%0A\n::error::x'] })),
    };
    const output = renderAnnotations(evil);
    expect(parse(output)).toHaveLength(11);
    for (const line of output.trimEnd().split('\n'))
      expect(line).toMatch(/^::(error|warning) title=[^:,]*::/);
    expect(output).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e]/u);
    expect(parse(output)[0]?.title).toContain('(section a:b,c%0A\n::error::x)');
  });
});
