import { describe, expect, it } from 'vitest';
import { randomOf } from '../../fixtures/dice.ts';
import { decisions } from '../../spec/decisions.ts';
import { textProtocols } from '../../spec/vocabulary.ts';
import { planned } from '../plan/planned.fixture.ts';
import { isAnswerDue } from '../reading/request-facts.ts';
import { levelOf } from './exact-test.ts';
import { testsIn } from './tests-in.ts';
import { groupLacking, type ValidReply } from './valid-replies.ts';

const plan = planned();
/** As many as the reference gateway answers in the default profile, or fewer. */
const valid = Math.min(
  64,
  plan.requests.filter((request) => isAnswerDue(request) && request.billed > 0).length,
);
const level = levelOf(testsIn(plan));

/** A run in which answers are missing at random. */
function runOf(replies: number, share: number, random: () => number): readonly ValidReply[] {
  let answeredBefore = 0;
  return Array.from({ length: replies }, (_, at) => {
    const outcome = random() < share ? 'missing' : 'answered';
    const reply: ValidReply = {
      id: `r${at}`,
      protocol: textProtocols[at % textProtocols.length] ?? 'chat',
      family: 'general',
      stream: at % 2 === 0,
      outcome,
      state: { kind: 'unclear', why: { kind: 'not-recorded' } },
      isAlone: true,
      answeredBefore,
    };
    // The same request is answered when it is sent again.
    answeredBefore += 1;
    return reply;
  });
}

/** How many replies there are after each sample. */
const sizes = [0, ...decisions.secondSamples.map((_, at) => at + 1)].map((samples) =>
  decisions.secondSamples.slice(0, samples).reduce((total, { requests }) => total + requests, valid),
);

/** The share of runs that fail, judged after each sample as if every one were asked for. */
function failing(runs: number, share: number, seed: number): number {
  const random = randomOf(seed);
  let failed = 0;
  for (let run = 0; run < runs; run += 1) {
    const all = runOf(sizes.at(-1) ?? valid, share, random);
    if (sizes.some((size) => groupLacking(all.slice(0, size), 'missing', level))) failed += 1;
  }
  return failed / runs;
}

describe('the error budget', () => {
  it.each([0, 0.01, 0.03, decisions.lawfulOutages])(
    'is kept where a share of %d of answers is missing',
    (share) => {
      expect(failing(3_000, share, 7)).toBeLessThanOrEqual(decisions.errorBudget);
    },
  );

  it.each([
    [1 / 2, 1],
    [1 / 3, 1],
    [1 / 4, 0.98],
    [1 / 5, 0.8],
  ])('leaves power where a share of %d is missing: %d of runs fail', (share, power) => {
    expect(failing(300, share, 11)).toBeGreaterThanOrEqual(power);
  });
});
