import { isObject } from '../../../spec/json.ts';

/** A change of one value of a document, named by the class of the field: of elements of a list, and of members of a map by number. */
export interface FieldAttack {
  readonly name: string;
  readonly change: (document: unknown) => unknown;
}

type Path = readonly (string | number)[];

interface Field {
  readonly path: Path;
  readonly value: unknown;
}

/** The class of a field: its path, with one name for all elements of a list. */
const classOf = (path: Path): string =>
  path.map((step) => (typeof step === 'number' ? '*' : step)).join('.') || 'the whole';

function* fieldsOf(value: unknown, path: Path = []): Generator<Field> {
  yield { path, value };
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.map((each, at) => [at, each] as const)
    : isObject(value)
      ? Object.entries(value)
      : [];
  for (const [step, each] of entries) yield* fieldsOf(each, [...path, step]);
}

/** The same document with the value at a path changed. */
function replaced(document: unknown, [step, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (step === undefined) return change(document);
  if (Array.isArray(document))
    return document.map((each, at) => (at === step ? replaced(each, rest, change) : each));
  const object = document as Record<string, unknown>;
  return { ...object, [step]: replaced(object[step], rest, change) };
}

/** Another value of the same class, so that a schema has nothing against it; else one near to it. */
function other(value: unknown, ofClass: readonly unknown[]): unknown {
  const another = ofClass.find((each) => typeof each === typeof value && each !== value);
  if (another !== undefined) return another;
  if (typeof value === 'string') return `${value}0`;
  if (typeof value === 'number') return value + 1;
  return typeof value === 'boolean' ? !value : 'none';
}

/** Whether a field is a value by itself. */
const isLeaf = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** For each class of fields one that is changed; for each class of lists one that lacks its first, or has it twice. */
export function fieldAttacks(document: unknown): readonly FieldAttack[] {
  const classes = new Map<string, Field[]>();
  for (const field of fieldsOf(document)) {
    const name = classOf(field.path);
    classes.set(name, [...(classes.get(name) ?? []).slice(0, 40), field]);
  }
  return [...classes].flatMap(([name, fields]): readonly FieldAttack[] => {
    const [first] = fields;
    const list = fields.find(({ value }) => Array.isArray(value) && value.length > 0);
    if (list !== undefined) {
      const at = (change: (list: unknown[]) => unknown[]) => (whole: unknown) =>
        replaced(whole, list.path, (value) => change(value as unknown[]));
      return [
        { name: `${name}: the first is gone`, change: at((each) => each.slice(1)) },
        { name: `${name}: the first stands twice`, change: at((each) => [...each.slice(0, 1), ...each]) },
      ];
    }
    const leaf = fields.find(({ value }) => isLeaf(value));
    if (leaf === undefined || first === undefined) return [];
    const value = other(
      leaf.value,
      fields.map((field) => field.value),
    );
    return [{ name: `${name}: another value`, change: (whole) => replaced(whole, leaf.path, () => value) }];
  });
}
