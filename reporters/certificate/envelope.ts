import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import { payloadType, type Statement } from './statement.ts';

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
  createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');

export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Puts a statement into an envelope, signed with Ed25519 where there is a key. */
export function createEnvelope(statement: Statement, key?: SigningKey): Envelope {
  const payload = Buffer.from(JSON.stringify(statement), 'utf8');
  const signatures =
    key === undefined
      ? []
      : [
          {
            keyid: keyId(key.publicKey),
            sig: sign(null, preAuthEncoding(payloadType, payload), key.privateKey).toString('base64'),
          },
        ];
  return { payloadType, payload: payload.toString('base64'), signatures };
}

export const certificateText = (envelope: Envelope): string => `${JSON.stringify(envelope, null, 2)}\n`;

export type SignatureState =
  | { readonly kind: 'valid'; readonly keyid: string }
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'unchecked'; readonly keyids: readonly string[] }
  | { readonly kind: 'other-key'; readonly keyid: string; readonly keyids: readonly string[] }
  | { readonly kind: 'invalid'; readonly keyid: string };

/** Looks for a valid signature of the key; without a key nothing is checked. */
export function signatureState(envelope: Envelope, publicKey: KeyObject | undefined): SignatureState {
  const keyids = envelope.signatures.map(({ keyid }) => keyid);
  if (keyids.length === 0) return { kind: 'unsigned' };
  if (publicKey === undefined) return { kind: 'unchecked', keyids };
  const keyid = keyId(publicKey);
  const own = envelope.signatures.filter((signature) => signature.keyid === keyid);
  if (own.length === 0) return { kind: 'other-key', keyid, keyids };
  const signed = preAuthEncoding(envelope.payloadType, Buffer.from(envelope.payload, 'base64'));
  const valid = own.some(({ sig }) => verify(null, signed, publicKey, Buffer.from(sig, 'base64')));
  return { kind: valid ? 'valid' : 'invalid', keyid };
}
