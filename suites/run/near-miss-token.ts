import type { Target, Token } from '../../fixtures/target/target.ts';
import { type NearMiss, nearMisses } from '../model/plan.ts';
import { isMaskable } from '../wire/redaction/maskable.ts';

/** A token that no console issued, made from one that was. */
export interface NearMissToken {
  readonly value: string;
  /** What a shell makes it of, with the token in the environment. */
  readonly shown: string;
}

const isSign = (char: string | undefined): boolean => char !== undefined && /[A-Za-z0-9]/.test(char);

/** Places of letters and digits: what stands between or behind them may be padding, and mean nothing. */
const signsOf = (chars: readonly string[]): readonly number[] =>
  [...chars.keys()].filter((at) => isSign(chars[at]));

/**
 * What may stand in a sign's place: of the same alphabet, and in base64 with another first bit. A change in the
 * last bits of a base64 text may decode to the same bytes.
 */
function othersFor(char: string, value: string): readonly string[] {
  if (!/[A-Za-z]/.test(value)) return [...'7354'].filter((other) => other !== char);
  if (/[A-Fa-f]/.test(char)) return [...'735'];
  return /[A-Z]/.test(value) && !/[a-z]/.test(char) ? [...'BDE'] : [...'bde'];
}

const marks = (count: number): string => '?'.repeat(count);

function changedAt(chars: readonly string[], at: number, variable: string): readonly NearMissToken[] {
  const before = chars.slice(0, at).join('');
  const after = chars.slice(at + 1).join('');
  const front = `\${${variable}%${marks(chars.length - at)}}`;
  const back = after === '' ? '' : `\${${variable}#${marks(at + 1)}}`;
  return othersFor(chars[at] ?? '', chars.join('')).map((other) => ({
    value: before + other + after,
    shown: front + other + back,
  }));
}

const shortened = (chars: readonly string[], to: number, variable: string): NearMissToken => ({
  value: chars.slice(0, to).join(''),
  shown: `\${${variable}%${marks(chars.length - to)}}`,
});

const swapped = (text: string): string =>
  text.replace(/[A-Za-z]/g, (char) => (char < 'a' ? char.toLowerCase() : char.toUpperCase()));

/** Where a token has letters of one case only, as hexadecimal digits are written, their case may mean nothing. */
const hasBothCases = (value: string): boolean => /[a-z]/.test(value) && /[A-Z]/.test(value);

/** The best first. */
function candidates({ value, variable }: Token, how: NearMiss): readonly NearMissToken[] {
  const chars = [...value];
  const signs = signsOf(chars);
  const last = signs.at(-1);
  if (last === undefined) return [];
  switch (how) {
    case 'last':
      return changedAt(chars, last, variable);
    case 'middle':
      return signs
        .filter((at) => at >= chars.length / 2 && at !== last)
        .flatMap((at) => changedAt(chars, at, variable));
    case 'shorter':
      return signs
        .filter((at) => at > 0)
        .reverse()
        .map((at) => shortened(chars, at, variable));
    case 'case':
      return hasBothCases(value)
        ? [{ value: swapped(value), shown: `$(printf %s "\${${variable}}" | tr a-zA-Z A-Za-z)` }]
        : [];
    default:
      return how satisfies never;
  }
}

/** The token altered, never into another one of the target; undefined where it can't be. */
export function nearMissToken(
  token: Token,
  how: NearMiss,
  { tokens }: Pick<Target, 'tokens'>,
): NearMissToken | undefined {
  const taken = new Set(Object.values(tokens).map(({ value }) => value));
  return candidates(token, how).find(({ value }) => !taken.has(value));
}

/** All that a run may send in the place of a target's tokens: nearly as secret as they are. */
export const nearTokens = (target: Pick<Target, 'tokens'>): readonly { value: string; label: string }[] =>
  Object.entries(target.tokens).flatMap(([label, token]) =>
    label === 'rate-limited'
      ? []
      : nearMisses
          .flatMap((how) => nearMissToken(token, how, target)?.value ?? [])
          .filter((value) => isMaskable(value))
          .map((value) => ({ value, label })),
  );
