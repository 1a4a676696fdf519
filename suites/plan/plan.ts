import { type Extension, oncePerExtension, withExtension } from '../../spec/extension.ts';
import { isOwn } from '../../spec/requirements.ts';
import { areas } from '../cases/all-areas.ts';
import { type CaseBuilder, createCaseBuilder } from '../cases/builder/case-builder.ts';
import { reads, timed } from '../checks/registry.ts';
import type { Case } from '../types/case.ts';
import type { Plan, PlannedRequest } from '../types/plan.ts';
import { costlyValues, type Depth, depthIn } from '../types/profile.ts';
import { suiteNames } from '../types/suite-names.ts';
import type { Selection, RunOptions } from '../types/run.ts';
import { type Scope, type PlannedTarget, scopeOf } from '../types/scope.ts';
import { askedCases } from './asked-cases.ts';
import { declaredRequests } from './declared-requests.ts';
import { neededBy } from './dependencies.ts';
import { ensureBounded } from './growth.ts';
import { inRunOrder } from './run-order.ts';
import { partOf, shardOf } from './shards.ts';
import { valueAt } from '../reading/json.ts';

/** The plan of a run against a target: its cases and every request that may be sent, each once. */
export const planRun = (
  target: PlannedTarget,
  { seed, selection, ...depth }: Pick<RunOptions, 'seed' | 'selection'> & Depth,
): Plan =>
  planFor(
    withExtension(depth.extension, () => scopeOf(target)),
    seed,
    selection,
    depthIn(depth),
  );

export const everything: Selection = { suites: [], requirements: [], families: [], groups: [] };

/**
 * The whole plan of a run, each request once. The profile comes before the selection: it has the same of a suite in any. Pure.
 * @throws UsageError where an extension makes it too long
 */
export function planFor(scope: Scope, seed: number, selection: Selection, depth: Depth): Plan {
  const { extension, shard: _, again: _again, ...whole } = depth;
  const planWith = (own: Extension | undefined, of: Selection, to: Depth): Plan =>
    withExtension(own, () => planned(scope, seed, of, to));
  if (extension === undefined) return planWith(undefined, selection, depth);
  const { requests } = planWith(undefined, everything, whole);
  ensureBounded(extension, requests);
  const plan = planWith(extension, selection, depth);
  ensureBounded(extension, requests, plan.requests);
  return plan;
}

function planned(scope: Scope, seed: number, selection: Selection, depth: Depth): Plan {
  const narrowed: Scope = {
    ...scope,
    families: scope.families.filter((family) => isSelected(selection.families, family)),
    groups: scope.groups.filter((group) => isSelected(selection.groups, group)),
    ...(scope.further
      ? { further: scope.further.filter(({ family }) => isSelected(selection.families, family)) }
      : {}),
  };
  const builder = built(narrowed, seed, depth);
  const isNarrow = selection.families.length + selection.groups.length > 0;
  const all = isNarrow ? built(scope, seed, depth).cases.filter(isDeclared) : [];
  const declared = new Set(all.map(({ id }) => id));
  // What is declared and left out by the selection is not undeclared.
  const declaredAll = builder.cases.filter((entry) => isDeclared(entry) || !declared.has(entry.id));
  const available = depth.extension === undefined ? declaredAll : declaredAll.flatMap(ofExtension);
  const selected = (cases: readonly Case[]) => cases.filter((entry) => isCaseSelected(entry, selection));
  const asked = {
    cases: selected(askedCases(depth.profile, available, builder.requests)),
    requests: builder.requests,
  };
  const affordable = depth.skipCostly ? withoutCostly(asked) : asked;
  const cases = [...affordable.cases].sort(bySuite);
  const judged = requirementsOf(cases);
  const needed = neededBy(cases, affordable.requests);
  const timedIds = new Set(cases.flatMap(({ check }) => timed(check)));
  const whole: Plan = {
    seed,
    ...depthIn(depth),
    cases,
    requests: inRunOrder([...needed, ...declaredRequests(needed, narrowed, builder.data)], timedIds, seed),
    notAsked: [...requirementsOf(selected(available))].filter((id) => !judged.has(id)),
  };
  if (depth.shard !== undefined) return shardOf(whole, depth.shard);
  if (depth.again === undefined) return whole;
  const again = new Set(depth.again.cases);
  return partOf(whole, new Set(cases.filter(({ id }) => again.has(id))));
}

/** A case as far as it judges what an extension states. */
function ofExtension(entry: Case): readonly Case[] {
  const requirements = entry.requirements.filter(isOwn);
  return requirements.length === 0 ? [] : [{ ...entry, requirements }];
}

/** The cases and requests of all areas, whatever is selected of them. */
type BuiltAreas = Pick<CaseBuilder, 'cases' | 'requests' | 'data'>;

/** So many are kept: those of each profile, or what a selection of families or groups has, and all. */
const mostBuilt = 3;

/** What was built last, by scope, seed and depth: shards that are merged, and a run that is judged, are planned again. */
const lastBuilt = oncePerExtension(() => new Map<string, BuiltAreas>());

/** Forgets all plans of the extension in force, so that the next is built anew. */
export const forgetBuilt = (): void => lastBuilt().clear();

function built(scope: Scope, seed: number, depth: Depth): BuiltAreas {
  const { shard: _, again: _again, extension: own, ...whole } = depth;
  const key = JSON.stringify([scope, seed, whole, own !== undefined]);
  const kept = lastBuilt();
  const known = kept.get(key) ?? builtAnew(scope, seed, depth);
  // The last used stands last.
  kept.delete(key);
  kept.set(key, known);
  const [oldest = key] = kept.keys();
  if (kept.size > mostBuilt) kept.delete(oldest);
  return known;
}

function builtAnew(scope: Scope, seed: number, depth: Depth): BuiltAreas {
  const builder = createCaseBuilder(scope, seed, depth);
  for (const area of areas) area(builder);
  const { cases, requests, data } = builder;
  return { cases, requests, data };
}

const isDeclared = ({ check }: Case): boolean => check.kind !== 'undeclared';

const requirementsOf = (cases: readonly Case[]): ReadonlySet<string> =>
  new Set(cases.flatMap(({ requirements }) => requirements));

/** An axis that names nothing selects everything. */
const isSelected = <T>(axis: readonly T[], value: T): boolean => axis.length === 0 || axis.includes(value);

const isCaseSelected = ({ id, suite, requirements }: Case, selection: Selection): boolean =>
  isSelected(selection.suites, suite) &&
  isSelected(selection.cases ?? [], id) &&
  (selection.requirements.length === 0 || requirements.some((id) => selection.requirements.includes(id)));

const bySuite = (one: Case, other: Case) => suiteNames.indexOf(one.suite) - suiteNames.indexOf(other.suite);

type Built = Pick<BuiltAreas, 'cases' | 'requests'>;

/** Cases and requests without those that cost most: a case that is about one of them is left untested. */
function withoutCostly({ cases, requests }: Built): Built {
  const left = new Map([...requests].filter(([, request]) => costlyValueOf(request) === undefined));
  return {
    requests: left,
    cases: cases.map((entry): Case => {
      const [about = ''] = reads(entry.check);
      const request = requests.get(about);
      const value = request && costlyValueOf(request);
      return value === undefined ? entry : { ...entry, check: { kind: 'too-costly', value } };
    }),
  };
}

/** The costly value that a conformant target would bill for, in words; undefined where there is none. */
function costlyValueOf({ protocol, expect, body }: PlannedRequest): string | undefined {
  if (protocol !== 'images' || expect === 'refusal') return undefined;
  const found = costlyValues.find(({ parameter, value }) => valueAt(body?.json, `/${parameter}`) === value);
  return found && `${found.parameter} = ${found.value}`;
}
