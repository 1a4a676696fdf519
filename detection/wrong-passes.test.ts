import { expect, test } from 'vitest';
import { servingToken } from '../fixtures/faults/fault.ts';
import type { Hooks } from '../fixtures/gateway/hooks.ts';
import { jsonReply } from '../fixtures/gateway/refusal.ts';
import type { Report } from '../suites/types/report.ts';
import { detect } from './detect.ts';

const judged = (
  hooks: Hooks,
  suites: readonly ('authentication' | 'families' | 'streams')[],
): Promise<Report> =>
  detect({ id: 'wrong-pass', title: 'a gateway that must not pass', hooks }, { selected: { suites } });

const verdictOf = ({ requirements }: Report, id: string): string | undefined =>
  requirements.find((row) => row.id === id)?.verdict;

test('a form that one row alone shows is seen where streams are refused', async () => {
  const report = await judged(
    {
      authenticate: (verdict, ctx) => {
        const shown = String(ctx.headers.authorization ?? '');
        const isBare = ctx.protocol === 'chat' && verdict.problem !== null && /^[\w-]{20,}$/.test(shown);
        return isBare ? { problem: null, token: servingToken(ctx) } : verdict;
      },
      reply: (reply, ctx) =>
        ctx.protocol === 'chat' && ctx.body.stream === true
          ? jsonReply(501, { error: { message: 'no streams here' } })
          : reply,
    },
    ['authentication'],
  );
  expect(verdictOf(report, 'chat.auth.scheme')).toBe('fail');
});

test('a refusal on an endpoint that does not exist passes nothing', async () => {
  const report = await judged({ endpoint: (protocol) => (protocol === 'responses' ? null : protocol) }, [
    'families',
  ]);
  expect(verdictOf(report, 'family.general.responses')).toBe('fail');
  expect(verdictOf(report, 'family.conversational.responses')).not.toBe('pass');
  expect(verdictOf(report, 'family.multimodal.responses')).not.toBe('pass');
});
