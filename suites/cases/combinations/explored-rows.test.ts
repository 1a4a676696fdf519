import { describe, expect, it } from 'vitest';
import { textProtocols } from '../../../spec/vocabulary.ts';
import type { PlannedRequest } from '../../types/plan.ts';
import { built, builtAnew, everythingDeclared } from '../cases.fixture.ts';

const standard = { profile: 'standard', skipCostly: false } as const;
const exploring = (explore: number, scope = everythingDeclared, seed = 1) =>
  built(scope, seed, { ...standard, explore });
const base = built(everythingDeclared, 1, standard);
const known = new Set(base.cases.map(({ id }) => id));
const added = (explore: number, scope = everythingDeclared) =>
  exploring(explore, scope).cases.filter(({ id }) => !known.has(id));

/** What is asked for, whatever the nonces are. */
const settingsOf = ({ protocol, callers, combination }: PlannedRequest): string =>
  JSON.stringify([protocol, callers[0], combination?.settings.map(({ description }) => description).sort()]);

describe('explored combinations', () => {
  it.each([1, 2, 7, 40])('are so many: %i', (explore) => {
    const cases = added(explore);
    expect(cases).toHaveLength(explore);
    const valid = cases.filter(({ check }) => check.kind === 'combination');
    expect(valid).toHaveLength(Math.ceil(explore / 2));
    expect(cases.filter(({ check }) => check.kind === 'refused')).toHaveLength(Math.floor(explore / 2));
  });

  it('are requests that neither the array nor each other have', () => {
    const plan = exploring(40);
    const rows = plan.requests.filter(({ id }) => /^[a-z]+\.combination\.\d+$/.test(id));
    expect(new Set(rows.map(settingsOf)).size).toBe(rows.length);
    expect(new Set(rows.map(({ protocol }) => protocol))).toEqual(new Set([...textProtocols, 'images']));
  });

  it('are wrong in nothing but one member of the body of a valid one, or in that it is no JSON', () => {
    const plan = exploring(200);
    const wrong = added(200).flatMap(({ check }) => (check.kind === 'refused' ? [check] : []));
    expect(wrong).toHaveLength(100);
    for (const { probe, controls } of wrong) {
      const [control = ''] = controls;
      const [asked, valid] = [plan.body(probe), plan.body(control)] as [object, object];
      const members = new Set([...Object.keys(asked), ...Object.keys(valid)]);
      const differing = [...members].filter(
        (name) => JSON.stringify(Reflect.get(asked, name)) !== JSON.stringify(Reflect.get(valid, name)),
      );
      // A body that is no JSON has the members of its control.
      const isDamaged = plan.request(probe).body?.damage !== undefined;
      expect(differing, probe).toHaveLength(isDamaged ? 0 : 1);
      expect(plan.request(probe).callers).toEqual(plan.request(control).callers);
      expect(plan.request(probe).expect).toBe('refusal');
    }
  });

  it('are the same for a seed, and others for another', () => {
    expect(builtAnew(everythingDeclared, 1, { ...standard, explore: 20 }).requests).toEqual(
      exploring(20).requests,
    );
    const settings = (seed: number) =>
      exploring(20, everythingDeclared, seed).requests.flatMap((each) =>
        each.combination ? [settingsOf(each)] : [],
      );
    expect(settings(2)).not.toEqual(settings(1));
  });

  it('begin again where all that there are were drawn', () => {
    const scope = { ...everythingDeclared, families: ['conversational'] } as const;
    const own = new Set(built(scope, 1, standard).cases.map(({ id }) => id));
    const cases = exploring(1000, scope).cases.filter(({ id }) => !own.has(id));
    expect(cases).toHaveLength(1000);
  });

  it('are none where no text model is declared', () => {
    const scope = { ...everythingDeclared, families: ['image'] } as const;
    expect(exploring(10, scope).cases).toEqual(built(scope, 1, standard).cases);
  });

  it('leave the plan as it is where there are none', () => {
    expect(exploring(0).requests).toEqual(base.requests);
  });
});
