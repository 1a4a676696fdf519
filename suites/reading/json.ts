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

/** More values than any reply has reason to hold: a few bytes of each become many when parsed. */
const maxValues = 100_000;

/** About how many values a text would parse to, at most; text inside of strings counts too. */
export function countValues(text: string): number {
  let count = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // A comma, an opening bracket, an opening brace: looked at for each character, so not in a set.
    if (code === 0x2c || code === 0x5b || code === 0x7b) count += 1;
  }
  return count;
}

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

/** Parses a JSON text; one that is nested deeper than 200 levels or holds more than 100,000 values counts as none. */
export function parseJson(text: string): Parsed {
  if (text.length > maxValues && countValues(text) > maxValues) {
    return { ok: false, why: `more than ${maxValues} values` };
  }
  try {
    const value: unknown = JSON.parse(text);
    return isDeep(value) ? { ok: false, why: `nested deeper than ${maxDepth} levels` } : { ok: true, value };
  } catch {
    return { ok: false, why: 'not JSON' };
  }
}
