/** An object of JSON whose members are not checked yet. */
export type JsonObject = { readonly [key: string]: unknown };

/** Whether a value is an object of JSON: neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
