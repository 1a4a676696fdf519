import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultConsole } from '../../../fixtures/gateway/console.ts';
import { targetFor } from '../../../fixtures/gateway/describe.ts';
import { createGateway } from '../../../fixtures/gateway/gateway.ts';
import type { Hooks } from '../../../fixtures/gateway/hooks.ts';
import { variantById } from '../../../fixtures/variants/index.ts';
import { judgeRun } from '../../judge/judge-run.ts';
import { type Evidence, type Exchange, isExchange, type Unsent } from '../../types/exchange.ts';
import type { Profile } from '../../types/profile.ts';
import type { Selection } from '../../types/run.ts';
import { everything } from '../../plan/plan.ts';
import { planned } from '../../plan/planned.fixture.ts';
import { scopeOf } from '../../types/scope.ts';
import { settledIn } from '../merged-evidence.ts';
import { executePlan } from '../execute-plan.ts';

const settings = defaultConsole();
const concurrency = 4;

/** A gateway that counts, and runs against it that may be killed and gone on with. */
async function subject(
  selection: Selection,
  { profile = 'standard', hooks = {} }: { readonly profile?: Profile; readonly hooks?: Hooks } = {},
) {
  const counted = { requests: 0 };
  const gateway = await createGateway({
    console: settings,
    hooks: {
      ...hooks,
      endpoint: (protocol, path) => {
        counted.requests += 1;
        return hooks.endpoint ? hooks.endpoint(protocol, path) : protocol;
      },
    },
  }).listen();
  onTestFinished(gateway.close);
  const target = targetFor(settings, gateway.url);
  const options = { seed: 5, concurrency, timeoutMs: 5000, selection };
  const plan = planned(scopeOf(target), selection, { profile, skipCostly: false }, options.seed);

  /** What a run records before it is killed, at once, with so many entries. */
  async function killedAfter(entries: number): Promise<Evidence> {
    const kill = new AbortController();
    const recorded: (Exchange | Unsent)[] = [];
    const onEvidence = (entry: Exchange | Unsent): void => {
      if (!kill.signal.aborted) recorded.push(entry);
      if (recorded.length >= entries) kill.abort();
    };
    await executePlan(target, plan, { ...options, signal: kill.signal }, { onEvidence });
    return new Map(recorded.map((entry) => [entry.id, entry]));
  }

  async function goOn(evidence: Evidence): Promise<Evidence> {
    return (await executePlan(target, plan, { ...options, earlier: { evidence: settledIn(evidence) } }))
      .evidence;
  }

  /** All of a report but times, ids that a gateway makes up, and controls that were sent once more. */
  function judged(evidence: Evidence) {
    const meta = { runId: 'run', startedAt: '', finishedAt: '', partial: false, selection };
    const { exchanges, cases, run: _, ...rest } = judgeRun(target, plan, evidence, meta);
    return {
      ...rest,
      cases: cases.map(({ reproduce: _command, exchanges: _ids, ...each }) => each),
      sent: exchanges
        .filter(({ repeats }) => repeats === undefined)
        .map(({ id, response }) => `${id} ${response?.status}`)
        .sort(),
    };
  }
  return { counted, plan, killedAfter, goOn, judged };
}

describe('a run that was killed and goes on', () => {
  it('has the report of one that was not, wherever it was killed, and sends at most what was under way again', async () => {
    const selection = {
      ...everything,
      suites: ['families', 'authentication', 'context'],
      families: ['general', 'conversational'],
    } as const;
    const { counted, killedAfter, goOn, judged } = await subject(selection);
    const whole = await goOn(new Map());
    const all = counted.requests;
    for (const share of [0.03, 0.3, 0.6, 0.97]) {
      counted.requests = 0;
      const killed = await killedAfter(Math.floor(whole.size * share));
      const rest = await goOn(killed);
      expect(judged(rest)).toEqual(judged(whole));
      expect(counted.requests).toBeGreaterThanOrEqual(all);
      // One control may go before the logins that were under way are tried again.
      expect(counted.requests).toBeLessThanOrEqual(all + concurrency + 1);
    }
  }, 60_000);

  it('numbers the controls that are sent once more behind those of the earlier part', async () => {
    const selection = {
      ...everything,
      suites: ['families'],
      families: ['general', 'conversational'],
    } as const;
    const { hooks = {} } = variantById('refusal.no-channel') ?? {};
    const { killedAfter, goOn, judged } = await subject(selection, { hooks });
    const whole = await goOn(new Map());
    const isControl = (entry: Exchange | Unsent): boolean => isExchange(entry) && entry.repeats !== undefined;
    const killed = await killedAfter([...whole.values()].findIndex(isControl) + 3);
    expect([...killed.values()].some(isControl)).toBe(true);
    const rest = await goOn(killed);
    for (const [id, entry] of killed) if (isExchange(entry)) expect(rest.get(id)).toBe(entry);
    const verdicts = (evidence: Evidence) =>
      judged(evidence).requirements.map(({ id, verdict }) => [id, verdict]);
    expect(verdicts(rest)).toEqual(verdicts(whole));
  }, 60_000);
});

describe('what is taken over', () => {
  it('is every exchange, and nothing that was not sent', async () => {
    const { killedAfter } = await subject({ ...everything, suites: ['families'] }, { profile: 'smoke' });
    const killed = await killedAfter(6);
    const withUnsent = new Map([...killed, ['x', { id: 'x', unsent: { kind: 'stopped' } } as const]]);
    expect([...settledIn(withUnsent).keys()]).toEqual(
      [...killed.values()].filter(isExchange).map(({ id }) => id),
    );
  });

  it('is nothing where no reply can be judged', async () => {
    const { killedAfter } = await subject({ ...everything, suites: ['families'] }, { profile: 'smoke' });
    const [first, ...others] = [...(await killedAfter(4)).values()].filter(isExchange);
    if (first === undefined) throw new Error('nothing was recorded');
    const overloaded = ({ response, ...rest }: Exchange): Exchange =>
      response === null ? { response, ...rest } : { response: { ...response, status: 503 }, ...rest };
    const evidenceOf = (all: readonly Exchange[]): Evidence => new Map(all.map((each) => [each.id, each]));
    expect(settledIn(evidenceOf([first, ...others].map(overloaded))).size).toBe(0);
    const oneIsJudged = evidenceOf([first, ...others.map(overloaded)]);
    expect(settledIn(oneIsJudged)).toEqual(oneIsJudged);
  });
});
