import { renderVerification } from '../../reporters/certificate/verification.ts';
import { verify, type VerifyOptions } from '../api/verify.ts';
import type { ExitCode } from '../exit.ts';
import { type CommonOptions, print } from '../terminal.ts';

/** `verify`: checks a report folder: certificate, files, and the verdicts by the evidence. */
export function verifyCommand(dir: string, options: VerifyOptions & CommonOptions): ExitCode {
  const { verification, exitCode } = verify(dir, options);
  print(renderVerification(verification));
  return exitCode;
}
