import { expect, test } from 'vitest';
import { once, oncePer } from './once.ts';

test('a value that is made once is made at the first use and kept, also where it is undefined', () => {
  let made = 0;
  const give = once(() => {
    made += 1;
  });
  expect(made).toBe(0);
  give();
  give();
  expect(made).toBe(1);
});

test('what is made once for each key is made for each of them, and kept, also where it is undefined', () => {
  const made: string[] = [];
  const give = oncePer((key: string) => {
    made.push(key);
    return key === 'a' ? 1 : undefined;
  });
  expect(['a', 'b', 'a', 'b'].map(give)).toEqual([1, undefined, 1, undefined]);
  expect(made).toEqual(['a', 'b']);
});
