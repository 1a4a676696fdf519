import { oncePerObject } from './once.ts';

/** What a row of the register or a probe is repeated for. */
export const things = ['protocol', 'parameter'] as const;
export type Thing = (typeof things)[number];

export type Facts = Readonly<Record<string, unknown>>;

const hasPlace = (text: string): boolean => text.includes('{');

/** Whether any text in an object may name a fact; looked for once: a row is filled for many things. */
const hasPlaces = oncePerObject((value: object): boolean =>
  Object.entries(value).some(
    ([name, item]) => hasPlace(name) || (typeof item === 'string' ? hasPlace(item) : isFilled(item)),
  ),
);

const isFilled = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && hasPlaces(value);

/** The value with its facts filled in. `{name}` alone becomes the fact itself; what names no fact stays, such as `{token}`. */
export function fill(value: unknown, facts: Facts): unknown {
  if (typeof value === 'string') return fillText(value, facts);
  if (!isFilled(value)) return value;
  if (Array.isArray(value)) return value.map((item) => fill(item, facts));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [String(fillText(name, facts)), fill(item, facts)]),
  );
}

function fillText(text: string, facts: Facts): unknown {
  if (!hasPlace(text)) return text;
  const [, whole] = /^\{(\w+)\}$/.exec(text) ?? [];
  if (whole !== undefined && Object.hasOwn(facts, whole)) return facts[whole];
  return text.replace(/\{(\w+)\}/g, (found, name: string) =>
    Object.hasOwn(facts, name) ? String(facts[name]) : found,
  );
}

/** Facts that a row asks for, each as one value or a list of values of which one must be there. */
export type Where = Readonly<Record<string, unknown>>;

/** Whether each fact that is asked for is there; of one that has several values, one of them. */
export const holds = (where: Where, facts: Facts): boolean =>
  Object.entries(where).every(([name, wanted]) => {
    const values = [facts[name]].flat();
    return [wanted].flat().some((value) => values.includes(value));
  });
