import type { Dossier } from '../checks/dossier.ts';
import type { Hole, Template } from '../model/plan.ts';
import { curl } from './curl.ts';

type FromReply = Extract<Hole, { $: 'reply' }>;

/** What a body takes over from an earlier reply. */
function takenOver(template: Template): FromReply | undefined {
  if (typeof template !== 'object' || template === null) return undefined;
  if ('$' in template) return template.$ === 'reply' ? (template as FromReply) : undefined;
  return Object.values(template)
    .map(takenOver)
    .find((hole) => hole !== undefined);
}

const earlier = (dossier: Dossier, id: string): FromReply | undefined =>
  takenOver(dossier.request(id)?.body?.json ?? null);

/** The exchanges that one is chained on, the first of them first. */
export function chainOf(dossier: Dossier, id: string): readonly string[] {
  const before = earlier(dossier, id)?.exchange;
  return before === undefined ? [] : [...chainOf(dossier, before), before];
}

/** What a reply has at a pointer, if it is a string. */
function valueAt(dossier: Dossier, { exchange, pointer }: FromReply): string | undefined {
  const state = dossier.state(exchange);
  const json = state.kind === 'answered' && state.reading.kind === 'result' ? state.reading.json : null;
  const value = (json as Readonly<Record<string, unknown>> | null)?.[pointer.slice(1)];
  return typeof value === 'string' ? value : undefined;
}

/**
 * Commands that send an exchange again, and before it those that it is chained on: their ids may not live long,
 * and what they told stands nowhere else. Undefined where it was not sent.
 */
export function reproduce(dossier: Dossier, last: string): string | undefined {
  const steps = [...chainOf(dossier, last), last];
  const commands = steps.flatMap((step) => {
    const { exchange } = dossier.state(step);
    if (exchange === undefined) return [];
    const before = earlier(dossier, step);
    const id = before && valueAt(dossier, before);
    const manner = id === undefined ? {} : { id };
    if (step === last) return [curl(exchange.request, manner)];
    return [`ID=$(${curl(exchange.request, { ...manner, bodyOnly: true })} | jq -r .id)`];
  });
  return commands.length === steps.length ? commands.join('\n') : undefined;
}
