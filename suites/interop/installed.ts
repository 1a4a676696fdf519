import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type InteropClientName, interopPackages } from '../types/interop.ts';

/** Where a client is installed, or why it can't be tried. */
export type Installed =
  | {
      /** The folder from which Node finds its packages. */
      readonly from: string;
      readonly versions: Readonly<Record<string, string>>;
    }
  | { readonly problem: string };

/** The last major versions that run on Node 20; the newest of these packages need 22. */
const lastForNode20: Readonly<Record<string, string>> = {
  openai: '6',
  ai: '6',
  '@ai-sdk/openai': '3',
  '@ai-sdk/anthropic': '3',
};

/** The command that installs packages in versions that run on a Node. */
export function installCommand(names: readonly string[], node: string): string {
  const isOld = Number.parseInt(node, 10) < 22;
  const wanted = names.map((name) =>
    isOld && name in lastForNode20 ? `${name}@${lastForNode20[name]}` : name,
  );
  return `npm install --save-dev ${wanted.join(' ')}`;
}

interface Manifest {
  readonly version: string;
  readonly engines?: { readonly node?: string };
}

/** The package.json of a package as Node would find it from a folder; undefined where there is none. */
function manifestFrom(folder: string, name: string): Manifest | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, 'node_modules', name, 'package.json');
    if (existsSync(file)) {
      try {
        return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
      } catch {
        return undefined;
      }
    }
    if (dirname(at) === at) return undefined;
  }
}

/** Whether a Node runs what asks for it by `>=N` or `>=N.M`, one of several; a range of another form is taken as met. */
export function runsOn(node: string, range: string | undefined): boolean {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  return (range ?? '*').split('||').some((one) => {
    const least = /^\s*>=\s*v?(\d+)(?:\.(\d+))?/.exec(one);
    if (least === null) return true;
    const [wanted, below] = [Number(least[1]), Number(least[2] ?? 0)];
    return major > wanted || (major === wanted && minor >= below);
  });
}

/** Looks for a client in the folders, the first that has all its packages. `node`: version of Node, such as 20.20.2. */
export function installedClient(client: InteropClientName, folders: readonly string[], node: string) {
  const names: readonly string[] = interopPackages[client];
  for (const from of folders) {
    const found = names.map((name) => [name, manifestFrom(from, name)] as const);
    if (found.some(([, manifest]) => manifest === undefined)) continue;
    const demanding = found.find(([, manifest]) => !runsOn(node, manifest?.engines?.node));
    if (demanding !== undefined) {
      const [name, manifest] = demanding;
      const { version, engines } = manifest ?? {};
      const needs = `${name} ${version} needs Node ${engines?.node}, and this is Node ${node}`;
      return { problem: `${needs}: ${installCommand(names, node)}` };
    }
    return {
      from,
      versions: Object.fromEntries(found.map(([name, manifest]) => [name, String(manifest?.version)])),
    };
  }
  return { problem: `not installed: ${installCommand(names, node)}` };
}
