import type { LiveOptions } from '../run/live-sample.ts';
import { UsageError } from '../../fixtures/target/errors.ts';
import { renderVerification } from '../../reporters/certificate/verification.ts';
import type { VerifyOptions } from '../options/run-options.ts';
import { given } from '../../spec/present.ts';
import { verify } from '../api/verify.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { type CommonOptions, print, printError } from '../output/terminal.ts';

/** @throws UsageError where an option has nothing to act on */
function checkLiveOptions({ against, sample, seed }: LiveOptions): void {
  const alone = sample !== undefined ? '--sample' : seed !== undefined ? '--seed' : undefined;
  if (against === undefined && alone !== undefined)
    throw new UsageError(`${alone} is for asking a live gateway: name its config with --against CONFIG`);
}

/** `verify`: checks a report folder (certificate, files, verdicts by the evidence) and, where asked, a live gateway. */
export async function verifyCommand(
  dir: string,
  { key, errata, ...live }: VerifyOptions & LiveOptions & CommonOptions,
): Promise<ExitCode> {
  checkLiveOptions(live);
  const { verification, exitCode } = verify(dir, given({ key, errata }));
  print(renderVerification(verification));
  if (live.against === undefined) return exitCode;
  if (exitCode === exitCodes.nonConformant) {
    printError('the gateway was not asked: what was changed says nothing of it');
    return exitCode;
  }
  const { verifyLive } = await import('../run/live-sample.ts');
  const asked = await verifyLive(dir, live.against, live);
  return asked === exitCodes.conformant ? exitCode : asked;
}
