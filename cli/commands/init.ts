import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { dayAfter, daysAhead } from '../../reporters/baseline/apply.ts';
import { packageFile, packageInfo, packageRoot } from '../../spec/package-root.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { existsAlready, writeNewFile } from '../files/folder.ts';
import { today } from '../files/render-context.ts';
import type { presets } from '../options/options.ts';
import { type CommonOptions, print } from '../output/terminal.ts';

const dollar = '$';

const schemaPath = 'fixtures/target/config.schema.json';
export const extensionSchemaPath = 'fixtures/extension/extension.schema.json';

/** A schema of this package as a path from a folder; undefined where no path would last. */
function schemaFrom(folder: string, schema: string): string | undefined {
  const installed = join('node_modules', packageInfo().name, schema);
  const lies = (base: string): string | undefined => {
    if (existsSync(join(base, installed))) return join(base, installed);
    return dirname(base) === base ? undefined : lies(dirname(base));
  };
  // In a checkout of this package itself; npx and global installs lie in folders that come and go.
  const isOwn =
    !packageRoot.includes(`${sep}node_modules${sep}`) && `${folder}${sep}`.startsWith(`${packageRoot}${sep}`);
  const file = lies(folder) ?? (isOwn ? packageFile(schema) : undefined);
  return file === undefined ? undefined : relative(folder, file).split(sep).join('/');
}

/** The first lines: what lets an editor complete the file and check it. */
export function schemaLines(folder: string, schema: string): string {
  const path = schemaFrom(folder, schema);
  if (path !== undefined) return `# yaml-language-server: ${dollar}schema=${path}\n`;
  return `# An editor completes and checks this file where ${packageInfo().name} is installed next to it
# and the first line is
#   # yaml-language-server: ${dollar}schema=node_modules/${packageInfo().name}/${schema}
`;
}

export interface InitCommandOptions extends CommonOptions {
  readonly out?: string;
  readonly preset?: (typeof presets)[number];
  /** Whether an extension is written in place of a config. */
  readonly extend?: boolean;
}

const wayOut = 'name another file with --out FILE';
const baselineName = 'gateway-conformance.baseline.yaml';

const packageText = (path: string): string => readFileSync(packageFile(path), 'utf8');
const presetText = (name: string): string => packageText(`fixtures/presets/${name}.yaml`);

/** The known deviations of a product, each expected for as long as a new entry of a baseline. */
const knownDeviations = (preset: string): string =>
  presetText(`${preset}.baseline`).replace(/^( +expires: ).*$/gm, `$1${dayAfter(today(), daysAhead)}`);

function initExtension(out: string): ExitCode {
  const text =
    schemaLines(dirname(resolve(out)), extensionSchemaPath) + packageText('fixtures/extension/starter.yaml');
  writeNewFile(out, text, wayOut);
  print(`${out} is written. Change it, then:
  gateway-conformance plan --extend ${out}   # what would be sent, and what it costs
  gateway-conformance run --extend ${out}`);
  return exitCodes.conformant;
}

/** `init`: writes a config or an extension to start from, and never over a file that is there; of a product, its known deviations, too. */
export function initCommand({ out: named, preset, extend = false }: InitCommandOptions): ExitCode {
  const out = named ?? (extend ? 'gateway-extension.yaml' : 'gateway-conformance.yaml');
  if (extend) return initExtension(out);
  const folder = dirname(resolve(out));
  const start = preset === undefined ? packageText('fixtures/target/starter.yaml') : presetText(preset);
  const baseline = preset && join(dirname(out), baselineName);
  if (baseline && existsSync(baseline))
    throw existsAlready(baseline, 'name a file in another folder with --out FILE');
  writeNewFile(out, schemaLines(folder, schemaPath) + start, wayOut);
  if (preset && baseline) writeNewFile(baseline, knownDeviations(preset), wayOut);
  const written = baseline ? `${out} and ${baseline} are` : `${out} is`;
  print(`${written} written. Fill it in, set the tokens in the environment, then:
  gateway-conformance plan --config ${out}   # what would be sent, and what it costs
  gateway-conformance run --config ${out}${baseline ? ` --baseline ${baseline}` : ''}`);
  return exitCodes.conformant;
}
