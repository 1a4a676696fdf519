import { families, groups } from '../../spec/vocabulary.ts';
import type { Plan } from '../types/plan.ts';
import type { Profile } from '../types/profile.ts';
import type { Selection } from '../types/run.ts';
import type { Scope } from '../types/scope.ts';
import { planned } from './planned.fixture.ts';

/** All that a target may declare. */
export const whole: Scope = { families, groups, rateLimited: true };

export const planIn = (profile: Profile, scope = whole, selection: Partial<Selection> = {}): Plan =>
  planned(scope, selection, { profile, skipCostly: false });

export const ids = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id);

/** Ids of the requirements that a plan has a case for. */
export const asked = ({ cases }: Plan): ReadonlySet<string> =>
  new Set(cases.flatMap(({ requirements: judged }) => judged));

/** A value between two bounds is asked for as others are. */
export const isFraction = (id: string): boolean => /\.accepted\.\d+\.\d+$/.test(id);
