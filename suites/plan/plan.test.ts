import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { requirements } from '../../spec/requirements.ts';
import { families, groups } from '../../spec/vocabulary.ts';
import { takenOver } from '../types/plan.ts';
import { suiteNames } from '../types/suite-names.ts';
import type { Selection } from '../types/run.ts';
import { type Scope, scopeOf } from '../types/scope.ts';
import { dependencies } from './dependencies.ts';
import { countOf, planShares } from './plan-counts.ts';
import { everything, forgetBuilt, planFor } from './plan.ts';
import { planned } from './planned.fixture.ts';
import { reads } from '../checks/registry.ts';
import { fullDepth } from '../types/profile.ts';

const whole: Scope = { families, groups, rateLimited: true };
const plan = planFor(whole, 1, everything, fullDepth);
const byId = new Map(plan.requests.map((request) => [request.id, request]));

const selecting = (selection: Partial<Selection>, scope = whole) => planned(scope, selection);

const headings = [
  ...['1', '2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '3', '4', '4.1', '4.2', '4.3', '4.4', '4.5'],
  ...['5', '6', '7', '8', '9'],
];

/** Ids but for those of rows, and of what is asked in them or in their stead: they depend on the seed and the scope. */
const stable = (named: readonly { readonly id: string }[]): string[] =>
  named.map(({ id }) => id).filter((id) => !/\.(combination|in)\.\d+/.test(id));

describe('a plan', () => {
  it('is the same for the same scope, seed and selection', () => {
    expect(planFor(whole, 2, everything, fullDepth)).not.toEqual(plan);
    expect(planFor(whole, 1, everything, fullDepth)).toEqual(plan);
    forgetBuilt();
    expect(planFor(whole, 1, everything, fullDepth)).toEqual(plan);
  });

  it('has other data and rows for another seed, and otherwise the same ids', () => {
    const other = planned(whole, {}, fullDepth, 2);
    expect(stable(other.requests).sort()).toEqual(stable(plan.requests).sort());
    expect(stable(other.cases)).toEqual(stable(plan.cases));
    const [one, two] = [nonces(1), nonces(2)];
    expect(one.length).toBeGreaterThan(10);
    expect(one.filter((nonce) => two.includes(nonce))).toEqual([]);
  });

  it('gives each probe a nonce of its own, but where they share a chain or ask for one reply', () => {
    expect(new Set(nonces(1)).size).toBe(nonces(1).length);
  });

  it('knows each request and each case by one id', () => {
    for (const ids of [plan.requests.map(({ id }) => id), plan.cases.map(({ id }) => id)]) {
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.filter((id) => !/^[\w.-]+$/.test(id))).toEqual([]);
    }
  });

  it('holds every request that a case reads', () => {
    const missing = plan.cases.flatMap((entry) => reads(entry.check).filter((id) => !byId.has(id)));
    expect(missing).toEqual([]);
  });

  it('asks nothing twice without a stream, but for the controls again, what a class is told by, a model’s slips, and what our machine disturbed', () => {
    const alike = new Map<string, string[]>();
    for (const { id, stage: _s, expect: _e, when: _w, billed: _b, ...sent } of plan.requests.filter(
      (one) =>
        !one.stream && !one.when.some(({ kind }) => kind === 'stalled' || kind.startsWith('one-unanswered')),
    )) {
      const key = JSON.stringify(sent);
      alike.set(key, [...(alike.get(key) ?? []), id]);
    }
    const doubled = [...alike.values()].filter((ids) => ids.length > 1).flat();
    expect(
      doubled.filter(
        (id) =>
          !/\.plain(\.after)?$|\.rate-limited\.(\d(\.in\.\d+)?|after)$|\.auth\.invalid\.\w+$|\.long(\.(again|signs)\.\d+)?$/.test(
            id,
          ),
      ),
    ).toEqual([]);
  });

  it('asks no token to be refused under one group where it may be taken under another', () => {
    const shared = [['default', 'third-party-client']] as const;
    const { cases, requests } = planFor({ ...whole, shared }, 1, everything, fullDepth);
    const undeclared = cases.flatMap(({ id, check }) =>
      check.kind === 'undeclared' ? [[id, check.reason]] : [],
    );
    const reason = (one: string, other: string) => `tokens.${one} and tokens.${other} are the same token`;
    expect(undeclared).toEqual([
      ['families.conversational.messages.default', reason('default', 'third-party-client')],
      ['families.conversational.messages.default.stream', reason('default', 'third-party-client')],
      ['families.conversational.chat.third-party-client', reason('third-party-client', 'default')],
      ['families.conversational.chat.third-party-client.stream', reason('third-party-client', 'default')],
      ...cases
        .filter(({ id }) => id.startsWith('families.conversational.messages.default.by.'))
        .map(({ id }) => [id, reason('default', 'third-party-client')]),
    ]);
    const ids = new Set(requests.map(({ id }) => id));
    expect(ids.has('cell.conversational.messages.default')).toBe(false);
    expect(ids.has('cell.conversational.responses.default')).toBe(true);
  });

  it('sends nothing where nothing is declared, and keeps every case', () => {
    const nothing = planFor({ families: [], groups: [], rateLimited: false }, 1, everything, fullDepth);
    expect(nothing.requests).toEqual([]);
    expect(stable(nothing.cases).sort()).toEqual(stable(plan.cases).sort());
    expect(new Set(nothing.cases.map(({ check }) => check.kind))).toEqual(new Set(['undeclared']));
  });

  it('knows of a target what it declares, never a token', () => {
    const token = { value: 'secret', variable: 'T' };
    expect(
      scopeOf({ models: { image: 'i', general: 'g' }, tokens: { default: token, 'rate-limited': token } }),
    ).toEqual({
      families: ['general', 'image'],
      groups: ['default'],
      rateLimited: true,
      shared: [],
      sharedModels: [],
      declaresOtherVersion: false,
    });
  });
});

describe('the register', () => {
  const rows = requirements();
  const judged = new Set(plan.cases.flatMap((entry) => entry.requirements));

  it('has a case for every requirement that is not excluded', () => {
    expect(
      rows.filter((row) => row.excluded === undefined && !judged.has(row.id)).map(({ id }) => id),
    ).toEqual([]);
  });

  it('has a row, not excluded, for every requirement of a case', () => {
    const known = new Set(rows.filter((row) => row.excluded === undefined).map(({ id }) => id));
    expect([...judged].filter((id) => !known.has(id))).toEqual([]);
  });

  it('has each section of the interface judged, or excluded with a reason', () => {
    const settled = rows.filter((row) => row.excluded !== undefined || judged.has(row.id));
    expect([...new Set(settled.flatMap((row) => row.sections))].sort()).toEqual([...headings].sort());
  });

  it('has no case without a requirement', () => {
    const without = plan.cases.filter(({ requirements: named }) => named.length === 0);
    expect(without.map(({ id }) => id)).toEqual([]);
  });
});

describe('a request that takes an id over from an earlier reply', () => {
  const further = [{ family: 'general', name: 'g-large-2', families: [], firstOf: [] }] as const;
  const declared: readonly (readonly [string, Scope])[] = [
    ['everything', whole],
    ['two general models', { ...whole, further }],
    ...groups.flatMap((group): readonly [string, Scope][] => [
      [`a ${group} token only`, { ...whole, groups: [group] }],
      [`no ${group} token`, { ...whole, groups: groups.filter((one) => one !== group) }],
    ]),
  ];

  it.each(declared)('with %s has the callers of the request that got it, which is planned', (_, scope) => {
    for (const seed of [1, 2]) {
      const { requests } = planned(scope, {}, { ...fullDepth, explore: 20 }, seed);
      const ids = new Map(requests.map((request) => [request.id, request]));
      const chained = requests.filter((request) => takenOver(request).length > 0);
      expect(chained.length).toBeGreaterThan(20);
      const pairs = chained.flatMap((request) =>
        takenOver(request).map(({ exchange }) => [
          `${request.id} behind ${exchange}`,
          request.callers,
          ids.get(exchange)?.callers,
        ]),
      );
      expect(pairs.filter(([, own, earlier]) => !isDeepStrictEqual(own, earlier))).toEqual([]);
    }
  });
});

describe('a selection', () => {
  const needed = (selected: ReturnType<typeof selecting>): Set<string> => {
    const requests = new Map(selected.requests.map((request) => [request.id, request]));
    const found = new Set<string>();
    const follow = (id: string): void => {
      const request = requests.get(id);
      if (request === undefined || found.has(id)) return;
      found.add(id);
      for (const before of dependencies(request)) follow(before);
    };
    for (const entry of selected.cases) for (const id of reads(entry.check)) follow(id);
    return found;
  };

  it.each(suiteNames)('of the suite %s leaves its cases, and the requests that they need', (suite) => {
    const selected = selecting({ suites: [suite] });
    expect(selected.cases).toEqual(plan.cases.filter((entry) => entry.suite === suite));
    const declared = selected.requests.filter(({ stage }) => stage === 'declared').map(({ id }) => id);
    const others = (ids: Iterable<string>) => [...ids].filter((id) => !declared.includes(id)).sort();
    expect(others(selected.requests.map(({ id }) => id))).toEqual(others(needed(selected)));
    expect(selected.requests.length).toBeLessThan(plan.requests.length);
  });

  it('of a family calls no other family undeclared that is declared', () => {
    const undeclared = selecting({ families: ['general'] }).cases.filter(
      ({ check }) => check.kind === 'undeclared',
    );
    expect(undeclared).toEqual([]);
    const without = selecting({ families: ['general'] }, { ...whole, families: ['general', 'multimodal'] });
    const ids = without.cases.filter(({ check }) => check.kind === 'undeclared').map(({ id }) => id);
    expect(ids).toContain('families.conversational.responses.default');
    expect(ids).not.toContain('families.multimodal.responses.default');
  });

  it('of a requirement leaves the cases that judge it', () => {
    const selected = selecting({ requirements: ['chat.param.temperature.range'] });
    expect(stable(selected.cases)).toEqual([
      'parameters.chat.temperature.range.-0.01',
      'parameters.chat.temperature.range.2.01',
      'parameters.chat.temperature.range.far-below',
      'parameters.chat.temperature.range.below',
      'parameters.chat.temperature.range.far-above',
      'parameters.chat.temperature.range.above',
    ]);
    const inRows = selected.cases.filter(({ id }) => /range\.(-0|2)\.01\.in\.\d+$/.test(id));
    expect(stable(selected.cases).length + inRows.length).toBe(selected.cases.length);
    const asked = selected.requests.filter(({ stage }) => stage !== 'declared');
    const ids = asked.map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining(['chat.temperature.range.2.01', 'chat.temperature.2', 'chat.plain.after']),
    );
    expect(ids.filter((id) => !id.startsWith('chat.') && !id.startsWith('cell.'))).toEqual([]);
    expect(ids.length).toBeLessThan(60);
  });

  it.each(families)('of the family %s asks no model of another', (family) => {
    const { requests } = selecting({ families: [family] });
    expect([...new Set(requests.flatMap(({ callers }) => callers.map((caller) => caller.family)))]).toEqual([
      family,
    ]);
  });

  it.each(groups)('of the group %s uses no token of another', (group) => {
    const { requests } = selecting({ groups: [group] });
    expect([...new Set(requests.flatMap(({ callers }) => callers.map((caller) => caller.group)))]).toEqual([
      group,
    ]);
  });

  it('joins its axes', () => {
    const selected = selecting({
      suites: ['streams'],
      families: ['general'],
      requirements: ['responses.stream.incremental'],
    });
    expect(selected.cases.map(({ id }) => id)).toEqual(['streams.responses.arrival']);
  });

  it('of nothing that there is leaves nothing', () => {
    expect(selecting({ suites: ['context'], requirements: ['chat.param.temperature.range'] })).toMatchObject({
      cases: [],
      requests: [],
    });
  });
});

describe('the counts of a plan', () => {
  const counts = planShares(plan).map(({ requests, ...share }) => ({ ...share, ...countOf(requests) }));
  const sum = (field: 'cases' | 'requests' | 'conditional' | 'billed') =>
    counts.filter(({ suite }) => suite !== 'total').reduce((total, count) => total + count[field], 0);
  const total = counts.at(-1);

  it('are those of each suite, and of all', () => {
    expect(counts.map(({ suite }) => suite)).toEqual(['declaration', ...suiteNames, 'total']);
    expect(total).toMatchObject({ suite: 'total', cases: plan.cases.length });
    expect((total?.requests ?? 0) + (total?.conditional ?? 0)).toBe(plan.requests.length);
  });

  it.each(['cases', 'requests', 'conditional', 'billed'] as const)('add up: %s', (field) => {
    expect(sum(field)).toBe(total?.[field]);
  });

  it('count as conditional only what waits for a reply that makes it necessary', () => {
    const open = plan.requests.filter(
      ({ when, standsFor = [], expect: hoped, stage }) =>
        when.some(({ kind }) => kind === 'refused') ||
        ((hoped !== 'refusal' || stage === 'declared') &&
          (standsFor.length > 0 || when.some(({ kind }) => kind !== 'answered' && kind !== 'recorded'))),
    );
    expect(total?.conditional).toBe(open.length);
  });
});

describe('context', () => {
  it('bills one generation for each way that needs no second attempt', () => {
    const later = plan.requests.filter(({ id }) => /\.context\.|\.again\.\d$|\.control$/.test(id));
    expect(later.length).toBeGreaterThan(50);
    expect(later.filter(({ billed }) => billed > 0).map(({ id }) => id)).toEqual([]);
  });
});

/** The nonces of the context requests under a seed. */
function nonces(seed: number): readonly string[] {
  const { cases } = planned(whole, {}, fullDepth, seed);
  return cases.flatMap(({ check }) =>
    check.kind === 'recall'
      ? check.placements
          .filter(({ restsOn }) => restsOn === undefined)
          .flatMap(({ probes, fallback }) => [...probes, ...(fallback?.probes ?? [])])
          .map(({ nonce }) => nonce)
      : check.kind === 'branch'
        ? // The first is made of rows.
          check.probes.slice(1).flatMap(({ nonce, otherNonces }) => [nonce, ...otherNonces])
        : [],
  );
}
