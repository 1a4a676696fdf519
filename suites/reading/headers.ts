import type { Reply } from '../types/exchange.ts';

/** The first value of a header of a reply, by its name in lower case. */
export const headerOf = ({ headers }: Reply, name: string): string | undefined =>
  headers.find(([known]) => known === name)?.[1];
