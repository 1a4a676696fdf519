import { describe, expect, test } from 'vitest';
import { renderAnnotations } from './annotations.ts';
import { emptyReport, hostileReport, lawfulReport, sampleReport } from './sample.fixture.ts';

/** Reads workflow commands as the runner does. */
function parse(output: string): { command: string; title: string; message: string }[] {
  const back = (text: string) =>
    text.replace(/%(0D|0A|3A|2C|25)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return output
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [, command = '', title = '', message = ''] = /^::(\w+) title=([^:,]*)::(.*)$/.exec(line) ?? [];
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

  test('a lawful run has none, a run that judged nothing is not silent', () => {
    expect(renderAnnotations(lawfulReport())).toBe('');
    expect(parse(renderAnnotations(emptyReport())).map(({ command, title }) => [command, title])).toEqual([
      ['warning', 'Inconclusive'],
    ]);
  });

  test('an expected failure is a notice', () => {
    const found = parse(renderAnnotations(sampleReport(), new Set(['chat.result.0.0'])));
    expect(found.filter(({ command }) => command === 'notice').map(({ title }) => title)).toEqual([
      'Expected failure: chat.result.0.0 (section 2.5)',
    ]);
    expect(found.filter(({ command }) => command === 'error')).toHaveLength(8);
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
