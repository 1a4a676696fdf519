import { spawn } from 'node:child_process';
import { packageFile } from '../spec/package-root.ts';

/** How a process ended, and what it said. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly ended: Promise<Ended>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Resolves as soon as stdout or stderr has the text. */
  readonly waitForOutput: (text: string) => Promise<void>;
}

/** Starts the command as a process of its own, the way an installed one is started. */
export function start(
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Started {
  const { FORCE_COLOR: _force, NO_COLOR: _no, ...env } = process.env;
  const child = spawn(process.execPath, [packageFile('cli/bin.mjs'), ...args], {
    cwd: options.cwd,
    env: { ...env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  const waitForOutput = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = () => (stdout + stderr).includes(text) && resolve();
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      child.once('close', () => reject(new Error(`ended without saying ${text}: ${stdout}${stderr}`)));
      look();
    });
  return { ended, waitForOutput, kill: (signal) => void child.kill(signal) };
}

/** Starts the command and waits for its end. */
export const command = (args: readonly string[], options: Parameters<typeof start>[1] = {}): Promise<Ended> =>
  start(args, options).ended;
