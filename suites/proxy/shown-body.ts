import { oncePerExtension } from '../../spec/extension.ts';
import { groupBy } from '../../spec/group-by.ts';
import { isObject, type JsonObject } from '../../spec/json.ts';
import { type Parameter, parameters } from '../../spec/openapi.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { protocols } from '../../spec/vocabulary.ts';
import { isSecretName } from './harmless.ts';
import { neutral, ofTurns, wordsOfTurns } from './classify.ts';

/** What stands in the place of what is not written. */
type ShownAs = (value: string) => string;

/** What of a body is known besides what the interface has. */
interface KnownWords {
  readonly isModel: (name: string) => boolean;
  /** Whether a reply of this recording has this id. */
  readonly isReplyId: (id: string) => boolean;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** What holds what is asked; what stands in these and in nothing else is text, which is judged by. */
const texts: ReadonlySet<string> = new Set([
  ...protocols.map((protocol) => protocolFacts[protocol].content),
  ...['system', 'instructions', 'content', 'text'],
]);

/** What the interface says of a name of a member, on whatever endpoint. */
const rules = oncePerExtension(() =>
  groupBy(
    protocols.flatMap((protocol) => parameters(protocol)),
    ({ name }) => name,
  ),
);

const rulesOf = (name: string): readonly Parameter[] => rules().get(name) ?? [];

const isName = (name: string): boolean =>
  rules().has(name) || neutral.has(name) || ofTurns.has(name) || texts.has(name);

const isNumeric = (name: string): boolean =>
  rulesOf(name).some(({ types }) => types.some((type) => type === 'integer' || type === 'number'));

const isAllowed = (name: string, value: string): boolean =>
  rulesOf(name).some(({ allowed }) => allowed?.includes(value) === true);

function isWord(name: string, value: string, { isModel, isReplyId }: KnownWords): boolean {
  if (name === 'model') return isModel(value);
  if (name === 'previous_response_id') return isReplyId(value);
  return isAllowed(name, value);
}

/** A value that nothing is judged by, as one of its type. */
function digestOf(value: unknown, shownAs: ShownAs): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : shownAs(String(value));
  if (isText(value)) return shownAs(value);
  if (Array.isArray(value)) return value.length === 0 ? value : [shownAs(JSON.stringify(value))];
  return isObject(value) ? { [shownAs(JSON.stringify(value))]: null } : value;
}

/** What is asked, turn by turn. */
function shownText(name: string, value: unknown, shownAs: ShownAs): unknown {
  if (Array.isArray(value)) return value.map((each) => shownText(name, each, shownAs));
  if (!isObject(value)) return isText(value) ? value : digestOf(value, shownAs);
  const members = Object.entries(value).map(([inner, each]) => {
    const isShown = texts.has(inner) || (isText(each) && wordsOfTurns.has(`${inner} ${each}`));
    const shown = isShown ? shownText(inner, each, shownAs) : digestOf(each, shownAs);
    return [isName(inner) ? inner : shownAs(inner), shown] as const;
  });
  return Object.fromEntries(members);
}

/** A body as it is recorded: names and words of the interface, numbers of parameters; all else is a digest of its type. */
export function shownBody(body: JsonObject, known: KnownWords, shownAs: ShownAs): JsonObject {
  const shown = (name: string, value: unknown): unknown => {
    if (texts.has(name)) return shownText(name, value, shownAs);
    if (isText(value) && isWord(name, value, known)) return value;
    if (typeof value !== 'number' || !Number.isFinite(value)) return digestOf(value, shownAs);
    if (isNumeric(name)) return value;
    // Where the interface has no type for it, another number would be a false cause.
    return rules().has(name) ? 0 : shownAs(String(value));
  };
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [isName(name) ? name : shownAs(name), shown(name, value)]),
  );
}

/** A name that a program has for itself is a word; one with a digit may be a key. */
const mayBeKey = /\d/;

/** Credentials by their place: names or words with a digit that the interface lacks, and what stands beside the name of a secret. */
export function keysIn(name: string, value: unknown): readonly string[] {
  if (Array.isArray(value))
    return [...besideSecret(value), ...value.flatMap((each: unknown) => keysIn(name, each))];
  if (isObject(value)) {
    const isKey = (inner: string): boolean => !isName(inner) && mayBeKey.test(inner);
    const inMembers = Object.entries(value).flatMap(([inner, each]) => [
      ...(isKey(inner) ? [inner] : []),
      ...keysIn(inner, each),
    ]);
    return [...besideSecret(Object.values(value)), ...inMembers];
  }
  const isOfFew = ['role', 'type'].includes(name) || rulesOf(name).some(({ allowed }) => allowed);
  const isWord = isText(value) && (wordsOfTurns.has(`${name} ${value}`) || isAllowed(name, value));
  return isOfFew && isText(value) && mayBeKey.test(value) && !isWord ? [value] : [];
}

/** A longer text, or one of several words, is no name. */
const secretName = /^[\w.-]{1,64}$/;

function besideSecret(values: readonly unknown[]): readonly string[] {
  const strings = values.filter(isText);
  return strings.some((each) => secretName.test(each) && isSecretName(each)) ? strings : [];
}
