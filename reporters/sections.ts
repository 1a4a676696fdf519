import { ownSection } from '../spec/extension.ts';

/** Sections of the interface, in its order, and what stands for no section of it. */
const titles = [
  ['1', 'What the service does'],
  ['2', 'Resources and their fields'],
  ['2.1', 'API token'],
  ['2.2', 'Model families'],
  ['2.3', 'Responses result'],
  ['2.4', 'Message result'],
  ['2.5', 'Chat completion'],
  ['2.6', 'Image generation result'],
  ['3', 'States and transitions'],
  ['4', 'Endpoints'],
  ['4.1', 'POST /v1/responses'],
  ['4.2', 'POST /v1/messages'],
  ['4.3', 'POST /v1/chat/completions'],
  ['4.4', 'POST /v1/images/generations'],
  ['4.5', 'Image generation through chat'],
  ['5', 'Authentication'],
  ['6', 'Events'],
  ['7', 'Errors'],
  ['8', 'Limits'],
  ['9', 'Versioning'],
  [ownSection, 'Own statements'],
] as const;

/** The numbers of all sections, in the order of the interface. */
export const sectionNumbers = titles.map(([section]) => section);

const order: ReadonlyMap<string, number> = new Map(titles.map(([section], at) => [section, at]));
const names: ReadonlyMap<string, string> = new Map(titles);

/** Title of a section; empty for one that the interface does not have. */
export const sectionTitle = (section: string): string => names.get(section) ?? '';

/** Compares sections by their place in the interface; unknown ones come last. */
export const compareSections = (one: string, other: string): number =>
  (order.get(one) ?? titles.length) - (order.get(other) ?? titles.length) ||
  (one < other ? -1 : one > other ? 1 : 0);

/** `section 4.3`, `sections 2.5, 4.3`, `own statement`: the sections that a requirement names. */
export const sectionList = (sections: readonly string[]): string =>
  sections[0] === ownSection
    ? 'own statement'
    : `${sections.length === 1 ? 'section' : 'sections'} ${sections.join(', ')}`;
