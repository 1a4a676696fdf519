import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { withReadErrors } from '../../fixtures/files/bounded.ts';
import { UsageError } from '../../fixtures/target/errors.ts';
import type { SigningKey } from '../../reporters/certificate/envelope.ts';

/** A key in PEM takes some hundred bytes. */
const longestKey = 65_536;

const wayOut = '`gateway-conformance keygen` makes a key pair';

function readPem(option: string, file: string): string {
  const read = () => {
    const stat = statSync(file);
    if (stat.isFile() && stat.size <= longestKey) return readFileSync(file, 'utf8');
    throw new UsageError(`${option} ${file}: is no key file; ${wayOut}`);
  };
  return withReadErrors(`${option} ${file}`, read, wayOut);
}

/** Nothing of a key may get into a message, so that the reason of the parser stays untold. */
function parse(option: string, file: string, pem: string, half: 'private' | 'public'): KeyObject {
  try {
    const key = half === 'private' ? createPrivateKey(pem) : createPublicKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    throw new UsageError(
      `${option} ${file}: holds no ${half} key in PEM that can be read without a password`,
    );
  }
  throw new UsageError(`${option} ${file}: is not an Ed25519 key; \`gateway-conformance keygen\` makes one`);
}

/** The key to sign with, PKCS8 in PEM. Throws UsageError where the file is not that. */
export function loadSigningKey(file: string): SigningKey {
  const pem = readPem('--sign', file);
  if (pem.includes('-----BEGIN PUBLIC KEY-----')) {
    throw new UsageError(`--sign ${file}: is a public key; name the private one, KEY.pem`);
  }
  const privateKey = parse('--sign', file, pem, 'private');
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** The key to check a signature with, SPKI in PEM. Throws UsageError where the file is not that. */
export function loadPublicKey(file: string): KeyObject {
  const pem = readPem('--key', file);
  if (/-----BEGIN (\w+ )*PRIVATE KEY-----/.test(pem)) {
    throw new UsageError(`--key ${file}: is a private key; name the public one, KEY.pub.pem`);
  }
  return parse('--key', file, pem, 'public');
}
