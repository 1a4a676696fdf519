import { createHash, generateKeyPairSync } from 'node:crypto';
import { bundleFromJSON } from '@sigstore/bundle';
import { toSignedEntity, toTrustMaterial, VerificationError, Verifier } from '@sigstore/verify';
import { expect, test } from 'vitest';
import { conformantReport } from '../sample.fixture.ts';
import { certificateText, createEnvelope, type Envelope, keyId, type SigningKey } from './envelope.ts';
import { predicateOf, type Statement, statementOf } from './statement.ts';

// Sigstore's implementation of DSSE shares no code with ours.

const subject = { name: 'report.json', digest: { sha256: '1'.repeat(64) } };
const statement: Statement = statementOf([subject], predicateOf(conformantReport(), []));
const key = generateKeyPairSync('ed25519');

/** What a certificate.json is to Sigstore: the envelope of a bundle whose key is known. */
const entityOf = (text: string, trusted: SigningKey) =>
  toSignedEntity(
    bundleFromJSON({
      mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
      verificationMaterial: { publicKey: { hint: keyId(trusted.publicKey) }, tlogEntries: [] },
      dsseEnvelope: JSON.parse(text) as Envelope,
    }),
  );

function verify(text: string, trusted: SigningKey): void {
  const rawBytes = trusted.publicKey.export({ type: 'spki', format: 'der' });
  const trust = toTrustMaterial(
    { mediaType: '', tlogs: [], certificateAuthorities: [], ctlogs: [], timestampAuthorities: [] },
    () => ({ publicKey: trusted.publicKey, rawBytes, validFor: () => true }) as never,
  );
  const none = { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 };
  new Verifier(trust, none).verify(entityOf(text, trusted));
}

test('a certificate is read and verified by an independent implementation of DSSE, with the same payload', () => {
  const text = certificateText(createEnvelope(statement, key));
  verify(text, key);
  const payload = createHash('sha256').update(JSON.stringify(statement)).digest();
  expect(entityOf(text, key).signature.compareDigest(payload)).toBe(true);
});

test('it refuses a statement that was changed, and the key of another', () => {
  const envelope = createEnvelope(statement, key);
  const changed = { ...statement, subject: [{ ...subject, name: 'other.json' }] };
  const payload = Buffer.from(JSON.stringify(changed)).toString('base64');
  expect(() => verify(certificateText({ ...envelope, payload }), key)).toThrow(VerificationError);
  expect(() => verify(certificateText(envelope), generateKeyPairSync('ed25519'))).toThrow(VerificationError);
});
