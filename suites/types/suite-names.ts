export const suiteNames = [
  'families',
  'results',
  'authentication',
  'parameters',
  'streams',
  'context',
  'errors',
  'observations',
] as const;

export type SuiteName = (typeof suiteNames)[number];
