import { groupBy } from '../../spec/group-by.ts';
import { defaultOf } from '../../spec/openapi.ts';
import { isObject } from '../../spec/json.ts';
import { isTextProtocol } from '../../spec/vocabulary.ts';
import { factsOf, isAnswerDue } from '../reading/request-facts.ts';
import type { Case } from '../types/case.ts';
import type { Check, CheckOf } from '../types/checks/check.ts';
import type { Setting } from '../types/combination.ts';
import { isConditional, type Plan, type PlannedRequest, takenOver } from '../types/plan.ts';
import { situationOf } from '../types/text-situations.ts';

/** What of a plan is counted, each of it once. */
interface CountedPlan {
  readonly requests: readonly PlannedRequest[];
  /** The valid ones that are sent in any case. */
  readonly valid: readonly PlannedRequest[];
  readonly cases: readonly Case[];
  readonly checks: readonly Check[];
  /** Ids of the requests with several settings that a case takes apart. */
  readonly combined: readonly string[];
  readonly settings: readonly Setting[];
  /** The requests that must be refused, each with those that differ in one thing and are answered. */
  readonly refused: readonly CheckOf<'refused'>[];
}

type Count = (plan: CountedPlan) => readonly unknown[];

const ofKind = <Kind extends Check['kind']>(checks: readonly Check[], kind: Kind) =>
  checks.filter((check): check is Extract<Check, { readonly kind: Kind }> => check.kind === kind);

const withFactor =
  (matches: RegExp): Count =>
  ({ settings }) =>
    settings.filter(({ factor }) => matches.test(factor)).map(({ description }) => description);

const kinds: Readonly<Record<string, Count>> = {
  'combinations of settings': ({ combined }) => combined,
  'shapes of a conversation': withFactor(/^(shape|history|list|previous_response_id)$/),
  'places of a word that is asked for': ({ checks }) =>
    ofKind(checks, 'recall').flatMap(({ protocol, placements }) =>
      placements.map(({ where }) => `${protocol} ${where}`),
    ),
  'properties of texts': withFactor(/^(scripts|signs|length|system length|sign-.*)$/),
  'situations that a text is compared in': ({ requests }) =>
    requests.flatMap(({ protocol, isCompared, body, accept }) =>
      isCompared && isTextProtocol(protocol) && isObject(body?.json)
        ? [`${protocol} ${situationOf(body.json, protocol, accept).join()}`]
        : [],
    ),
  'values of parameters': ({ settings }) =>
    settings.filter(({ factor, fields = {} }) => factor in fields).map(({ description }) => description),
  'values that are the default': ({ valid }) =>
    valid.flatMap(({ protocol, combination }) =>
      (combination?.settings ?? []).flatMap(({ factor, fields = {} }) =>
        factor in fields && fields[factor] === defaultOf(protocol, factor) ? `${protocol} ${factor}` : [],
      ),
    ),
  'limits of a reply': ({ checks }) =>
    ofKind(checks, 'token-limit').flatMap(({ probes }) => probes.map(({ limit }) => limit)),
  'headers of clients': withFactor(/^(client|accept|idempotency key)$/),
  'models with a token': ({ valid }) =>
    valid.flatMap(({ protocol, callers: [caller] }) => (caller ? JSON.stringify([protocol, caller]) : [])),
  'requests that end in the words of another': ({ valid }) =>
    [...groupBy(valid, ({ combination }) => combination?.question).entries()].flatMap(([question, those]) =>
      question === undefined || those.length === 1 ? [] : those,
    ),
  'requests with an earlier id': ({ valid }) => valid.filter((request) => takenOver(request).length > 0),
  'valid requests that are sent in any case': ({ valid }) => valid,
  'forms of a credential': ({ requests }) =>
    requests
      .filter((request) => factsOf(request).credential === 'wrong')
      .map(({ credential, protocol }) => JSON.stringify([protocol, credential])),
  'requests that must be refused': ({ refused }) => refused.map(({ probe }) => probe),
  'requirements that they break': ({ refused }) => refused.map(({ requirement }) => requirement),
  'combinations that they are shown in': ({ refused, combined }) =>
    refused.flatMap(({ controls }) => controls).filter((id) => combined.includes(id)),
  'requests for a family or group that must be refused': ({ refused }) =>
    refused.filter(({ isValidElsewhere }) => isValidElsewhere).map(({ probe }) => probe),
  'paths that the interface leaves open': ({ cases }) =>
    cases.filter(({ cell, check }) => cell && check.kind === 'observe').map(({ id }) => id),
  'refusals that tell the classes of errors': ({ checks }) =>
    ofKind(checks, 'distinct')
      .flatMap(({ comparisons }) => comparisons)
      .flatMap(({ probes, others }) => [probes, ...others.map((other) => other.probes)].flat()),
  'situations of a spent limit': ({ requests }) =>
    requests
      .filter(({ expect, stage }) => expect === 'limited' && stage !== 'declared')
      .map(({ protocol, body, headers }) => JSON.stringify([protocol, body, headers])),
};

/** The dimensions of a plan, each with how much of it the plan asks; those of which it asks nothing are left out. */
export function askedDimensions({ requests, cases }: Pick<Plan, 'requests' | 'cases'>) {
  const checks = cases.map(({ check }) => check);
  const plan: CountedPlan = {
    requests,
    cases,
    checks,
    valid: requests.filter((request) => isAnswerDue(request) && !isConditional(request)),
    combined: ofKind(checks, 'combination').map(({ probe }) => probe),
    settings: requests.flatMap(({ combination }) => combination?.settings ?? []),
    refused: ofKind(checks, 'refused'),
  };
  return Object.entries(kinds)
    .map(([name, count]) => ({ name, count: new Set(count(plan)).size }))
    .filter(({ count }) => count > 0);
}
