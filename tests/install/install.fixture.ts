import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { packageRoot } from '../../spec/package-root.ts';

/** How a process ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface ProcessOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Id of the user that it runs as. */
  readonly uid?: number;
  /** The `node` that it and what it starts find. */
  readonly node?: string;
}

/** Runs a program to its end, for at most three minutes. */
export const runProgram = (
  file: string,
  args: readonly string[],
  { cwd, env, uid, node = process.execPath }: ProcessOptions,
): Promise<Ended> =>
  new Promise((resolve) => {
    // Settings of the npm and the vitest that run these tests are not those of the user.
    const {
      NODE_OPTIONS: _options,
      VITEST: _vitest,
      ...inherited
    } = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST_|GITHUB_)/.test(name)),
    );
    const PATH = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
    const options = {
      cwd,
      env: { ...inherited, PATH, NO_COLOR: '1', npm_config_update_notifier: 'false', ...env },
      timeout: 180_000,
      maxBuffer: 64_000_000,
      ...(uid === undefined ? {} : { uid, gid: uid }),
    };
    execFile(file, [...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout, stderr: error !== null && code === -1 ? `${stderr}${error.message}` : stderr });
    });
  });

/** The same, and its output; what fails is an error of the test. */
export async function mustRun(
  file: string,
  args: readonly string[],
  options: ProcessOptions,
): Promise<string> {
  const { code, stdout, stderr } = await runProgram(file, args, options);
  if (code !== 0) throw new Error(`${file} ${args.join(' ')}: ${code}\n${stdout}\n${stderr}`);
  return stdout;
}

const quietly = ['--no-audit', '--no-fund', '--loglevel=error'];

/** The tarball of this checkout, and folders to install it in, which go away at the end. */
export interface Workshop {
  readonly folder: string;
  readonly tarball: string;
  /** A folder of its own with a package.json. */
  readonly project: (name: string) => string;
  /** `npm install` there. */
  readonly install: (cwd: string, ...packages: readonly string[]) => Promise<void>;
  readonly close: () => void;
}

/** Packs the checkout as it is published. */
export async function openWorkshop(): Promise<Workshop> {
  const folder = mkdtempSync(join(tmpdir(), 'install-'));
  // Another user runs what is installed here.
  chmodSync(folder, 0o755);
  await mustRun(process.execPath, ['scripts/build.mjs'], { cwd: packageRoot });
  await mustRun('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: packageRoot });
  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  return {
    folder,
    tarball: join(folder, name),
    project: (label) => {
      const cwd = join(folder, label);
      mkdirSync(cwd);
      writeFileSync(
        join(cwd, 'package.json'),
        JSON.stringify({ name: label, private: true, type: 'module' }),
      );
      return cwd;
    },
    install: async (cwd, ...packages) => {
      await mustRun('npm', ['install', ...quietly, ...packages], { cwd });
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Takes away what `npm exec` leaves in npm's cache for a tarball that will not be there again. */
export async function withoutTraces<Result>(act: () => Promise<Result>): Promise<Result> {
  const cache = (await mustRun('npm', ['config', 'get', 'cache'], { cwd: tmpdir() })).trim();
  const folder = join(cache, '_npx');
  const list = (): readonly string[] => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  };
  const before = new Set(list());
  try {
    return await act();
  } finally {
    for (const name of list())
      if (!before.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
