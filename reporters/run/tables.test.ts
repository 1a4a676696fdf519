import { describe, expect, test } from 'vitest';
import type { Report } from '../../suites/types/report.ts';
import { reportFollowing } from '../empty-report.fixture.ts';
import { smallReport } from '../small.fixture.ts';
import type { Block } from '../document/blocks.ts';
import { linesOf, markupOf } from '../document/printed.fixture.ts';
import { contextOf } from './context.ts';
import { matrixBlocks, minimap } from './matrix.ts';
import {
  ambiguitySection,
  conflictSection,
  excludedSection,
  exchangeSection,
  observationSection,
} from './tables.ts';

type View = (context: ReturnType<typeof contextOf>) => Block;
const lines = (view: View, report: Report = smallReport()): string[] =>
  linesOf(view(contextOf(report))).slice(1);

describe('a contradiction', () => {
  test('has both readings, the one that is followed marked, and where it was seen', () => {
    expect(lines(conflictSection)).toEqual([
      '`conflict.conversational-on-chat` sections 2.2, 4',
      'A A conversational model must not be called through Chat Completions. section 2.2 {conflict}followed',
      'B Chat Completions serves every family with a default-group token. section 4',
      'This target follows reading A. Neither reading is failed. Seen in `two`',
    ]);
    expect(markupOf(conflictSection(contextOf(smallReport())))).toContain(
      '<li class="followed"><b>A</b> <span><a href="#conflict.a">',
    );
  });

  test('that was seen in no exchange, between readings that are no rows, links nowhere', () => {
    const report = reportFollowing('neither');
    const unseen = { ...report, conflicts: report.conflicts.map((row) => ({ ...row, exchanges: [] })) };
    expect(lines(conflictSection, unseen).slice(-1)).toEqual([
      'This target follows neither reading. Neither reading is failed.',
    ]);
    const markup = markupOf(conflictSection(contextOf(unseen)));
    expect(markup).not.toMatch(/<a |held|followed/);
  });
});

/** The report with an ambiguity and a settled contradiction beside the open one. */
const catalogued = (): Report => {
  const report = smallReport();
  const entries = report.conflicts.flatMap((row) => {
    const more = { ...row, held: 'B', why: 'It is narrower.', observations: ['observation.status'] } as const;
    return [
      row,
      { ...more, id: 'settled', kind: 'contradiction' as const },
      { ...more, id: 'unclear', kind: 'ambiguity' as const, follows: 'not observable' as const },
    ];
  });
  return { ...report, conflicts: entries };
};

describe('what can be read in two ways', () => {
  test('stands apart from contradictions, with the reading held and why, and is no failure', () => {
    const text = lines(ambiguitySection, catalogued()).join('\n');
    expect(text).toContain('1 place, each with both readings and the one held');
    expect(text).toContain('Judged by reading B. It is narrower.');
    expect(text).toContain('This target does not show which reading it follows.');
    expect(text).not.toContain('followed');
    expect(text).not.toContain('settled');
    expect(markupOf(ambiguitySection(contextOf(catalogued())))).toContain(
      '<a href="#o%3Aobservation.status">',
    );
    expect(lines(ambiguitySection)).toEqual(['None is recorded.']);
  });

  test('leaves the contradictions to their list, where those that are settled are folded', () => {
    const text = lines(conflictSection, catalogued()).join('\n');
    expect(text).toContain('1 more contradiction, where one reading is held');
    expect(text).not.toContain('unclear');
  });
});

describe('observations', () => {
  test('stand by section, with what was seen and where', () => {
    expect(lines(observationSection)).toEqual([
      '2 observations, none of them a failure',
      '| Section | What | Seen | Where',
      '| 6 | Framing of a chat stream | `server-sent events` | `three`',
      '| 7 | Status of a refused token | `401` | `two`',
    ]);
  });

  test('name three exchanges and count the rest, and are cut at 400 characters', () => {
    const report = smallReport();
    const seen = (exchanges: string[], length: number) =>
      lines(observationSection, {
        ...report,
        observations: report.observations.slice(0, 1).map((row) => ({
          ...row,
          exchanges,
          value: 'v'.repeat(length),
        })),
      })[2];
    const from = '| 7 | Status of a refused token |';
    expect(seen(['a', 'b', 'c'], 400)).toBe(`${from} \`${'v'.repeat(400)}\` | \`a\`, \`b\`, \`c\``);
    expect(seen(['a', 'b', 'c', 'd', 'e'], 401)).toBe(
      `${from} \`${'v'.repeat(400)}…\` | \`a\`, \`b\`, \`c\` and 2 more`,
    );
  });
});

test('excluded statements stand by section, each with its reason', () => {
  const report = smallReport();
  const [row] = report.excluded;
  if (row === undefined) throw new Error('the fixture excludes one');
  const other = { ...row, id: 'errors.account', sections: ['7', '8'] };
  expect(lines(excludedSection, { ...report, excluded: [other, row] })).toEqual([
    '2 statements, each with its reason',
    '| Section | Statement | Why it cannot be judged over HTTP',
    '| 1 | A caller needs an account. `service.account` | The console is no part of the HTTP interface.',
    '| 7, 8 | A caller needs an account. `errors.account` | The console is no part of the HTTP interface.',
  ]);
  expect(markupOf(excludedSection(contextOf(report)))).toContain('<td title="What the service does">1</td>');
});

test('exchanges that no failure rests on stand at the end, and only those', () => {
  const report = smallReport();
  const cases = report.cases.map((one) => (one.id === 'hot' ? { ...one, exchanges: ['three'] } : one));
  const [about, , , first, ...rest] = lines(exchangeSection, { ...report, cases });
  expect(about).toMatch(/^Credentials are masked\. Headers without information/);
  expect(first).toBe('`two` POST /v1/chat/completions 503, 30 ms');
  expect(rest.filter((line) => line.startsWith('`'))).toEqual([]);
});

test('the support matrix has a row for each group of a family and a column for each way to call it', () => {
  const none = 'not a combination';
  const [notAsked, , , ...grid] = linesOf(...matrixBlocks(contextOf(smallReport())));
  expect(notAsked).toBe('1 of 6 combinations was not asked.');
  expect(grid).toEqual([
    '| Family | Token group | Responses | Chat Completions | Image generation',
    '| plain | plain | stream | plain',
    `| General (G) | default | ${none} | {pass}must serve✓ served | {fail}must serve✕ refused | ${none}`,
    `| coding-tool | ${none} | {observed}unspecified○ refused | ${none} | ${none}`,
    `| Conversational (C) | default | {inconclusive}must refuse? unknown | {conflict}conflict≠ refused | ${none} | ${none}`,
    `| Image | default | ${none} | ${none} | ${none} | {untested}must serve– not asked`,
  ]);
});

test('the heads of the matrix span what they head, and a square leads to its requirement where there is one', () => {
  const report = smallReport();
  const markup = markupOf(...matrixBlocks(contextOf(report)));
  expect(markup).toContain('<th scope="colgroup" colspan="2">Chat Completions</th>');
  expect(markup).toContain(
    '<tr class="first"><th scope="rowgroup" rowspan="2" class="family">General (G)</th>',
  );
  expect(markup.match(/<tr class="first">/g)).toHaveLength(3);
  expect(markup).toContain('<a class="box" href="#chat.result.id" title="Section 2.2.">');
  const bare = markupOf(...matrixBlocks(contextOf({ ...report, requirements: [] })));
  expect(bare).toContain('<span class="box" title="Section 2.2.">');
  expect(bare).not.toContain('href');
});

test('the small map has each square of the matrix in its place, and says what it shows', () => {
  const drawn = (report: Report): string => {
    const picture = minimap(report);
    return picture === null ? '' : markupOf(picture);
  };
  const markup = drawn(smallReport());
  expect(markup).toContain('viewBox="0 0 194 134" width="194" height="134"');
  expect(markup).toContain(
    'aria-label="Support matrix, 6 combinations: 1 against the interface, 1 inconclusive, 1 where statements contradict, 1 unspecified by the interface, 1 not asked, 1 as stated"',
  );
  expect(markup.match(/<text.*?<\/text>/g)?.join('')).toBe(
    '<text x="46" y="9">Resp.</text><text x="88" y="9">Mess.</text><text x="130" y="9">Chat</text><text x="172" y="9">Img</text><text x="0" y="26">G</text><text x="0" y="51">C</text><text x="0" y="76">M</text><text x="0" y="101">Image</text><text x="0" y="126">via chat</text>',
  );
  expect(markup.match(/<path.*?\/>/g)).toEqual([
    '<path class="fail" d="M149 13h18v6h-18z"/>',
    '<path class="cross" d="M154 14l8 4m0-4l-8 4"/>',
    '<path class="inconclusive" d="M46 38h18v6h-18z"/>',
    '<path class="conflict" d="M130 38h18v6h-18z"/>',
    '<path class="observed" d="M130 20h18v6h-18z"/>',
    '<path class="untested" d="M172 88h18v6h-18z"/>',
    '<path class="pass" d="M130 13h18v6h-18z"/>',
  ]);
  expect(minimap({ ...smallReport(), matrix: [] })).toBe(null);
  const one = drawn({ ...smallReport(), matrix: smallReport().matrix.slice(0, 1) });
  expect(one).toContain('aria-label="Support matrix, 1 combinations: 1 as stated"');
  expect(one.match(/<path/g)).toHaveLength(1);
});
