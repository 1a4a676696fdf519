import { hash, type KeyObject, sign, verify } from 'node:crypto';
import { payloadType, type Statement, predicateType } from './statement.ts';
import type { Validate } from '../../spec/schema-set.ts';
import { JsonError, strictJson } from '../../spec/strict-json.ts';
import { validators } from './compiled-schemas.ts';

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

/** A DSSE envelope (secure-systems-lab/dsse, v1); base64 with the standard alphabet and padding. */
export interface Envelope {
  readonly payloadType: string;
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** The bytes that DSSE signs: type and payload with their lengths in bytes. */
export const preAuthEncoding = (type: string, payload: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `, 'utf8'),
    payload,
  ]);

/** Names a key: SHA-256, in hex, of its public half as SPKI in DER. */
export const keyId = (publicKey: KeyObject): string =>
  hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'hex');

export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Puts a statement into an envelope, signed with Ed25519 where there is a key. */
export function createEnvelope(statement: Statement, key?: SigningKey): Envelope {
  const payload = Buffer.from(JSON.stringify(statement), 'utf8');
  const signatures = (key === undefined ? [] : [key]).map(({ privateKey, publicKey }) => ({
    keyid: keyId(publicKey),
    sig: sign(null, preAuthEncoding(payloadType, payload), privateKey).toString('base64'),
  }));
  return { payloadType, payload: payload.toString('base64'), signatures };
}

export const certificateText = (envelope: Envelope): string => `${JSON.stringify(envelope, null, 2)}\n`;

/** Looks for a valid signature of the key; without a key nothing is checked. */
export function signatureState(envelope: Envelope, publicKey: KeyObject | undefined) {
  const keyids = envelope.signatures.map(({ keyid }) => keyid);
  if (keyids.length === 0) return { kind: 'unsigned' } as const;
  if (publicKey === undefined) return { kind: 'unchecked', keyids } as const;
  const keyid = keyId(publicKey);
  const own = envelope.signatures.filter((signature) => signature.keyid === keyid);
  if (own.length === 0) return { kind: 'other-key', keyid, keyids } as const;
  const signed = preAuthEncoding(envelope.payloadType, Buffer.from(envelope.payload, 'base64'));
  const valid = own.some(({ sig }) => verify(null, signed, publicKey, Buffer.from(sig, 'base64')));
  return { kind: valid ? 'valid' : 'invalid', keyid } as const;
}
