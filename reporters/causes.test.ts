import { describe, expect, test } from 'vitest';
import { renderAnnotations } from './annotations.ts';
import { causedReport } from './causes.fixture.ts';
import { causesHeadline, causesOf, isUnderCause } from './causes.ts';
import { renderHtml, renderMarkdown, renderSummary } from './run/document.ts';
import { renderJunit } from './junit.ts';
import { renderSarif } from './sarif/sarif.ts';
import { validateReport } from './schema/validate.ts';
import { smallReport } from './small.fixture.ts';
import type { SmallestRequest } from '../suites/types/cause.ts';

const report = causedReport();

test('a report with causes is what its schema says', () => {
  expect(validateReport(report)).toEqual([]);
});

describe('the causes of a report', () => {
  test('are counted with what they explain, without what was not declared', () => {
    expect(causesOf(report).map(({ cause }) => cause.id)).toEqual([
      'token-not-accepted:tokens.default',
      'result-field-broken:chat.result.usage.total-tokens',
      'too-fast',
    ]);
    expect(causesHeadline(report)).toBe('3 causes explain 1 failure and 2 undecided requirements.');
    expect(causesHeadline(smallReport())).toBe('');
  });

  test('gate where they explain a failure, or what keeps the run from a verdict', () => {
    expect(causesOf(report).map(({ gates, tone }) => [gates, tone])).toEqual([
      [true, 'inconclusive'],
      [true, 'fail'],
      [false, 'inconclusive'],
    ]);
  });

  test('hold the requirements that are shown under them, and no others', () => {
    const under = report.requirements.filter(isUnderCause(report)).map(({ id }) => id);
    expect(under).toEqual([
      'chat.result.usage.total-tokens',
      'chat.param.temperature.range',
      'chat.stream.incremental',
    ]);
  });
});

describe('what is known of the command of a cause', () => {
  const said = (smallest: Omit<SmallestRequest, 'exchange'>): string => {
    const causes = report.causes.map((cause) =>
      cause.kind === 'result-field-broken'
        ? { ...cause, smallest: { ...smallest, exchange: 'plain' } }
        : cause,
    );
    return renderMarkdown({ ...report, causes });
  };

  test('is without what it was not shown', () => {
    expect(said({ kind: 'smallest', needed: ['top_p', 'n'] })).toContain(
      'It was not shown without `top_p`, nor without `n`.',
    );
    expect(said({ kind: 'smallest', needed: ['top_p'], turns: 9 })).toContain(
      'It was not shown without `top_p`, nor with fewer than 9 turns.',
    );
  });

  test('is when it shows, where it does not each time', () => {
    const again = { shown: 6, of: 12 };
    expect(said({ kind: 'not-always', again, condition: 'exactly those in a stream' })).toContain(
      'Not each time: sent 12 more times, one after another, this one showed it 6 times, exactly those in a stream.',
    );
    expect(
      said({ kind: 'not-always', again: { shown: 0, of: 12 }, beside: { least: 2, most: 7 } }),
    ).toContain('this one did not show it again. In the run it showed with 2 to 7 other requests under way.');
  });
});

describe('each rendering begins with the causes', () => {
  test('the headline, each requirement once, and what was not tested apart from what could not be judged', () => {
    const [first, ...others] = report.causes;
    const untested = report.requirements.map((row) =>
      row.verdict === 'inconclusive' ? { ...row, verdict: 'untested' as const } : row,
    );
    expect(causesHeadline({ ...report, requirements: untested })).toMatch(
      /^3 causes explain 1 failure(, 1 undecided requirement)? and \d untested requirements?[.]$/,
    );
    const twice = { ...report, causes: [...(first ? [first, first] : []), ...others] };
    expect(causesHeadline(twice)).toBe('4 causes explain 1 failure and 2 undecided requirements.');
  });

  test('no rendering by its id: its words say what it is', () => {
    const shown = [renderSummary(report, { colour: false }), renderHtml(report)];
    for (const { id } of report.causes)
      for (const text of shown) expect(text).not.toContain(`${id}, shown by`);
  });

  test('the terminal, with the place in the config, and names nothing twice', () => {
    const lines = renderSummary(report, { colour: false, placeOf: (key) => `c.yaml:7 ${key}` }).split('\n');
    const at = (text: string) => lines.findIndex((line) => line.includes(text));
    expect(at('3 causes explain 1 failure and 2 undecided requirements.')).toBe(4);
    expect(lines[6]).toMatch(/^\? 1[.] tokens[.]default is refused <wherever> it is used/);
    expect(lines.slice(6, 8).join(' ')).toContain('c.yaml:7 tokens.default');
    expect(at('✕ 2. Result of POST')).toBeGreaterThan(5);
    expect(at("curl -X POST 'https://gateway.example.com/v1/chat/completions'")).toBeGreaterThan(8);
    expect(lines.filter((line) => line.includes('chat.result.usage.total-tokens'))).toHaveLength(1);
    expect(lines.join('\n')).not.toContain('Inconclusive, not gating');
  });

  test('HTML, before the facts of the run, with the command and the folded requirements', () => {
    const page = renderHtml(report);
    const [heading, facts] = [page.indexOf('3 causes explain'), page.indexOf('Base address')];
    expect(heading).toBeGreaterThan(0);
    expect(heading).toBeLessThan(facts);
    expect(page).toContain('tokens.default is refused &lt;wherever&gt; it is used.');
    expect(page).toMatch(/<details class="explains"><summary>\d+ not decided for it<\/summary>/);
    expect(page.match(/id="part-decisive"/g)).toHaveLength(1);
  });

  test('Markdown, a section each', () => {
    const text = renderMarkdown(report);
    expect(text.indexOf('## 3 causes explain')).toBeLessThan(text.indexOf('| Level |'));
    expect(text.match(/^### /gm)).toHaveLength(3);
    expect(text).not.toContain('## What decided it');
  });

  test('annotations, one for each cause that counts', () => {
    const lines = renderAnnotations(report).trimEnd().split('\n');
    expect(lines.map((line) => line.slice(0, line.indexOf('title=')))).toEqual(['::warning ', '::error ']);
    expect(lines[1]).toContain('result-field-broken%3Achat.result.usage.total-tokens');
  });

  test('JUnit names it with the test case, and in its message', () => {
    const text = renderJunit(report);
    const id = 'result-field-broken:chat.result.usage.total-tokens';
    expect(text).toContain(`<property name="cause" value="${id}"/>`);
    expect(text).toContain(`(cause: ${id})`);
  });

  test('SARIF names it with each result, and lists all', () => {
    const { runs } = JSON.parse(renderSarif(report)) as {
      runs: { results: { properties: { cause?: string } }[]; properties: { causes: { id: string }[] } }[];
    };
    expect(runs[0]?.properties.causes.map(({ id }) => id)).toEqual(
      causesOf(report).map(({ cause }) => cause.id),
    );
    expect(runs[0]?.results.every(({ properties }) => properties.cause !== undefined)).toBe(true);
  });
});
