import { once } from './once.ts';
import { requirement } from './requirements.ts';
import { yamlDocument } from './yaml-document.ts';

export type Label = 'A' | 'B';

/** One of the two ways to read a place of the interface. */
interface Reading {
  readonly label: Label;
  readonly statement: string;
  readonly sections: readonly string[];
  readonly requirement?: string;
}

/** Which reading a target follows, by what is seen of it. */
export type Sign =
  /** By the cases of a conflict of the register. */
  | { readonly conflict: string }
  /** By the verdicts of requirements that can fail. */
  | { readonly requirements: readonly string[]; readonly pass: Label; readonly fail?: Label }
  /** By the replies that observations look at. */
  | { readonly requirements: readonly string[]; readonly answered: Label; readonly refused: Label };

/** A place where the interface contradicts itself, or can be read in two ways. */
export interface CatalogueEntry {
  readonly id: string;
  readonly kind: 'contradiction' | 'ambiguity';
  readonly readings: readonly [Reading, Reading];
  /** The reading that the suite judges by; absent where neither is held. */
  readonly held?: Label;
  readonly why: string;
  /** Ids of the requirements that rest on it. */
  readonly requirements: readonly string[];
  /** Absent where no reply shows which reading a target follows. */
  readonly seen?: Sign;
}

/** An entry as the file has it: of a reading that is a row of the register only the id. */
type Written = Omit<CatalogueEntry, 'readings'> & {
  readonly readings: Readonly<Record<Label, Omit<Reading, 'label'> | { readonly requirement: string }>>;
};

function readingOf(written: Written['readings'][Label], label: Label): Reading {
  if ('statement' in written) return { label, ...written };
  const { statement, sections } = requirement(written.requirement);
  return { label, statement, sections, requirement: written.requirement };
}

/** The catalogue of contradictions and ambiguities, parsed once; a test holds it to `catalogue.schema.json`. */
export const catalogue: () => readonly CatalogueEntry[] = once(() =>
  (yamlDocument('spec/catalogue.yaml') as readonly Written[]).map((entry) => ({
    ...entry,
    readings: [readingOf(entry.readings.A, 'A'), readingOf(entry.readings.B, 'B')],
  })),
);
