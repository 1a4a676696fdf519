/** A finding in words: what is said of the requirement, and what would have kept it. */
export interface Words {
  readonly message: string;
  readonly expected: string;
}

/** The message, or the message and what was expected. */
type Text = string | readonly [message: string, expected: string];

/** For each kind of reason its words, or how they are made from its data. */
export type Catalogue = Readonly<Record<string, Text | ((data: never) => Text)>>;

/** The reasons of a catalogue, each with its data; a member `Key` names the kind. */
export type ReasonsOf<C extends Catalogue, Key extends string = 'kind'> = {
  [Kind in keyof C]: { readonly [K in Key]: Kind } & Readonly<
    C[Kind] extends (data: infer Data) => Text ? Data : unknown
  >;
}[keyof C];

/** The text of an entry that may need the data of its reason. */
export const filledIn = <Filled>(entry: Filled | ((data: never) => Filled), data: unknown): Filled =>
  // The kind tells which data the entry takes, which the type of a union of functions does not.
  entry instanceof Function ? entry(data as never) : entry;
