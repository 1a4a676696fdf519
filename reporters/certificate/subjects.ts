import { certificateFile, certifiedFiles, type Subject } from './statement.ts';

/** The names of the files that must be certified beside these. */
function requiredBeside(names: ReadonlySet<string>): readonly string[] {
  const runs = new Set([...names].flatMap((name) => /^runs\/\d+\//.exec(name) ?? []));
  if (runs.size === 0) return certifiedFiles.run;
  return [
    ...certifiedFiles.runs,
    ...[...runs].flatMap((run) => certifiedFiles.eachOfRuns.map((name) => run + name)),
  ];
}

/** What is wrong with the files of DIR by the statement, a sentence each. */
export function subjectProblems(listed: readonly Subject[], found: readonly Subject[]): readonly string[] {
  const digests = new Map(found.map(({ name, digest }) => [name, digest.sha256]));
  const names = new Set(listed.map(({ name }) => name));
  return [
    ...requiredBeside(names)
      .filter((name) => !names.has(name))
      .map((name) => `${name} is not certified`),
    ...(names.size === listed.length ? [] : ['a file is certified twice']),
    ...(listed.every(({ name }, at) => at === 0 || (listed[at - 1]?.name ?? '') <= name)
      ? []
      : ['the certified files are not sorted by their names']),
    ...listed.flatMap(({ name, digest }) => {
      const now = digests.get(name);
      if (now === undefined) return [`${name} is missing`];
      return now === digest.sha256 ? [] : [`${name} was changed: its digest is another`];
    }),
    ...found
      .filter(({ name }) => name !== certificateFile && !names.has(name))
      .map(({ name }) => `${name} was added`),
  ];
}
