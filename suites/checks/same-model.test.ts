import { expect, it } from 'vitest';
import { judge, viewOf } from './evidence.fixture.ts';

it('is untested, with both families in the reason', () => {
  const check = { kind: 'same-model', families: ['general', 'conversational'] } as const;
  const { findings } = judge(check, viewOf('chat', []), ['family.general.responses']);
  expect(findings).toMatchObject([
    {
      requirement: 'family.general.responses',
      verdict: 'untested',
      reason: { kind: 'same-model', families: ['general', 'conversational'] },
    },
  ]);
});
