import { once } from './once.ts';
import { packageInfo } from './package-root.ts';
import { requirements } from './requirements.ts';
import { isWebAddress } from './text.ts';
import { yamlDocument } from './yaml-document.ts';

/** The file of the errata, below the root of the package. */
export const errataFile = 'spec/errata.yaml';

/** An error of the suite itself: it judged a requirement otherwise than the interface says. */
export interface Erratum {
  readonly requirement: string;
  /** The first version of the package that is affected. */
  readonly from: string;
  /** The first version that is not affected any more; absent where none is. */
  readonly until?: string;
  readonly url: string;
  readonly error: string;
  readonly holds: string;
}

export const erratumKeys = ['requirement', 'from', 'until', 'url', 'error', 'holds'] as const;

const isVersion = (text: string): boolean => /^\d+\.\d+\.\d+$/.test(text);

/** What is wrong with an erratum: of which key, and the way out. */
export function erratumProblem(texts: Readonly<Partial<Erratum>>) {
  const wrong = (key: keyof Erratum, problem: string, remedy: string) => ({ key, problem, remedy });
  const missing = erratumKeys.find((key) => key !== 'until' && texts[key] === undefined);
  if (missing) return wrong(missing, 'is missing', `an erratum has ${erratumKeys.join(', ')}`);
  const { requirement = '', from = '', until = '', url = '' } = texts;
  if (!requirements().some(({ id }) => id === requirement)) {
    const problem = `unknown requirement "${requirement}"`;
    return wrong('requirement', problem, '`gateway-conformance explain` lists all of them');
  }
  for (const key of ['from', 'until'] as const) {
    const version = texts[key] ?? '';
    if (version !== '' && !isVersion(version))
      return wrong(key, `"${version}" is no version`, 'write it like 0.2.0');
  }
  if (until !== '' && compareVersions(until, from) <= 0)
    return wrong('until', `${until} is not after ${from}`, 'name the first version that is mended');
  return isWebAddress(url) ? undefined : wrong('url', `"${url}" is no address`, 'write it with https://');
}

/** Compares versions of the package by their three numbers. */
function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number.parseFloat));
  const at = left?.findIndex((number, place) => number !== right?.[place]) ?? -1;
  return at < 0 ? 0 : (left?.[at] ?? 0) - (right?.[at] ?? 0);
}

export const affects = ({ from, until }: Erratum, version: string): boolean =>
  compareVersions(version, from) >= 0 && (until === undefined || compareVersions(version, until) < 0);

/** The errata that this version knows, parsed once; a test holds each to `erratumProblem`. */
export const errata: () => readonly Erratum[] = once(
  () => (yamlDocument(errataFile) as { readonly errata: readonly Erratum[] }).errata,
);

/** The requirements that this version judges wrongly, as it knows itself. */
export const misjudged: () => ReadonlySet<string> = once(() => {
  const { version } = packageInfo();
  return new Set(errata().flatMap((each) => (affects(each, version) ? [each.requirement] : [])));
});
