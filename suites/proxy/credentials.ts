import { createHmac, randomBytes } from 'node:crypto';
import type { Target } from '../../fixtures/target/target.ts';
import { type Extension, withExtension } from '../../spec/extension.ts';
import { objectIn } from '../reading/sent-request.ts';
import { isMaskable } from '../wire/redaction/maskable.ts';
import { createRedactor, type Redactor } from '../wire/redaction/redact.ts';
import { type Header, headerRules, isSecretName, secretTexts } from './harmless.ts';
import { headerPairs, type RawHeaders } from './headers.ts';
import { keysIn, shownBody } from './shown-body.ts';

/** Headers as they are recorded, names in lower case. */
type Shown = readonly (readonly [name: string, value: string])[];

/** Takes the credentials of clients out of what is recorded; the config need not know them. */
export type Credentials = ReturnType<typeof createCredentials>;

/** Credentials of clients that are searched for at most, and words of one request besides. */
const [mostCredentials, mostWords] = [200, 64];

/** A shorter word is in any text, and digits alone may be a number of the reply. */
const isTelling = (word: string): boolean => word.length >= 8 && /\D/.test(word) && isMaskable(word);

const separators = /([\s,;="&?/:#@<>()[\]{}]+)/;

/** What a text says without percent-encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What a value is without a scheme before it, and what that can be read as: the password of Basic. */
function credentialsIn(value: string): readonly string[] {
  const [, scheme = '', token = value] = /^([A-Za-z][\w-]*) +(\S.*)$/.exec(value) ?? [];
  if (!/^basic$/i.test(scheme)) return [token];
  const plain = Buffer.from(token, 'base64').toString('utf8');
  return [token, plain, plain.slice(plain.indexOf(':') + 1)];
}

/** All that a gateway may repeat of a value that nobody knows: the whole and its words, also decoded. */
const readings = (value: string): readonly string[] =>
  [value, ...credentialsIn(value), ...value.split(separators)].flatMap((each) => [each, decoded(each)]);

/** Applies one redactor behind the other. */
const both = (first: Redactor, second: Redactor): Redactor => ({
  text: (text) => second.text(first.text(text)),
  rendered: (text) => second.rendered(first.rendered(text)),
  bytes: (bytes, seen) => second.bytes(first.bytes(bytes, seen)),
  bytesInTurns: async (bytes, seen, signal) => {
    const masked = await first.bytesInTurns(bytes, seen, signal);
    return second.bytesInTurns(masked, masked.toString('latin1'), signal);
  },
  leaks: (content) => [...first.leaks(content), ...second.leaks(content)],
  partly: [...first.partly, ...second.partly],
  open: [...first.open, ...second.open],
});

/** What is known of the target and of its clients. */
interface Known {
  readonly salt: Buffer;
  readonly own: Extension | undefined;
  /** Names of variables, by the tokens of the config. */
  readonly variables: ReadonlyMap<string, string>;
  /** Labels of what is searched for; the first `declared` of them are tokens of the config. */
  readonly secrets: Map<string, string>;
  readonly declared: number;
  readonly rulesOf: ReturnType<typeof headerRules>;
  /** The names of models are in every body, and judging needs them. */
  readonly models: ReadonlySet<string>;
  built: Redactor | undefined;
  lastWords: { readonly key: string; readonly redactor: Redactor } | undefined;
}

const digest = ({ salt }: Known, value: string): string =>
  createHmac('sha256', salt).update(value).digest('hex').slice(0, 10).toUpperCase();

const nameOf = (known: Known, value: string): string =>
  known.variables.get(value) ?? `CLIENT_TOKEN_${digest(known, value)}`;

const shownAs = (known: Known, value: string): string => (value === '' ? '' : `\${${nameOf(known, value)}}`);

/** A value with its harmless words; what is not one of them is a digest, as a whole. */
function shownValue(known: Known, value: string, { isCredential, shows }: Header): string {
  if (shows(value)) return value;
  const [, scheme = '', token = value] = (isCredential && /^(Bearer |Basic )?(.*)$/i.exec(value)) || [];
  if (isCredential) return scheme + shownAs(known, token.trim());
  return value
    .split(separators)
    .map((part, at) => (at % 2 === 1 || shows(part) ? part : shownAs(known, part)))
    .join('');
}

const headersOf = (known: Known, raw: RawHeaders): Shown =>
  headerPairs(raw).map(([given, value]) => {
    const name = given.toLowerCase();
    const rules = known.rulesOf(name);
    const shown = rules.isNameKnown ? name : `header-${digest(known, name).toLowerCase()}`;
    return [shown, shownValue(known, value, rules)];
  });

/** Whether there is room for what was sent as a credential: it may come back in later replies. */
function remember(known: Known, value: string): boolean {
  const { secrets, models, declared } = known;
  for (const each of value.split(/; */).flatMap((part) => credentialsIn(part.replace(/^[\w-]+=/, '')))) {
    if (!isTelling(each) || secrets.has(each) || models.has(each)) continue;
    if (secrets.size - declared >= mostCredentials) return false;
    secrets.set(each, nameOf(known, value));
    known.built = undefined;
  }
  return true;
}

function redactorOfAll(known: Known): Redactor {
  known.built ??= createRedactor([...known.secrets].map(([value, label]) => ({ value, label })));
  return known.built;
}

/** For words of one request: most requests have none, or those of the one before. */
function withWords(known: Known, words: ReadonlySet<string>): Redactor | undefined {
  if (words.size > mostWords) return undefined;
  if (words.size === 0) return redactorOfAll(known);
  const key = JSON.stringify([...words]);
  if (known.lastWords?.key !== key) {
    const labelled = [...words].map((value) => ({ value, label: nameOf(known, value) }));
    known.lastWords = { key, redactor: createRedactor(labelled) };
  }
  return both(redactorOfAll(known), known.lastWords.redactor);
}

/** A body as it is recorded: judging reads objects of JSON. */
function bodyOf(known: Known, body: string, isReplyId: (id: string) => boolean): string {
  const json = objectIn(body);
  const shown = (value: string): string => shownAs(known, value);
  if (json === undefined) return shown(body);
  const names = { isModel: (name: string) => known.models.has(name), isReplyId };
  return JSON.stringify(withExtension(known.own, () => shownBody(json, names, shown)));
}

/** What of a request has to be looked for in its exchange; undefined where there is no room for it. */
function searchedOf(known: Known, raw: RawHeaders, query: string, body: string) {
  const { own, rulesOf, secrets, models } = known;
  const keys = withExtension(own, () => keysIn('', objectIn(body)));
  const words = [...readings(query), ...[...secretTexts(body), ...keys].flatMap(credentialsIn)];
  const remembered = query
    .split('&')
    .map((part) => part.split(/=(.*)/s))
    .flatMap(([name = '', value = '']) => (isSecretName(decoded(name)) ? [decoded(value)] : []));
  for (const [given, value] of headerPairs(raw)) {
    const name = given.toLowerCase();
    const { isCredential, isSecret, isNameKnown, shows } = rulesOf(name);
    if (isCredential || isSecretName(name)) remembered.push(value);
    if (!isCredential && isSecret) words.push(...readings(value).filter((word) => !shows(word)));
    if (!isNameKnown) words.push(given);
  }
  const isRoom = remembered.map((value) => remember(known, value)).every(Boolean);
  const telling = words.filter((word) => isTelling(word) && !secrets.has(word) && !models.has(word));
  return isRoom ? new Set(telling) : undefined;
}

/** Equal values have equal digests by one `salt`, and none tells its value; names of `own`, judged beside the interface, are known. */
export function createCredentials(
  target: Pick<Target, 'tokens' | 'versionHeader' | 'models' | 'furtherModels'>,
  salt: Buffer = randomBytes(32),
  own?: Extension,
) {
  const tokens = Object.entries(target.tokens);
  const secrets = new Map(tokens.map(([label, { value }]) => [value, label]));
  const families = [target.models, target.furtherModels ?? {}];
  const known: Known = {
    ...{ salt, own, secrets, declared: secrets.size, built: undefined, lastWords: undefined },
    variables: new Map(tokens.map(([, { value, variable }]) => [value, variable])),
    rulesOf: headerRules(target),
    models: new Set(families.flatMap((each) => Object.values(each).flat())),
  };
  return {
    /**
     * A request as it is recorded: what is harmless and what is asked of a model stays, a token of the config is its variable, all
     * else a digest. `isReplyId`: whether a reply of this recording has an id.
     */
    request: (
      raw: RawHeaders,
      path: string,
      body = '',
      isReplyId: (id: string) => boolean = () => false,
    ): {
      readonly headers: Shown;
      readonly path: string;
      readonly body: string;
      /** Masks what was digested there, wherever the exchange repeats it; undefined where it is too much. */
      readonly redactor: Redactor | undefined;
    } => {
      const [pathname = '', query] = path.split(/\?(.*)/s);
      const searched = searchedOf(known, raw, query ?? '', body);
      return {
        headers: headersOf(known, raw),
        body: bodyOf(known, body, isReplyId),
        path: query === undefined ? pathname : `${pathname}?${shownAs(known, query)}`,
        redactor: searched && withWords(known, searched),
      };
    },
    /** The headers of a reply; nothing of them is looked for elsewhere. */
    reply: (raw: RawHeaders): Shown => headersOf(known, raw),
    /** Masks every credential seen so far, those of the config included. */
    redactor: (): Redactor => redactorOfAll(known),
  };
}
