import { isObject, type JsonObject } from '../../spec/json.ts';
import { isText, objects } from './json.ts';

/** What `code` and `message` say where all is well, in lower case. */
const fine = new Set(['', '0', '200', 'ok', 'success', 'succeeded', 'successful', 'done', 'completed']);
const isFine = (value: unknown): boolean =>
  fine.has(
    String(value ?? '')
      .trim()
      .toLowerCase()
      .replace(/[.!]$/, ''),
  );
/** An object whose members are all null, empty or 0 says nothing. */
export const isFilled = (value: unknown): boolean =>
  isObject(value)
    ? Object.values(value).some(isFilled)
    : Array.isArray(value)
      ? value.length > 0
      : Boolean(value);

/** The document calls itself an error in so many words. */
export const saysError = ({ type, object, success, ok, isError: flag }: JsonObject): boolean =>
  type === 'error' || object === 'error' || success === false || ok === false || flag === true;

/** A number that is the status of an error over HTTP; other numbers count otherwise. */
const isBadStatus = (value: unknown): boolean => /^[45]\d\d$/.test(String(value));

/** What `status` says where a request came to nothing. */
const badStatuses: ReadonlySet<unknown> = new Set(['failed', 'error', 'rejected', 'denied', 'refused']);

/** A document that holds what a result holds is none only where it says plainly that it is an error. */
export function isPlainError(json: JsonObject): boolean {
  const { error, errors, type, status, code, status_code: statusCode } = json;
  return (
    saysError(json) ||
    isFilled(error) ||
    isFilled(errors) ||
    (isText(type) && type.endsWith('_error')) ||
    badStatuses.has(status) ||
    [status, code, statusCode].some(isBadStatus) ||
    (isText(code) && /error|invalid|denied|unauthori|forbidden|fail/i.test(code))
  );
}

/** It tells in words how it went, and not that it went well. */
export const explains = ({ message, msg, reason, error_msg, status_msg }: JsonObject): boolean =>
  [message, msg, reason, error_msg, status_msg].some((text) => isText(text) && !isFine(text));

const isBadCode = ({ code, status_code, err_code, errcode, ret }: JsonObject): boolean =>
  [code, status_code, err_code, errcode, ret].some((value) => !isFine(value));

/** Whether a document says that something went wrong, in one of the ways that gateways do. */
export function isError(json: JsonObject): boolean {
  const statuses = Object.values(json).filter(isObject);
  return (
    isPlainError(json) ||
    isFilled(json.detail) ||
    [json, ...statuses].some((each) => explains(each) && isBadCode(each)) ||
    objects(json.choices).some(({ error }) => isFilled(error))
  );
}
