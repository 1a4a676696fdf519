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

const existsAlready = (file: string): UsageError =>
  new UsageError(`${file} exists already and is left as it is; name another key with --out KEY`);

/** Only where nothing is: a key that is overwritten is lost. */
function writeNew(file: string, pem: string, mode: number): void {
  try {
    writeFileSync(file, pem, { flag: 'wx', mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw existsAlready(file);
    throw new UsageError(`--out: ${file} can't be written (${code}); name another key with --out KEY`);
  }
}

/** `keygen`: makes an Ed25519 key pair to sign certificates with. */
export function keygenCommand({ out }: KeygenCommandOptions): ExitCode {
  const name = out.replace(/(\.pub)?\.pem$/, '');
  const [privateFile, publicFile] = [`${name}.pem`, `${name}.pub.pem`];
  const present = [privateFile, publicFile].find((file) => existsSync(file));
  if (present !== undefined) throw existsAlready(present);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeNew(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o600);
  try {
    writeNew(publicFile, publicKey.export({ type: 'spki', format: 'pem' }).toString(), 0o644);
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
