import { describe, expect, it } from 'vitest';
import { randomOf } from '../../../fixtures/dice.ts';
import { defaultConsole } from '../../../fixtures/gateway/console.ts';
import type { Context } from '../../../fixtures/gateway/context.ts';
import { targetFor } from '../../../fixtures/gateway/describe.ts';
import { createGateway } from '../../../fixtures/gateway/gateway.ts';
import type { Hooks } from '../../../fixtures/gateway/hooks.ts';
import { variantById } from '../../../fixtures/variants/index.ts';
import { judgeRun } from '../../judge/judge-run.ts';
import { isExchange } from '../../types/exchange.ts';
import { scopeOf } from '../../types/scope.ts';
import type { Selection } from '../../types/run.ts';
import { everything } from '../../plan/plan.ts';
import { planned } from '../../plan/planned.fixture.ts';
import { executePlan } from '../execute-plan.ts';

const settings = defaultConsole();
const accepted = ['temperature', 'top-p', 'max-tokens', 'messages', 'stream'].map(
  (slug) => `chat.param.${slug}.accepted`,
);

/** Refuses what a chat request has, as the reference gateway refuses a parameter. */
const refusing = (isRefused: (ctx: Context) => boolean): Hooks => ({
  check: (problems, ctx) =>
    ctx.protocol === 'chat' && isRefused(ctx)
      ? [...problems, { parameter: '', kind: 'allowed', message: 'Not together' }]
      : problems,
});

/** Runs the chat parameters against a gateway with hooks: the parts that were sent, and the verdicts. */
async function run(hooks: Hooks, { console = settings, requirements = accepted } = {}) {
  const gateway = await createGateway({ console, hooks }).listen();
  try {
    const target = targetFor(settings, gateway.url);
    const selection: Selection = { ...everything, requirements };
    const options = { seed: 1, concurrency: 8, timeoutMs: 5000, selection };
    const plan = planned(scopeOf(target), selection);
    const ran = await executePlan(target, plan, options);
    const report = judgeRun(target, plan, ran.evidence, { runId: 'run', selection, ...ran });
    const failed = report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    const parts = [...ran.evidence.values()].filter(isExchange).filter(({ part }) => part !== undefined);
    return { plan, report, failed, parts, selection, evidence: ran.evidence };
  } finally {
    await gateway.close();
  }
}

const roles = ({ body }: Context): readonly unknown[] =>
  Array.isArray(body.messages) ? body.messages.map((each: { role?: unknown }) => each.role) : [];

describe.concurrent('a refused combination', () => {
  it('is not taken apart where nothing is refused', async () => {
    const { parts, failed } = await run({});
    expect([parts, failed]).toEqual([[], []]);
  });

  it('is taken apart until a pair of parameters is left, which is blamed', async () => {
    const { parts, failed, report, plan } = await run(
      refusing(({ body }) => body.temperature === 0 && body.max_tokens !== undefined),
    );
    expect(failed).toEqual(['chat.param.temperature.accepted', 'chat.param.max-tokens.accepted']);
    const findings = report.cases
      .flatMap((entry) => entry.findings)
      .filter(({ verdict }) => verdict === 'fail');
    for (const { message } of findings) expect(message).toMatch(/temperature = 0 with max_tokens = \d+$/);
    const rows = new Set(parts.map(({ part }) => part?.of));
    for (const of of rows) {
      const request = plan.requests.find(({ id }) => id === of);
      expect(Object(request?.body?.json).temperature).toBe(0);
      // Once without each setting, and the smallest once more.
      const settings = request?.combination?.settings.length ?? 0;
      expect(parts.filter(({ part }) => part?.of === of).length).toBe(settings + 1);
    }
    expect(rows.size).toBeGreaterThan(0);
  });

  it('is taken apart in no more requests where refusals pass, and what is refused is another thing each time', async () => {
    const { parts, plan } = await run(
      refusing(
        ({ requestNumber, body }) =>
          roles({ body } as Context).length > 1 &&
          (body.temperature !== undefined || randomOf(requestNumber)() < 0.5),
      ),
      // One parameter is enough: each refusal waits, and all five take two minutes.
      { requirements: ['chat.param.temperature.accepted'] },
    );
    expect(parts.length).toBeGreaterThan(0);
    for (const of of new Set(parts.map(({ part }) => part?.of))) {
      const settings = plan.requests.find(({ id }) => id === of)?.combination?.settings.length ?? 0;
      expect(parts.filter(({ part }) => part?.of === of).length, of).toBeLessThanOrEqual(settings + 1);
    }
  });

  it('is blamed on streams alone where it is refused in a stream', async () => {
    const { failed, report } = await run(
      refusing((ctx) => ctx.body.stream === true && roles(ctx).includes('system')),
    );
    expect(failed).toEqual(['chat.param.stream.accepted']);
    expect(JSON.stringify(report.cases)).toContain('stream = true with a turn of role system');
  });

  it('sends a smaller request each time that the part is refused, and no part twice', async () => {
    const { parts } = await run(refusing(({ body }) => body.top_p === 1 && body.stream === true));
    expect(new Set(parts.map(({ id }) => id)).size).toBe(parts.length);
    const [first] = parts;
    const ofOne = parts.filter(({ part }) => part?.of === first?.part?.of);
    const sizes = ofOne.map(({ part }) => part?.factors.length ?? 0);
    expect(sizes).toEqual([...sizes].sort((one, other) => other - one));
    expect(ofOne.at(-1)?.part?.factors.length).toBeLessThan(3);
  });

  it('is not blamed where its smallest part is refused right behind a stream alone', async () => {
    let isBehindStream = false;
    const { failed, parts } = await run(
      refusing(({ body }) => {
        const isRefused = isBehindStream && body.stream === true && body.temperature === 0;
        const isPlain = Object.keys(body).length === 2;
        isBehindStream = body.stream === true || (isBehindStream && !isPlain);
        return isRefused;
      }),
    );
    const confirmed = parts.filter(({ id }) => id.endsWith('.again'));
    expect(confirmed.map(({ response }) => response?.status)).toEqual([200]);
    expect(failed).toEqual([]);
  });

  it('is left alone where one of its values is refused by itself', async () => {
    const { parts, failed } = await run(refusing(({ body }) => body.temperature === 2));
    expect(parts).toEqual([]);
    expect(failed).toEqual(['chat.param.temperature.accepted']);
  });

  it('is asked of one caller: a stream that one model alone refuses is judged by the cell of that model', async () => {
    const { failed, parts, plan, evidence } = await run(
      refusing(
        ({ body }) =>
          body.stream === true &&
          body.model === settings.models.find(({ family }) => family === 'general')?.name,
      ),
    );
    expect(failed).toEqual([]);
    const models = (of: string | undefined) =>
      parts
        .filter(({ part }) => part?.of === of)
        .map(({ request }) => JSON.parse(request.body ?? '{}').model);
    for (const { part } of parts) expect(new Set(models(part?.of)).size).toBe(1);
    const refused = plan.requests.filter(({ id, combination }) => {
      const entry = evidence.get(id);
      return combination !== undefined && isExchange(entry) && entry.response?.status === 400;
    });
    expect(refused.length).toBeGreaterThan(0);
  });

  it('of a chain is sent with the token that the id belongs to, where the first token is not served', async () => {
    const hooks = variantById('response-id.of-token')?.hooks;
    const routes = { ...settings.routes, general: { responses: ['coding-tool' as const] } };
    const name = 'previous_response_id';
    const { parts, report } = await run(
      {
        ...hooks,
        check: (problems, ctx) => [
          ...(hooks?.check?.(problems, ctx) ?? problems),
          ...(name in ctx.body && 'instructions' in ctx.body
            ? [{ parameter: '', kind: 'allowed' as const, message: 'Not together' }]
            : []),
        ],
      },
      {
        console: { ...settings, routes },
        requirements: [
          'responses.param.instructions.accepted',
          'responses.param.previous-response-id.accepted',
        ],
      },
    );
    const chained = parts.filter(({ request }) => name in JSON.parse(request.body ?? '{}'));
    expect(chained.length).toBeGreaterThan(0);
    expect(chained.map(({ response }) => response?.status)).not.toContain(404);
    for (const { request } of parts) expect(request.headers.authorization).toContain('CODING_TOOL');
    expect(JSON.stringify(report.cases)).toContain('`instructions` with `previous_response_id`');
  });

  it('is judged from what was recorded, without the run', async () => {
    const { plan, evidence, report, selection } = await run(
      refusing(({ body }) => body.temperature === 0 && body.stream === true),
    );
    const target = targetFor(settings, 'http://gateway.test');
    const times = { startedAt: report.run.startedAt, finishedAt: report.run.finishedAt, partial: false };
    const again = judgeRun(target, plan, evidence, { runId: 'run', selection, ...times });
    expect(again.requirements).toEqual(report.requirements);
  });
});
