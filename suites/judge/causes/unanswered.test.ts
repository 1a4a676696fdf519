import { expect, test } from 'vitest';
import { silent, unsent, viewOf } from '../../checks/evidence.fixture.ts';
import { causeWords } from './cause-words.ts';
import { unansweredReader } from './unanswered.ts';

test.each([
  ['came in time', { kind: 'timeout', afterMs: 100 }, 'gave no complete reply in time to 2 of 2 requests'],
  [
    'had an end',
    { kind: 'oversize', bound: 'body', limit: 100 },
    'gave 2 of 2 requests no reply that can be judged: the reply was too large',
  ],
] as const)('a request is not sent where no reply %s, and its cause says so', (_name, ending, words) => {
  const view = viewOf('chat', [
    silent('a', ending),
    silent('b', ending),
    unsent('c', { kind: 'no-reply-in-time' }),
  ]);
  const fact = unansweredReader(view, []).ofRequest('c');
  expect(fact && causeWords([fact])).toContain(words);
});
