import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { createGateway } from '../../fixtures/gateway/gateway.ts';
import { limitsOf, runLimitsOf } from '../options/limits.ts';
import type { ExitCode } from '../exit.ts';
import { settingsOf } from '../run/run-settings.ts';
import { runConformance } from '../output/terminal-run.ts';
import { displayOf, type RunCommandOptions } from './run.ts';

/** Milliseconds a token: slow enough for the arrival of a stream to be judged. */
const tokenMs = 3;

/** `demo`: judges the reference gateway, which lives as long as the run. */
export async function demoCommand(options: RunCommandOptions): Promise<ExitCode> {
  const settings = {
    ...settingsOf(options),
    ...displayOf(options),
    out: options.out,
    times: options.repeat ?? 1,
  };
  const console = { ...defaultConsole(), pace: { initialMs: 0, tokenMs } };
  const listening = await createGateway({ console }).listen();
  try {
    const target = targetFor(console, listening.url);
    const limits = runLimitsOf(limitsOf(options, target));
    return await runConformance(target, { ...settings, limits });
  } finally {
    await listening.close();
  }
}
