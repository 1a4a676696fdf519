import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defaultConsole, tokensOf } from '../../fixtures/gateway/console.ts';
import { configYaml } from '../../fixtures/gateway/describe.ts';
import { createGateway } from '../../fixtures/gateway/gateway.ts';
import type { Hooks } from '../../fixtures/gateway/hooks.ts';
import type { Report } from '../../suites/types/report.ts';
import { call, type Ended, words } from '../command.fixture.ts';
import { testFolder, tokensByVariable as env } from '../folder.fixture.ts';
import { renderings } from '../files/artefacts.ts';
import { readReport } from '../run/rejudge.ts';

const settings = defaultConsole();

/** Characters of a request for a long reply; one with a long prompt has more, and asks for a short reply. */
const [fewest, most] = [400, 1000];

/** Makes long replies slow enough that their streams can be timed. */
export const slow: Hooks = {
  pace(pace, { body }) {
    const { length } = JSON.stringify(body);
    return length > fewest && length < most ? { initialMs: 0, tokenMs: 25 } : pace;
  },
};

export const secrets: readonly string[] = tokensOf(settings).map(({ value }) => value);

/** Whether every one of these commands is on this machine: a slim image has neither jq nor openssl. */
export const hasTools = (...names: readonly string[]): boolean =>
  names.every((name) => spawnSync(name, ['--version']).error === undefined);

/** A config that declares one model and one token, on one protocol: a run that covers it is short. */
export const oneModel = (yaml: string): string =>
  yaml.replace(/^ {2}(?:[\w-]+-(?:tool|client|limited|image)|conversational|general|image):.*\n/gm, '');

/** A name that would steer a terminal, a page or a CI runner. */
export const hostileName = '::error::\u001b[31m<script>alert(1)</script>\u202e';

export interface BundleFolder {
  readonly folder: string;
  /** Path of KEY without `.pem`, by name. */
  readonly key: (name: string) => string;
  /** Runs against a gateway of this process. */
  readonly run: (name: string, options?: RunOverrides) => Promise<Ended & { readonly dir: string }>;
  /** A copy of a DIR to change. */
  readonly copy: (dir: string) => string;
  /** The same as a run leaves it that no certificate was asked of, and without allure-results/. */
  readonly plainCopy: (dir: string) => string;
}

interface RunOverrides {
  readonly args?: readonly string[];
  /** Whether it leaves allure-results/, of hundreds of files; false by default. */
  readonly allure?: boolean;
  readonly fast?: boolean;
  /** True by default. */
  readonly certified?: boolean;
  /** Changes the gateway. */
  readonly hooks?: Hooks;
  /** Changes the config. */
  readonly config?: (yaml: string) => string;
}

/** A folder of keys and bundles that goes away at the end. */
export function openBundleFolder(): BundleFolder {
  const folder = testFolder('certificate');
  let copies = 0;
  const copy = (dir: string, without: readonly string[] = []): string => {
    copies += 1;
    const other = join(folder, `copy-${copies}`);
    cpSync(dir, other, { recursive: true, filter: (source) => !without.includes(basename(source)) });
    return other;
  };
  return {
    folder,
    key: (name) => join(folder, name),
    run: async (name, overrides = {}) => {
      const {
        args = [],
        allure = false,
        fast = false,
        certified = true,
        hooks = {},
        config = (yaml: string) => yaml,
      } = overrides;
      const gateway = await createGateway({
        console: settings,
        hooks: fast ? hooks : { ...slow, ...hooks },
      }).listen();
      const [file, dir] = [join(folder, `${name}.yaml`), join(folder, name)];
      writeFileSync(file, config(configYaml(settings, gateway.url)));
      const asked = [
        ...words(`run --config ${file} --out ${dir} --quiet`),
        ...(allure ? [] : ['--no-allure']),
        ...(certified ? ['--certify'] : []),
        ...args,
      ];
      const ended = await call(asked, { cwd: folder, env }).finally(gateway.close);
      return { ...ended, dir };
    },
    copy: (dir) => copy(dir),
    plainCopy: (dir) => {
      const plain = copy(dir, ['certificate.json', 'target.json', 'allure-results', 'render-context.json']);
      for (const [name, render] of renderings(readReport(plain).report))
        writeFileSync(join(plain, name), render());
      return plain;
    },
  };
}

/** Changes a file of DIR; a change that changes nothing is a mistake of the test. */
export function edit(dir: string, name: string, change: (text: string) => string): void {
  const file = join(dir, name);
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`nothing was changed in ${name}`);
  writeFileSync(file, after);
}

/** Changes the report, so that nothing but its content gives it away. */
export const editReport = (dir: string, change: (report: Report) => Report): void =>
  edit(dir, 'report.json', (text) => `${JSON.stringify(change(JSON.parse(text) as Report), null, 2)}\n`);

/** Changes one bit of the byte at a part of the file. */
export function flip(file: string, part: number): void {
  const bytes = readFileSync(file);
  const at = Math.min(bytes.length - 1, Math.floor(bytes.length * part));
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}
