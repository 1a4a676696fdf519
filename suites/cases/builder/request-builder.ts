import { type Payloads, payloads } from '../../../fixtures/payloads/payloads.ts';
import { oncePer } from '../../../spec/once.ts';
import type { ProbeSuite } from '../../../spec/probes.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import type { Caller, Condition, PlannedRequest } from '../../types/plan.ts';
import type { Depth } from '../../types/profile.ts';
import { takenOverIn } from '../../types/reply-references.ts';
import type { Scope } from '../../types/scope.ts';
import { declaredCallers } from './callers.ts';
import { type Asked, askedOf } from '../probes/asked.ts';
import { plannedRequest, type RequestOverrides } from './planned-request.ts';
import { cellId, plainId } from '../../types/request-ids.ts';

export interface RequestBuilder {
  readonly scope: Scope;
  readonly seed: number;
  readonly depth: Depth;
  readonly data: Payloads;
  readonly requests: ReadonlyMap<string, PlannedRequest>;
  /** The declared callers of a protocol, in order of preference. */
  callers(protocol: Protocol): readonly Caller[];
  /** Ids of the requests that find out which caller serves a protocol. */
  cells(protocol: Protocol): readonly string[];
  /** The smallest request is answered: what every request waits for that names no caller of its own. */
  served(protocol: Protocol): Condition;
  /** What the probes of a suite ask of a protocol: by probe, a list with one entry for each value. */
  asked(suite: ProbeSuite, protocol: Protocol): readonly (readonly Asked[])[];
  /** Plans a request and gives its id. Throws where the same id already names another request. */
  send(id: string, protocol: Protocol, overrides?: RequestOverrides): string;
}

/** Whether nothing is combined. */
export const isSmoke = ({ profile }: Depth): boolean => profile === 'smoke';

/**
 * Pure but for what it collects.
 * @param furtherNonces taken beyond those of a plain standard plan
 */
export function createRequestBuilder(
  scope: Scope,
  seed: number,
  depth: Depth,
  furtherNonces: number,
): RequestBuilder {
  const requests = new Map<string, PlannedRequest>();
  const callers = oncePer((protocol: Protocol) => declaredCallers(scope, protocol));
  const cells = oncePer((protocol: Protocol) => callers(protocol).map((caller) => cellId(caller, protocol)));
  const served = oncePer(
    (protocol: Protocol): Condition => ({
      kind: 'answered',
      any: isSmoke(depth) ? cells(protocol) : [...cells(protocol), plainId(protocol)],
    }),
  );

  /** Who got the id that a body takes over: it may be of no use to another token or model, of which 4.1 says nothing. */
  function callersBehind({ json = null }: RequestOverrides): readonly Caller[] | undefined {
    const [taken] = takenOverIn(json);
    return taken && requests.get(taken.exchange)?.callers;
  }

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
  const asked: RequestBuilder['asked'] = (suite, protocol) => ofSuite(suite)(protocol);
  return { scope, seed, depth, data, requests, callers, cells, served, asked, send };
}
