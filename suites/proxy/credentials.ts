import { createHmac, randomBytes } from 'node:crypto';
import type { Target } from '../../fixtures/target/target.ts';
import { createRedactor, type Redactor } from '../wire/redaction/redact.ts';
import { headerPairs, type RawHeaders } from './headers.ts';

/** Takes the credentials of clients out of what is recorded; the config need not know them. */
export interface Credentials {
  /**
   * The headers as they are recorded, names in lower case, a credential as the variable that stands for it.
   * Those of a request are looked for wherever they are repeated; a reply may set another cookie each time.
   */
  readonly headers: (
    raw: RawHeaders,
    of: 'request' | 'reply',
  ) => readonly (readonly [name: string, value: string])[];
  /** Path and query as they are recorded. */
  readonly path: (path: string) => string;
  /** Masks every credential seen so far, those of the config included. */
  readonly redactor: () => Redactor;
  /** How many credentials came that are too many to be searched for: what comes with one must not be recorded. */
  readonly unmasked: () => number;
}

/** Names of headers and of parameters of a query that hold a credential. */
const secretName =
  /auth|cookie|token|secret|passw|credential|signature|session|(?:^|[-_])(?:api|access|private|subscription|goog)?[-_]?key$/i;

/** Headers that a name of the kind above does not make a secret. */
const openNames: ReadonlySet<string> = new Set(['www-authenticate', 'idempotency-key']);

const isSecretName = (name: string): boolean => secretName.test(name) && !openNames.has(name.toLowerCase());

/** Credentials of clients that are searched for at most: each further one takes some 30 ms to be added. */
const mostCredentials = 200;

/** What of a header is the secret: the scheme before it and the names of cookies are none. */
function secretsIn(name: string, value: string): readonly string[] {
  if (/cookie$/i.test(name))
    return value.split(';').flatMap((part, at) => {
      const [, secret = ''] = /^\s*[^=]*=\s*"?([^"]*)"?\s*$/.exec(part) ?? [];
      // Behind the first one, a Set-Cookie holds attributes.
      return secret !== '' && (at === 0 || !/^set-/i.test(name)) ? [secret] : [];
    });
  const [, , secret = value] = /^([A-Za-z][\w-]*) +(\S.*)$/.exec(value) ?? [];
  return [secret.trim()];
}

/** What else a credential can be read as: the password of Basic. */
function readings(value: string, secret: string): readonly string[] {
  if (!/^basic /i.test(value)) return [secret];
  const plain = Buffer.from(secret, 'base64').toString('utf8');
  return [secret, plain, plain.slice(plain.indexOf(':') + 1)].filter((each) => each !== '');
}

/**
 * @param salt of the labels that stand for tokens the config does not know: equal tokens have equal labels in one
 * recording, and no label tells its token
 */
export function createCredentials(
  target: Pick<Target, 'tokens'>,
  salt: Buffer = randomBytes(32),
): Credentials {
  const variables = new Map(Object.values(target.tokens).map(({ value, variable }) => [value, variable]));
  const secrets = new Map(Object.entries(target.tokens).map(([label, { value }]) => [value, label]));
  const declared = secrets.size;
  let built: Redactor | undefined;
  let unmasked = 0;

  function variableOf(secret: string): string {
    const known = variables.get(secret);
    if (known !== undefined) return known;
    const label = createHmac('sha256', salt).update(secret).digest('hex').slice(0, 10);
    return `CLIENT_TOKEN_${label.toUpperCase()}`;
  }

  function remember(secret: string, label: string): void {
    if (secrets.has(secret)) return;
    if (secrets.size - declared >= mostCredentials) {
      unmasked += 1;
      return;
    }
    secrets.set(secret, label);
    built = undefined;
  }

  function masked(name: string, value: string, isRepeated: boolean): string {
    return secretsIn(name, value).reduce((text, secret) => {
      if (secret === '') return text;
      const variable = variableOf(secret);
      if (isRepeated && !variables.has(secret))
        for (const each of readings(value, secret)) remember(each, variable);
      return text.replaceAll(secret, () => `\${${variable}}`);
    }, value);
  }

  return {
    headers: (raw, of) =>
      headerPairs(raw).map(([name, value]) => [
        name.toLowerCase(),
        isSecretName(name) ? masked(name, value, of === 'request') : value,
      ]),
    path: (path) =>
      path.replace(/([?&])([^=&#]*)=([^&#]*)/g, (whole, before: string, name: string, value: string) => {
        if (!isSecretName(name) || value === '') return whole;
        let plain = value;
        try {
          plain = decodeURIComponent(value);
        } catch {
          // Then the value as it stands is all that there is to mask.
        }
        return `${before}${name}=${masked(name, plain, true)}`;
      }),
    redactor: () => {
      built ??= createRedactor([...secrets].map(([value, label]) => ({ value, label })));
      return built;
    },
    unmasked: () => unmasked,
  };
}
