/**
 * What a client says it takes: a result is JSON; of a stream neither media type nor framing is shown (4.1 to 4.3, 6),
 * and `stream` alone asks for one.
 */
export const acceptOf = (stream: boolean): string =>
  stream ? 'application/json, */*;q=0.5' : 'application/json';
