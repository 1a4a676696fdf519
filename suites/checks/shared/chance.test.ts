import { describe, expect, it } from 'vitest';
import { randomOf } from '../../../fixtures/dice.ts';
import { groupBy } from '../../../spec/group-by.ts';
import { decisions } from '../../../spec/decisions.ts';
import { levelOf } from '../../facts/exact-test.ts';
import { wordings } from '../../cases/builder/attempts.ts';
import { planned } from '../../plan/planned.fixture.ts';
import { chanceOfLoss, missesIn } from './nonces.ts';

/** The rows of the plan that have a nonce in a place, each with how often it is asked for: at first, and further. */
const rows = planned().cases.flatMap(({ check }) =>
  check.kind === 'recall'
    ? check.placements
        .filter(({ insteadOf, restsOn }) => !insteadOf && !restsOn)
        .map(({ where, probes }) => ({ place: `${check.protocol} ${where}`, where, most: probes.length }))
    : [],
);
const places = groupBy(rows, ({ place }) => place);
const level = levelOf(places.size, decisions.shareOfContext);

type IsSaid = (where: string, isBroken: boolean) => boolean;

/** The answers at one place: each row is asked for until it is said, further where the first answer to another says it. */
function answersAt(asked: typeof rows, isSaid: IsSaid, isBroken: (at: number) => boolean) {
  const once = (at: number): boolean => isSaid(asked[at]?.where ?? '', isBroken(at));
  const first = asked.map((_, at) => once(at));
  return asked.map(({ most }, at) => {
    const answers = [first[at] === true];
    const limit = first.some((said, other) => said && other !== at) ? most : wordings.length;
    while (!answers.includes(true) && answers.length < limit) answers.push(once(at));
    return answers;
  });
}

/** Whether a run fails anything for lost context. */
function fails(isSaid: IsSaid, isBroken: (place: string, at: number) => boolean = () => false): boolean {
  const all = [...places].map(([place, asked]) => ({
    where: asked[0]?.where,
    answers: answersAt(asked, isSaid, (at) => isBroken(place, at)),
  }));
  return all.some(({ where, answers }) => {
    // Nothing is lost where the control, which has it in the question, does not bring it back either (principle 9).
    const lost = answers.filter((each) => !each.includes(true) && isSaid('in the question', false));
    if (lost.length === 0) return false;
    const there = all.filter((each) => each.where === where).flatMap((each) => each.answers);
    const attempts = Math.min(...lost.map(({ length }) => length));
    const elsewhere = [missesIn(all.flatMap((each) => each.answers)), missesIn(there)];
    return chanceOfLoss({ attempts, lost: lost.length, of: answers.length }, elsewhere) <= level;
  });
}

const share = (runs: number, run: () => boolean): number =>
  Array.from({ length: runs }, run).filter(Boolean).length / runs;

describe('the error budget of context', () => {
  it.each([0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7])(
    'is kept with a model that forgets a share of %d of what it is given',
    (rate) => {
      const random = randomOf(3);
      const forgetful: IsSaid = () => random() >= rate;
      expect(share(3_000, () => fails(forgetful))).toBeLessThanOrEqual(decisions.errorBudget);
    },
  );

  it.each([0.05, 0.1, 0.15, 0.2, 0.3, 0.5])(
    'is kept with a model that forgets a share of %d of its system prompts, and nothing else',
    (rate) => {
      const random = randomOf(3);
      const forgetful: IsSaid = (where) => where !== 'in the system prompt' || random() >= rate;
      expect(share(3_000, () => fails(forgetful))).toBeLessThanOrEqual(decisions.errorBudget);
    },
  );

  it.each([
    [0, 1],
    [0.02, 0.7],
  ])(
    'leaves power where one of the rows loses it, and the model forgets a share of %d: %d of runs fail',
    (rate, power) => {
      const random = randomOf(3);
      const gateway: IsSaid = (_, isBroken) => !isBroken && random() >= rate;
      for (const [broken, { length }] of places) {
        if (length === 1) continue;
        const failing = share(200, () => fails(gateway, (place, at) => place === broken && at === 0));
        expect(failing, broken).toBeGreaterThanOrEqual(power);
      }
    },
  );
});
