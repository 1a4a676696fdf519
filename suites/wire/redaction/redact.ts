import { secretPattern } from './secret-patterns.ts';
import { isMaskable } from './maskable.ts';
import { placesOf, joinedStringsIn } from './split-secrets.ts';

/**
 * Takes configured secrets out of whatever the suite records or writes (design, section 6). One that can't
 * be told from ordinary text (`isMaskable`) is left where it stands: reports and verdicts would not survive it.
 */
export interface Redactor {
  /** The text with `[redacted:LABEL]` for each secret, in whatever encoding it stood. */
  readonly text: (text: string) => string;
  /**
   * The bytes with `*` for each byte of a secret, also of one that is split over the strings of a stream:
   * offsets hold. The same buffer where none was found. `seen` is the same bytes read as Latin-1.
   */
  readonly bytes: (bytes: Buffer, seen?: string) => Buffer;
  /** Labels of the secrets found; empty where there are none. */
  readonly leaks: (content: string | Buffer) => string[];
  /** Labels of the secrets that are not looked for, because they can't be told from ordinary text. */
  readonly open: readonly string[];
}

interface Secret {
  readonly label: string;
  /** Its bytes, read as Latin-1. */
  readonly raw: string;
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

/** Bytes read as Latin-1. Text in ASCII is that already: megabytes need no copy. */
function latin1(content: string | Buffer): string {
  if (typeof content !== 'string') return content.toString('latin1');
  return /[^\0-\x7f]/.test(content) ? Buffer.from(content, 'utf8').toString('latin1') : content;
}

/** Where V8 first searches a long text, it compiles the expression to machine code at once. */
const longText = ' '.repeat(1_000);

/** Without bytecode, which V8 else makes first: for kilobytes of expression that takes it five times as long. */
function compile(source: string, flags: 'g' | 'y'): RegExp {
  const expression = new RegExp(source, flags);
  expression.test(longText);
  return expression;
}

function secretOf({ value, label }: { readonly value: string; readonly label: string }): Secret {
  let compiled: RegExp | undefined;
  return {
    label,
    raw: latin1(value),
    head: secretPattern([...value].slice(0, headChars).join('')),
    whole: () => {
      compiled ??= compile(secretPattern(value), 'y');
      return compiled;
    },
  };
}

interface Search {
  readonly heads: RegExp;
  /** The secrets that begin so. */
  readonly behind: readonly Secret[];
}

/** V8 no longer optimizes an expression whose source is longer than 20 KiB: it takes a hundred times as long. */
const longestSource = 16_000;

/** As few expressions as run fast. Secrets with one beginning share it. */
function searchesFor(secrets: readonly Secret[]): readonly Search[] {
  const groups: { source: string; behind: Secret[] }[] = [];
  for (const head of new Set(secrets.map((secret) => secret.head))) {
    const behind = secrets.filter((secret) => secret.head === head);
    const last = groups.at(-1);
    if (last && last.source.length + head.length < longestSource) {
      last.source += `|${head}`;
      last.behind.push(...behind);
    } else groups.push({ source: head, behind });
  }
  return groups.map(({ source, behind }) => ({ heads: compile(source, 'g'), behind }));
}

/** Texts without a secret that are remembered: characters of each, and how many. */
const [longestKnown, mostKnown] = [128, 1_000];

/** The escape of JSON that reaches up to a place: its backslash, or that and what follows it. */
const escapeUpTo = /\\(?:u[0-9a-fA-F]{0,3})?$/;

/**
 * Where to mask from, so that JSON stays JSON: a secret may begin with what is the rest of an escape there,
 * as one that begins with n does behind a backslash.
 */
function startAt(seen: string, start: number): number {
  const begun = escapeUpTo.exec(seen.slice(Math.max(0, start - 5), start));
  if (begun === null) return start;
  const from = start - begun[0].length;
  let first = from;
  while (seen[first - 1] === '\\') first -= 1;
  // Two of them are a backslash that is meant.
  return (from - first) % 2 === 0 ? from : start;
}

function endAt(secret: Secret, seen: string, start: number): number {
  const whole = secret.whole();
  whole.lastIndex = start;
  return whole.test(seen) ? whole.lastIndex : 0;
}

function restOf(secret: string, seen: string): number {
  for (let length = Math.min(secret.length - 1, seen.length); length >= shortestRest; length -= 1) {
    if (seen.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}

/**
 * Compiles what to look for once, into one expression over bytes.
 *
 * @param tokens secrets with the label that stands in their place
 */
export function createRedactor(
  tokens: readonly { readonly value: string; readonly label: string }[],
): Redactor {
  const given = tokens.filter(({ value }) => value !== '');
  const secrets = given
    .filter(({ value }) => isMaskable(value))
    // The longest first, or a secret that begins with another would be left half open.
    .sort((a, b) => b.value.length - a.value.length)
    .map(secretOf);
  const searches = searchesFor(secrets);

  function* foundBy({ heads, behind }: Search, seen: string): Generator<Span> {
    heads.lastIndex = 0;
    for (let match = heads.exec(seen); match !== null; match = heads.exec(seen)) {
      const start = match.index;
      for (const secret of behind) {
        const end = endAt(secret, seen, start);
        if (end > 0) yield { start: startAt(seen, start), end, label: secret.label };
      }
      heads.lastIndex = start + 1;
    }
  }

  /** In their order; of those at one place the longest first. */
  const found = (seen: string): readonly Span[] =>
    searches
      .flatMap((search) => [...foundBy(search, seen)])
      .sort((one, other) => one.start - other.start || other.end - one.end);

  // Header names and most of their values come again with every reply.
  const unchanged = new Set<string>();

  const text = (input: string): string => {
    if (searches.length === 0 || unchanged.has(input)) return input;
    const seen = latin1(input);
    const parts: string[] = [];
    let at = 0;
    for (const { start, end, label } of found(seen)) {
      if (start >= at) parts.push(seen.slice(at, start), `[redacted:${label}]`);
      at = Math.max(at, end);
    }
    // Unchanged text is given back as it was: a lone surrogate would not survive the way through bytes.
    if (parts.length === 0) {
      if (input.length <= longestKnown && unchanged.size < mostKnown) unchanged.add(input);
      return input;
    }
    return Buffer.from(parts.join('') + seen.slice(at), 'latin1').toString('utf8');
  };

  /** Where secrets stand, the beginning of one at the end included. */
  const spansIn = (seen: string): (readonly [number, number])[] => {
    const rest = Math.max(0, ...secrets.map((secret) => restOf(secret.raw, seen)));
    const spans = found(seen).map(({ start, end }) => [start, end] as const);
    return rest === 0 ? spans : [...spans, [seen.length - rest, seen.length]];
  };

  const bytes: Redactor['bytes'] = (input, seen = latin1(input)) => {
    if (secrets.length === 0) return input;
    const spans = [
      ...spansIn(seen),
      ...joinedStringsIn(seen).flatMap((joined) =>
        spansIn(joined.text).flatMap(([start, end]) => placesOf(joined, start, end)),
      ),
    ];
    if (spans.length === 0) return input;
    const masked = Buffer.from(input);
    for (const [start, end] of spans) masked.fill('*', start, end);
    return masked;
  };

  const leaks = (content: string | Buffer): string[] =>
    [...new Set(found(latin1(content)).map(({ label }) => label))].sort();

  const open = given.filter(({ value }) => !isMaskable(value)).map(({ label }) => label);
  return { text, bytes, leaks, open };
}
