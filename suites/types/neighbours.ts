/** What stood beside a request, or before it with the same token: no model is told of it. */
export const neighbours = ['after-refusal', 'after-stream', 'beside'] as const;
export type Neighbour = (typeof neighbours)[number];

/** How a request is sent for a comparison: with a neighbour, or by itself; and then behind a result where that matters. */
export type SentAs = Neighbour | 'alone' | 'after-result';
