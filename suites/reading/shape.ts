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
    (hasMessageMark(json) || (Array.isArray(json.content) && !isError(json))),
  images: (json) => objects(json.data).some(isImage) || isText(json.b64_json),
};

const hasTokens = ({ usage }: JsonObject): boolean =>
  isObject(usage) && Object.keys(usage).some((name) => name.endsWith('_tokens'));

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

const fine = new Set<unknown>([undefined, null, 0, 200, '', '0', '200', 'ok', 'OK', 'success']);
const isFilled = (value: unknown): boolean =>
  isObject(value) ? Object.keys(value).length > 0 : Array.isArray(value) ? value.length > 0 : Boolean(value);

/** The document calls itself an error in so many words. */
function saysError({ type, object, success, ok, isError: flag }: JsonObject): boolean {
  return type === 'error' || object === 'error' || success === false || ok === false || flag === true;
}

/** Whether a document says that something went wrong, in one of the ways that gateways do. */
export function isError(json: JsonObject): boolean {
  const { error, errors, detail, type, status, code, status_code: statusCode } = json;
  const explained = [json.message, json.msg, json.reason, json.error_msg].some(isText);
  return (
    saysError(json) ||
    isFilled(error) ||
    isFilled(errors) ||
    isFilled(detail) ||
    (isText(type) && type.endsWith('_error')) ||
    status === 'failed' ||
    status === 'error' ||
    [status, code, statusCode].some((value) => typeof value === 'number' && value >= 400) ||
    (explained && !fine.has(code))
  );
}

const wrappers = ['data', 'result', 'response', 'body'] as const;

/** The protocol in whose shape a document carries generated output: the given one first, then any other. */
export function outputShape(json: unknown, protocol: Protocol): Protocol | null {
  if (!isObject(json)) return null;
  const inside = wrappers.map((name) => json[name]).filter(isObject);
  for (const document of [json, ...inside]) {
    const shape = [protocol, ...protocols].find((each) => hasOutput[each](document));
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
  if (output !== null || !isObject(json) || isError(json)) return output;
  return hasMarks[protocol](json) ? protocol : null;
}
