import { type Protocol, protocols } from '../../spec/vocabulary.ts';
import { elements, isObject, isText, type JsonObject, objects } from './json.ts';

/** Text of a content that is a string, or an array of parts with `text`. */
const contentText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : objects(content)
        .map(({ text }) => (isText(text) ? text : ''))
        .join('');

const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

function choiceText(choice: JsonObject): string {
  const turn = isObject(choice.message) ? choice.message : choice.delta;
  return contentText(member(turn, 'content')) || (isText(choice.text) ? choice.text : '');
}

const calls = (choice: JsonObject): boolean => elements(member(choice.message, 'tool_calls')).length > 0;

/** The message item is the one that is judged; others may stand beside it. */
function itemText(output: unknown): string {
  const items = objects(output);
  const item =
    items.find(({ type }) => type === 'message') ?? items.find(({ content }) => contentText(content));
  return contentText(item?.content);
}

/** The assistant text of one JSON document, by the shape of a protocol; empty where it has none. */
export const textOf: Readonly<Record<Protocol, (json: JsonObject) => string>> = {
  chat: (json) => {
    const [first] = objects(json.choices);
    return first === undefined ? '' : choiceText(first);
  },
  responses: (json) => (isText(json.output_text) ? json.output_text : itemText(json.output)),
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

/** Whether a document carries generated output in the shape of a protocol. */
const hasOutput: Readonly<Record<Protocol, (json: JsonObject) => boolean>> = {
  chat: ({ choices }) => objects(choices).some((choice) => choiceText(choice) !== '' || calls(choice)),
  responses: (json) => textOf.responses(json) !== '',
  // Error replies use `content` and `text` too: beside an error, or as a bare string, that is no output.
  messages: (json) =>
    textOf.messages(json) !== '' &&
    !saysError(json) &&
    (hasMessageMark(json) || (Array.isArray(json.content) && !isPlainError(json))),
  // How an image is laid out is not shown for every response_format (2.6). Error replies list things with a url, too.
  images: (json) =>
    [json, ...objects(json.data)].some(({ b64_json }) => isText(b64_json)) ||
    (typeof json.created === 'number'
      ? objects(json.data).some(isImage) || (objects(json.data).length > 0 && !isPlainError(json))
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
    hasMessageMark(json) || objects(json.content).some(({ type, text }) => isText(text) || isText(type)),
  images: ({ created, data }) =>
    typeof created === 'number' ||
    (created !== undefined && data !== undefined) ||
    objects(data).some(isImage),
};

/** What `code` and `message` say where all is well, in lower case. */
const fine = new Set(['', '0', '200', 'ok', 'success', 'succeeded', 'successful', 'done', 'completed']);
const isFine = (value: unknown): boolean =>
  fine.has(
    String(value ?? '')
      .trim()
      .toLowerCase()
      .replace(/[.!]$/, ''),
  );
const isFilled = (value: unknown): boolean =>
  isObject(value) ? Object.keys(value).length > 0 : Array.isArray(value) ? value.length > 0 : Boolean(value);

/** The document calls itself an error in so many words. */
function saysError({ type, object, success, ok, isError: flag }: JsonObject): boolean {
  return type === 'error' || object === 'error' || success === false || ok === false || flag === true;
}

/** A number that is the status of an error over HTTP; other numbers count otherwise. */
const isBadStatus = (value: unknown): boolean => /^[45]\d\d$/.test(String(value));

/** A document that holds what a result holds is none only where it says plainly that it is an error. */
function isPlainError(json: JsonObject): boolean {
  const { error, errors, type, status, code, status_code: statusCode } = json;
  return (
    saysError(json) ||
    isFilled(error) ||
    isFilled(errors) ||
    (isText(type) && type.endsWith('_error')) ||
    status === 'failed' ||
    status === 'error' ||
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

const wrappers = ['data', 'result', 'response', 'body'] as const;

/** Only images are known by what lists of other things have as well: what else says that these are. */
const isCertain = (json: JsonObject, shape: Protocol): boolean =>
  shape !== 'images' ||
  typeof json.created === 'number' ||
  [json, ...objects(json.data)].some(({ b64_json }) => isText(b64_json));

/**
 * The protocol in whose shape a document carries generated output: the given one first, then any other.
 * @param isBad it came with the status of an error
 */
export function outputShape(json: unknown, protocol: Protocol, isBad = false): Protocol | null {
  if (!isObject(json)) return null;
  const inside = wrappers.map((name) => json[name]).filter(isObject);
  for (const document of [json, ...inside]) {
    const shape = [protocol, ...protocols].find(
      (each) => hasOutput[each](document) && ((each === protocol && !isBad) || isCertain(document, each)),
    );
    if (shape !== undefined) return shape;
  }
  return null;
}

/**
 * The protocol whose result a document is, however faulty: generated output in any shape, or without
 * an error the marks of the given protocol. Null for anything else.
 */
export function resultShape(json: unknown, protocol: Protocol): Protocol | null {
  const output = outputShape(json, protocol);
  if (output !== null || !isObject(json) || isError(json) || explains(json)) return output;
  return hasMarks[protocol](json) ? protocol : null;
}
