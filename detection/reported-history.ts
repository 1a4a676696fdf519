/** Bugs found and bugs tried. */
export type Share = readonly [number, number];

/** Every measurement so far, oldest first; a row is added with each, and none is changed. */
export const measurements: readonly {
  readonly code: string;
  readonly measured: Share;
  readonly open: Share;
  /** The further reports, which were collected on 28 November 2026. */
  readonly further?: { readonly measured: Share; readonly open: Share };
}[] = [
  { code: 'the code of 23 November 2026, before any of it was tried', measured: [46, 81], open: [42, 76] },
  {
    code: 'the same day, with shapes of a conversation, clients, a long system prompt and defaults in rows',
    measured: [50, 81],
    open: [47, 76],
  },
  {
    code: '26 November 2026, with texts compared under a condition, and what came between',
    measured: [57, 81],
    open: [54, 76],
  },
  {
    code: '27 November 2026, with texts of other models of an endpoint, and missing answers behind what came before',
    measured: [56, 81],
    open: [55, 76],
  },
  {
    code: '28 November 2026, with further reports, before any of them was tried',
    measured: [56, 81],
    open: [55, 76],
    further: { measured: [21, 32], open: [27, 38] },
  },
];
