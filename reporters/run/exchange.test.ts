import { describe, expect, test } from 'vitest';
import type { Attempt } from '../../suites/types/exchange.ts';
import type { ReportExchange } from '../../suites/types/report.ts';
import { smallReport } from '../small.fixture.ts';
import { linesOf, markupOf } from '../document/printed.fixture.ts';
import { plain } from '../document/blocks.ts';
import { inline } from '../html/print.ts';
import { contextOf } from './context.ts';
import { exchangeBlock, exchangeLinks, firstLinks } from './exchange.ts';
import { arrivalBlocks, timeline } from './timeline.ts';
import { textLines } from '../html/text-lines.fixture.ts';

const [one] = smallReport().exchanges;
if (one?.response == null) throw new Error('the fixture has a reply');
const { response } = one;
const context = contextOf(smallReport());
const view = (change: Partial<ReportExchange>): string[] =>
  linesOf(exchangeBlock(context, { ...one, ...change }));
const attempt = (change: Partial<Attempt>): Attempt => ({
  status: 200,
  ending: { kind: 'complete' },
  fingerprint: null,
  bytes: 1_234,
  startedAt: one.timing.startedAt,
  ms: 400,
  waitedMs: 0,
  ...change,
});

describe('an exchange', () => {
  test('that needed several attempts tells each: what it waited, how it ended, why it was sent again', () => {
    const attempts = [
      attempt({
        status: 429,
        retry: { kind: 'transient', transient: { cause: 'status', status: 429 } },
        bytes: 0,
        ms: 35,
      }),
      attempt({ status: null, ending: { kind: 'unreachable', detail: 'reset' }, waitedMs: 2_000 }),
      attempt({ waitedMs: 1 }),
    ];
    const lines = view({ attempts });
    expect(lines[0]).toBe('`one` POST /v1/chat/completions 200, 400 ms, 3 attempts');
    expect(lines.slice(-4)).toEqual([
      '3 attempts',
      'status 429, complete, 0 bytes in 35 ms; sent again: HTTP 429, which may pass',
      'after waiting 2.00 s: no status, unreachable (reset), 1\u202f234 bytes in 400 ms',
      'after waiting 1 ms: status 200, complete, 1\u202f234 bytes in 400 ms',
    ]);
  });

  test('that ended well at once has no list of attempts; one that was cut has', () => {
    expect(view({ attempts: [attempt({})] }).at(-1)).toBe('{"usage": {"total_tokens": «"21"»}}');
    expect(view({ attempts: [attempt({ status: 429 }), attempt({})] }).at(-3)).toBe('2 attempts');
    const cut = { kind: 'cut', detail: 'd'.repeat(201) } as const;
    const lines = view({ ending: cut, attempts: [attempt({ ending: cut })] });
    expect(lines[0]).toBe('`one` POST /v1/chat/completions 200, cut, 400 ms');
    expect(lines.slice(-2)).toEqual([
      '1 attempt',
      `status 200, cut (${'d'.repeat(200)}…), 1\u202f234 bytes in 400 ms`,
    ]);
  });

  test('without a reply says how it ended, and why where that is known', () => {
    const without = (ending: ReportExchange['ending']) => view({ response: null, ending }).slice(5, 7);
    expect(view({ response: null, ending: { kind: 'timeout', afterMs: 100 } })[0]).toBe(
      '`one` POST /v1/chat/completions no reply, timeout, 400 ms',
    );
    expect(without({ kind: 'timeout', afterMs: 100 })).toEqual([
      'Reply',
      'none: timeout, not complete after 100 ms',
    ]);
    expect(without({ kind: 'unreachable', detail: 'reset' })).toEqual(['Reply', 'none: unreachable, reset']);
  });

  test('without a body says so; a shortened reply says where it stands whole', () => {
    expect(view({ request: { ...one.request, body: null } })[4]).toBe('no body');
    expect(view({ shortened: true })).toContain('Reply 31 bytes, shortened; in full in evidence.jsonl');
  });

  test('with many or long headers is cut, and counts the rest', () => {
    const headers = Array.from({ length: 18 }, (_, at): [string, string] => [`h${at}`, 'v'.repeat(95 + at)]);
    const lines = view({ response: { ...response, headers } });
    const from = lines.indexOf('200') + 1;
    expect(lines.slice(from, from + 3)).toEqual([
      `h0: ${'v'.repeat(95)}`,
      `h1: ${'v'.repeat(96)}`,
      `h2: ${'v'.repeat(96)}…`,
    ]);
    expect(lines.slice(from + 16, from + 17)).toEqual(['… 2 more headers']);
    const few = view({ response: { ...response, headers: headers.slice(0, 16) } });
    expect(few.join()).not.toContain('more headers');
  });

  test('outside the target\u2019s address has its whole URL', () => {
    const request = { ...one.request, url: 'http://else.example/v1' };
    expect(view({ request })[0]).toBe('`one` POST http://else.example/v1 200, 400 ms');
  });

  test('is linked where the report carries it, and only named where not', () => {
    expect(inline(exchangeLinks(context, ['one', 'gone'])).markup).toBe(
      '<a href="#x%3Aone">one</a>, <code>gone</code>',
    );
  });

  test('is one of the first that are linked, where there are many', () => {
    const ids = ['one', 'two', 'three'];
    expect(textLines(inline(firstLinks(context, ids, 3)).markup)).toEqual(['`one`, `two`, `three`']);
    expect(textLines(inline(firstLinks(context, ids, 2)).markup)).toEqual(['`one`, `two` and 1 more']);
  });

  test('that was sent once more says what it repeats', () => {
    expect(view({ id: 'one~2', repeats: 'one' })).toContain(
      'A control: repeats a valid request to see whether the target still answers, next to a request that may be refused: `one`.',
    );
    expect(view({}).join()).not.toContain('Sent once more');
  });
});

describe('the arrivals of a reply', () => {
  const arriving = (arrivals: readonly (readonly [number, number])[], endMs = 1_000) => {
    const picture = timeline({
      ...one,
      timing: { ...one.timing, headersMs: 100, endMs },
      response: { ...response, body: { ...response.body, bytes: 1_200, arrivals } },
    });
    return picture === null ? undefined : markupOf(picture);
  };

  test('are bars where and as tall as what came, and words', () => {
    const markup = arriving([
      [100, 200],
      [300, 250],
      [1_100, 900],
      [1_101, 1_100],
    ]);
    expect(markup).toContain('<path class="head" d="M62 2V32"/>');
    expect(markup).toContain('<path class="chunks" d="M121 28v-3M151 28v-6M538 28v-24M598 28v-3"/>');
    expect(markup).toContain(
      '<figcaption>4 chunks from 200 ms to 1.10 s; longest pause 650 ms; 1\u202f200 bytes; end complete at 1.00 s</figcaption>',
    );
  });

  test('are at most eighty bars', () => {
    const many = (length: number) =>
      arriving(Array.from({ length }, (_, at) => [at + 1, at] as const))?.match(/M\d+ 28v/g)?.length;
    expect(many(80)).toBe(80);
    expect(many(81)).toBe(41);
  });

  test('are not drawn where there is but one, or no time passed', () => {
    expect(arriving([[1, 1]])).toBe(undefined);
    const two = [
      [1, 0],
      [2, 0],
    ] as const;
    expect(arriving(two, 0)).toBe(undefined);
    expect(arriving(two, 1)).toContain('2 chunks from 0 ms to 0 ms; longest pause 0 ms');
    expect(timeline({ ...one, response: null })).toBe(null);
  });
});

describe('the arrival of a stream that was held back', () => {
  const arriving = (id: string, arrivals: readonly (readonly [number, number])[]) => ({
    ...one,
    id,
    response: { ...response, body: { ...response.body, arrivals } },
  });
  const held = arriving('held', [[400, 1000]]);
  const short = arriving('short', [
    [20, 100],
    [40, 200],
  ]);

  test('is drawn against the reply that was whole first, with the numbers of both', () => {
    const [picture, numbers] = arrivalBlocks(held, [arriving('late', [[9, 900]]), short]);
    expect(picture).toMatchObject({
      kind: 'picture',
      paths: [{ look: 'axis' }, { look: 'pass', d: 'M2 86H62V45H121V4' }, { look: 'fail', d: 'M2 86H598V4' }],
      caption:
        'Bytes over time, up to 1.00 s: red, the stream that was held back; green, a reply that was whole at 200 ms.',
    });
    const cells =
      numbers?.kind === 'table' ? numbers.rows.map((row) => row.cells.map(({ of }) => plain(of))) : [];
    expect(cells).toEqual([
      ['held', '1.00 s', '1.00 s', '1.00 s'],
      ['short', '100 ms', '100 ms', '200 ms'],
    ]);
  });

  test('is nothing where there is no other reply, or no times', () => {
    expect(arrivalBlocks(held, [])).toEqual([]);
    expect(arrivalBlocks(arriving('none', []), [short])).toEqual([]);
  });
});
