import { expect, it } from 'vitest';
import { diceOf } from '../../fixtures/faults/dice.ts';
import { readExtension } from '../../fixtures/extension/extension.ts';
import { type Condition, conditions } from '../../fixtures/faults/conditions.ts';
import { onResult, type Site, type Where } from '../../fixtures/faults/effect.ts';
import { isInPopulation } from '../../fixtures/faults/population.ts';
import { product } from '../../fixtures/faults/product.ts';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import type { Problem } from '../../fixtures/gateway/context.ts';
import type { Hooks } from '../../fixtures/gateway/hooks.ts';
import { packageFile } from '../../spec/package-root.ts';
import { blamed, detect, type DetectOptions } from '../detect.ts';

/** A break of what an endpoint does with a parameter, or of what its results have. */
type Break = (name: string, value: number) => (where: Where) => Hooks;

const unchecked =
  (kind: Problem['kind']): Break =>
  (name) =>
  (where) => ({
    check: (problems, ctx) =>
      problems.filter((each) => each.parameter !== name || each.kind !== kind || !where(ctx)),
  });

const refused: Break = (name, value) => (where) => ({
  check: (problems, ctx) =>
    ctx.body[name] === value && where(ctx)
      ? [{ parameter: name, kind: 'maximum', message: `'${name}' is not supported` }]
      : problems,
});

const missing: Break = (name) => onResult((body) => ({ ...body, [name]: undefined }));

/** Breaks, each of what an extension states and of what the interface states of the same endpoint. */
const breaks: readonly (readonly [make: Break, id: string, own: string, ofInterface: string])[] = [
  [unchecked('maximum'), 'param.{}.range', 'top_k', 'temperature'],
  [unchecked('minimum'), 'param.{}.range', 'top_k', 'temperature'],
  [unchecked('type'), 'param.{}.type', 'top_k', 'temperature'],
  [refused, 'param.{}.accepted', 'top_k', 'temperature'],
  [missing, 'result.{}', 'usage', 'model'],
];
const largest: Readonly<Record<string, number>> = { top_k: 500, temperature: 1 };

const extension = readExtension([packageFile('examples/own/top-k.yaml')]);
const console = { ...defaultConsole(), ...(extension ? { extension } : {}) };

function broken(make: Break, row: string, name: string, condition: Condition) {
  const id = `messages.${row.replace('{}', name.replace('_', '-'))}`;
  const hooks = make(name, largest[name] ?? 0);
  const site: Site = { id, protocol: 'messages', breaks: [id], hooks };
  return { ...product({ id: 'own', words: 'is broken', sites: [site] }, site, condition), row: id };
}
type Broken = ReturnType<typeof broken>;

/** Both kinds of a break in the requests of one condition, which clients meet; always the same for the same seed. */
function drawn(count: number, seed: number): readonly { readonly own: Broken; readonly known: Broken }[] {
  const { one } = diceOf(seed);
  const pairs = new Map<string, { readonly own: Broken; readonly known: Broken }>();
  while (pairs.size < count) {
    const [make, row, own, ofInterface] = one(breaks);
    const condition = one(conditions);
    const known = broken(make, row, ofInterface, condition);
    const isOfEither = [own, ofInterface].some((name) => condition.id.includes(name));
    if (isOfEither || !isInPopulation(known)) continue;
    const both = { own: broken(make, row, own, condition), known };
    pairs.set(both.own.id + breaks.findIndex(([each]) => each === make), both);
  }
  return [...pairs.values()];
}

const reportOf = (one: Broken, options: DetectOptions) =>
  detect({ id: one.id, title: one.title, hooks: one.hooks, console }, options);

it('own statements are caught and blamed as those of the interface are, of a fresh sample of breaks', async () => {
  const seed = Number(process.env.FUZZ_SEED ?? 20261126);
  const caught = { own: [] as string[], known: [] as string[] };
  for (const { own, known } of drawn(16, seed)) {
    const report = await reportOf(own, extension ? { extension } : {});
    const ofInterface = await reportOf(known, { selected: { requirements: [known.row] } });
    if (blamed(report).includes(own.row)) {
      caught.own.push(own.title);
      expect(report.causes.flatMap(({ requirements }) => requirements)).toContain(own.row);
    }
    expect(blamed(report).filter((id) => id !== own.row)).toEqual([]);
    if (blamed(ofInterface).includes(known.row)) caught.known.push(known.title);
  }
  expect(caught.own.length, JSON.stringify(caught, null, 1)).toBeGreaterThanOrEqual(caught.known.length);
  expect(caught.own.length).toBeGreaterThan(8);
}, 300_000);
