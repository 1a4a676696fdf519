import { present } from '../spec/present.ts';
import { count } from '../spec/text.ts';
import { type Impact, impacts, type Level, levels } from '../spec/vocabulary.ts';
import { canFail, isGating } from '../suites/types/gating.ts';
import type { UntestedReason } from '../suites/types/reasons/index.ts';
import type { Report, ReportRequirement } from '../suites/types/report.ts';

const meanings: Readonly<Record<Impact, string>> = {
  client: 'A client that keeps to the interface breaks.',
  credential: 'Someone gets in, or pays, who should not.',
  lenient: 'The gateway takes more than the interface allows. No conforming client notices.',
};

/** Of what an extension states, clients of the interface know nothing. */
const ownMeanings: typeof meanings = {
  ...meanings,
  client: 'A client that relies on the statement breaks.',
  lenient: 'The gateway takes more than is stated. No client that keeps to the statement notices.',
};

/** What an impact means: who is hurt where a requirement of it is broken. */
export const impactMeaning = (impact: Impact, level: Level): string =>
  (level === 'own' ? ownMeanings : meanings)[impact];

/** `stated, client`: level and impact, the latter where there is one. */
export const levelText = ({ level, impact }: Pick<ReportRequirement, 'level' | 'impact'>): string =>
  impact === undefined ? level : `${level}, ${impact}`;

const rank = ({ impact }: Pick<ReportRequirement, 'impact'>): number =>
  impact === undefined ? impacts.length : impacts.indexOf(impact);

/** Compares failures: the gravest impact first, then stated before derived; equal ones stay as they are. */
export const byImpact = (
  one: Pick<ReportRequirement, 'level' | 'impact'>,
  other: Pick<ReportRequirement, 'level' | 'impact'>,
): number => rank(one) - rank(other) || levels.indexOf(one.level) - levels.indexOf(other.level);

export type ByImpact = Readonly<Record<Impact, number>>;

export const countImpacts = (rows: readonly Pick<ReportRequirement, 'impact'>[]): ByImpact => {
  const of = (impact: Impact) => rows.filter((row) => row.impact === impact).length;
  return { client: of('client'), credential: of('credential'), lenient: of('lenient') };
};

/** `1 client, 2 lenient`: the counts that are not zero; empty where all are. */
export const impactList = (counts: ByImpact): string =>
  present(impacts.map((impact) => counts[impact] > 0 && `${counts[impact]} ${impact}`)).join(', ');

/** What says nothing against the target: the run or the config left it out, or it uses a freedom of the interface. */
const leftOut: ReadonlySet<string> = new Set<UntestedReason['kind']>([
  'undeclared',
  'offered-undeclared',
  'not-selected',
  'not-in-profile',
  'not-in-shard',
  'not-in-traffic',
  'too-costly',
  'token-unalterable',
  'only-form-refused',
  'no-single-text-part',
]);

/** Counts the stated and derived requirements of a report by impact and verdict. */
export function impactCounts({ requirements, causes }: Pick<Report, 'requirements' | 'causes'>) {
  const judged = requirements.filter(canFail);
  const client = judged.filter(({ impact }) => impact === 'client');
  // What stands in for another request is not needed where that is answered.
  const untested = client.filter(({ verdict, code }) => verdict === 'untested' && code !== 'not-needed');
  const isLeftOut = ({ code }: ReportRequirement): boolean => code !== undefined && leftOut.has(code);
  return {
    failed: countImpacts(judged.filter(({ verdict }) => verdict === 'fail')),
    /** Of the requirements that conforming clients rely on. */
    client: {
      passed: client.filter(({ verdict }) => verdict === 'pass').length,
      /** Inconclusive and gating, or untested for any other reason. */
      open: client.filter(isGating).length + untested.filter((row) => !isLeftOut(row)).length,
      /** Untested for a reason that says nothing against the target. */
      leftOut: untested.filter(isLeftOut).length,
      /** What a declared token or model is needed for that the target does not know was not tested. */
      isMisdeclared: isMisdeclared({ causes }),
    },
  };
}
export type ImpactCounts = ReturnType<typeof impactCounts>;

/** Whether the declaration is wrong: that is mended in the config first, whatever else a run shows. */
export const isMisdeclared = ({ causes }: Pick<Report, 'causes'>): boolean =>
  causes.some(({ configKeys }) => configKeys !== undefined);

/** Whether conforming clients work: what gives a caller too much may be a reply to another request. */
const doClientsWork = ({ failed, client }: ImpactCounts): boolean =>
  failed.client + failed.credential + client.open + client.leftOut === 0 &&
  client.passed > 0 &&
  !client.isMisdeclared;

/** With how many requests at once clients were seen to work: what shows with more of them was not asked. */
const upTo = (mostAtOnce: number | undefined): string =>
  mostAtOnce === undefined ? '' : `, with up to ${count(mostAtOnce, 'request')} at once`;

/** What can be said of conforming clients where nothing that they rely on failed. */
function clientSentence(counts: ImpactCounts, mostAtOnce?: number): string | undefined {
  const { passed, open, leftOut: untested } = counts.client;
  if (doClientsWork(counts)) return `Conforming clients work${upTo(mostAtOnce)}.`;
  if (open > 0)
    return `Whether conforming clients work is not known: ${count(open, 'requirement')} that they rely on could not be judged.`;
  if (counts.failed.credential > 0) return undefined;
  if (passed > 0) return 'Conforming clients work, as far as was tested.';
  return untested > 0 ? 'Nothing that conforming clients rely on was tested.' : undefined;
}

const failureWords: Readonly<Record<Impact, (failed: number) => string>> = {
  credential: (failed) =>
    `${count(failed, 'failure gives', 'failures give')} a caller what it should not have`,
  client: (failed) =>
    `${count(failed, 'requirement')} that conforming clients rely on ${failed === 1 ? 'fails' : 'fail'}`,
  lenient: (failed) =>
    `${count(failed, 'kind of request is', 'kinds of request are')} answered that should be refused`,
};

/** What a run means for those who use the gateway, in a sentence or two; empty for a report without impacts. */
export function impactHeadline(counts: ImpactCounts, mostAtOnce?: number): string {
  const { failed } = counts;
  const failures = impacts.filter((impact) => failed[impact] > 0);
  const told = failures.map((impact) => failureWords[impact](failed[impact])).join('; ');
  return [failed.client === 0 && clientSentence(counts, mostAtOnce), told && `${told}.`]
    .filter(Boolean)
    .join(' ');
}

/** The impact for a badge, behind the number of failures; empty where nothing short is true. */
export function badgeImpact(counts: ImpactCounts): string {
  const grave = impactList({ ...counts.failed, lenient: 0 });
  const words = [doClientsWork(counts) && 'clients work', grave].filter(Boolean).join(', ');
  return words && ` · ${words}`;
}
