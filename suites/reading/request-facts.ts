import { type Credential, type PlannedRequest, takenOver } from '../types/plan.ts';
import { matrix } from '../../spec/matrix.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { once, oncePerObject } from '../../spec/once.ts';
import { valueAt } from './json.ts';

/** What of a planned request its retryable replies are read by. */
export interface RequestFacts {
  /** Equal for requests with the same endpoint, model and credential form: what one of them shows holds for all. */
  readonly kind: string;
  readonly expect: PlannedRequest['expect'];
  /** `wrong`: a gateway must or may refuse it for the credential alone; `spent`: its limit is spent. */
  readonly credential: 'right' | 'wrong' | 'spent';
  /** The documented form with a token that no console issued. */
  readonly isInvalidToken: boolean;
  /** Whether it names an earlier reply, for which it may be refused. */
  readonly isFollowing: boolean;
}

/** What a credential is, whatever the rest of its request. */
export const credentialOf = ({ form, ...more }: Credential): RequestFacts['credential'] => {
  if (form === 'right') return 'right';
  if (form !== 'token') return 'wrong';
  return 'token' in more && more.token === 'rate-limited' ? 'spent' : 'right';
};

/** Of these cells one group is enough, whichever it is (2.2, 4). */
const cellsOfAnyGroup = once(() => matrix().filter(({ anyGroup }) => anyGroup));

/** Whether a request shows whether one group of several is served, of which one must be. */
export const isOfAnyGroup = ({ callers, protocol, stage }: PlannedRequest): boolean =>
  callers.length === 1 &&
  stage === 'discovery' &&
  cellsOfAnyGroup().some((cell) => cell.protocol === protocol && cell.family === callers[0]?.family);

export const factsOf = oncePerObject((request: PlannedRequest): RequestFacts => {
  const { path, method, callers, expect, credential } = request;
  const form = credentialOf(credential);
  const model =
    form === 'wrong'
      ? null
      : [valueAt(request.body?.json, '/model') ?? null, callers.map(({ family, model }) => model ?? family)];
  return {
    kind: JSON.stringify([method, path, form, model]),
    expect,
    credential: form,
    isInvalidToken: credential.form === 'invalid' || credential.form === 'near-miss',
    isFollowing: takenOver(request).length > 0,
  };
});

/** What the turns of a request say, as JSON: a reply in an unknown shape is told by their words. */
function promptOf({ protocol, body }: PlannedRequest): string {
  const asked = valueAt(body?.json, `/${protocolFacts[protocol].content}`) ?? '';
  return JSON.stringify([asked].flat().map((turn) => valueAt(turn, '/content') ?? turn));
}

/** What of a request its reply is read by, beside the protocol. */
export const askedIn = (request: PlannedRequest) => ({
  isStreamed: request.stream,
  prompt: (): string => promptOf(request),
});

/** Whether a request is within the contract and shows the right credential: an answer is due. */
export const isAnswerDue = ({ expect, credential }: Pick<PlannedRequest, 'expect' | 'credential'>): boolean =>
  expect === 'answer' && credentialOf(credential) === 'right';

/** Whether the refusal of a request has nothing to do with a spent limit. */
export const isNoLimit = ({ expect, credential }: Pick<RequestFacts, 'expect' | 'credential'>): boolean =>
  expect !== 'limited' && credential !== 'spent';
