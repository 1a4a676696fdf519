import { payloads } from '../../../fixtures/payloads/payloads.ts';
import { oncePer } from '../../../spec/once.ts';
import type { ProbeSuite } from '../../../spec/probes.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import {
  type Caller,
  type Condition,
  type PlannedRequest,
  type Damage,
  takenOverIn,
} from '../../types/plan.ts';
import type { Depth } from '../../types/profile.ts';
import type { Scope } from '../../types/scope.ts';
import { declaredCallers, secondCaller } from './callers.ts';
import { askedOf } from '../probes/asked.ts';
import { cellId, onlyStreamIds, plainId } from '../../types/request-ids.ts';
import { protocolPath } from '../../../spec/paths.ts';
import { acceptOf } from '../../types/accept.ts';
import type { Template } from '../../types/template.ts';
import { valueAt } from '../../reading/json.ts';
import { plain, withSmallestImage } from './bodies.ts';

/** What of a planned request differs from the plain one of its protocol. */
export type RequestOverrides = Partial<Omit<PlannedRequest, 'id' | 'protocol' | 'body'>> & {
  readonly json?: Template;
  readonly damage?: Damage;
  /** The second family that can judge the protocol first: what a gateway does for one it may not do for the other. */
  readonly secondFamilyFirst?: boolean;
  /** An image of a size that the target chooses, where the profile asks for the smallest ones. */
  readonly anySize?: boolean;
};

/** What a request takes from its protocol: who can call it, and what it waits for. */
interface Defaults {
  readonly callers: readonly Caller[];
  readonly served: Condition;
  /** Where every generation counts: images are as small as can be, and who streams is not asked of each caller. */
  readonly isSmoke: boolean;
}

function plannedRequest(
  id: string,
  protocol: Protocol,
  overrides: RequestOverrides,
  defaults: Defaults,
): PlannedRequest {
  const { json: asked = plain[protocol], damage, secondFamilyFirst = false, anySize, ...rest } = overrides;
  const isSmallest = defaults.isSmoke && protocol === 'images' && !anySize;
  const json = isSmallest ? withSmallestImage(asked) : asked;
  const expect = overrides.expect ?? 'answer';
  const byDefault =
    secondFamilyFirst && secondCaller(protocol) ? [...defaults.callers].reverse() : defaults.callers;
  const callers = overrides.callers ?? byDefault;
  const conditions = overrides.when ?? (overrides.callers ? [] : [defaults.served]);
  const when = defaults.isSmoke ? conditions.map(withoutPlain(protocol)) : conditions;
  const stream = valueAt(json, '/stream') === true;
  // Which caller to ask for a stream is known once each was asked for one.
  const awaitsStreams =
    !defaults.isSmoke && expect === 'answer' && stream && callers.length > 1 && !overrides.combination;
  const streams = callers.map((caller) => cellId(caller, protocol, true));
  return {
    id,
    protocol,
    method: 'POST',
    path: protocolPath(protocol),
    callers,
    credential: { form: 'right' },
    version: 'declared',
    accept: acceptOf(stream),
    contentType: 'application/json',
    body: { json, ...(damage ? { damage } : {}) },
    stream,
    expect,
    stage: 'lanes',
    billed: expect === 'answer' || expect === 'either' ? 1 : 0,
    ...rest,
    when: awaitsStreams ? [...when, { kind: 'recorded', all: streams }] : when,
  };
}

/** The plain request goes last in `smoke`: what stands in for others is not sent after it. */
const withoutPlain =
  (protocol: Protocol) =>
  (condition: Condition): Condition =>
    condition.kind === 'unanswered'
      ? { ...condition, all: condition.all.filter((id) => id !== plainId(protocol)) }
      : condition;

/** Plans requests, and holds what they are made of. */
export type RequestBuilder = ReturnType<typeof createRequestBuilder>;

/** Whether nothing is combined. */
export const isSmoke = ({ profile }: Depth): boolean => profile === 'smoke';

/** Pure but for what it collects. `furtherNonces`: taken beyond those of a plain standard plan. */
export function createRequestBuilder(scope: Scope, seed: number, depth: Depth, furtherNonces: number) {
  const requests = new Map<string, PlannedRequest>();
  /** The declared callers of a protocol, in order of preference. */
  const callers = oncePer((protocol: Protocol) => declaredCallers(scope, protocol));
  /** Ids of the requests that find out which caller serves a protocol. */
  const cells = oncePer((protocol: Protocol): readonly string[] =>
    callers(protocol).map((caller) => cellId(caller, protocol)),
  );
  /** The smallest request is answered: what every request waits for that names no caller of its own. */
  const served = oncePer(
    (protocol: Protocol): Condition => ({
      kind: 'answered',
      any: [...cells(protocol), ...(isSmoke(depth) ? [] : [plainId(protocol)]), ...onlyStreamIds(protocol)],
    }),
  );

  /** Who got the id that a body takes over: it may be of no use to another token or model, of which 4.1 says nothing. */
  function callersBehind({ json = null }: RequestOverrides): readonly Caller[] | undefined {
    const [taken] = takenOverIn(json);
    return taken && requests.get(taken.exchange)?.callers;
  }

  /** Plans a request and gives its id. Throws where the same id already names another request. */
  function send(id: string, protocol: Protocol, overrides: RequestOverrides = {}): string {
    const request = plannedRequest(id, protocol, overrides, {
      callers: callersBehind(overrides) ?? callers(protocol),
      served: served(protocol),
      isSmoke: isSmoke(depth),
    });
    const known = requests.get(id);
    if (known && JSON.stringify(known) !== JSON.stringify(request)) {
      throw new Error(`two requests are called ${id}`);
    }
    requests.set(id, request);
    return id;
  }

  const data = payloads(seed, furtherNonces);
  const ofSuite = oncePer((suite: ProbeSuite) =>
    oncePer((protocol: Protocol) => askedOf(suite, protocol, data)),
  );
  /** What the probes of a suite ask of a protocol: by probe, a list with one entry for each value. */
  const asked = (suite: ProbeSuite, protocol: Protocol) => ofSuite(suite)(protocol);
  const planned: ReadonlyMap<string, PlannedRequest> = requests;
  return { scope, seed, depth, data, requests: planned, callers, cells, served, asked, send };
}
