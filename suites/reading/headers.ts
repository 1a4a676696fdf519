import type { Reply } from '../types/exchange.ts';

/** The first value of a header of a reply, by its name in lower case. */
export const headerOf = ({ headers }: Reply, name: string): string | undefined =>
  headers.find(([known]) => known === name)?.[1];

/** The content type of a reply without its parameters, in lower case; undefined where it has none. */
export const mediaTypeOf = (reply: Reply): string | undefined =>
  headerOf(reply, 'content-type')?.split(';')[0]?.trim().toLowerCase();
