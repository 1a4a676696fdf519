import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokenNames } from '../../../fixtures/target/target.ts';
import { validateReport } from '../../../reporters/schema/validate.ts';
import { families, groups, type Protocol } from '../../../spec/vocabulary.ts';
import { createEvidenceView } from '../../../suites/checks/evidence-view.ts';
import { judgeCase } from '../../../suites/judge/judge-case.ts';
import { judgeRun } from '../../../suites/judge/judge-run.ts';
import type { Evidence, Exchange, Unsent } from '../../../suites/types/exchange.ts';
import type { PlannedRequest } from '../../../suites/types/plan.ts';
import { everything, planFor } from '../../../suites/plan/plan.ts';
import { exchangeFor } from '../replies.fixture.ts';
import { fullDepth } from '../../../suites/types/profile.ts';

const plan = planFor({ families, groups, rateLimited: true }, 1, everything, fullDepth);

type Replies = Readonly<Record<Protocol, readonly Omit<Exchange, 'id' | 'request'>[]>>;

/** A few replies for each endpoint, and which request of the plan gets which of them. */
const few = (protocol: Protocol) => fc.array(exchangeFor(protocol), { minLength: 1, maxLength: 6 });
const pool: fc.Arbitrary<Replies> = fc.record({
  responses: few('responses'),
  messages: few('messages'),
  chat: few('chat'),
  images: few('images'),
});

function entryOf(request: PlannedRequest, replies: Replies, dice: number): Exchange | Unsent {
  const own = replies[request.protocol];
  const drawn = own[dice % own.length];
  if (drawn === undefined || dice % 29 === 0) return { id: request.id, unsent: { kind: 'stopped' } };
  const sent = { method: request.method, url: `http://t.test${request.path}`, headers: {}, body: null };
  return { ...drawn, id: request.id, request: sent };
}

/** Evidence of the whole plan. */
const evidence: fc.Arbitrary<Evidence> = fc.tuple(pool, fc.nat()).map(([replies, seed]) => {
  let dice = seed;
  const roll = (): number => {
    dice = (Math.imul(dice, 1_664_525) + 1_013_904_223) >>> 0;
    return dice >>> 8;
  };
  return new Map(plan.requests.map((request) => [request.id, entryOf(request, replies, roll())]));
});

const meta = {
  runId: 'run',
  startedAt: '2026-11-21T09:00:00.000Z',
  finishedAt: '2026-11-21T09:01:00.000Z',
  partial: false,
  selection: everything,
};
const token = { value: 'secret', variable: 'TOKEN' };
const target = {
  name: 'Sample',
  baseUrl: 'http://t.test',
  models: Object.fromEntries(families.map((family) => [family, family])),
  tokens: Object.fromEntries(tokenNames().map((name) => [name, token])),
};
const judged = (entries: Evidence) => judgeRun(target, plan, entries, meta);

test('no reply whatsoever makes a check throw', () => {
  fc.assert(
    fc.property(evidence, (entries) => {
      const view = createEvidenceView(plan, entries);
      for (const entry of plan.cases) {
        const { findings } = judgeCase(entry, view).outcome;
        const thrown = findings.find(({ code }) => code === 'check-error');
        expect(thrown, entry.id).toBeUndefined();
      }
    }),
    { numRuns: 60 },
  );
  // Every case is judged 60 times: beside other work that takes longer than other tests.
}, 400_000);

test('whatever was recorded gives a report that its schema allows', () => {
  fc.assert(
    fc.property(evidence, (entries) => {
      expect(validateReport(judged(entries))).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

test('the same evidence gives the same report, in whatever order it was recorded', () => {
  const reordered = evidence.chain((entries) =>
    fc
      .shuffledSubarray([...entries], { minLength: entries.size })
      .map((shuffled) => [entries, new Map(shuffled)] as const),
  );
  fc.assert(
    fc.property(reordered, ([entries, shuffled]) => {
      const report = judged(entries);
      expect(judged(shuffled)).toEqual(report);
      expect(judged(entries)).toEqual(report);
    }),
    { numRuns: 10 },
  );
});
