import type { Validate } from '../../spec/schema-set.ts';
import { JsonError, strictJson } from '../../spec/strict-json.ts';
import { validators } from './compiled-schemas.ts';
import { certificateText, type Envelope } from './envelope.ts';
import { predicateType, type Statement } from './statement.ts';

/** A certificate as it is read back. */
export interface Certificate {
  readonly envelope: Envelope;
  readonly statement: Statement;
}

/** `certificate.json` is not a certificate of this suite; the message says why. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
}

/** The certificate is one of another format, which this version can't judge. */
export class OtherFormatError extends CertificateError {}

/** Bytes of a certificate of a bundle with as many files as one may hold. */
export const mostCertificateBytes = 16_000_000;

const bounds = { depth: 16, string: mostCertificateBytes, weight: 64_000_000 };

function parsed(bytes: Buffer, what: string): unknown {
  try {
    return strictJson(bytes, bounds).value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new CertificateError(`${what} ${error.key === '' ? '' : `at ${error.key} `}${error.problem}`);
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
export function readCertificate(bytes: Buffer): Certificate {
  const envelope = parsed(bytes, 'the envelope') as Envelope;
  checked(validators('envelope'), envelope, 'the envelope');
  for (const base64 of [envelope.payload, ...envelope.signatures.map(({ sig }) => sig)]) {
    if (!isCanonicalBase64(base64))
      throw new CertificateError('the envelope holds a text that is not base64');
  }
  const payload = Buffer.from(envelope.payload, 'base64');
  const statement = parsed(payload, 'the payload') as Statement;
  const [, format] =
    /^urn:inference-gateway-conformance:certificate:(\d+)$/.exec(String(statement?.predicateType)) ?? [];
  if (format !== undefined && statement.predicateType !== predicateType)
    throw new OtherFormatError(
      `is a certificate of format ${format}, and this suite reads ${predicateType}; verify with the version of the suite that gave it`,
    );
  checked(validators('statement'), statement, 'the payload');
  const isOurs =
    Buffer.from(certificateText(envelope)).equals(bytes) &&
    Buffer.from(JSON.stringify(statement)).equals(payload);
  if (!isOurs) throw new CertificateError('it is not written the way this suite writes it');
  return { envelope, statement };
}
