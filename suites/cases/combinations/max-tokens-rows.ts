import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import type { PlannedRow } from './row-requests.ts';
import { isAt } from './text-row.ts';

/** Output tokens that a row with the place `limit` allows: far fewer than what it asks for has. */
export const lowLimit = 16;

/** The rows whose reply ends at `max_tokens`. */
export const limitedRows = (builder: CaseBuilder, protocol: TextProtocol): readonly PlannedRow[] =>
  builder.rows(protocol).rows.filter((row) => isAt(row, 'limit'));
