import { expect, test } from 'vitest';
import { type HistoryEntry, historyEntry } from './history.ts';
import { smallReport } from './small.fixture.ts';
import { trendPicture, stripsPicture } from './pictures.ts';
import { markupOf } from './document/printed.fixture.ts';

const entry = historyEntry(smallReport());
const run = (fail: number, inconclusive: number, change: Partial<HistoryEntry> = {}): HistoryEntry => ({
  ...entry,
  summary: { ...entry.summary, fail, inconclusive },
  verdict: fail > 0 ? 'non-conformant' : 'conformant',
  ...change,
});
const drawn = (runs: HistoryEntry[]): string | undefined => {
  const picture = trendPicture(runs);
  return picture === null ? undefined : markupOf(picture);
};
const words = (...runs: HistoryEntry[]): string | undefined =>
  /<figcaption>(.*)<\/figcaption>/.exec(drawn(runs) ?? '')?.[1];

test('each run is a bar in the colour of its verdict, as tall as what failed; without that it is a foot', () => {
  const open = run(0, 15, { verdict: 'inconclusive' });
  const markup = drawn([run(10, 5), run(0, 3), run(1, 0), open]);
  expect(markup).toContain('viewBox="0 0 48 40" width="48" height="40"');
  expect(markup?.match(/<path class="(?:fail|inconclusive|pass)".*?\/>/g)).toEqual([
    '<path class="fail" d="M1 39v-34h9v34z"/>',
    '<path class="pass" d="M13 39v-3h9v3z"/>',
    '<path class="fail" d="M25 39v-3h9v3z"/>',
    '<path class="inconclusive" d="M37 39v-3h9v3z"/>',
  ]);
});

test('the numbers of the latest eight are textLines, and from where on the line begins', () => {
  const since = '2026-11-21 09:00:12 UTC';
  const runs = (length: number) => Array.from({ length }, (_, at) => run(at, 0));
  expect(words(...runs(8))).toBe(`8 runs since ${since}. Failed: 0, 1, 2, 3, 4, 5, 6, 7.`);
  expect(words(...runs(9))).toBe(`9 runs since ${since}. Failed, in the latest 8: 1, 2, 3, 4, 5, 6, 7, 8.`);
  expect(words(...runs(31))).toMatch(/^30 runs /);
});

test('the suite changed where either of its digests did, not where only its version did', () => {
  const { suite } = entry;
  const by = (change: Partial<HistoryEntry['suite']>) => run(1, 0, { suite: { ...suite, ...change } });
  expect(words(by({}), by({ openapiDigest: 'x' }), by({ requirementsDigest: 'x' }))).toContain(
    ' The suite changed 2 times in between.',
  );
  expect(words(by({}), by({ requirementsDigest: 'x' }))).toContain(' The suite changed 1 time in between.');
  expect(words(by({}), by({ version: '2' }))).not.toContain('changed');
});

test('a run of a part is drawn among runs of a part', () => {
  const part = run(3, 0, { whole: false });
  expect(words(run(1, 0), part, run(2, 0), part)).toContain('2 runs since');
  expect(words(part, run(1, 0))).toBe(undefined);
  expect(trendPicture([])).toBe(null);
});

test('a row for each run, with neighbours of the same verdict as one shape, below the same of the others', () => {
  const picture = stripsPicture('Verdicts', 'Three of two runs.', [
    { name: 'first', verdicts: ['pass', 'pass', 'fail'] },
    { name: 'a name that is longer than there is room for it', verdicts: ['pass', null, 'fail'] },
  ]);
  expect(picture?.paths).toEqual([
    { look: 'fail', d: 'M278 0h14v12h-14zM278 15h14v12h-14z' },
    { look: 'pass', d: 'M250 0h28v12h-28zM250 15h14v12h-14z' },
  ]);
  expect(picture?.texts?.map(({ text }) => text)).toEqual([
    'first',
    'a name that is longer than there is room for…',
  ]);
  expect([picture?.width, picture?.height]).toEqual([292, 30]);
});

test('many verdicts are thinner, and nothing to compare is no picture', () => {
  const many = stripsPicture('', '', [{ name: '', verdicts: Array.from({ length: 300 }, () => 'pass') }]);
  expect(many?.paths).toEqual([{ look: 'pass', d: 'M250 0h600v12h-600z' }]);
  expect(stripsPicture('', '', [])).toBeNull();
  expect(stripsPicture('', '', [{ name: 'a', verdicts: [] }])).toBeNull();
});
