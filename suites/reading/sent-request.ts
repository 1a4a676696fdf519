import { isObject, type JsonObject } from '../../spec/json.ts';
import { oncePerObject } from '../../spec/once.ts';
import type { SentRequest } from '../types/exchange.ts';

/** The JSON object that a body is; undefined where it is none. */
export function objectIn(body: string): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(body);
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** The JSON object that a request sent, read once; undefined where its body is none. */
export const bodyOf = oncePerObject((request: SentRequest) => objectIn(request.body ?? ''));

export const tokenOf = ({ headers }: SentRequest): string =>
  (headers.authorization ?? headers['x-api-key'] ?? '').replace(/^Bearer /, '');

export const pathOf = ({ url }: SentRequest): string => new URL(url).pathname;

/** The model of a request as it was sent; null where its body has none. */
export const modelOf = (request: SentRequest): unknown => bodyOf(request)?.model ?? null;

export const callerOf = (request: SentRequest): string =>
  JSON.stringify([tokenOf(request), modelOf(request)]);
