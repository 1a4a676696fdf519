import type { Plan, PlannedRequest } from '../types/plan.ts';
import { dependencies } from '../plan/dependencies.ts';
import { isConditional } from '../plan/plan-counts.ts';
import { credentialOf } from '../reading/request-facts.ts';
import { mostWrongInRow } from '../wire/retry/login-watch.ts';

/** What a request waits for besides its stage. */
interface Before {
  readonly recorded: readonly string[];
  /** Requests with a wrong credential: it is enough that they had their first reply. */
  readonly replied: readonly string[];
}

/** Where the requests with a wrong credential stand in a run. */
export interface WrongCredentials {
  /** For each of them, and for each witness: what must be over before it goes out. */
  readonly before: ReadonlyMap<string, Before>;
  /** By request with a wrong credential: the valid request that follows it next; some of a small plan have none. */
  readonly witness: ReadonlyMap<string, string>;
}

/**
 * Whether a gateway must or may refuse it for the credential alone; but for the few that go first, to be compared with
 * what is declared.
 */
export const hasWrongCredential = ({ credential, stage }: PlannedRequest): boolean =>
  credentialOf(credential) === 'wrong' && stage !== 'declared';

/** The valid requests that are sent wherever discovery was answered: others may wait for a witness, or be left out. */
function witnessesIn(requests: readonly PlannedRequest[]) {
  const discovered = new Set(requests.filter(({ stage }) => stage === 'discovery').map(({ id }) => id));
  return requests
    .filter(({ stage, expect }) => stage === 'valid' && expect === 'answer')
    .filter(({ when }) => when.every(({ kind }) => kind === 'answered' || kind === 'recorded'))
    .filter((request) => dependencies(request).every((id) => discovered.has(id)))
    .map(({ id }) => id);
}

/**
 * In the order of the plan, but the first invalid token of each endpoint goes before all others: how it is refused is
 * seen before a gateway limits failed logins.
 */
function inOrder(requests: readonly PlannedRequest[]): readonly PlannedRequest[] {
  const wrong = requests.filter(hasWrongCredential);
  const invalid = wrong.filter(({ credential }) => credential.form === 'invalid');
  const first = new Set(
    invalid.filter(({ path }, at) => invalid.findIndex((other) => other.path === path) === at),
  );
  return [...first, ...wrong.filter((request) => !first.has(request))];
}

/** Whether it is sent where a valid request was refused: that may be any, so that it goes behind all of those. */
export const awaitsRefusal = ({ when }: PlannedRequest): boolean =>
  when.some(({ kind }) => kind === 'refused');

/** What waits for one of its group begins another. */
function groupsOf(wrong: readonly PlannedRequest[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  for (const request of wrong) {
    const last = groups.at(-1);
    const isBound = dependencies(request).some((id) => last?.includes(id));
    if (last === undefined || last.length >= mostWrongInRow || isBound) groups.push([request.id]);
    else last.push(request.id);
  }
  return groups;
}

/** Those that are sent in any case before all others, to be compared with what is declared: a group of their own. */
const comparedFirst = (requests: readonly PlannedRequest[]): readonly string[] =>
  requests
    .filter(
      (request) =>
        request.stage === 'declared' &&
        credentialOf(request.credential) === 'wrong' &&
        !isConditional(request),
    )
    .map(({ id }) => id);

/**
 * Refused logins may trip abuse protection (principle 14): so many as are allowed in a row go at once, between two valid
 * requests that are planned anyway, spread over all of those. Pure: the same plan gives the same order.
 */
export function wrongCredentials({ requests }: Pick<Plan, 'requests'>): WrongCredentials {
  const all = inOrder(requests);
  const wrong = all.filter((request) => !awaitsRefusal(request));
  const valid = witnessesIn(requests);
  const discovery = requests.filter(({ stage }) => stage === 'discovery').map(({ id }) => id);
  const compared = comparedFirst(requests);
  const groups = [...(compared.length > 0 ? [compared] : []), ...groupsOf(wrong)];
  const before = new Map<string, Before>();
  const witness = new Map<string, string>();
  let taken = 0;
  let waited = 0;
  for (const [at, members] of groups.entries()) {
    const place = Math.floor(((at + 0.5) * valid.length) / groups.length);
    const next = place >= taken ? valid[place] : undefined;
    // What the group before waited for was recorded before that group.
    const until = Math.max(place, taken);
    const earlier = [...valid.slice(waited, until), ...(groups[at - 1] ?? discovery)];
    waited = until;
    for (const id of members) {
      if (members !== compared) before.set(id, { recorded: earlier, replied: [] });
      if (next !== undefined) witness.set(id, next);
    }
    if (next === undefined) continue;
    before.set(next, { recorded: [], replied: members });
    taken = place + 1;
  }
  let last = [...valid.slice(waited), ...(groups.at(-1) ?? [])];
  for (const members of groupsOf(all.filter(awaitsRefusal))) {
    for (const id of members) before.set(id, { recorded: last, replied: [] });
    last = [...members];
  }
  return { before, witness };
}
