import { filledIn } from './words.ts';
import { type Separation, type Trait, traits } from '../separation.ts';

/** A trait behind "a request" or "those". */
export const traitInWords = (trait: Trait): string => filledIn<string>(traits[trait.kind], trait);

const joined = (all: readonly Trait[]): string => all.map(traitInWords).join(' and ');

const alikeWords = ({ alike }: Separation): string =>
  alike.length > 0 ? `; the same replies are those ${joined(alike)}` : '';

/**
 * What tells the replies that show a failure from the others, behind "in 2 of 16 replies,".
 * @param seen how many show it
 */
export function separationWords(separation: Separation, seen: number): string {
  const { traits: told, having } = separation;
  const also = alikeWords(separation);
  if (having === undefined) return `all of them ${joined(told)}${also}; not each such request shows it`;
  if (having > seen) return `all of them among the ${having} ${joined(told)}${also}`;
  return `${seen === 1 ? 'the only one' : 'exactly those'} ${joined(told)}${also}`;
}

/** The same where all replies that were judged show it, and others that were sent behind them do not. */
export function onlyWords(separation: Separation): string {
  const also = separation.having === undefined ? ', and not each time' : '';
  return `only ${joined(separation.traits)}${also}${alikeWords(separation)}`;
}
