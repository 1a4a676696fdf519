import { type Protocol, protocols } from '../../spec/vocabulary.ts';
import { isObject, type JsonObject } from '../../spec/json.ts';
import { elements, isText, objects, valueAt } from './json.ts';

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
const saysError = ({ type, object, success, ok, isError: flag }: JsonObject): boolean =>
  type === 'error' || object === 'error' || success === false || ok === false || flag === true;

/** A number that is the status of an error over HTTP; other numbers count otherwise. */
const isBadStatus = (value: unknown): boolean => /^[45]\d\d$/.test(String(value));

/** What `status` says where a request came to nothing. */
const badStatuses: ReadonlySet<unknown> = new Set(['failed', 'error', 'rejected', 'denied', 'refused']);

/** A document that holds what a result holds is none only where it says plainly that it is an error. */
function isPlainError(json: JsonObject): boolean {
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
const explains = ({ message, msg, reason, error_msg, status_msg }: JsonObject): boolean =>
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

/** Text of a content that is a string, or an array of parts with `text`. */
const contentText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : objects(content)
        .map(({ text }) => (isText(text) ? text : ''))
        .join('');

function choiceText(choice: JsonObject): string {
  const turn = isObject(choice.message) ? choice.message : choice.delta;
  return contentText(valueAt(turn, '/content')) || (isText(choice.text) ? choice.text : '');
}

const calls = (choice: JsonObject): boolean => elements(valueAt(choice, '/message/tool_calls')).length > 0;

/** The message item is the one that is judged; there may be others. */
function itemText(output: unknown): string {
  const items = objects(output);
  const item =
    items.find(({ type }) => type === 'message') ?? items.find(({ content }) => contentText(content));
  return contentText(item?.content);
}

/** The assistant text of one JSON document, by the shape of a protocol; empty where it has none. */
export const textOf: Readonly<Record<Protocol, (json: JsonObject) => string>> = {
  chat: (json) => objects(json.choices).slice(0, 1).map(choiceText).join(''),
  responses: (json) => itemText(json.output) || (isText(json.output_text) ? json.output_text : ''),
  messages: (json) => contentText(json.content),
  images: () => '',
};

const hasMessageMark = ({ type, role, stop_reason, usage, id }: JsonObject): boolean =>
  type === 'message' ||
  role === 'assistant' ||
  stop_reason !== undefined ||
  isObject(usage) ||
  (isText(id) && id.startsWith('msg'));

const isImage = ({ url, b64_json }: JsonObject): boolean => isText(url) || isText(b64_json);
/** Members that say why there is no image in place of one. */
const excuses = new Set(['error', 'message', 'code', 'type', 'status', 'param', 'reason', 'detail', 'index']);
const isExcuse = (element: JsonObject): boolean =>
  (isFilled(element.error) || isText(element.message)) &&
  Object.keys(element).every((name) => excuses.has(name));
const mayBeImages = (data: unknown): boolean => objects(data).some((element) => !isExcuse(element));

/** Whether a document, which came with the status of an error or not, carries generated output in the shape of a protocol. */
const hasOutput: Readonly<Record<Protocol, (json: JsonObject, isBad: boolean) => boolean>> = {
  chat: ({ choices }) => objects(choices).some((choice) => choiceText(choice) !== '' || calls(choice)),
  responses: (json) => textOf.responses(json) !== '',
  // Error replies use `content` and `text` too: next to an error, or as a bare string, that is no output.
  messages: (json, isBad) =>
    textOf.messages(json) !== '' &&
    !saysError(json) &&
    (hasMessageMark(json) || (!isBad && Array.isArray(json.content) && !isPlainError(json))),
  // How an image is laid out is not shown for every response_format (2.6). Error replies list things with a url, too.
  images: (json, isBad) =>
    [json, ...objects(json.data)].some(({ b64_json }) => isText(b64_json)) ||
    (typeof json.created === 'number'
      ? objects(json.data).some(isImage) || (!isBad && mayBeImages(json.data) && !isPlainError(json))
      : objects(json.data).some(isImage) && !isError(json) && !explains(json)),
};

/** The members of `usage` in the dialects that are known; a quota has others. */
const tokens = ['prompt_tokens', 'completion_tokens', 'total_tokens', 'input_tokens', 'output_tokens'];
const hasTokens = ({ usage }: JsonObject): boolean =>
  isObject(usage) && tokens.some((name) => usage[name] !== undefined);

const isNamed = (object: unknown, name: string): boolean => isText(object) && object.startsWith(name);

/** Whether a document without an error can only be a result of that endpoint, if perhaps a wrong one. */
const hasMarks: Readonly<Record<Protocol, (json: JsonObject) => boolean>> = {
  chat: (json) => Array.isArray(json.choices) || isNamed(json.object, 'chat.completion') || hasTokens(json),
  responses: (json) =>
    json.object === 'response' ||
    Array.isArray(json.output) ||
    typeof json.output_text === 'string' ||
    hasTokens(json),
  messages: (json) =>
    hasMessageMark(json) ||
    objects(json.content).some(({ type, text }) => typeof text === 'string' || isText(type)),
  images: ({ created, data }) =>
    (objects(data).length === 0 || mayBeImages(data)) &&
    (typeof created === 'number' ||
      (created !== undefined && data !== undefined) ||
      objects(data).some(isImage)),
};

const wrappers = ['data', 'result', 'response', 'body'] as const;

/** Only images are known by what lists of other things have as well: what else says that these are. */
const isCertain = (json: JsonObject, shape: Protocol): boolean =>
  shape !== 'images' ||
  typeof json.created === 'number' ||
  [json, ...objects(json.data)].some(({ b64_json }) => isText(b64_json));

/** The protocol in whose shape a document carries output, the given one first. `isBad`: it came with an error's status. */
export function outputShape(json: unknown, protocol: Protocol, isBad = false): Protocol | null {
  if (!isObject(json)) return null;
  const inside = wrappers.map((name) => json[name]).filter(isObject);
  for (const document of [json, ...inside]) {
    const shape = [protocol, ...protocols].find(
      (each) =>
        hasOutput[each](document, isBad) && ((each === protocol && !isBad) || isCertain(document, each)),
    );
    if (shape !== undefined) return shape;
  }
  return null;
}

/** The protocol whose result a document is, however faulty: by output in any shape, or marks without an error. Else null. */
export function resultShape(json: unknown, protocol: Protocol): Protocol | null {
  const output = outputShape(json, protocol);
  if (output !== null || !isObject(json) || isError(json) || explains(json)) return output;
  return hasMarks[protocol](json) ? protocol : null;
}

/** What only a result has, where an event or a chunk has something else. */
const wholeMarks: Readonly<Record<Protocol, (json: JsonObject) => boolean>> = {
  chat: ({ choices }) =>
    objects(choices).some(({ message, delta }) => isObject(message) && delta === undefined),
  responses: ({ output, type }) => Array.isArray(output) && type === undefined,
  messages: ({ content, delta }) => Array.isArray(content) && delta === undefined,
  images: ({ data }) => Array.isArray(data),
};

/** Whether a document is the result of an endpoint and no event of a stream. */
export const isWholeResult = (json: unknown, protocol: Protocol): boolean =>
  isObject(json) && outputShape(json, protocol) === protocol && wholeMarks[protocol](json);
