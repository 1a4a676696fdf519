import { beforeAll, describe, expect, it } from 'vitest';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { createGateway } from '../../fixtures/gateway/gateway.ts';
import { variantById } from '../../fixtures/variants/index.ts';
import { judgeRun } from '../judge/judge-run.ts';
import { type Evidence, type Exchange, isExchange, type Unsent } from '../types/exchange.ts';
import type { Plan } from '../types/plan.ts';
import { everything } from '../plan/plan.ts';
import { type PlanExecution, executePlan } from './execute-plan.ts';
import { planned } from '../plan/planned.fixture.ts';
import { scopeOf } from '../types/scope.ts';

const settings = defaultConsole();
const selection = { ...everything, suites: ['families'], families: ['general', 'conversational'] } as const;
const options = { seed: 1, concurrency: 4, timeoutMs: 5000, selection };

/** A run against a gateway that refuses cells by 503, and what that gateway counted. */
let plan: Plan;
let ran: PlanExecution;
const counted = { requests: 0, answers: 0 };
const asTold: (Exchange | Unsent)[] = [];

beforeAll(async () => {
  const { hooks } = variantById('refusal.no-channel') ?? {};
  const gateway = await createGateway({
    console: settings,
    hooks: {
      ...hooks,
      endpoint: (protocol) => {
        counted.requests += 1;
        return protocol;
      },
      generate: (generation) => {
        counted.answers += 1;
        return generation;
      },
    },
  }).listen();
  const target = targetFor(settings, gateway.url);
  plan = planned(scopeOf(target), selection);
  ran = await executePlan(target, plan, options, { onEvidence: (entry) => void asTold.push(entry) }).finally(
    gateway.close,
  );
});

const judged = (evidence: Evidence) =>
  judgeRun(targetFor(settings, 'http://127.0.0.1'), plan, evidence, { runId: 'run', selection, ...ran });
const again = () => asTold.filter(isExchange).filter(({ repeats }) => repeats !== undefined);

describe('a control that is sent once more with a refusal of a retryable status', () => {
  it('is recorded under a name of its own, as it goes and in the evidence', () => {
    expect(again().map(({ id }) => id)).toContain('cell.general.chat.default~2');
    for (const exchange of again()) {
      expect(exchange.id).toMatch(new RegExp(`^${exchange.repeats}~\\d$`));
      expect(exchange.response?.status).toBe(200);
      expect(ran.evidence.get(exchange.id)).toBe(exchange);
    }
    expect([...ran.evidence.values()]).toEqual(asTold);
  });

  it('is named by the attempt after which it was sent', () => {
    const named = asTold
      .filter(isExchange)
      .flatMap(({ attempts }) => attempts.flatMap(({ control }) => control ?? []));
    expect(named.length).toBeGreaterThan(5);
    expect(again().map(({ id }) => id)).toEqual(expect.arrayContaining(named));
  });

  it('counts as a request and as a generation: the report has what the gateway counted', () => {
    const { run } = judged(ran.evidence);
    expect(run).toMatchObject({ requests: counted.requests, billedGenerations: counted.answers });
  });

  it('stands in the report behind what it repeats, in whatever order the evidence comes', () => {
    const report = judged(ran.evidence);
    const ids = report.exchanges.map(({ id }) => id);
    for (const { id, repeats = '' } of again()) expect(ids.indexOf(id)).toBeGreaterThan(ids.indexOf(repeats));
    expect(ids.length).toBe(new Set(ids).size);
    expect(judged(new Map([...ran.evidence].reverse()))).toEqual(report);
  });

  it('is what a refusal rests on: without it the same replies decide nothing', () => {
    const without = new Map([...ran.evidence].filter(([id]) => !id.includes('~')));
    const open = (evidence: Evidence) =>
      judged(evidence).requirements.filter(({ verdict }) => verdict === 'inconclusive').length;
    expect(open(ran.evidence)).toBe(0);
    expect(open(without)).toBeGreaterThan(0);
  });
});
