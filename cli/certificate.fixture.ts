import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultConsole, tokensOf } from '../fixtures/gateway/console.ts';
import { configYaml, targetFor } from '../fixtures/gateway/describe.ts';
import { createGateway } from '../fixtures/gateway/gateway.ts';
import { command, type Ended } from './test-command.ts';

const settings = defaultConsole();

/** Slow enough that streams can be timed. */
const slow = { ...settings, pace: { initialMs: 20, tokenMs: 20 } };

export const secrets: readonly string[] = tokensOf(settings).map(({ value }) => value);

const env = Object.fromEntries(
  Object.values(targetFor(settings, '').tokens).map(({ value, variable }) => [variable, value]),
);

/** A name that would steer a terminal, a page or a CI runner. */
export const hostileName = '::error::\u001b[31m<script>alert(1)</script>\u202e';

export interface Workshop {
  readonly folder: string;
  /** Path of KEY without `.pem`, by name. */
  readonly key: (name: string) => string;
  /** Runs with a certificate asked for, against a gateway of this process. */
  readonly run: (name: string, options?: RunWishes) => Promise<Ended & { readonly dir: string }>;
  /** A copy of a DIR to change. */
  readonly copy: (dir: string) => string;
  readonly close: () => void;
}

export interface RunWishes {
  readonly args?: readonly string[];
  readonly fast?: boolean;
  /** Changes the config. */
  readonly config?: (yaml: string) => string;
}

/** A folder of keys and bundles that goes away at the end. */
export function openWorkshop(): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  let copies = 0;
  return {
    folder,
    key: (name) => join(folder, name),
    run: async (name, { args = [], fast = false, config = (yaml) => yaml } = {}) => {
      const gateway = await createGateway({ console: fast ? settings : slow }).listen();
      const [file, dir] = [join(folder, `${name}.yaml`), join(folder, name)];
      writeFileSync(file, config(configYaml(settings, gateway.url)));
      const asked = ['run', '--config', file, '--out', dir, '--quiet', '--certify', ...args];
      const ended = await command(asked, { cwd: folder, env }).finally(gateway.close);
      return { ...ended, dir };
    },
    copy: (dir) => {
      copies += 1;
      const other = join(folder, `copy-${copies}`);
      cpSync(dir, other, { recursive: true });
      return other;
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
