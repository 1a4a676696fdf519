import { describe, expect, test } from 'vitest';
import { jsonReply } from '../fixtures/gateway/refusal.ts';
import { type Lock, locking, lockVariants } from '../fixtures/variants/locks.ts';
import { blamed, detect } from './detect.ts';

const patience = 180_000;

describe('a conformant gateway that locks out', () => {
  // At concurrency 8 as every variant.
  const runs = lockVariants.flatMap((variant) => [1, 32].map((concurrency) => ({ ...variant, concurrency })));
  test.concurrent.each(runs)(
    '$id is accepted at concurrency $concurrency',
    async ({ concurrency, ...variant }) => {
      const report = await detect(variant, { concurrency });
      expect({ verdict: report.verdict, blamed: blamed(report) }).toEqual({
        verdict: 'conformant',
        blamed: [],
      });
    },
    patience,
  );

  test(
    'is told with what set it off, the status and how long it lasted',
    async () => {
      const variant = lockVariants.find(({ id }) => id === 'lock.caller-403');
      expect(variant).toBeDefined();
      if (variant === undefined) return;
      const { observations } = await detect(variant);
      expect(observations.find(({ requirement }) => requirement === 'errors.lock-out')?.value).toMatch(
        /^HTTP 403 for \d+\.\d s at most, after \w+\.auth\.[\w.-]+, seen by /,
      );
    },
    patience,
  );
});

describe('a gateway whose lock-out never ends', () => {
  const reply = jsonReply(503, { error: { message: 'Locked' } });
  const forever: readonly (readonly [string, Lock])[] = [
    [
      'of a model',
      {
        holdsFor: ({ body, family }) => (family === null ? undefined : String(body.model)),
        isSetOffBy: (_, { code }) => code === 'invalid-maximum',
        reply,
        ms: 1e9,
      },
    ],
    [
      'of everybody',
      {
        holdsFor: () => 'everybody',
        isSetOffBy: (_, { kind }) => kind === 'authentication',
        reply: { ...reply, status: 403 },
        ms: 1e9,
      },
    ],
  ];

  test.concurrent.each(forever)(
    '%s is not conformant',
    async (id, lock) => {
      const report = await detect({ id, title: id, hooks: locking(lock) });
      expect(report.verdict).not.toBe('conformant');
    },
    patience,
  );
});
