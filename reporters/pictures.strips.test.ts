import { expect, test } from 'vitest';
import { stripsPicture } from './pictures.ts';

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
