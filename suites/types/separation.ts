import { groupDigits, ordinal } from '../../spec/text.ts';
import { type Catalogue, type ReasonsOf, filledIn } from './reasons/words.ts';
import { signInWords } from './text-differences.ts';

interface Named {
  readonly name: string;
}

const longText = ({ least, others }: { least: number; others: number }, of: string) =>
  `with a ${of} of ${groupDigits(least)} characters or more (the longest of the others has ${groupDigits(others)})`;

/** What a request has, lacks, or was sent beside, behind "a request" or "those". */
const traits = {
  member: ({ name, value }: Named & { value: unknown }) =>
    `with \`${name}\` = ${JSON.stringify(value).slice(0, 60)}`,
  'any-value': ({ name }: Named) => `with \`${name}\``,
  'left-out': ({ name }: Named) => `without \`${name}\``,
  /** Its text has a sign, such as a quotation mark. */
  sign: ({ sign }: { sign: string }) => `with ${signInWords(sign)} in the text`,
  streamed: 'in a stream',
  unstreamed: 'without a stream',
  'system-turn': 'with a turn of role system',
  'earlier-turns': 'with earlier turns',
  'content-list': 'with a list as `input`',
  'beyond-ascii': 'with letters or signs beyond ASCII in the text',
  model: ({ name }: Named) => `of the model ${name}`,
  'other-model': ({ name }: Named) => `of another model than ${name}`,
  /** By the name of the variable that has it. */
  token: ({ name }: Named) => `with the token $${name}`,
  endpoint: ({ path }: { path: string }) => `of POST ${path}`,
  'other-token': ({ name }: Named) => `with another token than $${name}`,
  header: ({ name, value }: Named & { value: string }) =>
    `with the header \`${name}: ${value.slice(0, 60)}\``,
  turns: ({ least }: { least: number }) => `with ${least} turns or more`,
  length: (trait: { least: number; others: number }) => longText(trait, 'text'),
  /** What of its text is no system prompt. */
  'prompt-length': (trait: { least: number; others: number }) => longText(trait, 'prompt'),
  from: ({ number, others }: { number: number; others: number }) =>
    `from the ${ordinal(number)} request of the run on (the last of the others was the ${ordinal(others)})`,
  every: ({ each, ofEndpoint }: { each: number; ofEndpoint: boolean }) =>
    `of every ${ordinal(each)} request${ofEndpoint ? ' to this endpoint' : ' of the run'}`,
  beside: ({ least }: { least: number }) =>
    `sent while ${least === 1 ? 'another request was' : `${least} other requests were`} under way`,
  /** Sent as the next request with the same token. */
  after: ({ what }: { what: 'stream' | 'refusal' }) =>
    `sent right after a ${what === 'stream' ? 'stream' : 'refused request'} with the same token`,
} satisfies Catalogue;
export type Trait = ReasonsOf<typeof traits>;

/** What tells the replies that show a failure from those that don't. */
export interface Separation {
  readonly traits: readonly [Trait, ...Trait[]];
  /** Others that tell the same replies apart: nobody knows which of them it is. */
  readonly alike: readonly Trait[];
  /** How many replies have the traits; where more than show it, some of these only; left out where others did not show it each time. */
  readonly having?: number;
}

export interface ReplyRef {
  readonly id: string;
  /** From 0. */
  readonly attempt: number;
}

/** The replies that would show a failure: those that do, and the others. */
export interface JudgedReplies {
  readonly broken: readonly ReplyRef[];
  readonly kept: readonly ReplyRef[];
}

export const noReplies: JudgedReplies = { broken: [], kept: [] };

export const allReplies = (one: JudgedReplies, other: JudgedReplies): JudgedReplies => ({
  broken: [...one.broken, ...other.broken],
  kept: [...one.kept, ...other.kept],
});

export interface ShownByReplies {
  readonly replies?: JudgedReplies;
  readonly separation?: Separation;
}

export const traitInWords = (trait: Trait): string => filledIn<string>(traits[trait.kind], trait);

const joined = (all: readonly Trait[]): string => all.map(traitInWords).join(' and ');

const alikeWords = ({ alike }: Separation): string =>
  alike.length > 0 ? `; the same replies are those ${joined(alike)}` : '';

/** What tells the replies that show a failure from the others, behind "in 2 of 16 replies,". `seen`: how many show it. */
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
