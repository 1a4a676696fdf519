import { requirement } from '../../spec/requirements.ts';
import { invalidTokenId, wrongValueId } from '../types/request-ids.ts';
import { reads, readsIn } from '../checks/registry.ts';
import type { Case } from '../types/case.ts';
import { isConditional, type Plan, type PlannedRequest } from '../types/plan.ts';
import type { AskedAgain, Profile } from '../types/profile.ts';
import { neededBy } from './dependencies.ts';
import { type Evidence, isExchange } from '../types/exchange.ts';
import { partOf, takesFrom } from './shards.ts';

type Requests = ReadonlyMap<string, PlannedRequest>;

/** The cases of a profile, of all that there are; in the order given. */
const casesOf: Readonly<Record<Profile, (cases: readonly Case[], requests: Requests) => readonly Case[]>> = {
  full: (cases) => cases,
  standard: standardCases,
  smoke: smokeCases,
};
export const askedCases = (profile: Profile, cases: readonly Case[], requests: Requests) =>
  casesOf[profile](cases, requests);

/** Judges nothing that can be failed, and no cell of the matrix. */
const isObservation = ({ cell, requirements }: Case): boolean =>
  cell === undefined && requirements.every((id) => requirement(id).level === 'unspecified');

const idsOf = (requests: readonly PlannedRequest[]) => new Set(requests.map(({ id }) => id));

/** All but observations for which a generation would be billed that nothing else needs. */
function standardCases(cases: readonly Case[], requests: Requests): readonly Case[] {
  const others = cases.filter((entry) => !isObservation(entry));
  const needed = idsOf(neededBy(others, requests));
  const isFree = (entry: Case): boolean =>
    isSent(entry, requests) &&
    neededBy([entry], requests).every(({ id, billed }) => billed === 0 || needed.has(id));
  return cases.filter((entry) => !isObservation(entry) || isFree(entry));
}

/** Each endpoint and family served, a stream, no token, an invented token and model; and what the same requests decide. */
function smokeCases(cases: readonly Case[], requests: Requests): readonly Case[] {
  const gist = new Set(cases.filter((entry) => isGist(entry, requests)));
  const needed = idsOf(neededBy([...gist], requests));
  return cases.filter(
    (entry) => gist.has(entry) || (isShownBy(entry, needed, requests) && isOfReplies(entry)),
  );
}

/** What the model is told, and is to say again, stands in no request of `smoke`. */
const ofContext: ReadonlySet<string> = new Set(['recall', 'branch', 'own-context']);

/** Why a request is refused can't be told: one caller alone streams, and the plain request goes last, behind all refusals. */
const isOfReplies = ({ check }: Case): boolean => check.kind !== 'accepted' && !ofContext.has(check.kind);

/** What `smoke` is about. A cell that only stands in for another is not. */
function isGist({ suite, check }: Case, requests: Requests): boolean {
  const sent = (id: string): boolean => {
    const request = requests.get(id);
    return request !== undefined && !request.stream && !isConditional(request);
  };
  if (check.kind === 'stream') return true;
  if (suite === 'families') return check.kind === 'served' && check.probes.some(sent);
  if (check.kind !== 'refused') return false;
  const probe = requests.get(check.probe);
  return (suite === 'authentication' && isNoToken(probe)) || isInventedModel(probe);
}

/** Tells a model that the target does not know from one that it does not serve. */
const isInventedModel = (request: PlannedRequest | undefined): boolean =>
  request !== undefined && request.id === wrongValueId(request.protocol, 'model', 'unknown', 'unknown');

/** It shows no token, or one of those that no console issued, where the right one is shown; without a stream. */
const isNoToken = (request: PlannedRequest | undefined): boolean =>
  request !== undefined &&
  !request.stream &&
  (request.credential.form === 'none' || request.id === invalidTokenId(request.protocol, 'first'));

const isShownBy = (entry: Case, needed: ReadonlySet<string>, requests: Requests): boolean =>
  isSent(entry, requests) && reads(entry.check).every((id) => needed.has(id));

/** Whether what a case is about, or what stands for it, is sent in any case; so it is where there is no such request. */
function isSent({ check }: Case, requests: Requests): boolean {
  const [about] = reads(check).map((id) => requests.get(id));
  return about === undefined || about.standsFor !== undefined || !isConditional(about);
}

export interface AskedBefore {
  readonly plan: Plan;
  readonly evidence: Evidence;
}

/** Ids of the planned requests that a record rests on: an id that it takes over, a control that was sent meanwhile. */
function restsOn(request: PlannedRequest, evidence: Evidence): readonly string[] {
  const entry = evidence.get(request.id);
  const controls = isExchange(entry) ? entry.attempts.flatMap(({ control }) => control ?? []) : [];
  const repeated = controls.flatMap((id) => {
    const control = evidence.get(id);
    return isExchange(control) ? [control.repeats ?? control.id] : [];
  });
  return [...takesFrom(request), ...repeated];
}

/** The cases that judge these requirements, send what they read, or rest on a record that is sent again: all evidence is new. Pure. */
export function casesToAskAgain({ plan, evidence }: AskedBefore, requirements: ReadonlySet<string>) {
  const chosen = new Set(plan.cases.filter((entry) => entry.requirements.some((id) => requirements.has(id))));
  const read = new Set([...chosen].flatMap(({ check }) => readsIn(check, plan)));
  for (let before = -1; before !== chosen.size; ) {
    before = chosen.size;
    const sent = new Set(partOf(plan, chosen).requests.map(({ id }) => id));
    const isMissing = (request: PlannedRequest): boolean =>
      !sent.has(request.id) &&
      (read.has(request.id) || restsOn(request, evidence).some((id) => sent.has(id)));
    const ids = new Set(plan.requests.filter(isMissing).map(({ id }) => id));
    for (const entry of plan.cases) if (reads(entry.check).some((id) => ids.has(id))) chosen.add(entry);
  }
  return plan.cases.filter((entry) => chosen.has(entry));
}

/** What a run asks that asks these requirements again. Pure. `run`: id of the earlier run. */
export const askedAgain = (run: string, requirements: AskedAgain['requirements'], before: AskedBefore) => ({
  run,
  requirements,
  cases: casesToAskAgain(before, new Set(requirements.map(({ id }) => id))).map(({ id }) => id),
});
