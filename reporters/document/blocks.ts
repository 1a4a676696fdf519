import { present } from '../../spec/present.ts';
import type { Verdict } from '../../suites/types/report.ts';
import { verdictSign, verdictWord } from '../wording.ts';

/** A document for people as typed blocks, of plain text. What makes them knows reports, what prints them does not. */

type None = null | undefined | false;
type List<Of> = readonly Of[];

/**
 * A run of text: plain, or what it is said to be. A badge is a verdict as sign, word and colour; a mark is what a
 * place leads to in a longer text, `whole` where it is the value that lacks a member; `folded` is lines behind a
 * summary. A link leads to what has this id, in the document or on another page.
 */
export type Inline = string | number | None | readonly Inline[] | Said;
/** A run of text that is more than plain. */
export type Said =
  | { readonly is: 'code'; readonly text: string }
  | { readonly is: 'strong'; readonly of: Inline }
  | { readonly is: 'small'; readonly of: Inline }
  | { readonly is: 'aside'; readonly of: Inline }
  | { readonly is: 'link'; readonly to: string; readonly page?: string; readonly of: Inline }
  | { readonly is: 'badge'; readonly tone: Verdict; readonly word: string | undefined }
  | { readonly is: 'tone'; readonly tone: Verdict; readonly of: Inline }
  | { readonly is: 'mark'; readonly text: string; readonly whole: boolean }
  | { readonly is: 'folded'; readonly summary: string; readonly lines: List<Inline> }
  | { readonly is: 'line' };

/** The forms of a document, from the shortest: a terminal, a summary beside a pull request, a page. */
const forms = ['glance', 'summary', 'page'] as const;
export type Form = (typeof forms)[number];

/** The shortest and the longest form that has a block; all have it where neither is said. */
interface Common {
  readonly from?: Form;
  readonly upTo?: Form;
}

/** What the blocks of each kind have. */
interface Kinds {
  /** What decided a document; `asked` and `tally` are for the shortest form, which names all causes, `causes` for a page. */
  readonly verdict: {
    readonly tone: Verdict;
    readonly over: string;
    readonly subject: string;
    readonly word: string;
    readonly lead: Inline;
    readonly asked?: string;
    readonly reasons: List<Inline>;
    readonly causes?: List<Inline>;
    readonly tally?: List<Inline>;
    readonly covers?: Inline;
    readonly picture?: BlockOf<'picture'> | null;
  };
  /** A part of a document; its name stands in the contents and where it is left out. */
  readonly section: {
    readonly id: string;
    readonly name: string;
    readonly title: Inline;
    readonly tone?: Verdict;
    readonly blocks: Blocks;
  };
  /** A list; a page shows at most so many of its items. */
  readonly list: {
    readonly title?: Inline;
    readonly tone?: Verdict;
    readonly ordered?: boolean;
    readonly items: List<Inline>;
    readonly most?: number;
  };
  /** A table by a name that a style sheet knows; the first cell of a row may be its head, the last row a sum. */
  readonly table: {
    readonly label: string;
    readonly look: string;
    readonly heads: List<Inline>;
    readonly rows: List<{ readonly id?: string; readonly cells: List<Cell> }>;
    readonly rowHeads?: boolean;
    readonly total?: boolean;
  };
  readonly matrix: {
    readonly label: string;
    readonly heads: readonly [string, string];
    readonly columns: List<{ readonly title: string; readonly parts: List<string> }>;
    readonly rows: List<{
      readonly group: string;
      readonly name: string;
      readonly squares: List<Square | null>;
    }>;
    readonly key: List<readonly [Verdict, string]>;
  };
  /** What is behind one line; one with a name stands in the contents, with the count of what is wrong behind it. */
  readonly fold: {
    readonly summary: Inline;
    readonly blocks: Blocks;
    readonly open?: boolean;
    readonly id?: string;
    readonly look?: 'section' | 'exchange' | 'exchanges';
    readonly name?: string;
    readonly failed?: number;
  };
  /** What stands behind verdicts, the entries that it explains, and more of them by id; whether it counts against the target. */
  readonly cause: {
    readonly id: string;
    readonly tone: Verdict;
    readonly title: Inline;
    readonly explains: string;
    readonly places: List<string>;
    readonly shownBy: Inline;
    readonly expected: Inline;
    readonly actual: string | undefined;
    readonly command: string | undefined;
    /** What is known of the command: whether it was tried, and how short it is. */
    readonly ofCommand: Inline;
    readonly counts: boolean;
    readonly entries: List<BlockOf<'entry'>>;
    readonly more: List<{ readonly id: string; readonly of: Inline }>;
  };
  /** One thing with a verdict: how to find it, how often it failed, others with its finding, and why a baseline expects it. */
  readonly entry: {
    readonly id: string;
    readonly tone: Verdict;
    readonly title: Inline;
    readonly meta: List<Inline>;
    readonly tags: Readonly<Record<string, string>>;
    readonly open: boolean;
    readonly notes: List<Fact | None>;
    readonly findings: List<BlockOf<'finding'>>;
    readonly reason: string | undefined;
    readonly rate: string | undefined;
    readonly same: List<string>;
    readonly expected: string | undefined;
    readonly blocks: Blocks;
  };
  /** Something found, against what was expected, and the place in the reply that shows it. */
  readonly finding: {
    readonly tone: Verdict;
    readonly what: Inline;
    readonly message: Inline;
    readonly expected: Inline;
    readonly actual: string | undefined;
    readonly place: string | undefined;
    readonly command?: string | undefined;
    readonly blocks: Blocks;
  };
  /** Ways to understand one place, in one sentence for the shortest form, and the one that is followed. */
  readonly readings: {
    readonly id: string;
    readonly where: string;
    readonly brief: Inline;
    readonly readings: List<{
      readonly label: string;
      readonly text: Inline;
      readonly where: string;
      readonly isFollowed: boolean;
    }>;
    readonly held: string;
    readonly followed: string;
    readonly notes: List<Inline>;
  };
  /** A drawing by paths, with its numbers in words, and what it leads to. */
  readonly picture: {
    readonly look: string;
    readonly label: string;
    readonly width: number;
    readonly height: number;
    readonly stretched?: boolean;
    readonly paths: List<{ readonly look: string; readonly d: string }>;
    readonly texts?: List<{ readonly x: number; readonly y: number; readonly text: string }>;
    readonly caption: string;
    readonly to?: string;
  };
  /** Ways to look for entries: by words, and by what they are tagged with. */
  readonly filters: {
    readonly label: string;
    readonly noun: string;
    readonly choices: List<{
      readonly name: string;
      readonly label: string;
      readonly values: List<readonly [value: string, word: string]>;
    }>;
  };
  /** Smaller ones: the title of a document without a verdict, a paragraph, a command to copy, facts, a recorded text. */
  readonly title: { readonly over: string; readonly text: string };
  readonly paragraph: { readonly text: Inline; readonly look?: Look };
  readonly command: { readonly text: string };
  readonly facts: { readonly facts: List<Fact | None>; readonly broad?: boolean };
  readonly recorded: { readonly title: Inline; readonly parts: List<RecordedPart> };
  readonly columns: { readonly blocks: Blocks };
}

export type Fact = readonly [name: string, value: Inline];

export interface Cell {
  readonly of: Inline;
  readonly tone?: Verdict | undefined;
  readonly title?: string;
}

/** A square of a matrix: what should be, what is, and more. */
export interface Square {
  readonly tone: Verdict;
  readonly words: List<string>;
  readonly why: string;
  readonly to: string | undefined;
}

/** A piece of a recorded text; behind a line where it is one that few want. */
export interface RecordedPart {
  readonly text: Inline;
  readonly behind?: string;
}

export type Look = 'quiet' | 'label' | 'see' | 'paper';

export type Block = {
  [Kind in keyof Kinds]: Common & Kinds[Kind] & { readonly kind: Kind };
}[keyof Kinds];

/** A block of a kind. */
export type BlockOf<Kind extends Block['kind']> = Extract<Block, { readonly kind: Kind }>;

/** Blocks in their order, some of which may not be there. */
export type Blocks = List<Block | None>;

/** A whole document: where a reader by keyboard gets to first, what each printed page says, and what a machine may want of it. */
export interface Document {
  readonly title: string;
  readonly printed?: string;
  readonly skip: { readonly to: string; readonly words: string };
  readonly head: Blocks;
  readonly parts: Blocks;
  readonly foot?: Inline;
  readonly data?: unknown;
}

/** Those blocks that a form of the document has. */
export const blocksIn = (form: Form, blocks: Blocks): readonly Block[] =>
  present(blocks).filter(
    ({ from = 'glance', upTo = 'page' }) =>
      forms.indexOf(from) <= forms.indexOf(form) && forms.indexOf(form) <= forms.indexOf(upTo),
  );

/** Blocks of one kind that follow each other, together. */
export function together(blocks: List<Block>): readonly List<Block>[] {
  const groups: Block[][] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (last?.[0]?.kind === block.kind) last.push(block);
    else groups.push([block]);
  }
  return groups;
}

/** Those of a group that are of a kind. */
export const ofKind = <Kind extends Block['kind']>(
  kind: Kind,
  blocks: List<Block>,
): readonly BlockOf<Kind>[] => blocks.filter((block): block is BlockOf<Kind> => block.kind === kind);

export const code = (text: string): Inline => ({ is: 'code', text });
export const strong = (of: Inline): Inline => ({ is: 'strong', of });
export const small = (of: Inline): Inline => ({ is: 'small', of });
export const link = (to: string, of: Inline): Inline => ({ is: 'link', to, of });
/** A link to another page, or to a place on it. */
export const pageLink = (page: string, of: Inline, to = ''): Inline => ({ is: 'link', page, to, of });
export const badge = (tone: Verdict, word?: string): Inline => ({ is: 'badge', tone, word });
/** Runs of text with commas between them. */
export const joined = (items: List<Inline>): Inline => items.map((item, at) => [at > 0 && ', ', item]);

export const paragraph = (text: Inline, look?: Look): Block => ({
  kind: 'paragraph',
  text,
  ...(look && { look }),
});
export const quiet = (text: Inline): Block => paragraph(text, 'quiet');
export const fold = (summary: Inline, ...blocks: Blocks): Block => ({ kind: 'fold', summary, blocks });
export const list = (items: List<Inline>, more: Partial<BlockOf<'list'>> = {}): Block => ({
  kind: 'list',
  items,
  ...more,
});
/** A section; `more` says its tone and which forms have it. */
export const section = (
  [id, name, title]: readonly [id: string, name: string, title: Inline],
  blocks: Blocks,
  more: Partial<BlockOf<'section'>> & Common = {},
): Block => ({ kind: 'section', id, name, title, blocks, ...more });
/** A table whose cells are runs of text, or say more. */
export const table = (
  [label, look]: readonly [label: string, look: string],
  heads: List<Inline>,
  rows: BlockOf<'table'>['rows'],
  more: Partial<BlockOf<'table'>> & Common = {},
): Block => ({ kind: 'table', label, look, heads, rows, ...more });
/** A row of runs of text. */
export const row = (...cells: List<Inline>): BlockOf<'table'>['rows'][number] => ({
  cells: cells.map((of) => ({ of })),
});

/** A text of ours with what stands between backticks as code. */
export const prose = (text: string): Inline =>
  text.split('`').map((part, at, all) => {
    if (at % 2 === 0) return part;
    return at === all.length - 1 ? `\`${part}` : code(part);
  });

/** The words of a run of text, without what they are; code between marks, where there are any. */
export function plain(of: Inline, mark = ''): string {
  if (of === null || of === undefined || of === false) return '';
  if (typeof of !== 'object') return String(of);
  if ('map' in of) return of.map((one) => plain(one, mark)).join('');
  if (of.is === 'code') return `${mark}${of.text}${mark}`;
  if (of.is === 'mark') return of.text;
  if (of.is === 'badge') return `${verdictSign[of.tone]} ${of.word ?? verdictWord[of.tone]}`;
  if (of.is === 'line') return ' · ';
  return of.is === 'folded' ? of.summary : plain(of.of, mark);
}
