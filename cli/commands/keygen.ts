import { generateKeyPairSync } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { keyId } from '../../reporters/certificate/envelope.ts';
import { terminalLine } from '../../reporters/escape.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { existsAlready, writeNewFile } from '../files/folder.ts';
import { print } from '../output/terminal.ts';

const wayOut = 'name another key with --out KEY';

/** `keygen`: makes an Ed25519 key pair to sign certificates with, `out`.pem and `out`.pub.pem. */
export function keygenCommand({ out }: { readonly out: string }): ExitCode {
  const name = out.replace(/(\.pub)?\.pem$/, '');
  const [privateFile, publicFile] = [`${name}.pem`, `${name}.pub.pem`];
  // A key that is overwritten is lost.
  const present = [privateFile, publicFile].find((file) => existsSync(file));
  if (present !== undefined) throw existsAlready(present, wayOut);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeNewFile(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), wayOut, 0o600);
  try {
    writeNewFile(publicFile, publicKey.export({ type: 'spki', format: 'pem' }).toString(), wayOut, 0o644);
  } catch (error) {
    rmSync(privateFile);
    throw error;
  }
  print(
    [
      `${terminalLine(privateFile)}  the private key: keep it secret, and outside of every report folder`,
      `${terminalLine(publicFile)}  the public key: give it to those who verify`,
      `key id ${keyId(publicKey)}`,
    ].join('\n'),
  );
  return exitCodes.conformant;
}
