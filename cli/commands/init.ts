import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { dayAfter, daysAhead } from '../../reporters/baseline/update.ts';
import { packageFile, packageInfo, packageRoot } from '../../spec/package-root.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { existsAlready, writeNewFile } from '../files/new-file.ts';
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

/** The config that `init` writes: the example of the contract, with what a newcomer wants to know. */
const starterConfig = `# Declares a gateway for gateway-conformance. Check it with \`gateway-conformance plan\` (sends
# nothing), then \`gateway-conformance run\`.
# ${dollar}{NAME} takes an environment variable: keep tokens out of this file.

target:
  # How reports call the gateway; add its release.
  name: My gateway 1.0
  # Where it is, without /v1: the suite adds the path of each endpoint.
  baseUrl: https://gateway.example.com
  # The "<vendor>-version" header that the Messages protocol requires.
  versionHeader: { name: anthropic-version, value: "2023-06-01" }

# One API token for each token group. Leave out a group that the gateway does not offer: what needs
# it is reported as untested, never as failed.
tokens:
  default: ${dollar}{GATEWAY_TOKEN_DEFAULT}
  # For the vendor's own command-line coding tool.
  coding-tool: ${dollar}{GATEWAY_TOKEN_CODING_TOOL}
  # For third-party clients and programs of your own.
  third-party-client: ${dollar}{GATEWAY_TOKEN_THIRD_PARTY_CLIENT}
  # Optional: a token whose rate limit is already spent, to see how that is refused.
  # rate-limited: ${dollar}{GATEWAY_TOKEN_RATE_LIMITED}

# One model name for each model family. Leave out a family that the gateway does not offer. A family may
# list several, such as [g-large, g-small]: the first is judged in full, each other in 1 to 4 generations.
# Cheap, fast models are best: the suite judges the protocol, not the answers. Where two families have
# the same model, what one must be served and the other must be refused is untested.
models:
  # General text models: Responses, and Chat Completions.
  general: g-large
  # Conversational models: Messages.
  conversational: c-large
  # Multimodal models: Chat Completions.
  multimodal: m-large
  # Image models on the image generation endpoint.
  image: image-1
  # Image models of the multimodal family, called through Chat Completions.
  chat-image: m-image

# Optional: what the gateway charges, tokens per million and images each; \`plan\` and reports then show the cost.
# prices:
#   currency: USD
#   default: { input: 2.5, output: 10 }
#   image: { image: 0.04, hd: 0.08 }
#   chat-image: { image: 0.04 }

# Optional: what a run may use up, and how fast.
# limits:
#   maxRequests: 1000
#   maxGenerations: 150
#   maxCost: 3
#   requestsPerMinute: 60

# Optional: files of what the gateway states beyond the interface; \`init --extend\` writes one.
# extend: [gateway-extension.yaml]
`;

export interface InitCommandOptions extends CommonOptions {
  readonly out?: string;
  readonly preset?: (typeof presets)[number];
  /** Whether an extension is written in place of a config. */
  readonly extend?: boolean;
}

const wayOut = 'name another file with --out FILE';
const baselineName = 'gateway-conformance.baseline.yaml';

/** A file of a preset. */
const presetText = (name: string): string =>
  readFileSync(packageFile(`fixtures/presets/${name}.yaml`), 'utf8');

/** The known deviations of a product, each expected for as long as a new entry of a baseline. */
const knownDeviations = (preset: string): string =>
  presetText(`${preset}.baseline`).replace(/^( +expires: ).*$/gm, `$1${dayAfter(today(), daysAhead)}`);

function initExtension(out: string): ExitCode {
  const starter = readFileSync(packageFile('fixtures/extension/starter.yaml'), 'utf8');
  const text = schemaLines(dirname(resolve(out)), extensionSchemaPath) + starter;
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
  const start = preset === undefined ? starterConfig : presetText(preset);
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
