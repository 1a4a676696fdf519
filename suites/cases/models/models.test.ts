import { beforeEach, describe, expect, it } from 'vitest';
import { families } from '../../../spec/vocabulary.ts';
import { reads } from '../../checks/registry.ts';
import type { Plan } from '../../types/plan.ts';
import { type PlannedTarget, scopeOf } from '../../types/scope.ts';
import { everything, planRun } from '../../plan/plan.ts';
import { planned } from '../../plan/planned.fixture.ts';

const isOfModel = (id: string): boolean => id.includes('@');

const token = (name: string) => ({ value: `value-of-${name}`, variable: name });
const tokens: PlannedTarget['tokens'] = {
  default: token('DEFAULT'),
  'coding-tool': token('CODING'),
  'third-party-client': token('CLIENT'),
};
const models = Object.fromEntries(families.map((family) => [family, `${family}-1`]));

const planOf = (furtherModels?: PlannedTarget['furtherModels']) =>
  planned(scopeOf({ models, tokens, ...(furtherModels ? { furtherModels } : {}) }));

let plan: Plan;
beforeEach(() => {
  plan = planOf({
    general: ['g-2', 'open/g 3'],
    conversational: ['c-2'],
    multimodal: ['m-2'],
    image: ['i-2'],
    'chat-image': ['mi-2'],
  });
});

describe('the models behind the first of a family', () => {
  it('leave what is asked of the first as it is', () => {
    const alone = planOf();
    // Further requests go between those of the first, so that their order is another, and their stage may be.
    const judged = (requests: typeof plan.requests) =>
      new Map(
        requests
          .filter(({ stage }) => stage !== 'declared')
          .map(({ stage, ...request }) => [request.id, request]),
      );
    expect(judged(plan.requests.filter(({ id }) => !isOfModel(id)))).toEqual(judged(alone.requests));
    const own = plan.cases.filter(({ model, id }) => model === undefined && !id.endsWith('.models'));
    expect(own).toEqual(alone.cases);
  });

  it('are in every profile, and only where their family is selected', () => {
    for (const profile of ['smoke', 'standard', 'full'] as const) {
      const { requests } = planRun(
        { models, tokens, furtherModels: { general: ['g-2'], conversational: ['c-2'] } },
        { seed: 1, selection: { ...everything, families: ['general'] }, profile, skipCostly: false },
      );
      const names = new Set(requests.map(({ callers: [caller] }) => caller?.model));
      expect([...names].filter(Boolean)).toEqual(['g-2']);
    }
  });

  it('are untested in what they must be served and must be refused as a model of another family', () => {
    const { cases } = planOf({ general: ['both'], conversational: ['both'] });
    const open = cases.filter(({ check }) => check.kind === 'same-model').map(({ id }) => id);
    expect(open).toContain('families.general.responses.some-group@general.both');
    expect(open).toContain('families.conversational.responses.default@conversational.both');
    expect(open.filter((id) => !isOfModel(id))).toEqual([]);
  });

  it('make the first model of another family untested that has their name', () => {
    const { cases } = planOf({ general: [models.multimodal ?? ''] });
    const open = cases.filter(({ check }) => check.kind === 'same-model').map(({ id }) => id);
    expect(open).toContain('families.multimodal.responses.default');
    expect(open).not.toContain('families.general.chat.default');
  });

  it('grow a plan by the same for each', () => {
    const amount = (count: number) =>
      planOf({ general: Array.from({ length: count }, (_, at) => `g-${at + 2}`) }).requests.filter(
        ({ stage }) => stage !== 'declared',
      ).length;
    const [one, two, eight] = [amount(1), amount(2), amount(8)];
    expect(eight - two).toBe(6 * (two - one));
  });
});

it('what a check names of a plan is planned, or left out for want of a declaration', () => {
  const ids = new Set(plan.requests.map(({ id }) => id));
  const own = plan.cases.filter(({ model }) => model !== undefined);
  const unknown = own.flatMap(({ check }) => reads(check)).filter((id) => isOfModel(id) && !ids.has(id));
  expect([...new Set(unknown)].every((id) => id.startsWith('cell.'))).toBe(true);
});
