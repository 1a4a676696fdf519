import { oncePer } from '../../spec/once.ts';
import { credentialOf } from '../reading/request-facts.ts';
import { isConditional, type Plan, type PlannedRequest, type Stage, stages } from '../types/plan.ts';
import { isLogin, streamPairs, witnessesIn } from '../plan/lanes.ts';
import { mostWrongInRow } from '../wire/retry/login-watch.ts';

type Ids = readonly string[];

/** Lists of ids that must be recorded before a request goes out, what it takes something over from apart. */
export interface Waits {
  readonly always: readonly Ids[];
  /** The same, unless the target is so steady that requests under way at once leave each other's timing alone. */
  readonly unlessSteady: readonly Ids[];
}

/** What is timed goes one by one; the few refused logins that stand there before a request go at once. */
function timedLane(requests: readonly PlannedRequest[]): ReadonlyMap<string, readonly Ids[]> {
  const before = new Map<string, readonly Ids[]>();
  let [last, logins]: [Ids, Ids] = [[], []];
  for (const request of requests.filter(({ stage }) => stage === 'timed')) {
    const { id } = request;
    before.set(id, isLogin(request) ? [last] : [last, logins]);
    [last, logins] = isLogin(request) ? [last, [...logins, id]] : [[id], []];
  }
  return before;
}

/** The lane of refused logins, gently (principle 14): a few at once, then a valid request, and the next behind that. */
function loginLane(requests: readonly PlannedRequest[]): ReadonlyMap<string, readonly Ids[]> {
  const witnesses = new Set([...witnessesIn(requests, 'lanes'), ...witnessesIn(requests, 'timed')]);
  const before = new Map<string, readonly Ids[]>();
  let group: string[] = [];
  let last: Ids = [];
  const close = (next: Ids): void => {
    group = [];
    last = next;
  };
  for (const request of requests) {
    const { id } = request;
    if (isLogin(request)) {
      if (group.length === mostWrongInRow) close(group);
      group.push(id);
      // What tells of the declaration goes before all else.
      if (request.stage !== 'declared') before.set(id, [last]);
    } else if (group.length > 0 && witnesses.has(request)) {
      before.set(id, [group]);
      close([id]);
    }
  }
  return before;
}

/** What a request waits for by the order of the plan; many get the same lists. What is timed goes alone, a burst begins at once. */
export function waitsIn({ requests }: Pick<Plan, 'requests'>): (request: PlannedRequest) => Waits {
  const idsIn = (from: Stage, to: Stage): Ids =>
    requests
      .filter(({ stage }) => stages.indexOf(stage) >= stages.indexOf(from))
      .filter(({ stage }) => stages.indexOf(stage) <= stages.indexOf(to))
      .map(({ id }) => id);
  const timedBefore = timedLane(requests);
  const logins = loginLane(requests);
  const pairs = streamPairs(requests);
  const ofStage = oncePer((stage: Stage): Waits => {
    const discovery = idsIn('discovery', 'discovery');
    switch (stage) {
      case 'discovery':
      case 'declared':
        return { always: [], unlessSteady: [] };
      case 'lanes':
        return { always: [discovery], unlessSteady: [] };
      case 'burst':
        return { always: [idsIn('discovery', 'lanes')], unlessSteady: [] };
      case 'timed':
        return { always: [discovery], unlessSteady: [idsIn('lanes', 'burst')] };
      case 'further':
        return { always: [discovery], unlessSteady: [idsIn('timed', 'timed')] };
      case 'after':
        return { always: [idsIn('discovery', 'further')], unlessSteady: [] };
      default:
        return stage satisfies never;
    }
  });
  return ({ id, stage, credential }) => {
    // Refused logins may lock out whoever asks: which callers are served is seen first.
    const isEarlyLogin = stage === 'declared' && credentialOf(credential) === 'wrong';
    const { always, unlessSteady } = ofStage(isEarlyLogin ? 'lanes' : stage);
    return {
      always: [...always, ...(logins.get(pairs.get(id) ?? id) ?? [])],
      unlessSteady: [...unlessSteady, ...(timedBefore.get(id) ?? [])],
    };
  };
}

/** Places of those that may go, by id: as in the plan, but what goes one by one is spread, so that all else has room beside it. */
export function placesBesideTimed({ requests }: Pick<Plan, 'requests'>): ReadonlyMap<string, number> {
  const logins = loginLane(requests);
  const isInRow = ({ id, stage }: PlannedRequest): boolean => stage === 'timed' || logins.has(id);
  const isStep = (request: PlannedRequest): boolean => !isLogin(request) && !isConditional(request);
  const inRow = requests.filter(isInRow);
  const steps = inRow.filter(isStep).length;
  const end = requests.findLastIndex(isInRow);
  const places = new Map(requests.map(({ id }, place) => [id, place]));
  let step = 0;
  for (const request of inRow) {
    places.set(request.id, (step / steps) * end);
    if (isStep(request)) step += 1;
  }
  return places;
}
