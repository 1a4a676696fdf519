import type { Template } from '../../types/template.ts';

/** A value of a parameter, and what it is called. */
export interface Value {
  readonly slug: string;
  readonly description: string;
  readonly value: Template;
  /**
   * Slug of a plainer wrong value of the same aspect. Where that one is answered, this one shows no more, and would
   * only cost: of `n` an image each.
   */
  readonly unless?: string;
  /** It is given even where no valid request is answered. */
  readonly needsNoAnswer?: boolean;
}

/** A value named after itself. */
export const value = (of: Template, description = JSON.stringify(of)): Value => ({
  slug: String(of).replace(/[^\w.-]+/g, '-'),
  description,
  value: of,
});

/** What a parameter without bounds and allowed values is given. */
export const samples: Readonly<Record<string, Template>> = {
  instructions: 'Answer in one short sentence.',
  system: 'Answer in one short sentence.',
  max_tokens: 64,
};
