import type { Violation } from '../../../spec/validators.ts';
import type { FailureReason } from '../../types/reasons/index.ts';

const aboutContents: readonly string[] = ['minItems', 'contains'];

/** Why a value is not as the schema has it. */
export const violationReason = ({ pointer, keyword, expected }: Violation): FailureReason =>
  keyword === 'required'
    ? { kind: 'field-missing', field: pointer.slice(pointer.lastIndexOf('/') + 1), expected }
    : { kind: 'field-wrong', pointer, expected, counts: aboutContents.includes(keyword) };
