import type { JsonObject } from '../../spec/json.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { type EvidenceView, isTaken, type State } from '../checks/evidence-view.ts';
import { isAnswerDue, isOfAnyGroup } from '../reading/request-facts.ts';
import { bodyOf } from '../reading/sent-request.ts';
import type { Setting } from '../types/combination.ts';
import type { Exchange } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';

export interface SentValid {
  /** Of the exchange. */
  readonly id: string;
  readonly request: PlannedRequest;
  readonly exchange: Exchange;
  readonly kind: State['kind'];
  readonly isTaken: boolean;
  readonly body: JsonObject;
  /** The settings of the combination, or of the part of one, that it is; undefined where it is none. */
  readonly settings: readonly Setting[] | undefined;
}

/** Reads something of a view once, until more is recorded: up to then it gives the same list. */
export function oncePerRecord<Read>(read: (view: EvidenceView) => Read): (view: EvidenceView) => Read {
  const kept = new WeakMap<readonly Exchange[], { readonly read: Read }>();
  return (view) => {
    const known = kept.get(view.exchanges()) ?? { read: read(view) };
    kept.set(view.exchanges(), known);
    return known.read;
  };
}

function settingsOf(view: EvidenceView, { id, repeats, part }: Exchange): readonly Setting[] | undefined {
  const settings = view.request(part?.of ?? repeats ?? id)?.combination?.settings;
  return part ? settings?.filter(({ factor }) => part.factors.includes(factor)) : settings;
}

/** Whether the interface leaves it open: of a group that is refused whatever it asks, where another group is served. */
function isLeftOpen({ request, kind, isTaken: isOwnTaken }: SentValid, all: readonly SentValid[]): boolean {
  if (kind !== 'refused' || isOwnTaken || !isOfAnyGroup(request)) return false;
  const [caller] = request.callers;
  const served = all.flatMap(({ isTaken, request: { protocol, callers } }) =>
    isTaken && protocol === request.protocol && callers[0]?.family === caller?.family
      ? [callers[0]?.group]
      : [],
  );
  return served.length > 0 && !served.includes(caller?.group);
}

/** Every valid request that was sent and had to be answered, with parts and repetitions, in the order of the record. */
export function sentValid(view: EvidenceView): readonly SentValid[] {
  const all = view.exchanges().flatMap((exchange): readonly SentValid[] => {
    const [request, body] = [view.requestOf(exchange), bodyOf(exchange.request)];
    if (request === undefined || body === undefined || !isAnswerDue(request)) return [];
    const { id } = exchange;
    const settings = settingsOf(view, exchange);
    return [{ id, request, exchange, kind: view.kind(id), isTaken: isTaken(view, id), body, settings }];
  });
  return all.filter((each) => !isLeftOpen(each, all));
}

export type Asked = Pick<SentValid, 'request' | 'body'>;

export const askedBy = (sent: Asked): string =>
  JSON.stringify([
    sent.body[protocolFacts[sent.request.protocol].content],
    sent.body.system,
    sent.body.instructions,
  ]);

/** Members of a turn that hold none of its text. */
const names: ReadonlySet<string> = new Set(['role', 'type', 'name', 'id', 'status']);

export function stringsIn(sent: Asked): readonly string[] {
  const strings: string[] = [];
  JSON.parse(askedBy(sent), (name, value: unknown) => {
    if (typeof value === 'string' && !names.has(name)) strings.push(value);
    return value;
  });
  return strings;
}

export const textIn = (sent: Asked): string => stringsIn(sent).join(' ');
