import type { Report } from '../../suites/types/report.ts';
import type { coverageOf } from './coverage.ts';
import { given } from '../../spec/present.ts';
import { coversOf } from './covers.ts';

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

/** Media type of the payload (in-toto, Statement v1). */
export const payloadType = 'application/vnd.in-toto+json';
const statementType = 'https://in-toto.io/Statement/v1';
/** What our predicate means is written in docs/certificate.md; a change of it is another number. */
export const predicateType = 'urn:inference-gateway-conformance:certificate:3';

/** The file of the certificate in DIR, and that of the target's declaration. */
export const certificateFile = 'certificate.json';
export const targetFile = 'target.json';

/** Files without which there is nothing to certify: of one run, of the report of several, and of each of these. */
export const certifiedFiles = {
  run: ['evidence.jsonl', 'report.json', targetFile],
  runs: ['report.json', targetFile],
  eachOfRuns: ['evidence.jsonl', 'report.json'],
} as const;

/** A file of DIR: its path below DIR with `/` between names, and the digest of its bytes in hex. */
export interface Subject {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

/** What the certificate says of the subjects. */
export type Predicate = ReturnType<typeof predicateOf>;

export interface Statement {
  readonly _type: typeof statementType;
  readonly subject: readonly Subject[];
  readonly predicateType: typeof predicateType;
  readonly predicate: Predicate;
}

/** The predicate of a report: the same report gives the same predicate, key for key. */
export function predicateOf(report: Report, notCovered: ReturnType<typeof coverageOf>['notCovered']) {
  const { suite, target, scope, verdict, run, summary } = report;
  const { name, version, requirementsDigest, openapiDigest, statements } = suite;
  const { families, furtherModels, groups, rateLimited, profile, extension } = scope;
  const asked = given({ families, furtherModels, groups, rateLimited, profile, extension });
  return {
    ...coversOf(report),
    suite: given({ name, version, requirementsDigest, openapiDigest, statements }),
    target: { name: target.name, baseUrl: target.baseUrl },
    scope: asked as Partial<Report['scope']>,
    verdict,
    runId: run.id,
    finishedAt: run.finishedAt,
    summary,
    notCovered,
  };
}

/** The statement: the same subjects and predicate give the same bytes once serialised. */
export const statementOf = (subjects: readonly Subject[], predicate: Predicate): Statement => ({
  _type: statementType,
  // By code units, so that every machine sorts alike.
  subject: subjects.toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0)),
  predicateType,
  predicate,
});
