import { families, groups, type TextProtocol } from '../../../spec/vocabulary.ts';
import type { Scope } from '../../types/scope.ts';
import { type Built, built } from '../cases.fixture.ts';
import type { TextRow } from './text-rows.ts';
import { textRows } from './text-rows.ts';

/** What rotates with the seed has at most four levels: after so many seeds the arrays are the same again. */
const seeds = Array.from({ length: 12 }, (_, seed) => seed);

/** The numbers of callers that may judge each text protocol. */
const callers: readonly (readonly [TextProtocol, number])[] = [
  ['responses', 1],
  ['responses', 2],
  ['responses', 3],
  ['messages', 1],
  ['chat', 1],
  ['chat', 2],
];

interface SeededArray {
  readonly name: string;
  readonly protocol: TextProtocol;
  readonly callers: number;
  readonly seed: number;
  readonly rows: readonly TextRow[];
}

/** The arrays of every protocol, number of callers and seed. */
export const everyArray: readonly SeededArray[] = callers.flatMap(([protocol, count]) =>
  seeds.map((seed) => ({
    name: `${protocol} with ${count} callers and seed ${seed}`,
    protocol,
    callers: count,
    seed,
    rows: textRows(protocol, count, seed),
  })),
);

const scopeOf = (more: Partial<Scope>): Scope => ({ families, groups, rateLimited: false, ...more });

/** Declarations with one caller of each protocol, two, and three. */
const scopes: readonly (readonly [name: string, Scope])[] = [
  ['everything', scopeOf({ rateLimited: true })],
  ['two groups', scopeOf({ groups: ['default', 'third-party-client'] })],
  ['one group and one family of chat', scopeOf({ groups: ['default'], families: ['general', 'image'] })],
  ['general models with a coding-tool token', scopeOf({ groups: ['coding-tool'], families: ['general'] })],
];

/** Plans of each of them. */
export const everyPlan: readonly (readonly [name: string, plan: Built])[] = [
  ...scopes.map(([name, scope]): [string, Built] => [name, built(scope)]),
  ['everything, and another seed', built(scopeOf({}), 2)],
];
