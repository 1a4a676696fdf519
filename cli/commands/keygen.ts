import { generateKeyPairSync } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { UsageError } from '../../fixtures/target/errors.ts';
import { keyId } from '../../reporters/certificate/envelope.ts';
import { terminalLine } from '../../reporters/escape.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { type CommonOptions, print } from '../terminal.ts';

export interface KeygenCommandOptions extends CommonOptions {
  /** Path of the two files without `.pem` and `.pub.pem`. */
  readonly out: string;
}

const taken = (file: string): UsageError =>
  new UsageError(`${file} exists already and is left as it is; name another key with --out KEY`);

/** Only where nothing is: a key that is overwritten is lost. */
function writeNew(file: string, pem: string, mode: number): void {
  try {
    writeFileSync(file, pem, { flag: 'wx', mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw taken(file);
    throw new UsageError(`--out: ${file} can't be written (${code}); name another key with --out KEY`);
  }
}

/** `keygen`: makes an Ed25519 key pair to sign certificates with. */
export function keygenCommand({ out }: KeygenCommandOptions): ExitCode {
  const name = out.replace(/(\.pub)?\.pem$/, '');
  const [secret, open] = [`${name}.pem`, `${name}.pub.pem`];
  const present = [secret, open].find((file) => existsSync(file));
  if (present !== undefined) throw taken(present);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeNew(secret, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o600);
  try {
    writeNew(open, publicKey.export({ type: 'spki', format: 'pem' }).toString(), 0o644);
  } catch (error) {
    rmSync(secret);
    throw error;
  }
  print(
    [
      `${terminalLine(secret)}  the private key: keep it secret, and out of every report folder`,
      `${terminalLine(open)}  the public key: for whoever verifies`,
      `key id ${keyId(publicKey)}`,
    ].join('\n'),
  );
  return exitCodes.conformant;
}
