import type { Verdict } from '../../suites/types/report.ts';
import { verdictSign, verdictWord } from '../wording.ts';

/**
 * A document for people as typed blocks. What makes them knows reports and requirements; what prints them knows
 * neither. Every text is plain: printers alone escape.
 */

/** A run of text: plain, or what it is said to be. */
export type Inline =
  | string
  | number
  | null
  | undefined
  | false
  | readonly Inline[]
  | { readonly is: 'code'; readonly text: string }
  | { readonly is: 'strong' | 'small' | 'aside'; readonly of: Inline }
  /** A link to what has this id, in the document or on another page. */
  | { readonly is: 'link'; readonly to: string; readonly page?: string; readonly of: Inline }
  /** A verdict as sign, word and colour; its own word where there is none. */
  | { readonly is: 'badge'; readonly tone: Verdict; readonly word?: string }
  /** Text in the colour of a verdict. */
  | { readonly is: 'tone'; readonly tone: Verdict; readonly of: Inline }
  /** What a place leads to in a longer text; `whole` where it is the value that lacks a member. */
  | { readonly is: 'mark'; readonly text: string; readonly whole: boolean }
  /** Lines behind a summary. */
  | { readonly is: 'folded'; readonly summary: string; readonly lines: readonly Inline[] }
  | { readonly is: 'line' };

/** The forms of a document, from the shortest: a terminal, a summary beside a pull request, a page. */
const forms = ['glance', 'summary', 'page'] as const;
export type Form = (typeof forms)[number];

/** What every block may say of itself. */
interface Common {
  /** The shortest form that has it; all have it where this is absent. */
  readonly from?: Form;
  /** The longest form that has it. */
  readonly upTo?: Form;
}

/** What decided a whole document. */
export interface VerdictBlock {
  readonly kind: 'verdict';
  readonly tone: Verdict;
  /** What the document is, above its title. */
  readonly over: string;
  /** The title of the document. */
  readonly subject: string;
  readonly word: string;
  readonly lead: Inline;
  /** What was asked, in few words. */
  readonly asked?: string;
  readonly reasons: readonly Inline[];
  /** Counts, for the shortest form. */
  readonly tally?: readonly Inline[];
  /** What it covers, on a page. */
  readonly covers?: Inline;
  readonly picture?: PictureBlock | null;
}

/** The title of a document that has no verdict. */
interface TitleBlock {
  readonly kind: 'title';
  /** What the document is. */
  readonly over: string;
  readonly text: string;
}

export interface SectionBlock {
  readonly kind: 'section';
  readonly id: string;
  readonly title: Inline;
  /** Its name in the contents and where it is left out. */
  readonly name: string;
  readonly tone?: Verdict;
  readonly blocks: readonly Block[];
}

interface ParagraphBlock {
  readonly kind: 'paragraph';
  readonly text: Inline;
  readonly look?: 'quiet' | 'label' | 'see' | 'paper';
}

export interface ListBlock {
  readonly kind: 'list';
  readonly title?: Inline;
  readonly tone?: Verdict;
  readonly ordered?: boolean;
  readonly items: readonly Inline[];
  /** How many a page shows. */
  readonly most?: number;
}

/** Names with values. */
export interface FactsBlock {
  readonly kind: 'facts';
  readonly facts: readonly (readonly [name: string, value: Inline])[];
  readonly broad?: boolean;
}

export interface Cell {
  readonly of: Inline;
  readonly tone?: Verdict | undefined;
  readonly title?: string;
}

export interface Row {
  readonly id?: string;
  readonly cells: readonly Cell[];
}

export interface TableBlock {
  readonly kind: 'table';
  readonly label: string;
  /** A name by which a style sheet knows it. */
  readonly look: string;
  readonly heads: readonly Inline[];
  readonly rows: readonly Row[];
  /** Whether the first cell of a row is its head, and the last row the sum of all. */
  readonly rowHeads?: boolean;
  readonly total?: boolean;
}

/** A square of a matrix. */
export interface Square {
  readonly tone: Verdict;
  /** What should be, what is, and more. */
  readonly words: readonly string[];
  readonly why: string;
  readonly to?: string | undefined;
}

export interface MatrixBlock {
  readonly kind: 'matrix';
  readonly label: string;
  readonly heads: readonly [string, string];
  /** Groups of columns, each with its own. */
  readonly columns: readonly { readonly title: string; readonly parts: readonly string[] }[];
  readonly rows: readonly {
    readonly group: string;
    readonly name: string;
    readonly squares: readonly (Square | null)[];
  }[];
  readonly key: readonly (readonly [Verdict, string])[];
}

/** A command to be copied as it stands. */
interface CommandBlock {
  readonly kind: 'command';
  readonly text: string;
}

export interface FoldBlock {
  readonly kind: 'fold';
  readonly summary: Inline;
  readonly blocks: readonly Block[];
  readonly open?: boolean;
  readonly id?: string;
  readonly look?: 'section' | 'exchange' | 'exchanges';
  /** Its name in the contents, and a count that is wrong with it. */
  readonly name?: string;
  readonly failed?: number;
}

/** What stands behind verdicts, and the entries that it explains. */
export interface CauseBlock {
  readonly kind: 'cause';
  readonly tone: Verdict;
  readonly title: Inline;
  /** What it explains, and where its mistake stands. */
  readonly explains: string;
  readonly places: readonly string[];
  readonly shownBy: Inline;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
  readonly command?: string | undefined;
  /** Whether it counts against the target. */
  readonly counts: boolean;
  readonly entries: readonly EntryBlock[];
  readonly more: readonly { readonly id: string; readonly of: Inline }[];
}

/** Something found, against what was expected. */
export interface FindingBlock {
  readonly kind: 'finding';
  readonly tone: Verdict;
  readonly what: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly place?: string | undefined;
  readonly command?: string | undefined;
  readonly blocks: readonly Block[];
}

/** One thing that has a verdict. */
export interface EntryBlock {
  readonly kind: 'entry';
  readonly id: string;
  readonly tone: Verdict;
  readonly title: Inline;
  readonly meta: readonly Inline[];
  /** What it can be found by. */
  readonly tags: Readonly<Record<string, string>>;
  readonly open: boolean;
  readonly notes: readonly (readonly [name: string, value: Inline])[];
  readonly findings: readonly FindingBlock[];
  readonly reason?: string | undefined;
  /** How often it was found, where it was looked for several times. */
  readonly rate?: string | undefined;
  /** Others with the same finding. */
  readonly same: readonly string[];
  /** Where a baseline expects it: why. */
  readonly expected?: string | undefined;
  readonly blocks: readonly Block[];
}

/** Ways to understand one place, and the one that is followed. */
export interface ReadingsBlock {
  readonly kind: 'readings';
  readonly id: string;
  readonly where: string;
  /** In one sentence, for the shortest form. */
  readonly brief: Inline;
  readonly readings: readonly {
    readonly label: string;
    readonly text: Inline;
    readonly where: string;
    readonly isFollowed: boolean;
  }[];
  readonly held: string;
  readonly followed: string;
  readonly notes: readonly Inline[];
}

/** A recorded text, with where it is from and how long it is. */
interface RecordedBlock {
  readonly kind: 'recorded';
  readonly title?: Inline;
  readonly text: Inline;
}

/** A drawing by paths, with its numbers in words. */
export interface PictureBlock {
  readonly kind: 'picture';
  readonly look: string;
  readonly label: string;
  readonly width: number;
  readonly height: number;
  readonly stretched?: boolean;
  readonly paths: readonly { readonly look: string; readonly d: string }[];
  readonly texts?: readonly { readonly x: number; readonly y: number; readonly text: string }[];
  readonly caption: string;
  /** What it leads to. */
  readonly to?: string;
}

/** Ways to look for entries: by words, and by what they are tagged with. */
export interface FiltersBlock {
  readonly kind: 'filters';
  readonly label: string;
  readonly noun: string;
  readonly choices: readonly {
    readonly name: string;
    readonly label: string;
    readonly values: readonly (readonly [value: string, word: string])[];
  }[];
}

export type Block = Common &
  (
    | VerdictBlock
    | TitleBlock
    | SectionBlock
    | ParagraphBlock
    | ListBlock
    | FactsBlock
    | TableBlock
    | MatrixBlock
    | CommandBlock
    | FoldBlock
    | CauseBlock
    | EntryBlock
    | FindingBlock
    | ReadingsBlock
    | RecordedBlock
    | PictureBlock
    | FiltersBlock
    | { readonly kind: 'columns'; readonly blocks: readonly Block[] }
  );

/** Whether a form of the document has a block. */
export const isIn = (form: Form, { from = 'glance', upTo = 'page' }: Common): boolean =>
  forms.indexOf(from) <= forms.indexOf(form) && forms.indexOf(form) <= forms.indexOf(upTo);

export const code = (text: string): Inline => ({ is: 'code', text });
export const strong = (of: Inline): Inline => ({ is: 'strong', of });
export const small = (of: Inline): Inline => ({ is: 'small', of });
export const link = (to: string, of: Inline): Inline => ({ is: 'link', to, of });
export const badge = (tone: Verdict, word?: string): Inline =>
  word === undefined ? { is: 'badge', tone } : { is: 'badge', tone, word };
export const quiet = (text: Inline): Block => ({ kind: 'paragraph', text, look: 'quiet' });

/** A text of ours with what stands between backticks as code. */
export const prose = (text: string): Inline =>
  text.split('`').map((part, at, all) => {
    if (at % 2 === 0) return part;
    return at === all.length - 1 ? `\`${part}` : code(part);
  });

/** The words of a run of text, without what they are. */
export function plain(of: Inline): string {
  if (of === null || of === undefined || of === false) return '';
  if (typeof of !== 'object') return String(of);
  if ('map' in of) return of.map(plain).join('');
  switch (of.is) {
    case 'code':
    case 'mark':
      return of.text;
    case 'badge':
      return `${verdictSign[of.tone]} ${of.word ?? verdictWord[of.tone]}`;
    case 'line':
      return ' · ';
    case 'folded':
      return of.summary;
    default:
      return plain(of.of);
  }
}

/** A whole document. */
export interface Document {
  readonly title: string;
  /** At the foot of each printed page. */
  readonly printed?: string;
  /** Where a reader by keyboard gets to first. */
  readonly skip: { readonly to: string; readonly words: string };
  readonly head: readonly Block[];
  readonly parts: readonly Block[];
  readonly foot?: string;
  /** What a machine may want of it. */
  readonly data?: unknown;
}

/** Blocks of one kind that follow each other, together. */
export function together(blocks: readonly Block[]): readonly (readonly Block[])[] {
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
  blocks: readonly Block[],
): readonly Extract<Block, { kind: Kind }>[] =>
  blocks.filter((block): block is Extract<Block, { kind: Kind }> => block.kind === kind);
