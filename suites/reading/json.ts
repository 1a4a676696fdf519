/** An object of JSON whose members nobody has looked at yet. */
export type JsonObject = { readonly [key: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The elements of an array, or none. */
export const elements = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The elements of an array that are objects. */
export const objects = (value: unknown): readonly JsonObject[] => elements(value).filter(isObject);

export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly why: string };

/** Deeper than any reply has reason to be, and shallow enough for those who walk it by recursion. */
const maxDepth = 200;

function isDeep(root: unknown): boolean {
  let level = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const inner of Object.values(value))
        if (typeof inner === 'object' && inner !== null) below.push(inner);
    }
    level = below;
  }
  return false;
}

/** Parses a JSON text; one that is nested deeper than 200 levels counts as none. */
export function parseJson(text: string): Parsed {
  try {
    const value: unknown = JSON.parse(text);
    return isDeep(value) ? { ok: false, why: `nested deeper than ${maxDepth} levels` } : { ok: true, value };
  } catch {
    return { ok: false, why: 'not JSON' };
  }
}
