import { once } from 'node:events';
import { type Fault, faultById, faults } from '../../fixtures/faults/index.ts';
import { type Console, defaultConsole, loadConsole, withModels } from '../../fixtures/gateway/console.ts';
import { configYaml, curlLines, exportLines } from '../../fixtures/gateway/describe.ts';
import { createGateway, type Listening } from '../../fixtures/gateway/gateway.ts';
import type { Hooks } from '../../fixtures/gateway/hooks.ts';
import { UsageError, didYouMean } from '../../fixtures/target/errors.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { interruptible } from '../run/interrupt.ts';
import { type CommonOptions, print } from '../output/terminal.ts';

export interface GatewayCommandOptions extends CommonOptions {
  readonly port: number;
  readonly console?: string;
  readonly fault?: string;
  /** Models in the catalogue in all. */
  readonly models?: number;
  /** Milliseconds for each token that is generated. */
  readonly pace?: number;
}

function faultOf(id: string | undefined): Pick<Fault, 'hooks' | 'console'> {
  if (id === undefined) return { hooks: {} };
  const fault = faultById(id);
  if (fault) return fault;
  const ids = faults.map((known) => known.id);
  throw new UsageError(`unknown fault "${id}"; ${didYouMean(id, ids)}`);
}

async function listenAt(settings: Console, hooks: Hooks, port: number): Promise<Listening> {
  try {
    return await createGateway({ console: settings, hooks }).listen({ port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new UsageError(`--port ${port}: can't be listened on (${code}); 0 takes a free one`);
  }
}

/** What to paste to talk to the gateway, and to judge it. */
function welcome(settings: Console, url: string, fault: string | undefined): string {
  const curls = curlLines(settings, url);
  return [
    `Reference gateway at ${url}${fault ? ` with the fault ${fault}` : ''}. Ctrl-C ends it.`,
    '',
    '# Tokens (for demonstration only):',
    ...exportLines(settings),
    '',
    '# gateway-conformance.yaml, for: gateway-conformance run',
    configYaml(settings, url).trimEnd(),
    ...(curls.length > 0 ? ['', '# Try it:', ...curls] : []),
    '',
  ].join('\n');
}

/** `gateway`: serves the reference gateway until a signal ends it. */
export async function gatewayCommand(options: GatewayCommandOptions): Promise<ExitCode> {
  const fault = faultOf(options.fault);
  const configured =
    options.console === undefined ? (fault.console ?? defaultConsole()) : loadConsole(options.console);
  const pace =
    options.pace === undefined ? configured.pace : { initialMs: options.pace, tokenMs: options.pace };
  const settings = withModels({ ...configured, pace }, options.models ?? 0);
  const listening = await listenAt(settings, fault.hooks, options.port);
  await interruptible((signal) => {
    print(welcome(settings, listening.url, options.fault));
    return once(signal, 'abort');
  });
  await listening.close();
  return exitCodes.conformant;
}
