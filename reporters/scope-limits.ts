import { count } from '../spec/text.ts';
import { present } from '../spec/present.ts';
import { families, groups } from '../spec/vocabulary.ts';
import { againOf } from './wording.ts';
import { asksAllThatCanFail, costlyNames, type Profile } from '../suites/types/profile.ts';
import type { Report, ReportRequirement } from '../suites/types/report.ts';
import type { SetAside } from '../suites/types/traffic.ts';

export const selectedAxes = ({ scope }: Pick<Report, 'scope'>): [axis: string, values: readonly string[]][] =>
  Object.entries(scope.selection).filter(([, values]) => values.length > 0);

/** All that can fail was judged, as far as it is declared: nothing selected, left out or stopped. */
export const isWholeRun = (report: Pick<Report, 'scope' | 'run'>): boolean =>
  report.scope.extension === undefined &&
  selectedAxes(report).length === 0 &&
  asksAllThatCanFail(report.scope) &&
  !report.run.partial;

const profileLimits: Readonly<Record<Profile, readonly string[]>> = {
  smoke: [
    'Profile smoke: only endpoints, families, the shape of streams, and missing and invalid tokens were asked for.',
  ],
  standard: [
    'Profile standard: what the interface does not specify was only observed where no further generation is billed for it.',
  ],
  full: [],
};

const setAsideWords: Readonly<Record<SetAside, string>> = {
  'other-path': 'to other paths, or with another method',
  'outside-contract': 'outside the contract',
  unspecified: 'with something that the interface leaves open',
  'undeclared-model': 'for a model that the config does not name',
  'unsupported-cell': 'for a model where the interface does not say that it is served',
  'client-left': 'that the client gave up',
  'not-connected': 'without a connection to the gateway',
  'too-large': 'with a body too large to judge',
  'other-coding': 'with a reply in an encoding that is not read',
  'not-recorded': 'for which there was no room',
};

/** What live traffic came to, a sentence each. */
function trafficLimits({ run }: Report): readonly string[] {
  const how = 'Judged from live traffic: only what other clients asked for.';
  const { traffic } = run;
  if (traffic === undefined) return [how];
  const { passed, judged, failing, unanswered, kept, chained, setAside, full } = traffic;
  const aside = setAside.map(
    ({ why, requests, answered }) =>
      `${requests} ${setAsideWords[why]}${answered > 0 ? ` (${answered} answered)` : ''}`,
  );
  return present([
    `${how} ${count(passed, 'request')}: ${judged} judged, of which ${failing} failing and ${unanswered} refused or without a conclusive reply; ${count(kept, 'exchange')} kept in full.`,
    aside.length > 0 && `Not judged: ${aside.join('; ')}.`,
    chained.known + chained.unknown > 0 &&
      `Chained: ${chained.known} on a response that came through the proxy, ${chained.unknown} on another.`,
    full && 'Evidence was no longer recorded after its bound: what came later is not judged.',
  ]);
}

/** Those of some names that are not among others. */
export const without = <Name extends string>(all: readonly Name[], some: readonly string[]) =>
  all.filter((name) => !some.includes(name));

/** What the run was asked to leave out: profile, selection, undeclared families, groups and tokens, a stop. */
export function scopeLimits(report: Report): readonly string[] {
  const { scope } = report;
  const [noFamilies, noGroups] = [without(families, scope.families), without(groups, scope.groups)];
  return present([
    report.run.partial && 'The run was stopped before it was complete.',
    ...(scope.source === undefined ? profileLimits[scope.profile] : trafficLimits(report)),
    scope.shard && `Only shard ${scope.shard.index} of ${scope.shard.count}: merge gives the whole report.`,
    scope.again && `Only what ${againOf(scope.again)} left failed or undecided was asked again.`,
    scope.skipCostly && `${costlyNames.join(' and ')} were left out: --skip-costly.`,
    ...selectedAxes(report).map(
      ([axis, values]) => `Only ${axis} ${values.join(', ')}: the run was limited to it.`,
    ),
    noFamilies.length > 0 && `No model declared for ${noFamilies.join(', ')}.`,
    noGroups.length > 0 && `No token declared for the group ${noGroups.join(', ')}.`,
    !scope.rateLimited &&
      scope.source === undefined &&
      'No rate-limited token declared, so rate-limit errors were not tested.',
  ]);
}

/** Why a row is untested that the limits of the scope tell already. */
const ofProfile: ReadonlySet<string> = new Set([
  'not-in-profile',
  'not-in-shard',
  'not-in-traffic',
  'too-costly',
]);

/** Those of some untested rows whose reason is not among the limits of the scope. */
export function beyondScopeLimits({ scope }: Report, rows: readonly ReportRequirement[]) {
  const isPartlyDeclared =
    !scope.rateLimited || scope.families.length < families.length || scope.groups.length < groups.length;
  return rows.filter(({ code = '' }) => !ofProfile.has(code) && !(code === 'undeclared' && isPartlyDeclared));
}
