import { describe, expect, test } from 'vitest';
import type { Body } from '../../suites/types/exchange.ts';
import type { Report, ReportFinding } from '../../suites/types/report.ts';
import { withCase } from '../empty-report.fixture.ts';
import { smallReport } from '../small.fixture.ts';
import { bodyMarkup } from '../document/printed.fixture.ts';
import { bodyParts, markIn } from './body.ts';
import { markedExchange } from './context.ts';
import { textLines } from '../html/text-lines.fixture.ts';

const body = (text: string, encoding: Body['encoding'] = 'utf8'): Body => ({
  text,
  encoding,
  bytes: text.length,
  arrivals: [],
});
const markup = (of: Body, pointers: readonly string[], limit: number): string =>
  bodyMarkup(bodyParts(of, pointers, { limit, hasRest: false }));
const shown = (text: string, pointers: readonly string[] = [], limit = 100): string =>
  textLines(markup(body(text), pointers, limit)).join('\n');
const letters = (length: number): string =>
  Array.from({ length }, (_, at) => String.fromCharCode(97 + (at % 26))).join('');

describe('a body', () => {
  test('a little longer than the room for it is shown whole', () => {
    expect(shown(letters(110))).toBe(letters(110));
  });

  test('without a mark shows its beginning and its end, and how much lies between', () => {
    const text = letters(1_500);
    expect(shown(text)).toBe(
      `${text.slice(0, 80)}⋯ 1\u202f400 of 1\u202f500 characters, in full in report.json ⋯${text.slice(-20)}`,
    );
  });

  test('with a mark far in shows its beginning and what stands about the mark', () => {
    const data = (at: number, mark: string): string =>
      ['x'.repeat(at - 1), `\ndata: ${mark}\n\n`, 'y'.repeat(400)].join('');
    const far = data(300, '{"a":"b"}');
    expect(shown(far, ['event 0/a'])).toBe(
      [
        `${'x'.repeat(25)}⋯ 261 of 717 characters, in full in report.json ⋯${'x'.repeat(13)}`,
        'data: {"a":«"b"»}',
        `${'y'.repeat(14)}⋯ 386 of 717 characters, in full in report.json ⋯`,
      ].join('\n'),
    );
  });

  test('with several marks far in shows what stands about three of them, and of a long one its beginning', () => {
    const far = Array.from({ length: 4 }, (_, at) => `data: ${at}\n\n${'x'.repeat(300)}\n`).join('');
    expect(shown(far, ['event 1', 'event 2', 'event 3', 'event 0']).match(/«.»/g)).toEqual([
      '«0»',
      '«1»',
      '«2»',
    ]);
    const long = shown(`data: "${'v'.repeat(900)}"\n\n`, ['event 0']);
    expect(long).toMatch(/^data: «"v{49}»⋯ /);
  });

  test('with a mark near its beginning has no gap of a few characters', () => {
    const near = (at: number): string => `${'x'.repeat(at)}\ndata: {"a":1}\n\n${'y'.repeat(400)}`;
    expect(shown(near(70), ['event 0/a']).split('⋯')).toHaveLength(3);
    expect(shown(near(80), ['event 0/a']).split('⋯')).toHaveLength(5);
  });

  test('that is one value marks what all pointers lead to, each once, and a value of several lines broadly', () => {
    const text = JSON.stringify({ a: 1, b: { c: 'x'.repeat(40), d: 'y'.repeat(40) } });
    expect(markup(body(text), ['/a', '/b/d', '/b/c', '/b/d', 'event 0'], 1_000)).toBe(
      `{\n  "a": <mark>1</mark>,\n  "b": {\n    "c": <mark>"${'x'.repeat(40)}"</mark>,\n    "d": <mark>"${'y'.repeat(40)}"</mark>\n  }\n}`,
    );
    const nested = markup(body(text), ['/b', '/b/c'], 1_000);
    expect(nested).toContain('"b": <mark class="broad">{\n');
    expect(nested).toMatch(/\}<\/mark>\n\}$/);
  });

  test('that is a stream marks what pointers with an event lead to', () => {
    const text = 'data: {"a":0}\ndata: x\n\ndata:{"a":1}\n\n';
    expect(shown(text, ['event 1/a', '/a', 'event 7'])).toBe('data: {"a":0}\ndata: x\ndata:{"a":«1»}');
    expect(markIn(body('data: {"a":'), 'event 0')).toEqual({ exact: true, raw: '{"a":' });
    expect(markIn(body(' \n{"a":0}x'), 'event 0')).toEqual({ exact: true, raw: '{"a":0}' });
    expect(markIn(body('data: \n\nx'), 'event 0')).toEqual({ exact: true, raw: '' });
    const twelve = Array.from({ length: 12 }, (_, at) => `data: ${at}\n\n`).join('');
    expect(markIn(body(twelve), 'event 11')).toEqual({ exact: true, raw: '11' });
    expect(markIn(body('x'), '/a')).toBe(null);
  });

  test('that is no UTF-8 says so and marks nothing', () => {
    expect(markup(body('A'.repeat(130), 'base64'), [], 200)).toBe(
      `<i>not UTF-8, as base64: </i>${'A'.repeat(130)}`,
    );
    expect(markIn(body('{"a":1}', 'base64'), '/a')).toBe(null);
  });
});

describe('the exchange that a finding speaks of', () => {
  const replies = (...texts: readonly string[]): ReadonlyMap<string, Report['exchanges'][number]> => {
    const [one] = smallReport().exchanges;
    if (one?.response == null) throw new Error('the fixture has a reply');
    const { response } = one;
    return new Map(
      texts.map((text, at) => [
        `e${at}`,
        { ...one, id: `e${at}`, response: { ...response, body: body(text) } },
      ]),
    );
  };
  const marked = (texts: readonly string[], change: Partial<ReportFinding> = {}) => {
    const [outcome] = withCase('plain', { exchanges: ['gone', ...texts.map((_, at) => `e${at}`)] }).cases;
    const [finding] = outcome?.findings ?? [];
    if (outcome === undefined || finding === undefined) throw new Error('the fixture has a finding');
    const { exchange, ...rest } = finding;
    expect(exchange).toBe('one');
    return markedExchange(outcome, { ...rest, pointer: '/a', ...change }, replies(...texts));
  };

  test('is the one with the very value, else one without it, else one with another', () => {
    expect(marked(['{"a":7}', '{}', '{"a":"21"}'])).toMatchObject({ id: 'e2', exact: true });
    expect(marked(['{"a":7}', '{}', 'x'])).toMatchObject({ id: 'e1', exact: false });
    expect(marked(['x', '{"a":7}'])).toMatchObject({ id: 'e1', exact: true });
    expect(marked(['x'])).toBe(null);
  });

  test('is the one that it names', () => {
    expect(marked(['{"a":7}', '{"a":"21"}'], { exchange: 'e0' })).toMatchObject({ id: 'e0', exact: true });
  });
});
