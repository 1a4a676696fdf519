import type { Extension } from './extension.ts';

/** What a gateway states itself, but for its paths, as it is named where it is judged apart: in DIR, in files of entries. */
export const ownPart = 'own';

/** The name of what a run with an extension asks: of its path, where it asks one. */
export const partOf = ({ at }: Pick<Extension, 'at'>): string =>
  `${ownPart}${(at?.path ?? '').toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;

/** Whether something is called so. */
export const isPart = (name: unknown): name is string =>
  typeof name === 'string' && /^own(-[a-z0-9]+)*$/.test(name);
