import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { createGateway } from '../../fixtures/gateway/gateway.ts';
import { runConformance } from '../conformance.ts';
import type { ExitCode } from '../exit.ts';
import { type RunCommandOptions, settingsOf } from './run.ts';

/** `demo`: judges the reference gateway, which lives as long as the run. */
export async function demoCommand(options: RunCommandOptions): Promise<ExitCode> {
  const settings = settingsOf(options);
  const listening = await createGateway().listen();
  try {
    return await runConformance(targetFor(defaultConsole(), listening.url), settings);
  } finally {
    await listening.close();
  }
}
