import { describe, expect, it } from 'vitest';
import { answered, refused, saying, viewOf } from '../checks/evidence.fixture.ts';
import { refusedText, textLimits } from './refused-texts.ts';

const long = 'alpha beta '.repeat(20);
const denied = (id: string, text: string) => saying(refused(id), text);
const taken = (id: string, text: string) => saying(answered(id, 'chat'), text);
/** The exchange with a parameter beside its text. */
const cooled = ({ request, ...exchange }: ReturnType<typeof denied>) => ({
  ...exchange,
  request: { ...request, body: JSON.stringify({ ...JSON.parse(request.body ?? '{}'), temperature: 0 }) },
});
const read = (...sent: Parameters<typeof viewOf>[1]) => refusedText(viewOf('chat', sent), 'chat', ['a', 'b']);

describe('what of their texts valid requests are refused for', () => {
  it('is a length, where each as long is refused and a shorter one with the same signs is answered', () => {
    expect(read(denied('a', long), denied('b', `${long} more`), taken('c', 'alpha'))).toEqual({
      by: 'length',
      refused: long.length,
      answered: 5,
      seen: 2,
    });
  });

  it('is a word, where one as long without it is answered', () => {
    const other = taken('c', 'gamma '.repeat(60));
    expect(read(denied('a', long), denied('b', 'alpha'), other)).toEqual({
      by: 'word',
      word: 'alpha',
      seen: 2,
    });
  });

  it.each([
    ['a sign that no answered one has', [denied('a', `${long}"`), denied('b', `${long}"`), taken('c', 'x')]],
    ['the same words and the same length answered', [denied('a', long), denied('b', long), taken('c', long)]],
    [
      'a parameter that no answered one has',
      [cooled(denied('a', long)), denied('b', `${long} more`), taken('c', 'x')],
    ],
    ['one refusal', [denied('a', long), taken('c', 'alpha')]],
    ['no answer', [denied('a', long), denied('b', long)]],
  ])('is not told with %s', (_, sent) => {
    expect(read(...sent)).toBeUndefined();
  });
});

describe('the greatest text of an endpoint', () => {
  const limits = (...sent: Parameters<typeof viewOf>[1]) => textLimits(viewOf('chat', sent));

  it('is not told where no shorter one is answered since: the endpoint may have stopped', () => {
    expect(limits(taken('c', 'alpha'), denied('a', long), denied('b', `${long} more`))).toEqual([]);
  });

  it('is told where all longer ones are refused, whatever else is', () => {
    const found = limits(
      denied('a', long),
      denied('b', `${long} more`),
      taken('c', 'alpha'),
      denied('d', 'x'),
    );
    expect(found).toEqual([
      { protocol: 'chat', refused: long.length, answered: 5, seen: 2, exchanges: ['a', 'b'] },
    ]);
  });

  it('is not told where the longest is answered', () => {
    expect(limits(denied('a', long), denied('b', long), taken('c', `${long} more`))).toEqual([]);
  });
});
