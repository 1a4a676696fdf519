import { oncePerObject } from '../../../spec/once.ts';
import { protocolPath } from '../../../spec/paths.ts';
import type { CheckOf } from '../../types/checks/check.ts';
import type { EvidenceView, State } from '../evidence-view.ts';
import { tellsApart } from './refusal-features.ts';
import { modelSent } from '../../reading/reply-words.ts';
import type { Exchange } from '../../types/exchange.ts';
import type { Plan, PlannedRequest } from '../../types/plan.ts';
import type { JsonObject } from '../../../spec/json.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import { bodyOf } from '../../reading/sent-request.ts';

/** What two requests may differ in (principle 4). `content`: all of a request but what the others name, and its words. */
type Difference = 'caller' | 'model' | 'endpoint' | 'stream' | 'content';

interface SentAsPlanned {
  readonly planned: PlannedRequest;
  readonly exchange: Exchange;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function tokenOf({ planned: { protocol }, exchange }: SentAsPlanned): string | undefined {
  const { header } = protocolFacts[protocol].credential;
  return exchange.request.headers[header]?.replace(/^Bearer /, '');
}

const isFlag = (value: unknown): boolean => value === undefined || typeof value === 'boolean';

const isRight = ({ planned }: SentAsPlanned): boolean => planned.credential.form === 'right';

const sorted = (of: JsonObject) => Object.entries(of).sort(([one], [two]) => (one < two ? -1 : 1));

/** What a request holds besides model, stream and words. */
function contentOf({ planned: { protocol } }: SentAsPlanned, body: JsonObject) {
  const { model: _, stream, [protocolFacts[protocol].content]: _words, ...rest } = body;
  return sorted({ ...rest, ...(isFlag(stream) ? {} : { stream }) });
}

/** Whether one member of the content has another value in each, and all else is the same. */
function isOtherValue(one: SentAsPlanned, other: SentAsPlanned): boolean {
  const [body, otherBody] = [bodyOf(one.exchange.request), bodyOf(other.exchange.request)];
  if (body === undefined || otherBody === undefined) return false;
  const [own, others] = [contentOf(one, body), contentOf(other, otherBody)];
  const areSameNames = own.length === others.length && own.every(([name], at) => name === others[at]?.[0]);
  return areSameNames && own.filter(([, value], at) => !isSame(value, others[at]?.[1])).length === 1;
}

/** Headers but for the credential, and for what is accepted, which goes with the stream. */
function headersOf({ planned: { protocol }, exchange }: SentAsPlanned, isStreamAlike: boolean): unknown {
  const { [protocolFacts[protocol].credential.header]: _, accept, ...rest } = exchange.request.headers;
  return sorted(isStreamAlike ? { ...rest, accept } : rest);
}

function differences(one: SentAsPlanned, other: SentAsPlanned): readonly Difference[] {
  const [body, otherBody] = [bodyOf(one.exchange.request), bodyOf(other.exchange.request)];
  const isEndpointAlike = one.exchange.request.url === other.exchange.request.url;
  const isStreamAlike =
    !isFlag(body?.stream) || !isFlag(otherBody?.stream) || !body?.stream === !otherBody?.stream;
  const areComparable = body !== undefined && otherBody !== undefined;
  const isContentAlike =
    areComparable &&
    isRight(one) === isRight(other) &&
    isSame(contentOf(one, body), contentOf(other, otherBody)) &&
    isSame(headersOf(one, isStreamAlike), headersOf(other, isStreamAlike));
  const found: Readonly<Record<Difference, boolean>> = {
    caller: isRight(one) && isRight(other) && tokenOf(one) !== tokenOf(other),
    model: areComparable && !isSame(body.model, otherBody.model),
    endpoint: !isEndpointAlike,
    stream: areComparable && !isStreamAlike,
    // Each endpoint has a content of its own.
    content: isEndpointAlike && !isContentAlike,
  };
  return (Object.keys(found) as Difference[]).filter((name) => found[name]);
}

/** A control that differs from a refused request in one thing at most. */
export interface NearControl {
  readonly state: State;
  readonly differs: readonly Difference[];
  /** In another value of the member that is wrong in the refused request. */
  readonly isOtherValue?: boolean;
}

type Refusal = Extract<State, { kind: 'refused' }>;

const asPlanned = (view: EvidenceView, id: string, { exchange }: State): SentAsPlanned | undefined => {
  const planned = view.request(exchange?.repeats ?? exchange?.id ?? id) ?? view.request(id);
  return exchange && planned ? { planned, exchange } : undefined;
};

/** The controls of a refusal that differ in one thing (principle 4), and those that were not sent. */
export function nearControls(check: CheckOf<'refused'>, refusal: Refusal, view: EvidenceView) {
  const { probe, controls, isValidElsewhere = false } = check;
  const own = asPlanned(view, probe, refusal);
  return controls
    .filter((id) => view.request(id))
    .flatMap((id): readonly NearControl[] => {
      const state = view.state(id);
      const control = asPlanned(view, id, state);
      if (own === undefined || control === undefined) return [{ state, differs: [] }];
      const differs = differences(own, control).filter((each) => each !== 'content' || !isValidElsewhere);
      return differs.length <= 1 ? [{ state, differs, isOtherValue: isOtherValue(own, control) }] : [];
    });
}

const isEndpointThere = (view: EvidenceView, { exchange }: Refusal): boolean =>
  view.plan.requests.some(({ id, stage, protocol }) => {
    const isThere = stage === 'discovery' && exchange.request.url.endsWith(protocolPath(protocol));
    return isThere && view.kind(id) === 'answered';
  });

/**
 * Why a refusal shows nothing of its request; undefined where it does. One answered control on the endpoint is enough, unless every
 * right value is refused in the same words; on another one, something must be answered here, too, and no near one refused alike.
 */
export function doubtOf(refusal: Refusal, controls: readonly NearControl[], view: EvidenceView) {
  const isAlike = ({ state, differs }: NearControl): boolean =>
    state.kind === 'refused' &&
    !differs.includes('endpoint') &&
    tellsApart([refusal.exchange], [state.exchange]) === undefined;
  const others = controls.filter((control) => control.isOtherValue);
  if (others.length > 0 && others.every(isAlike)) return 'control-refused-alike';
  const answered = controls.filter(({ state }) => state.kind === 'answered');
  if (answered.some(({ differs }) => !differs.includes('endpoint'))) return undefined;
  if (answered.length === 0 || !isEndpointThere(view, refusal)) return 'control-refused';
  return controls.some(isAlike) ? 'control-refused-alike' : undefined;
}

const discoveryIn = oncePerObject((plan: Plan) =>
  plan.requests.filter(({ stage }) => stage === 'discovery').map(({ id }) => id),
);

const names = (text: string, name: string): boolean =>
  text.includes(name) && new RegExp(`(?<![\\w.-])${name.replace(/[^\w]/g, '\\$&')}(?![\\w-])`).test(text);

/** Another model that a refusal names, neither answered here nor asked for: the request was passed on to it, and shows nothing. */
export function otherModelNamed(view: EvidenceView, refusal: Exchange): string | undefined {
  const [sent, text] = [modelSent(refusal), refusal.response?.body.text ?? ''];
  if (sent === undefined || names(text, sent)) return undefined;
  const known = discoveryIn(view.plan).flatMap((id) => {
    const { kind, exchange } = view.state(id);
    const model = exchange && modelSent(exchange);
    if (!exchange || !model || model === sent || !names(text, model)) return [];
    return [{ model, isHere: kind === 'answered' && exchange.request.url === refusal.request.url }];
  });
  return known.some(({ isHere }) => isHere) ? undefined : known[0]?.model;
}
