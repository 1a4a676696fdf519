import { type Payloads, payloads } from '../../../fixtures/payloads/payloads.ts';
import { once, oncePer } from '../../../spec/once.ts';
import { type Protocol, type TextProtocol, textProtocols } from '../../../spec/vocabulary.ts';
import type { Check } from '../../types/checks/check.ts';
import type { Case } from '../../types/case.ts';
import type { Caller, Condition, PlannedRequest } from '../../types/plan.ts';
import type { Depth } from '../../types/profile.ts';
import { takenOverIn } from '../../types/reply-references.ts';
import type { SuiteName } from '../../types/suite-names.ts';
import type { SameModel, Scope } from '../../types/scope.ts';
import { type PlannedImageRow, planImageRows } from '../combinations/image-rows.ts';
import { exploredNonces, planExplored } from '../combinations/explored-rows.ts';
import { type PlannedRow, type PlannedRows, planRows } from '../combinations/row-requests.ts';
import { declaredCallers, modelCallers, noCaller } from './callers.ts';
import { contradictedCallers } from './same-model.ts';
import { plannedRequest, type RequestOverrides } from './planned-request.ts';
import { cellId, plainId } from './request-ids.ts';
import { type SharedRequests, sharedRequests } from './shared-requests.ts';

/** What a case needs and the target does not declare, in words. */
export interface Undeclared {
  readonly undeclared: string;
}

/** The same model name in two families, which keeps a case from being judged. */
export interface Contradicted {
  readonly sameModel: SameModel;
}

/** What the target must declare for a case: a caller of a protocol, or nothing (null); or why it can't be judged. */
export type Needs = Protocol | Undeclared | Contradicted | null;

export interface CaseBuilder extends SharedRequests {
  readonly scope: Scope;
  readonly seed: number;
  readonly depth: Depth;
  readonly data: Payloads;
  readonly requests: ReadonlyMap<string, PlannedRequest>;
  readonly cases: readonly Case[];
  /** The covering array of a text protocol, planned when it is first asked for. */
  rows(protocol: TextProtocol): PlannedRows;
  /** The random combinations beyond it, planned when they are first asked for. */
  explored(protocol: TextProtocol): readonly PlannedRow[];
  /** The covering array for images. */
  imageRows(): readonly PlannedImageRow[];
  /** The declared callers of a protocol, in order of preference. */
  callers(protocol: Protocol): readonly Caller[];
  /** Ids of the requests that find out which caller serves a protocol. */
  cells(protocol: Protocol): readonly string[];
  /** The smallest request is answered: what every request waits for that names no caller of its own. */
  served(protocol: Protocol): Condition;
  /** Plans a request and gives its id. Throws where the same id already names another request. */
  send(id: string, protocol: Protocol, overrides?: RequestOverrides): string;
  /**
   * Adds a case. Where the target does not declare what it needs, it is untested and plans no request.
   * Throws where the id is taken.
   */
  add(entry: NewCase, needs: Needs, check: () => Check): void;
}

/** The most streams that the models behind the first of each family are asked for, each with a nonce. */
const nonceOfModels = ({ further = [] }: Scope): number => textProtocols.length * further.length;

/** In `smoke` nothing is combined. */
const noRows: PlannedRows = { rows: [], inline: [] };

/** A case but for its check; its id begins with its suite. */
export type NewCase = Omit<Case, 'id' | 'suite' | 'check'> & { readonly id: `${SuiteName}.${string}` };

const suiteOf = (id: NewCase['id']): SuiteName => id.slice(0, id.indexOf('.')) as SuiteName;

/** Collects the requests and cases of a plan. Pure but for what it collects. */
export function createCaseBuilder(scope: Scope, seed: number, depth: Depth): CaseBuilder {
  const isSmoke = depth.profile === 'smoke';
  const data = payloads(seed, exploredNonces(depth.explore ?? 0) + nonceOfModels(scope));
  const requests = new Map<string, PlannedRequest>();
  const cases = new Map<string, Case>();
  const callers = oncePer((protocol: Protocol) => declaredCallers(scope, protocol));
  const cells = oncePer((protocol: Protocol) => callers(protocol).map((caller) => cellId(caller, protocol)));
  const served = oncePer(
    (protocol: Protocol): Condition => ({
      kind: 'answered',
      any: isSmoke ? cells(protocol) : [...cells(protocol), plainId(protocol)],
    }),
  );
  const contradicted = oncePer((protocol: Protocol) =>
    contradictedCallers(scope, protocol, callers(protocol)),
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
      isSmoke,
    });
    const known = requests.get(id);
    if (known && JSON.stringify(known) !== JSON.stringify(request)) {
      throw new Error(`two requests are called ${id}`);
    }
    requests.set(id, request);
    return id;
  }

  const core: Omit<CaseBuilder, keyof SharedRequests> = {
    scope,
    seed,
    depth,
    data,
    requests,
    get cases() {
      return [...cases.values()];
    },
    callers,
    cells,
    served,
    send,
    rows: oncePer((protocol) => (isSmoke ? noRows : planRows(builder, protocol))),
    explored: oncePer((protocol) => (isSmoke ? [] : planExplored(builder, protocol))),
    imageRows: once(() => (isSmoke ? [] : planImageRows(builder))),
    add({ id, title, ...more }, needs, check) {
      if (cases.has(id)) throw new Error(`two cases are called ${id}`);
      const protocol = typeof needs === 'string' ? needs : more.cell?.protocol;
      const { model } = more;
      const own = model ? (each: Protocol) => modelCallers(scope, model, each) : callers;
      const unlessRefused =
        protocol && (model ? contradictedCallers(scope, protocol, own(protocol)) : contradicted(protocol));
      cases.set(id, {
        id,
        title,
        suite: suiteOf(id),
        ...more,
        check: openCheck(needs, own) ?? check(),
        ...(unlessRefused ? { unlessRefused } : {}),
      });
    },
  };
  const builder: CaseBuilder = Object.assign(core, sharedRequests(core, isSmoke));
  return builder;
}

/** The check of a case that can't be judged; undefined where the target declares what it needs. */
function openCheck(needs: Needs, callers: CaseBuilder['callers']): Check | undefined {
  if (needs === null) return undefined;
  if (typeof needs === 'string')
    return callers(needs).length === 0 ? { kind: 'undeclared', reason: noCaller(needs) } : undefined;
  return 'sameModel' in needs
    ? { kind: 'same-model', families: needs.sameModel }
    : { kind: 'undeclared', reason: needs.undeclared };
}
