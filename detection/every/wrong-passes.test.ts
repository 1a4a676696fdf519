import { expect, test } from 'vitest';
import { servingToken } from '../../fixtures/faults/fault.ts';
import type { Context, Reply } from '../../fixtures/gateway/context.ts';
import type { Hooks } from '../../fixtures/gateway/hooks.ts';
import { jsonReply } from '../../fixtures/gateway/refusal.ts';
import type { Report } from '../../suites/types/report.ts';
import { detect } from '../detect.ts';

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

test('a refusal in words that valid requests got past is asked again', async () => {
  const isBare = (ctx: Context): boolean =>
    ctx.protocol === 'chat' && /^[\w-]{20,}$/.test(String(ctx.headers.authorization ?? ''));
  const empty = (reply: Reply): Reply => ({ ...reply, status: 400, pieces: [], delimiter: 'length' });
  const report = await judged(
    {
      authenticate: (verdict, ctx) =>
        verdict.problem !== null && isBare(ctx) ? { problem: null, token: servingToken(ctx) } : verdict,
      reply: (reply, ctx) => {
        const seen = Number(ctx.state.get('bare') ?? 0);
        if (isBare(ctx)) ctx.state.set('bare', seen + 1);
        return (isBare(ctx) && seen < 2) || ctx.requestNumber % 9 === 0 ? empty(reply) : reply;
      },
    },
    ['authentication'],
  );
  expect(verdictOf(report, 'chat.auth.scheme')).toBe('fail');
});
