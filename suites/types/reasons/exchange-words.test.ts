import { expect, test } from 'vitest';
import type { RetryReason } from './exchange-reasons.ts';
import { retryWords } from './exchange-words.ts';

const reasons: readonly RetryReason['kind'][] = [
  'confirm-refusal',
  'confirm-failure',
  'confirm-refusal-with-retry-after',
  'lock-out',
];

test('why a request is sent again says what is not known yet, and nothing of the target', () => {
  for (const kind of reasons)
    expect(retryWords({ kind } as RetryReason)).toMatch(/^to see whether the (refusal|failure) /);
});
