import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, type Ended } from '../cli/command.fixture.ts';
import { packageFile } from '../spec/package-root.ts';
import { listening } from '../suites/wire/loopback.fixture.ts';

/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  /** Why the test can't run it; it stands behind the language. */
  readonly notRun?: string;
  readonly text: string;
}

export const read = (file: string): string => readFileSync(packageFile(file), 'utf8');

export function blocksOf(file: string): readonly Block[] {
  return [...read(file).matchAll(/^```(\w+)(?: not-run: (.+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', notRun, text = '']) => ({
      language,
      text,
      ...(notRun === undefined ? {} : { notRun }),
    }),
  );
}

/** The pages of the first table of the index, in its order. */
export const guides: readonly string[] = [
  ...read('docs/README.md').matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)\)/gm),
].map(([, page = '']) => `docs/${page}`);

/** A line of a shell block: the command, and what its comment says of its end. */
export interface Line {
  readonly command: string;
  readonly exitCode: number;
  readonly isEndless: boolean;
}

export const linesOf = (text: string): readonly Line[] =>
  text
    .replaceAll('\\\n', '')
    .split('\n')
    .map((line) => ({
      command: line.replace(/\s+#.*$/, '').trim(),
      exitCode: Number(/# exit code (\d)$/.exec(line)?.[1] ?? 0),
      isEndless: line.includes('# until Ctrl-C'),
    }))
    .filter(({ command }) => command !== '');

async function freePort(): Promise<string> {
  const server = await listening(createServer());
  await server.close();
  return new URL(server.url).port;
}

const accepts = (port: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => resolve(socket.destroy() !== undefined));
    socket.once('error', () => resolve(false));
  });

/** Somebody who follows the guides in a folder: types their commands, and fills in what `init` left open. */
export function createReader(folder: string, options: { baseUrl: string; env: NodeJS.ProcessEnv }) {
  const { baseUrl, env } = options;
  const config = join(folder, 'gateway-conformance.yaml');
  let endless: Promise<Ended> | undefined;

  /** Presses Ctrl-C where a command is under way; gives how that ended. */
  const stop = async (): Promise<Ended | undefined> => {
    const ended = endless;
    endless = undefined;
    if (ended !== undefined) process.emit('SIGINT');
    return ended;
  };

  const shell = (command: string): Promise<Ended> =>
    new Promise((resolve) => {
      const child = execFile(
        'sh',
        ['-c', command],
        { cwd: folder, env: { ...process.env, ...env } },
        (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
      );
    });

  const ours = async ({ command, isEndless }: Line): Promise<Ended> => {
    const args = command.split(/\s+/).slice(1);
    // A run makes its allure-results/ by a vitest of its own, which other tests look at.
    if (args[0] === 'run' || args[0] === 'demo') args.push('--no-allure');
    const started = call(args, { cwd: folder, env });
    if (!isEndless) return started;
    const port = args[args.indexOf('--port') + 1] ?? '';
    for (let tries = 0; !(await accepts(port)) && tries < 1_000; tries += 1) await sleep(20);
    endless = started;
    return { code: 0, stdout: '', stderr: '' };
  };

  const ports = new Map<string, string>();
  /** A port of the guides may be taken here. */
  const withFreePorts = async (command: string): Promise<string> => {
    for (const port of ['4010', '8080']) if (!ports.has(port)) ports.set(port, await freePort());
    return command.replace(/\b(4010|8080)\b/g, (port) => ports.get(port) ?? port);
  };

  return {
    stop,
    /** Types one line; one that goes on until Ctrl-C gives 0 as soon as it listens. */
    type: async (line: Line): Promise<Ended> => {
      const command = await withFreePorts(line.command);
      const ended = await (command.startsWith('gateway-conformance ')
        ? ours({ ...line, command })
        : shell(command));
      if (existsSync(config))
        writeFileSync(config, readFileSync(config, 'utf8').replace('https://gateway.example.com', baseUrl));
      return ended;
    },
    isBusy: () => endless !== undefined,
  };
}
