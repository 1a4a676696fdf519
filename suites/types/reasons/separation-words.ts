import { filledIn } from './words.ts';
import { type Separation, type Trait, traits } from '../separation.ts';

/** A trait behind "a request" or "those". */
export const traitInWords = (trait: Trait): string => filledIn<string>(traits[trait.kind], trait);

const joined = (all: readonly Trait[]): string => all.map(traitInWords).join(' and ');

/**
 * What tells the replies that show a failure from the others, behind "in 2 of 16 replies,".
 * @param seen how many show it
 */
export function separationWords({ traits: told, alike, having }: Separation, seen: number): string {
  const also = alike.length > 0 ? `; the same replies are those ${joined(alike)}` : '';
  if (having > seen) return `all of them among the ${having} ${joined(told)}${also}`;
  return `${seen === 1 ? 'the only one' : 'exactly those'} ${joined(told)}${also}`;
}
