/** A finding in words: what is said of the requirement, and what would have kept it. */
export interface Words {
  readonly message: string;
  readonly expected: string;
}

/** For each kind of reason the words that are made from its data. */
export type Catalogue = Readonly<Record<string, (data: never) => Words>>;

/** The reasons of a catalogue, each with its data. */
export type ReasonsOf<C extends Catalogue> = {
  [Kind in keyof C]: { readonly kind: Kind } & DataOf<C[Kind]>;
}[keyof C];

type DataOf<Wording> = Wording extends (data: infer Data) => Words ? Data : never;
