import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { packageFile } from '../../spec/package-root.ts';

interface Validators {
  readonly report: ValidateFunction;
  readonly evidence: ValidateFunction;
}

const schema = (name: string): object =>
  JSON.parse(readFileSync(packageFile(`reporters/schema/${name}.schema.json`), 'utf8')) as object;

let compiled: Validators | undefined;

/** Compiled on first use, once: compiling is what costs. */
function validators(): Validators {
  if (compiled === undefined) {
    const ajv = new Ajv2020({ allErrors: false, strict: true, strictRequired: false, strictTypes: false });
    formats.default(ajv, ['date-time']);
    compiled = { report: ajv.compile(schema('report')), evidence: ajv.compile(schema('evidence')) };
  }
  return compiled;
}

function complaints(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const extra: unknown = params.additionalProperty ?? params.unevaluatedProperty;
    const detail = extra === undefined ? '' : ` (${String(extra)})`;
    return `${instancePath === '' ? '/' : instancePath}: ${message ?? 'not valid'}${detail}`;
  });
}

/**
 * What is wrong with a report by `report.schema.json`: a JSON Pointer and a message each, the first
 * offence only; empty where it is valid.
 */
export const validateReport = (report: unknown): string[] => complaints(validators().report, report);

/** The same for one parsed line of `evidence.jsonl` by `evidence.schema.json`. */
export const validateEvidence = (line: unknown): string[] => complaints(validators().evidence, line);
