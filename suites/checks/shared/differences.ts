import type { JsonObject } from '../../../spec/json.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import { bodyOf } from '../../reading/sent-body.ts';
import type { Exchange } from '../../types/exchange.ts';
import type { PlannedRequest } from '../../types/plan.ts';

/** What two requests may differ in (principle 4). `content`: all of a request but what the others name, and its words. */
export type Difference = 'caller' | 'model' | 'endpoint' | 'stream' | 'content';

export interface SentAsPlanned {
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

/** What a request holds besides model, stream and words, in an order of its own. */
function contentOf(
  { planned: { protocol } }: SentAsPlanned,
  body: JsonObject,
): readonly (readonly [name: string, value: unknown])[] {
  const { model: _, stream, [protocolFacts[protocol].content]: _words, ...rest } = body;
  const other = isFlag(stream) ? {} : { stream };
  return Object.entries({ ...rest, ...other }).sort(([one], [two]) => (one < two ? -1 : 1));
}

/** Whether one member of the content has another value in each, and all else is the same. */
export function isOtherValue(one: SentAsPlanned, other: SentAsPlanned): boolean {
  const [body, otherBody] = [bodyOf(one.exchange.request), bodyOf(other.exchange.request)];
  if (body === undefined || otherBody === undefined) return false;
  const [own, others] = [contentOf(one, body), contentOf(other, otherBody)];
  const differing = own.filter(([, value], at) => !isSame(value, others[at]?.[1]));
  return (
    differing.length === 1 &&
    isSame(
      own.map(([name]) => name),
      others.map(([name]) => name),
    )
  );
}

/** Headers but for the credential, and for what is accepted, which goes with the stream. */
function headersOf({ planned: { protocol }, exchange }: SentAsPlanned, isStreamAlike: boolean): unknown {
  const { header } = protocolFacts[protocol].credential;
  return Object.entries(exchange.request.headers)
    .filter(([name]) => name !== header && (isStreamAlike || name !== 'accept'))
    .sort(([one], [two]) => (one < two ? -1 : 1));
}

export function differences(one: SentAsPlanned, other: SentAsPlanned): readonly Difference[] {
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
