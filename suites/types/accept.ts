/** What a client says it takes: JSON for a result; of a stream the media type is not shown (4.1 to 4.3, 6). */
export const acceptOf = (stream: boolean): string =>
  stream ? 'application/json, */*;q=0.5' : 'application/json';
