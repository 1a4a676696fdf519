import { describe, expect, test } from 'vitest';
import type { Report, ReportCase } from '../../suites/types/report.ts';
import { emptyReport, manyRequirements, mixedFindings, reportFollowing } from '../empty-report.fixture.ts';
import { byId } from '../report-queries.ts';
import { smallReport } from '../small.fixture.ts';
import { renderSummary } from './document.ts';
import { unreachableReport, hostileReport } from '../sample.fixture.ts';

describe('the summary on a terminal', () => {
  const files = { html: 'out/report.html', json: 'out/report.json' };
  const lines = (report: Report, width = 100): string[] =>
    renderSummary(report, { colour: false, width, files }).split('\n');

  test('has every part of a small report in its place', () => {
    expect(renderSummary(smallReport(), { colour: false, files })).toMatchInlineSnapshot(`
      "
      ✕ Not conformant  Acme
        2 of 5 stated and derived requirements were judged; 1 failed, 2 are undecided, 1 untested. Asked:
        profile full.
        1 requirement failed.
        1 could not be judged.
        1 fail, 2 inconclusive, 2 conflict, 1 observed, 1 untested, 1 pass

      What decided the verdict
      ✕ chat.result.usage.total-tokens derived, section 2.5
        usage.total_tokens is an integer.
        failure  The value has another type.
        sent
          curl -X POST 'https://gateway.example.com/v1/chat/completions' \\
            -d 'hello'
        came     "21" (at /usage/total_tokens)
        expected an integer

      ? chat.param.temperature.range stated, sections 4.3, 8
        temperature lies between 0 and 2.
        reason   The control failed.
        sent
          curl -X POST 'https://gateway.example.com/v1/chat/completions' \\
            -d 'hot'
        came     status 503
        expected a result

      ? Inconclusive, not gating
        Text arrives as it is made. chat.stream.incremental: left open by the clock: All of it came within
        2 ms.

      – Untested: 1 requirement
        No model declared for chat-image.
        No token declared for the group third-party-client.
        No rate-limited token declared, so rate-limit errors were not tested.
        No token with a spent rate limit: 1 requirement

      ≠ Contradictions of the interface, and what this target does
        sections 2.2, 4: follows A: A conversational model must not be called through Chat Completions.

      JSON out/report.json
      out/report.html"
    `);
  });

  test('leaves out every part that there is nothing for', () => {
    const summary = { pass: 0, fail: 0, inconclusive: 0, untested: 0, observed: 0, conflict: 0 };
    const reasons = Array.from({ length: 8 }, (_, at) => `Reason ${at}.`);
    expect(renderSummary({ ...emptyReport(), summary, reasons }, { colour: false }).split('\n')).toEqual([
      '',
      '✕ Not conformant  Acme',
      '  None of 0 stated and derived requirements could be judged. Asked: profile full.',
      ...reasons.slice(0, 6).map((reason) => `  ${reason}`),
      '  ',
      '',
    ]);
  });

  test('tells eight failures in full, forty by name, and counts the rest', () => {
    const failures = (length: number): string[] =>
      lines({ ...emptyReport(), requirements: manyRequirements(length, { reason: 'Seen.' }) }).slice(8, -2);
    const full = (at: number) => [`✕ r${at} stated, section 2.5`, `  Statement ${at}.`, '  Seen.', ''];
    const brief = (at: number) => [`✕ r${at} stated, section 2.5`, '  Seen.'];
    const eight = Array.from({ length: 8 }, (_, at) => full(at)).flat();
    expect(failures(8)).toEqual(eight);
    const forty = [...eight, ...Array.from({ length: 32 }, (_, at) => brief(at + 8)).flat(), ''];
    expect(failures(40)).toEqual(forty);
    expect(failures(43)).toEqual([...forty, '  and 3 more in the report', '']);
    const silent = lines({ ...emptyReport(), requirements: manyRequirements(1, {}) });
    expect(silent).toContain('  no finding recorded');
  });

  test('tells what was left open by the same thing once, and names six of those beside it', () => {
    const open = (reason: string, length: number) =>
      manyRequirements(length, { verdict: 'inconclusive', reason });
    const told = (length: number): string[] =>
      lines({ ...emptyReport(), requirements: [...open('Gone.', length), ...open('Late.', 1)] }).slice(8, -2);
    const head = (at: number, reason: string) => [
      `? r${at} stated, section 2.5`,
      `  Statement ${at}.`,
      `  ${reason}`,
    ];
    expect(told(1)).toEqual([...head(0, 'Gone.'), '', ...head(0, 'Late.'), '']);
    const six = '  same for r1, r2, r3, r4, r5, r6';
    expect(told(7)).toEqual([...head(0, 'Gone.'), six, '', ...head(0, 'Late.'), '']);
    expect(told(9)).toContain(`${six} and 2 more`);
  });

  test('takes what was seen for the same only where it is', () => {
    const rows = manyRequirements(4, { verdict: 'inconclusive', reason: 'Gone.' }).map((row) => ({
      ...row,
      cases: [row.id],
    }));
    const hot = byId(smallReport().cases).get('hot') as ReportCase;
    const cases = ['503', '503', '502', '503'].map((status, at) => {
      const finding = { verdict: 'inconclusive', message: 'Gone.', expected: 'a reply' } as const;
      const findings = [{ ...finding, requirement: `r${at}`, actual: `status ${status}` }];
      return { ...hot, id: `r${at}`, requirements: [`r${at}`], findings };
    });
    const told = lines({ ...emptyReport(), requirements: rows, cases });
    expect(told.filter((line) => /^(\? r| {2}(came|same for) )/.test(line))).toEqual([
      '? r0 stated, section 2.5',
      '  came     status 503',
      '  same for r1, r3',
      '? r2 stated, section 2.5',
      '  came     status 502',
    ]);
  });

  test('tells eight that do not gate with why, and eight reasons for what was not tested', () => {
    const nonGating = manyRequirements(10, { verdict: 'inconclusive', nonGating: 'model-behaviour' });
    expect(lines({ ...emptyReport(), requirements: nonGating }).slice(7, -2)).toEqual([
      '? Inconclusive, not gating',
      ...nonGating
        .slice(0, 8)
        .map(({ id, statement }) => `  ${statement} ${id}: depends on the model's answer`),
      '  and 2 more in the report',
      '',
    ]);
    const open = manyRequirements(1, { verdict: 'inconclusive', level: 'unspecified' });
    expect(lines({ ...emptyReport(), requirements: open })).toContain(
      '  Statement 0. r0: not a gating level',
    );
    const untested = manyRequirements(9, { verdict: 'untested' }).map((row) => ({
      ...row,
      reason: `Because ${row.id}.`,
    }));
    expect(lines({ ...emptyReport(), requirements: untested }).slice(7, -2)).toEqual([
      '– Untested: 9 requirements',
      ...untested.slice(0, 8).map(({ id }) => `  Because ${id}: 1 requirement`),
      '  and 1 more in the report',
      '',
    ]);
  });

  test.each([
    ['neither', 'follows neither reading'],
    ['unknown', 'could not be determined'],
    ['untested', 'was not tested'],
  ] as const)('says of a conflict followed as %s: %s', (follows, words) => {
    expect(lines(reportFollowing(follows))).toContain(`  sections 2.2, 4: ${words}`);
  });

  test('tells what was sent again, by reason, the most frequent first', () => {
    const [given] = smallReport().exchanges;
    const [last] = given?.attempts ?? [];
    expect(last).toBeDefined();
    const transients = [
      { cause: 'status', status: 503 },
      { cause: 'cut', detail: 'reset' },
      { cause: 'cut', detail: 'closed' },
    ] as const;
    const retried = transients.map((transient) => ({ ...last, retry: { kind: 'transient', transient } }));
    const attempts = [...retried, last];
    const exchanges = [{ ...given, attempts }] as unknown as Report['exchanges'];
    expect(lines({ ...emptyReport(), exchanges }).slice(7, -2)).toEqual([
      '– Retried: 2 × the reply broke off, 1 × HTTP 503, which may pass',
      '',
    ]);
  });

  test('breaks lines between words at the width, behind the label, and cuts at 600 characters', () => {
    const failed = (statement: string, width: number): string[] => {
      const all = lines(
        { ...emptyReport(), requirements: manyRequirements(1, { statement, reason: 'Seen.' }) },
        width,
      );
      return all.slice(all.indexOf('✕ r0 stated, section 2.5') + 1, all.indexOf('  Seen.'));
    };
    expect(failed('aaaa bbbb cccc dddd eeee ffff gggg hhhh', 31)).toEqual([
      '  aaaa bbbb cccc dddd eeee ffff',
      '  gggg hhhh',
    ]);
    expect(failed('aaaa bbbb cccc dddd eeee ffff', 30)).toEqual(['  aaaa bbbb cccc dddd eeee', '  ffff']);
    expect(failed('aaaa bbbb cccc dddd eeee', 5)).toEqual(['  aaaa bbbb cccc dddd', '  eeee']);
    expect(failed(`a ${'b'.repeat(60)} c`, 40)).toEqual(['  a', `  ${'b'.repeat(60)}`, '  c']);
    expect(failed('x'.repeat(600), 700)).toEqual([`  ${'x'.repeat(600)}`]);
    expect(failed('x'.repeat(601), 700)).toEqual([`  ${'x'.repeat(600)}…`]);
    const hit = smallReport();
    const long = hit.cases.map((one) => ({
      ...one,
      findings: one.findings.map((found) => ({ ...found, expected: 'one two three four five six' })),
    }));
    const [first, second] = lines({ ...hit, cases: long }, 31).filter((line) => /one two|five/.test(line));
    expect([first, second]).toEqual(['  expected one two three four', '           five six']);
  });

  test('cuts a name at 120 characters, and shows no command where there is none', () => {
    const name = (length: number) =>
      lines({ ...emptyReport(), target: { name: 'n'.repeat(length), baseUrl: '' } })[1];
    expect(name(120)).toBe(`✕ Not conformant  ${'n'.repeat(120)}`);
    expect(name(121)).toBe(`${name(120)}…`);
    const at = lines(mixedFindings()).indexOf('  came     "21" (at /usage/total_tokens)');
    expect(lines(mixedFindings()).slice(at - 1, at)).toEqual(['  failure  The value has another type.']);
  });

  test('gives a runner no command where a line begins with one, and leaves one in its midst', () => {
    const report = { ...emptyReport(), reasons: ['::error::x', '##[group]', 'a::b'] };
    expect(lines(report).slice(3, 6)).toEqual(['  ·::error::x', '  ·##[group]', '  a::b']);
  });

  test('shows a fail in red, an open one in yellow, a pass in green, a reading in magenta', () => {
    const text = renderSummary(smallReport(), { colour: true });
    for (const part of [
      '31m1 fail',
      '33m2 inconclusive',
      '35m2 conflict',
      '36m1 observed',
      '2m1 untested',
      '32m1 pass',
    ])
      expect(text).toContain(`\u001b[${part}\u001b[`);
  });
});

const files = { html: 'out/report.html', json: 'out/report.json' };

test('a run that judged nothing does not look like a pass', () => {
  const text = renderSummary(unreachableReport(), { colour: false });
  expect(text).toContain('? Inconclusive  Nobody home');
  expect(text).toContain('None of 0 stated and derived requirements could be judged.');
});

test('lines keep to the width, commands aside', () => {
  const lines = renderSummary(hostileReport(), { colour: false, width: 80, files }).split('\n');
  const long = lines.filter(
    (line) => line.length > 80 && !line.startsWith('    ') && !line.startsWith('✕ Not'),
  );
  expect(long).toEqual([]);
});
