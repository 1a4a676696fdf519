import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import type { Hooks } from '../../fixtures/gateway/hooks.ts';
import { packageFile } from '../../spec/package-root.ts';
import type { Profile } from '../../suites/types/profile.ts';
import { watchFiles } from '../executed.fixture.ts';

/** Modules that ran nothing yet: what they make once would not be seen a second time. */
async function freshModules() {
  vi.resetModules();
  const [settings, describing, gateway, refusal, plan, scope, run, judge, artefacts] = await Promise.all([
    import('../../fixtures/gateway/console.ts'),
    import('../../fixtures/gateway/describe.ts'),
    import('../../fixtures/gateway/gateway.ts'),
    import('../../fixtures/gateway/refusal.ts'),
    import('../../suites/plan/plan.ts'),
    import('../../suites/types/scope.ts'),
    import('../../suites/run/execute-plan.ts'),
    import('../../suites/judge/judge-run.ts'),
    import('../../cli/files/artefacts.ts'),
  ]);
  const ofSuite = { ...plan, ...scope, ...run, ...judge, ...artefacts };
  return { ...settings, ...describing, ...gateway, ...refusal, ...ofSuite };
}

type Modules = Awaited<ReturnType<typeof freshModules>>;

/** Runs what judges some requirements, and gives the files that ran, by stage; those of the gateway left out. */
async function filesOf(
  requirements: readonly string[],
  profile: Profile,
  hooksOf: (modules: Modules) => Hooks = () => ({}),
) {
  const modules = await freshModules();
  const { createGateway, defaultConsole, everything, planFor, scopeOf, targetFor } = modules;
  const settings = defaultConsole();
  const listening = await createGateway({ console: settings, hooks: hooksOf(modules) }).listen();
  await using files = await watchFiles();
  const since = async (): Promise<readonly string[]> =>
    (await files.since()).filter((name) => !/^fixtures\/gateway|\.(?:test|fixture)\.ts$/.test(name));
  try {
    const target = targetFor(settings, listening.url);
    const selection = { ...everything, requirements };
    await since();
    const plan = planFor(scopeOf(target), 1, selection, { profile, skipCostly: false });
    const planned = await since();
    // A reply that is late on a slow machine is asked for again, and that runs files of its own.
    const options = { seed: 1, concurrency: 4, timeoutMs: 60_000, selection, showsSmallest: false };
    const ran = await modules.executePlan(target, plan, options);
    const sent = await since();
    const report = modules.judgeRun(target, plan, ran.evidence, { runId: 'walk', selection, ...ran });
    const judged = await since();
    for (const render of modules.renderings(report).values()) render();
    const rendered = await since();
    const verdicts = report.requirements.flatMap(({ id, verdict }) =>
      requirements.includes(id) ? [verdict] : [],
    );
    return { stages: { planned, sent, judged, rendered }, verdicts };
  } finally {
    await listening.close();
  }
}

type Stages = Awaited<ReturnType<typeof filesOf>>['stages'];

const [, ...walks] =
  readFileSync(packageFile('CONTRIBUTING.md'), 'utf8')
    .split('## Three walks')[1]
    ?.split('\n## ')[0]
    ?.split(/\n\n(?=A )/) ?? [];

/** Tables, in which nothing can run. */
const data: ReadonlySet<string> = new Set(['policy.ts']);

/** The files that a walk names and that did not run. */
function missedOf(walk = '', stages: Stages): readonly string[] {
  const named = [...walk.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) => name.split('/').at(-1) ?? '');
  const ran = new Set(
    Object.values(stages)
      .flat()
      .map((name) => name.split('/').at(-1)),
  );
  expect(named.length).toBeGreaterThan(10);
  return named.filter((name) => !ran.has(name) && !data.has(name));
}

test('a bound of a parameter passes the files of its walk, and no more of others than it did', async () => {
  const { stages, verdicts } = await filesOf(['chat.param.temperature.range'], 'full');
  expect(verdicts).toEqual(['pass']);
  expect(missedOf(walks[0], stages)).toEqual([]);
  const count = (...lists: readonly (readonly string[])[]): number => new Set(lists.flat()).size;
  const { stages: again } = await filesOf(['chat.param.temperature.range'], 'full');
  // The count of one run may differ by one file from the next: what both execute is the walk.
  const inBoth = (stage: keyof Stages): readonly string[] =>
    stages[stage].filter((file) => again[stage].includes(file));
  const [sent, judged] = [inBoth('sent'), inBoth('judged')];
  const [planned, rendered] = [inBoth('planned'), inBoth('rendered')];
  const counts = {
    ...{ planned: count(planned), sent: count(sent), judged: count(judged), rendered: count(rendered) },
    sentAndJudged: count(sent, judged),
    all: count(planned, sent, judged, rendered),
  };
  console.log('files that a run of one requirement executes:', counts);
  expect(counts.sentAndJudged).toBeLessThanOrEqual(134);
  expect(counts.judged).toBeLessThanOrEqual(71);
});

test('a streamed reply passes the files of its walk', async () => {
  let streams = 0;
  const oneCut: Hooks = {
    reply: (reply) => {
      const isStream = reply.headers['content-type']?.startsWith('text/event-stream') === true;
      streams += Number(isStream);
      return isStream && streams === 3 ? { ...reply, ending: 'cut' } : reply;
    },
  };
  const asked = ['chat.stream.incremental', 'chat.stream.complete'];
  const { stages } = await filesOf(asked, 'standard', () => oneCut);
  expect(missedOf(walks[1], stages)).toEqual([]);
});

test('a 429 passes the files of its walk', async () => {
  let requests = 0;
  const limited = ({ jsonReply }: Modules): Hooks => ({
    reply: (reply) => {
      requests += 1;
      return requests > 10 && requests < 16
        ? jsonReply(429, { error: { type: 'rate_limit_error' } }, { 'retry-after': '1' })
        : reply;
    },
  });
  const { stages, verdicts } = await filesOf(['chat.param.temperature.range'], 'standard', limited);
  expect(verdicts).toEqual(['pass']);
  expect(missedOf(walks[2], stages)).toEqual([]);
});
