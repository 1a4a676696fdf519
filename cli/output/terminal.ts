import { terminalBlock } from '../../reporters/escape.ts';

export interface CommonOptions {
  readonly color: boolean;
  readonly debug?: boolean;
}

/** Whether there are colours: on a terminal that can show them, unless they are turned off (no-color.org). */
export function wantsColour(options: Pick<CommonOptions, 'color'>): boolean {
  const { NO_COLOR, TERM } = process.env;
  return options.color && !NO_COLOR && TERM !== 'dumb' && process.stdout.isTTY === true;
}

/** Prints text as it is; for text of our own and of renderers that escape. */
export const print = (text: string): void =>
  void process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);

/** Prints one error; what a target or a file put into it can't steer the terminal. */
export function printError(message: string): void {
  process.stderr.write(`gateway-conformance: ${terminalBlock(message)}\n`);
}

/** Waits until what was written has left the process: a pipe may lag behind. */
export async function flush(): Promise<void> {
  const drained = (stream: NodeJS.WriteStream) =>
    new Promise<void>((resolve) => (stream.writable ? stream.write('', () => resolve()) : resolve()));
  await Promise.all([drained(process.stdout), drained(process.stderr)]);
}
