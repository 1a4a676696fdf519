import type { Validate } from '../../spec/schema-set.ts';
import { validators } from './compiled-schemas.ts';
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

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CertificateError(`${what} is not JSON`);
  }
}

function checked(validate: Validate, value: unknown, what: string): void {
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
  checked(validators('envelope'), envelope, 'the envelope');
  for (const base64 of [envelope.payload, ...envelope.signatures.map(({ sig }) => sig)]) {
    if (!isCanonicalBase64(base64))
      throw new CertificateError('the envelope holds a text that is not base64');
  }
  const payload = Buffer.from(envelope.payload, 'base64');
  const statement = parsed(payload.toString('utf8'), 'the payload') as Statement;
  checked(validators('statement'), statement, 'the payload');
  if (certificateText(envelope) !== text || !Buffer.from(JSON.stringify(statement)).equals(payload)) {
    throw new CertificateError('it is not written the way this suite writes it');
  }
  return { envelope, statement };
}
