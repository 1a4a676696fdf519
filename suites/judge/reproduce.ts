import { type EvidenceView, requestAt, takenFrom } from '../checks/evidence-view.ts';
import type { FromReply } from '../types/template.ts';
import type { Failure } from '../types/finding.ts';
import { takenOver } from '../types/reply-references.ts';
import { lastOf } from '../checks/shared/failure-in.ts';
import { turnReader } from '../facts/request-traits.ts';
import { curl } from './curl.ts';

/** What a request takes over from an earlier reply. */
function earlier(view: EvidenceView, id: string): FromReply | undefined {
  const request = requestAt(view, id);
  return request && takenOver(request)[0];
}

/** What a request waits for of another branch, which is chained on the same reply: without it nothing could be mixed up. */
function otherBranch(view: EvidenceView, id: string, root: string): readonly string[] {
  const awaited = (view.request(id)?.when ?? []).flatMap((condition) =>
    condition.kind === 'answered' ? condition.any : condition.kind === 'recorded' ? condition.all : [],
  );
  return [...new Set(awaited)].filter((other) => earlier(view, other)?.exchange === root);
}

/** The exchanges that one is chained on, the first of them first, each with the other branch that began at it. */
export function chainOf(view: EvidenceView, id: string): readonly string[] {
  const before = earlier(view, id)?.exchange;
  return before === undefined ? [] : [...chainOf(view, before), before, ...otherBranch(view, id, before)];
}

/** Whether a failure shows only right behind a stream or a refused request. */
export function isBehindOnly({ reason, separation }: Partial<Failure>): boolean {
  if (reason?.kind === 'text-differs') return reason.by === 'after-refusal' || reason.by === 'after-stream';
  return separation?.traits.some(({ kind }) => kind === 'after') ?? false;
}

/** What was sent before a reply that shows a failure, where its words stand in it, or where the failure shows behind it alone. */
function sentBefore(view: EvidenceView, id: string, failure: Partial<Failure>): readonly string[] {
  if (failure.reason?.kind === 'reply-of-another') return [failure.reason.other];
  if (!isBehindOnly(failure)) return [];
  const readTurn = turnReader(view);
  const last = readTurn(lastOf(view.state(id), id))?.before;
  // Of one that was sent several times in turn, what came before the first.
  const before = last === id ? readTurn({ id, attempt: 0 })?.before : last;
  return before === undefined ? [] : [before];
}

/**
 * Commands that send an exchange again, and before it those that it is chained on, since their ids may not live long
 * and what they were given is nowhere else, and the request whose words it shows, or behind which alone the failure shows.
 * Undefined where it was not sent.
 */
export function reproduce(
  view: EvidenceView,
  last: string,
  failure: Partial<Failure> = {},
): string | undefined {
  const steps = [
    ...new Set([...sentBefore(view, last, failure), last].flatMap((id) => [...chainOf(view, id), id])),
  ];
  const name = (at: number): string => (steps.length > 1 ? `# ${at + 1} of ${steps.length}\n` : '');
  const commands = steps.flatMap((step, at) => {
    const { exchange } = view.state(step);
    if (exchange === undefined) return [];
    const before = earlier(view, step);
    const id = before && takenFrom(view, before);
    const manner = id === undefined ? {} : { id };
    const isTaken = steps.some((later) => earlier(view, later)?.exchange === step);
    if (!isTaken) return [name(at) + curl(exchange.request, manner)];
    return [`${name(at)}ID=$(${curl(exchange.request, { ...manner, bodyOnly: true })} | jq -r .id)`];
  });
  return commands.length === steps.length ? commands.join('\n') : undefined;
}
