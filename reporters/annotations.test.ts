import { describe, expect, test } from 'vitest';
import { renderAnnotations } from './annotations.ts';
import { outcomeWith, entry } from './baseline/entries.fixture.ts';
import { unreachableReport, hostileReport, conformantReport, sampleReport } from './sample.fixture.ts';

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
  test('an error for each failure, a warning for each gating inconclusive', () => {
    const found = parse(renderAnnotations(sampleReport()));
    expect(found.map(({ command }) => command)).toEqual([
      ...Array(9).fill('error'),
      ...Array(2).fill('warning'),
    ]);
    const wrong = found.find(({ title }) => title.startsWith('chat.result.0.0'));
    expect(wrong).toEqual({
      command: 'error',
      title: 'chat.result.0.0 (section 2.5)',
      message:
        'usage.total_tokens is an integer.\nThe value has another type. (at /usage/total_tokens)\nexpected: an integer\nactual: "21"',
    });
  });

  test('a conformant run has none, a run that judged nothing is not silent', () => {
    expect(renderAnnotations(conformantReport())).toBe('');
    expect(
      parse(renderAnnotations(unreachableReport())).map(({ command, title }) => [command, title]),
    ).toEqual([['warning', 'Inconclusive']]);
  });

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

  test('a flood is cut, and says so', () => {
    const report = sampleReport();
    const [row] = report.requirements;
    if (row === undefined) throw new Error('the fixture has rows');
    const many = Array.from({ length: 60 }, (_, at) => ({
      ...row,
      id: `row-${at}`,
      verdict: 'fail' as const,
    }));
    const found = parse(renderAnnotations({ ...report, requirements: many }));
    expect(found).toHaveLength(51);
    expect(found.at(-1)?.message).toBe('10 more requirements in report.html');
  });
});
