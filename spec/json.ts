/** An object of JSON whose members are not checked yet. */
export type JsonObject = { readonly [key: string]: unknown };

/** A value as the text of a file: indented by two, with a line break at its end. */
export const jsonText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** Whether a value is an object of JSON: neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
