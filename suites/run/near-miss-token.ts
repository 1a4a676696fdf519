import type { Target, Token } from '../../fixtures/target/target.ts';
import { type NearMiss, nearMisses } from '../types/plan.ts';
import { isMaskable } from '../wire/redaction/maskable.ts';

/** A token that no console issued, made from one that was. */
export interface NearMissToken {
  readonly value: string;
  /** What a shell makes it of, with the token in the environment. */
  readonly shown: string;
}

/** Places of letters and digits: what stands between or behind them may be padding, and mean nothing. */
const signsOf = (chars: readonly string[]): readonly number[] =>
  [...chars.keys()].filter((at) => /[A-Za-z0-9]/.test(chars[at] ?? ''));

/** What may stand in a sign's place: of the same alphabet, in base64 with another first bit, since last bits may not count. */
function othersFor(char: string, value: string): readonly string[] {
  if (!/[A-Za-z]/.test(value)) return [...'7354'].filter((other) => other !== char);
  if (/[A-Fa-f]/.test(char)) return [...'735'];
  return /[A-Z]/.test(value) && !/[a-z]/.test(char) ? [...'BDE'] : [...'bde'];
}

/** Less of a token than this many characters may be a word like any other. */
const shortestRest = 8;

const marks = (count: number): string => '?'.repeat(count);

/** With each of `others` in one place. */
function changedAt(
  chars: readonly string[],
  at: number,
  others: readonly string[],
  variable: string,
): readonly NearMissToken[] {
  const before = chars.slice(0, at).join('');
  const after = chars.slice(at + 1).join('');
  const front = `\${${variable}%${marks(chars.length - at)}}`;
  const back = after === '' ? '' : `\${${variable}#${marks(at + 1)}}`;
  return others.map((other) => ({ value: before + other + after, shown: front + other + back }));
}

const shortened = (chars: readonly string[], to: number, variable: string): NearMissToken => ({
  value: chars.slice(0, to).join(''),
  shown: `\${${variable}%${marks(chars.length - to)}}`,
});

/** A beginning that is shorter than what is left, up to a hyphen or an underscore; else the first character. */
function unprefixed(chars: readonly string[], variable: string): readonly NearMissToken[] {
  const mark = chars.findIndex((char) => char === '-' || char === '_') + 1;
  return [...(mark <= chars.length / 2 ? [mark] : []), 1]
    .filter((length) => length > 0)
    .map((length) => ({ value: chars.slice(length).join(''), shown: `\${${variable}#${marks(length)}}` }))
    .filter(({ value }) => {
      const word = value.replace(/^[^A-Za-z0-9]+/, '');
      return word.length >= shortestRest && isMaskable(word);
    });
}

const swapped = (text: string): string =>
  text.replace(/[A-Za-z]/g, (char) => (char < 'a' ? char.toLowerCase() : char.toUpperCase()));

/** Where a token has letters of one case only, as hexadecimal digits are written, their case may mean nothing. */
const hasBothCases = (value: string): boolean => /[a-z]/.test(value) && /[A-Z]/.test(value);

/** The best first; each is made when it is asked for, as a token may have thousands of characters. */
function* candidates({ value, variable }: Token, how: NearMiss): Generator<NearMissToken> {
  const chars = [...value];
  const signs = signsOf(chars);
  const last = signs.at(-1);
  if (last === undefined) return;
  const inMiddle = signs.filter((at) => at >= chars.length / 2 && at !== last);
  const changed = (at: number) => changedAt(chars, at, othersFor(chars[at] ?? '', value), variable);
  switch (how) {
    case 'last':
      yield* changed(last);
      break;
    case 'middle':
      for (const at of inMiddle) yield* changed(at);
      break;
    case 'wildcard':
      for (const at of inMiddle) yield* changedAt(chars, at, ['%'], variable);
      break;
    case 'unprefixed':
      yield* unprefixed(chars, variable);
      break;
    case 'shorter':
      for (const at of signs.toReversed()) if (at > 0) yield shortened(chars, at, variable);
      break;
    case 'case':
      if (hasBothCases(value))
        yield { value: swapped(value), shown: `$(printf %s "\${${variable}}" | tr a-zA-Z A-Za-z)` };
      break;
    default:
      how satisfies never;
  }
}

/** The token altered, never into another one of the target; undefined where it can't be. */
export function nearMissToken(
  token: Token,
  how: NearMiss,
  { tokens }: Pick<Target, 'tokens'>,
): NearMissToken | undefined {
  const taken = new Set(Object.values(tokens).map(({ value }) => value));
  for (const made of candidates(token, how)) if (!taken.has(made.value)) return made;
  return undefined;
}

/** All that a run may send in the place of a target's tokens, and a target may make of them: nearly as secret as they are. */
export const nearTokens = (target: Pick<Target, 'tokens'>): readonly { value: string; label: string }[] =>
  Object.entries(target.tokens).flatMap(([label, token]) =>
    nearMisses
      .flatMap((how) => nearMissToken(token, how, target)?.value ?? [])
      .filter((value) => isMaskable(value))
      .map((value) => ({ value, label })),
  );
