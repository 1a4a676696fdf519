import { groupDigits, ordinal } from '../../../spec/text.ts';
import type { Separation, Trait } from '../separation.ts';
import { signInWords } from '../text-signs.ts';

/** What a request has or lacks, behind "a request" or "those". */
export function traitInWords(trait: Trait): string {
  switch (trait.kind) {
    case 'member':
      return `with \`${trait.name}\` = ${JSON.stringify(trait.value).slice(0, 60)}`;
    case 'any-value':
      return `with \`${trait.name}\``;
    case 'left-out':
      return `without \`${trait.name}\``;
    case 'sign':
      return `with ${signInWords(trait.sign)} in the text`;
    case 'streamed':
      return 'in a stream';
    case 'unstreamed':
      return 'without a stream';
    case 'system-turn':
      return 'with a turn of role system';
    case 'content-list':
      return 'with a list as `input`';
    case 'beyond-ascii':
      return 'with letters or signs beyond ASCII in the text';
    case 'model':
      return `of the model ${trait.name}`;
    case 'token':
      return `with the token $${trait.name}`;
    case 'header':
      return `with the header \`${trait.name}: ${trait.value.slice(0, 60)}\``;
    case 'turns':
      return `with ${trait.least} turns or more`;
    case 'length':
    case 'prompt-length':
      return `with a ${trait.kind === 'length' ? 'text' : 'prompt'} of ${groupDigits(trait.least)} characters or more (the longest of the others has ${groupDigits(trait.others)})`;
    case 'from':
      return `from the ${ordinal(trait.number)} request of the run on (the last of the others was the ${ordinal(trait.others)})`;
    case 'every':
      return `of every ${ordinal(trait.each)} request${trait.ofEndpoint ? ' to this endpoint' : ' of the run'}`;
    case 'beside':
      return `sent while ${trait.least === 1 ? 'another request was' : `${trait.least} other requests were`} under way`;
    case 'after':
      return trait.what === 'stream'
        ? 'sent right after a stream with the same token'
        : 'sent right after a refused request with the same token';
    default:
      return trait satisfies never;
  }
}

const joined = (traits: readonly Trait[]): string => traits.map(traitInWords).join(' and ');

/**
 * What tells the replies that show a failure from the others, behind "in 2 of 16 replies,".
 * @param seen how many show it
 */
export function separationWords({ traits, alike, having }: Separation, seen: number): string {
  const also = alike.length > 0 ? `; the same replies are those ${joined(alike)}` : '';
  if (having > seen) return `all of them among the ${having} ${joined(traits)}${also}`;
  return `${seen === 1 ? 'the only one' : 'exactly those'} ${joined(traits)}${also}`;
}
