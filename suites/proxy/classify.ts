import type { Target } from '../../fixtures/target/target.ts';
import { allGroups } from '../../spec/extension.ts';
import { matrix } from '../../spec/matrix.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { families, type Family, type Group, type Protocol, protocols } from '../../spec/vocabulary.ts';
import { bodyOf } from '../reading/sent-request.ts';
import type { SentRequest } from '../types/exchange.ts';
import { modelsOfFamily } from '../types/scope.ts';
import type { SetAside } from '../types/traffic.ts';
import { bodyProblem } from './request-check.ts';

/** What of a target traffic is told apart by: names, and the variables of tokens; never their values. */
export type KnownTarget = Pick<Target, 'baseUrl' | 'models' | 'furtherModels' | 'versionHeader' | 'tokens'>;

export interface Classified {
  readonly protocol: Protocol;
  /** The parameters of its body that are no list and no object; empty where it has none. */
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  readonly families: readonly Family[];
  readonly groups: readonly Group[];
  readonly stream: boolean;
  /** Why its reply is not judged; absent where it is. */
  readonly setAside?: SetAside;
}

/** The protocol of a request; undefined where it is no request of an endpoint. */
export function protocolOf(method: string, path: string): Protocol | undefined {
  const plain = path.split('?')[0];
  return method === 'POST' ? protocols.find((each) => protocolFacts[each].path === plain) : undefined;
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** The variable of the token in the documented form of the endpoint (section 5); undefined in any other form. */
function variableIn({ headers }: SentRequest, protocol: Protocol): string | undefined {
  const { header, value } = protocolFacts[protocol].credential;
  const [before = '', behind = ''] = value.split('{token}');
  const shown = headers[header] ?? '';
  if (!shown.startsWith(before) || !shown.endsWith(behind)) return undefined;
  return /^\$\{(\w+)\}$/.exec(shown.slice(before.length, shown.length - behind.length))?.[1];
}

const isInContract = ({ headers }: SentRequest, protocol: Protocol, target: KnownTarget): boolean =>
  /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '') &&
  headers['content-encoding'] === undefined &&
  (!protocolFacts[protocol].hasVersionHeader ||
    headers[target.versionHeader.name.toLowerCase()] !== undefined);

/** Whether the interface says that a model is served there: for its group, or where that is not known, for one. */
const isServed = (
  protocol: Protocol,
  found: readonly Family[],
  own: readonly Group[],
  stream: boolean,
): boolean =>
  matrix().some(
    (cell) =>
      cell.protocol === protocol &&
      cell.stream === stream &&
      cell.expectation === 'served' &&
      found.includes(cell.family) &&
      (own.length === 0 || own.includes(cell.group)),
  );

/** What a recorded request is; undefined where it is no request of an endpoint. Pure. */
export function classify(request: SentRequest, target: KnownTarget): Classified | undefined {
  const path = request.url.slice(target.baseUrl.length);
  const protocol = protocolOf(request.method, path);
  if (protocol === undefined) return undefined;
  const body = bodyOf(request) ?? {};
  const variable = variableIn(request, protocol);
  const own = allGroups().filter(
    (group) => variable !== undefined && target.tokens[group]?.variable === variable,
  );
  const named = families.filter(
    (family) => typeof body.model === 'string' && modelsOfFamily(target, family).includes(body.model),
  );
  const stream = body.stream === true;
  const problem = (): SetAside | undefined => {
    if (variable === undefined || !isInContract(request, protocol, target)) return 'outside-contract';
    const inBody = bodyProblem(body, protocol);
    if (inBody !== undefined) return inBody;
    if (named.length === 0) return 'undeclared-model';
    return isServed(protocol, named, own, stream) ? undefined : 'unsupported-cell';
  };
  const setAside = problem();
  return {
    protocol,
    parameters: Object.fromEntries(
      Object.entries(body).filter((entry): entry is [string, string | number | boolean] =>
        isScalar(entry[1]),
      ),
    ),
    families: named,
    groups: own,
    stream,
    ...(setAside === undefined ? {} : { setAside }),
  };
}
