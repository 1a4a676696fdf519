import type { Validate } from '../../spec/schema-set.ts';
import { validators } from './compiled-schemas.ts';

function complaints(validate: Validate, value: unknown): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const extra: unknown = params.additionalProperty ?? params.unevaluatedProperty;
    const detail = extra === undefined ? '' : ` (${String(extra)})`;
    return `${instancePath === '' ? '/' : instancePath}: ${message ?? 'not valid'}${detail}`;
  });
}

/** What is wrong with a report by `report.schema.json`, the first offence only: pointer and message; empty where valid. */
export const validateReport = (report: unknown): string[] => complaints(validators('report'), report);

/** The same for one parsed line of `evidence.jsonl` by `evidence.schema.json`. */
export const validateEvidence = (line: unknown): string[] => complaints(validators('evidence'), line);
