import { needle } from './needles.ts';

/** Takes configured secrets out of whatever the suite records or writes (design, section 6). */
export interface Redactor {
  /** The text with `[redacted:LABEL]` for each secret, in whatever encoding it stood. */
  readonly text: (text: string) => string;
  /** The bytes with `*` for each byte of a secret: offsets hold. The same buffer where none was found. */
  readonly bytes: (bytes: Buffer) => Buffer;
  /** Labels of the secrets found; empty where there are none. */
  readonly leaks: (content: string | Buffer) => string[];
}

interface Secret {
  readonly label: string;
  readonly bytes: Buffer;
  readonly head: string;
  /** The whole secret, at one place. */
  readonly whole: () => RegExp;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** Only so many characters of a secret are looked for everywhere: a token may be a kilobyte long. */
const headChars = 24;

/** A body may break off inside a secret: from this many bytes on, its beginning is masked too. */
const shortestRest = 8;

function secretOf({ value, label }: { readonly value: string; readonly label: string }): Secret {
  let compiled: RegExp | undefined;
  return {
    label,
    bytes: Buffer.from(value, 'utf8'),
    head: needle([...value].slice(0, headChars).join('')),
    whole: () => {
      compiled ??= new RegExp(needle(value), 'y');
      return compiled;
    },
  };
}

function endAt(secret: Secret, seen: string, start: number): number {
  const whole = secret.whole();
  whole.lastIndex = start;
  return whole.test(seen) ? whole.lastIndex : 0;
}

function restOf(secret: Buffer, bytes: Buffer): number {
  for (let length = Math.min(secret.length - 1, bytes.length); length >= shortestRest; length -= 1) {
    if (bytes.subarray(bytes.length - length).equals(secret.subarray(0, length))) return length;
  }
  return 0;
}

const latin1 = (content: string | Buffer): string =>
  (typeof content === 'string' ? Buffer.from(content, 'utf8') : content).toString('latin1');

/**
 * Compiles what to look for once, into one expression over bytes.
 *
 * @param tokens secrets with the label that stands in their place
 * @param extra further secrets; their label is `secret`
 */
export function createRedactor(
  tokens: readonly { readonly value: string; readonly label: string }[],
  extra: readonly string[] = [],
): Redactor {
  const secrets = [...tokens, ...extra.map((value) => ({ value, label: 'secret' }))]
    .filter(({ value }) => value !== '')
    // The longest first, or a secret that begins with another would be left half open.
    .sort((a, b) => b.value.length - a.value.length)
    .map(secretOf);
  const heads = new RegExp(secrets.map(({ head }) => head).join('|'), 'g');

  function* found(seen: string): Generator<Span> {
    if (secrets.length === 0) return;
    heads.lastIndex = 0;
    for (let match = heads.exec(seen); match !== null; match = heads.exec(seen)) {
      const start = match.index;
      for (const secret of secrets) {
        const end = endAt(secret, seen, start);
        if (end > 0) yield { start, end, label: secret.label };
      }
      heads.lastIndex = start + 1;
    }
  }

  const text = (input: string): string => {
    const seen = latin1(input);
    const parts: string[] = [];
    let at = 0;
    for (const { start, end, label } of found(seen)) {
      if (start >= at) parts.push(seen.slice(at, start), `[redacted:${label}]`);
      at = Math.max(at, end);
    }
    // Unchanged text is given back as it was: a lone surrogate would not survive the way through bytes.
    if (parts.length === 0) return input;
    return Buffer.from(parts.join('') + seen.slice(at), 'latin1').toString('utf8');
  };

  const bytes = (input: Buffer): Buffer => {
    const spans = [...found(latin1(input))];
    const rest = Math.max(0, ...secrets.map((secret) => restOf(secret.bytes, input)));
    if (spans.length === 0 && rest === 0) return input;
    const masked = Buffer.from(input);
    for (const { start, end } of spans) masked.fill('*', start, end);
    return masked.fill('*', masked.length - rest);
  };

  const leaks = (content: string | Buffer): string[] =>
    [...new Set([...found(latin1(content))].map(({ label }) => label))].sort();

  return { text, bytes, leaks };
}
