import { createHash } from 'node:crypto';
import type { Family } from '../../spec/vocabulary.ts';

/** A model's name as a part of ids: with a digest where the name itself can't be one. */
function modelSlug(name: string): string {
  const slug = name.replace(/[^\w.-]+/g, '-').slice(0, 60);
  return slug === name ? name : `${slug}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

/** The id of what is asked of a model behind the first of its family; that of the first is the id itself. */
export const ofModel = <Id extends string>(
  id: Id,
  { family, model }: { readonly family: Family; readonly model?: string },
): Id => (model === undefined ? id : (`${id}@${family}.${modelSlug(model)}` as Id));
