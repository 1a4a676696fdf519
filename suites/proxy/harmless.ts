import type { Target } from '../../fixtures/target/target.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { protocols } from '../../spec/vocabulary.ts';

// What of other people's traffic may be written as it came. All else is written as a digest.

const media =
  /^(?:application|json|text|event-stream|plain|html|x-ndjson|jsonl|problem\+json|multipart|form-data|x-www-form-urlencoded|octet-stream|image|png|jpeg|webp|charset|utf-?8|q|\*|[01](?:\.\d{1,3})?)$/i;
const coding =
  /^(?:gzip|x-gzip|deflate|br|zstd|compress|identity|chunked|trailers|q|\*|[01](?:\.\d{1,3})?)$/i;
const date = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Headers that judging reads, or that say how a body came, with the words that are harmless in them. */
const headers: Readonly<Record<string, readonly RegExp[]>> = {
  'content-type': [media],
  accept: [media],
  'content-encoding': [coding],
  'accept-encoding': [coding],
  'transfer-encoding': [coding],
  'content-length': [/^\d{1,12}$/],
  connection: [/^(?:keep-alive|close)$/i],
  date: [date],
  'retry-after': [/^\d{1,9}(?:\.\d{1,6})?$/, date],
  server: [/^AkamaiGHost$/],
  'cf-mitigated': [/^challenge$/],
  'x-amzn-waf-action': [/^(?:challenge|captcha)$/],
};

/** Headers whose names are no secret, and whose values are none that a gateway could use. */
const ofNobody =
  /^(?:host|user-agent|accept-language|cache-control|pragma|origin|te|vary|via|x-request-id|x-correlation-id|idempotency-key|traceparent|tracestate|sec-(?:ch|fetch)-[a-z-]+|x-stainless-[a-z-]+)$/;

/** Headers that a credential stands in by their name, with the word before it. */
const ofCredential: ReadonlySet<string> = new Set([
  'authorization',
  ...protocols.map((protocol) => protocolFacts[protocol].credential.header),
]);

/** Names of headers and of parameters of a query whose values come again, in later replies too. */
export const isSecretName = (name: string): boolean =>
  /auth|cookie|token|secret|passw|credential|signature|session|key$/i.test(name) && !ofNobody.test(name);

/** What may be written of a header. */
export interface Header {
  readonly isCredential: boolean;
  readonly isNameKnown: boolean;
  /** Whether its value may be a secret of the client. */
  readonly isSecret: boolean;
  /** Whether a value, or a word of it, is harmless. */
  readonly shows: (word: string) => boolean;
}

/** @param name in lower case */
export function headerRules({ versionHeader }: Pick<Target, 'versionHeader'>): (name: string) => Header {
  const version = versionHeader.name.toLowerCase();
  return (name) => {
    const own = Object.hasOwn(headers, name) ? headers[name] : undefined;
    const known = own ?? (name === version ? [/^\d{4}-\d\d-\d\d$/] : undefined);
    return {
      isCredential: ofCredential.has(name),
      isNameKnown: known !== undefined || ofCredential.has(name) || ofNobody.test(name),
      isSecret: known !== undefined || !ofNobody.test(name),
      shows: (word) =>
        known?.some((pattern) => pattern.test(word)) === true ||
        (name === version && word === versionHeader.value),
    };
  };
}

/** Strings and marks of a JSON text in their order: what stands between them is a number or a word. */
const signs = /"(?:[^"\\]|\\[\s\S])*"?|[:,[\]{}]/g;

/** What a string of JSON says, also one that breaks off. */
function textOf(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return json.slice(1);
  }
}

/** A member whose value goes on. */
interface Open {
  readonly depth: number;
  /** Whether all in it may be a credential: it, or one that it is in, is named as a secret is, or `model`. */
  readonly isSecret: boolean;
}

/** Users and passwords of the addresses in a text, and what their queries give a name of a secret. */
const addressSecrets = (text: string): readonly string[] =>
  [...text.matchAll(/\bhttps?:\/\/([^\s"\\]{1,4096})/g)].flatMap(([, address = '']) => {
    const [, user = '', query = ''] = /^(?:([^/?#@]*)@)?[^?#]*\??([^#]*)/.exec(address) ?? [];
    const named = query
      .split('&')
      .map((part) => part.split(/=(.*)/s))
      .flatMap(([name = '', value = '']) => (isSecretName(name) ? [value] : []));
    return [...user.split(':'), ...named];
  });

/** All texts in members named as secrets are, or `model`, their names, and the credentials in addresses. One pass. */
export function secretTexts(body: string): readonly string[] {
  const texts: string[] = [];
  const open: Open[] = [];
  let depth = 0;
  /** A string that is a name or a value: the next sign tells. */
  let last: string | undefined;
  const takeValue = (): void => {
    if (last !== undefined && open.at(-1)?.isSecret === true) texts.push(textOf(last));
    last = undefined;
  };
  for (const [sign] of body.matchAll(signs)) {
    if (sign === ':') {
      const name = textOf(last ?? '');
      const isIn = open.at(-1)?.isSecret === true;
      if (isIn) texts.push(name);
      open.push({ depth, isSecret: isIn || name === 'model' || isSecretName(name) });
      last = undefined;
      continue;
    }
    takeValue();
    if (sign.startsWith('"')) last = sign;
    else if (sign === '{' || sign === '[') depth += 1;
    else {
      while ((open.at(-1)?.depth ?? -1) >= depth) open.pop();
      if (sign !== ',') depth -= 1;
    }
  }
  takeValue();
  return [...texts, ...addressSecrets(body)];
}
