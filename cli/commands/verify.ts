import { renderVerification } from '../../reporters/certificate/verification.ts';
import type { VerifyOptions } from '../api/options.ts';
import { verify } from '../api/verify.ts';
import type { ExitCode } from '../exit.ts';
import { type CommonOptions, print } from '../terminal.ts';

/** `verify`: checks a report folder: certificate, files, and the verdicts by the evidence. */
export function verifyCommand(dir: string, { key }: VerifyOptions & CommonOptions): ExitCode {
  const { verification, exitCode } = verify(dir, key === undefined ? {} : { key });
  print(renderVerification(verification));
  return exitCode;
}
