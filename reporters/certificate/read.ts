import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { packageFile } from '../../spec/package-root.ts';
import { certificateText, type Envelope } from './envelope.ts';
import type { Statement } from './statement.ts';

/** A certificate as it is read back. */
export interface Certificate {
  readonly envelope: Envelope;
  readonly statement: Statement;
}

/** `certificate.json` is not a certificate of this suite; the message says why. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
}

let compiled: { readonly envelope: ValidateFunction; readonly statement: ValidateFunction } | undefined;

function validators() {
  if (compiled === undefined) {
    const schema = JSON.parse(
      readFileSync(packageFile('reporters/certificate/certificate.schema.json'), 'utf8'),
    ) as { $id: string };
    const ajv = new Ajv2020({ allErrors: false, strict: true, strictRequired: false });
    ajv.addSchema(schema);
    const at = (name: string): ValidateFunction => ajv.compile({ $ref: `${schema.$id}#/$defs/${name}` });
    compiled = { envelope: at('envelope'), statement: at('statement') };
  }
  return compiled;
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CertificateError(`${what} is not JSON`);
  }
}

function checked(validate: ValidateFunction, value: unknown, what: string): void {
  if (validate(value)) return;
  const [error] = validate.errors ?? [];
  throw new CertificateError(`${what}: ${error?.instancePath || '/'} ${error?.message ?? 'is not valid'}`);
}

const isCanonicalBase64 = (text: string): boolean => Buffer.from(text, 'base64').toString('base64') === text;

/**
 * Reads `certificate.json`. It must be byte for byte what this suite writes: two JSON readers can
 * differ over repeated keys, and everybody must read the same statement.
 * @throws CertificateError where it is anything else
 */
export function readCertificate(text: string): Certificate {
  const envelope = parsed(text, 'the envelope') as Envelope;
  checked(validators().envelope, envelope, 'the envelope');
  for (const base64 of [envelope.payload, ...envelope.signatures.map(({ sig }) => sig)]) {
    if (!isCanonicalBase64(base64))
      throw new CertificateError('the envelope holds a text that is not base64');
  }
  const payload = Buffer.from(envelope.payload, 'base64');
  const statement = parsed(payload.toString('utf8'), 'the payload') as Statement;
  checked(validators().statement, statement, 'the payload');
  if (certificateText(envelope) !== text || !Buffer.from(JSON.stringify(statement)).equals(payload)) {
    throw new CertificateError('it is not written the way this suite writes it');
  }
  return { envelope, statement };
}
