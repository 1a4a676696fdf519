import { requirements } from '../../../spec/requirements.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';

/** Rows that have a case of their own. */
const judgedElsewhere: readonly string[] = ['images.result.data.count', 'images.result.data.url'];

export const fieldRequirements = (protocol: Protocol): readonly string[] =>
  requirements()
    .filter(
      ({ about, level, excluded }) =>
        about?.protocol === protocol &&
        about.field !== undefined &&
        level !== 'unspecified' &&
        excluded === undefined,
    )
    .map(({ id }) => id)
    .filter((id) => !judgedElsewhere.includes(id));
