import { factsOf } from '../reading/request-facts.ts';
import type { Setting } from '../types/combination.ts';
import type { Plan, PlannedRequest } from '../types/plan.ts';

/** How many different things of a kind a plan asks. */
export interface AskedDimension {
  readonly name: string;
  readonly count: number;
}

/** What of a plan is counted, each of it once. */
interface CountedPlan {
  readonly requests: readonly PlannedRequest[];
  /** Ids of the requests with several settings that a case takes apart; signs of a text alone are none. */
  readonly combined: readonly string[];
  readonly settings: readonly Setting[];
  /** The requests that must be refused, each with those that differ in one thing and are answered. */
  readonly refused: readonly {
    readonly requirement: string;
    readonly probe: string;
    readonly controls: readonly string[];
  }[];
}

type Count = (plan: CountedPlan) => readonly unknown[];

const withFactor =
  (matches: RegExp): Count =>
  ({ settings }) =>
    settings.filter(({ factor }) => matches.test(factor)).map(({ description }) => description);

/** Each kind, by its name: what is different counts. */
const kinds: Readonly<Record<string, Count>> = {
  'combinations of settings': ({ combined }) => combined,
  'shapes of a conversation': withFactor(/^(shape|history|list|previous_response_id)$/),
  'properties of texts': withFactor(/^(scripts|signs|length|system length|sign-.*)$/),
  'values of parameters': ({ settings }) =>
    settings.filter(({ factor, fields = {} }) => factor in fields).map(({ description }) => description),
  'headers of clients': withFactor(/^(client|accept|idempotency key)$/),
  'forms of a credential': ({ requests }) =>
    requests
      .filter((request) => factsOf(request).credential === 'wrong')
      .map(({ credential, protocol }) => JSON.stringify([protocol, credential])),
  'requests that must be refused': ({ refused }) => refused.map(({ probe }) => probe),
  'requirements that they break': ({ refused }) => refused.map(({ requirement }) => requirement),
  'combinations that they are shown in': ({ refused, combined }) =>
    refused.flatMap(({ controls }) => controls).filter((id) => combined.includes(id)),
  'situations of a spent limit': ({ requests }) =>
    requests
      .filter(({ expect, stage }) => expect === 'limited' && stage !== 'declared')
      .map(({ protocol, body, headers }) => JSON.stringify([protocol, body, headers])),
};

/** The dimensions of a plan, each with how much of it the plan asks; those of which it asks nothing are left out. */
export function askedDimensions({
  requests,
  cases,
}: Pick<Plan, 'requests' | 'cases'>): readonly AskedDimension[] {
  const probes = new Set(cases.flatMap(({ check }) => (check.kind === 'combination' ? [check.probe] : [])));
  const plan: CountedPlan = {
    requests,
    combined: requests.flatMap(({ id, combination }) =>
      probes.has(id) && combination?.settings.some(({ sign }) => sign === undefined) ? [id] : [],
    ),
    settings: requests.flatMap(({ combination }) => combination?.settings ?? []),
    refused: cases.flatMap(({ check }) => (check.kind === 'refused' ? [check] : [])),
  };
  return Object.entries(kinds)
    .map(([name, count]) => ({ name, count: new Set(count(plan)).size }))
    .filter(({ count }) => count > 0);
}
