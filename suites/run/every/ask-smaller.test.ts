import { describe, expect, it } from 'vitest';
import { decisions } from '../../../spec/decisions.ts';
import { defaultConsole } from '../../../fixtures/gateway/console.ts';
import type { Context } from '../../../fixtures/gateway/context.ts';
import { targetFor } from '../../../fixtures/gateway/describe.ts';
import { createGateway } from '../../../fixtures/gateway/gateway.ts';
import type { Hooks } from '../../../fixtures/gateway/hooks.ts';
import { judgeRun } from '../../judge/judge-run.ts';
import { everything } from '../../plan/plan.ts';
import { planned } from '../../plan/planned.fixture.ts';
import { isExchange, judgedEvidence } from '../../types/exchange.ts';
import type { RunLimits } from '../../types/limits.ts';
import type { Profile } from '../../types/profile.ts';
import type { EarlierPart, Selection } from '../../types/run.ts';
import { scopeOf } from '../../types/scope.ts';
import { executePlan } from '../execute-plan.ts';

const settings = defaultConsole();
/** What chat requests with all parameters are asked for. */
const ofChat = [
  'chat.result.model',
  ...['temperature', 'top-p', 'max-tokens', 'messages', 'stream'].map(
    (slug) => `chat.param.${slug}.accepted`,
  ),
];

interface Asked {
  readonly requirements?: readonly string[];
  readonly limits?: RunLimits;
  readonly profile?: Profile;
  readonly earlier?: EarlierPart;
}

/** What a run against a gateway with hooks recorded, and how it is judged, with and without what was sent behind it. */
async function run(hooks: Hooks, { requirements, profile = 'standard', ...more }: Asked) {
  const gateway = await createGateway({ console: settings, hooks }).listen();
  try {
    const target = targetFor(settings, gateway.url);
    const selection: Selection = { ...everything, requirements: requirements ?? ofChat };
    const plan = planned(scopeOf(target), selection, { profile, skipCostly: false, explore: 0 });
    const options = { seed: 1, concurrency: 8, timeoutMs: 5000, selection, ...more };
    const ran = await executePlan(target, plan, options);
    const judge = (evidence = ran.evidence) =>
      judgeRun(target, plan, evidence, { ...ran, runId: 'run', selection });
    const smaller = [...ran.evidence.values()].filter(isExchange).filter((each) => each.smaller);
    return { ...ran, smaller, judge, report: judge(), before: judge(judgedEvidence(ran.evidence)) };
  } finally {
    await gateway.close();
  }
}

/** Leaves a field out of the results of chat. */
const lacking = (name: string, isBroken: (ctx: Context) => boolean): Hooks => ({
  result: (body, ctx) => {
    if (ctx.protocol !== 'chat' || !isBroken(ctx)) return body;
    const { [name]: _, ...rest } = body as Record<string, unknown>;
    return rest;
  },
});

describe.concurrent('a failure', () => {
  it('is shown by the parts that it needs and no others, sent once more at the end', async () => {
    const { report, smaller } = await run(
      lacking('model', ({ body }) => body.temperature !== undefined && body.stream === false),
      {},
    );
    const [cause] = report.causes;
    expect(cause?.smallest).toMatchObject({ kind: 'smallest', needed: ['stream', 'temperature'] });
    // That all with this temperature show it, a smaller one without `stream` contradicts.
    expect(cause?.summary).toMatch(/without `model`, in \d+ of \d+ replies\.$/);
    const sent = smaller.at(-1);
    expect(sent?.smaller?.time).toBe(2);
    expect(Object.keys(JSON.parse(sent?.request.body ?? '')).sort()).toEqual([
      'messages',
      'model',
      'stream',
      'temperature',
    ]);
    expect(cause?.reproduce).toContain('Say hello.');
    expect(cause?.reproduce?.split('\n').length).toBeLessThanOrEqual(10);
  });

  it('tells how many turns it takes, where all that show it have so many', async () => {
    const shownFrom = async (turns: number) => {
      const isLong = ({ body }: Context) => Array.isArray(body.messages) && body.messages.length >= turns;
      const { report } = await run(lacking('model', isLong), {});
      return report.causes[0]?.smallest;
    };
    // Five of them would begin with the assistant.
    expect(await shownFrom(5)).toMatchObject({ kind: 'smallest', turns: 6 });
    expect(await shownFrom(1)).not.toHaveProperty('turns');
  });

  it('names no part that is needed where others without it show the failure', async () => {
    const { report } = await run(
      lacking('model', ({ body }) => body.temperature !== undefined || body.top_p !== undefined),
      {},
    );
    const { smallest, reproduce: command } = report.causes[0] ?? {};
    expect(command).toMatch(/"temperature"|"top_p"/);
    expect(smallest).toMatchObject({ kind: 'smallest' });
    expect(smallest).not.toHaveProperty('needed');
  });

  it('of a reply that stands for another one keeps what it takes to show it', async () => {
    const isCut = ({ body, protocol }: Context): boolean =>
      protocol === 'images' && body.n === 10 && body.size === '512x512';
    const { report, smaller } = await run(
      {
        result: (body, ctx) => {
          const { data, ...rest } = body as { readonly data: readonly unknown[] };
          return isCut(ctx) ? { ...rest, data: data.slice(0, 1) } : body;
        },
      },
      { requirements: ['images.result.data.count'] },
    );
    expect(report.causes[0]?.reproduce).toContain('512x512');
    const dataOf = (text = '{}') => (JSON.parse(text) as { readonly data?: readonly unknown[] }).data;
    const shown = smaller.filter(({ id }) => id === report.causes[0]?.smallest?.exchange);
    expect(shown.map(({ response }) => dataOf(response?.body.text)?.length)).toEqual([1]);
  });

  it('by what it takes too long to say has a shorter text, keeps the limit, and stands beside what came of it', async () => {
    const { report } = await run(
      { prompt: (prompt, { protocol }) => (protocol === 'chat' ? { ...prompt, maxTokens: 4096 } : prompt) },
      { requirements: ['chat.param.max-tokens.limit'] },
    );
    const { reproduce: command = '', smallest } = report.causes[0] ?? {};
    expect(smallest?.kind).toBe('smallest');
    const sent = report.exchanges.find(({ id }) => id === smallest?.exchange);
    const { usage } = JSON.parse(sent?.response?.body.text ?? '{}') as {
      usage?: { completion_tokens: number };
    };
    expect(smallest?.actual).toContain(`completion_tokens ${usage?.completion_tokens}:`);
    expect(command).toContain('"max_tokens":5');
    expect(command.length).toBeLessThan(700);
  });

  it('changes no verdict by what is sent for it, and offline the command is the same', async () => {
    const { report, before, smaller, judge } = await run(
      lacking('model', () => true),
      {},
    );
    expect(smaller.length).toBeGreaterThan(0);
    const verdicts = ({ requirements, verdict, summary, matrix, observations }: typeof report) => ({
      ...{ verdict, summary, matrix, observations },
      requirements,
    });
    expect(verdicts(before)).toEqual(verdicts(report));
    expect(judge()).toEqual(report);
    expect(before.causes[0]?.smallest?.kind).toBe('not-sent');
  });

  it('that comes in every third request is sent until that shows, and once is said to be once', async () => {
    let sent = 0;
    const { report } = await run(
      lacking('model', () => sent++ % 3 === 2),
      {},
    );
    expect(report.causes[0]?.smallest).toMatchObject({
      kind: 'not-always',
      again: { shown: 4, of: 12 },
      condition: 'exactly those of every 3rd request to this endpoint',
    });
    let others = 0;
    const once = await run(
      lacking('model', () => others++ === 2),
      {},
    );
    expect(once.report.causes[0]?.smallest).toMatchObject({
      kind: 'not-always',
      again: { shown: 0, of: 12 },
    });
    expect(once.report.causes[0]?.smallest).not.toHaveProperty('condition');
  });

  it('that is a wrong request answered keeps what is wrong', async () => {
    const hooks: Hooks = {
      check: (problems, { body }) =>
        typeof body.temperature === 'number' && body.temperature > 2 ? [] : problems,
    };
    const { report, smaller } = await run(hooks, { requirements: ['chat.param.temperature.range'] });
    expect(smaller.length).toBeGreaterThan(0);
    for (const { request } of smaller) expect(JSON.parse(request.body ?? '').temperature).toBeGreaterThan(2);
    expect(report.causes[0]?.smallest?.kind).toMatch(/smallest|nothing-left-out/);
  });

  it('that needs many turns keeps as many as it needs', async () => {
    const hasMany = ({ body }: Context): boolean => Array.isArray(body.messages) && body.messages.length > 4;
    const { smaller, report } = await run(lacking('model', hasMany), {});
    expect(report.causes[0]?.smallest?.kind).toBe('smallest');
    expect(JSON.parse(smaller.at(-1)?.request.body ?? '').messages.length).toBeLessThanOrEqual(6);
  });

  it('that needs a long prompt keeps about as much of it as it needs', async () => {
    const isLong = ({ body }: Context): boolean => JSON.stringify(body.messages).length > 200;
    const { smaller, report } = await run(lacking('model', isLong), {});
    const { kind } = report.causes[0]?.smallest ?? {};
    expect(kind).toBe('smallest');
    expect(smaller.at(-1)?.request.body?.length).toBeLessThan(700);
  });
});

describe.concurrent('what is sent for failures', () => {
  it('is nothing where nothing fails, and nothing in smoke', async () => {
    const { smaller } = await run({}, {});
    expect(smaller).toEqual([]);
    const { smaller: inSmoke } = await run(
      lacking('model', () => true),
      { profile: 'smoke' },
    );
    expect(inSmoke).toEqual([]);
  });

  it('keeps the budgets of the run, which is whole without it', async () => {
    const whole = await run(
      lacking('model', () => true),
      {},
    );
    const planSent = whole.report.exchanges.filter((each) => each.smaller === undefined);
    const maxRequests = planSent.reduce((sum, { attempts }) => sum + attempts.length, 0) + 1;
    const { smaller, partial, report } = await run(
      lacking('model', () => true),
      { limits: { maxRequests } },
    );
    expect([smaller.length, partial]).toEqual([1, false]);
    expect(report.causes[0]?.smallest?.kind).toBe('unfinished');
  });

  it('is billed for no more than is said beforehand', async () => {
    const hooks = lacking('model', ({ body }) => body.temperature !== undefined);
    const first = await run(hooks, {});
    const [replay] = first.smaller;
    const costly = { attempts: Array(decisions.smallerRequests).fill(replay?.attempts[0]) };
    const spent = [...judgedEvidence(first.evidence).values(), ...(replay ? [{ ...replay, ...costly }] : [])];
    const earlier = { evidence: new Map(spent.map((entry) => [entry.id, entry])) };
    const { smaller, report } = await run(hooks, { earlier });
    expect(smaller).toHaveLength(1);
    expect(report.causes[0]?.smallest?.kind).toBe('unfinished');
  });
});
