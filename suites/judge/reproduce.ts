import { type Dossier, takenFrom } from '../checks/dossier.ts';
import { type FromReply, isHole, type Template } from '../model/plan.ts';
import { curl } from './curl.ts';

/** What a body takes over from an earlier reply. */
function takenOver(template: Template): FromReply | undefined {
  if (typeof template !== 'object' || template === null) return undefined;
  if (isHole(template)) return template.$ === 'reply' ? template : undefined;
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
    const id = before && takenFrom(dossier, before);
    const manner = id === undefined ? {} : { id };
    if (step === last) return [curl(exchange.request, manner)];
    return [`ID=$(${curl(exchange.request, { ...manner, bodyOnly: true })} | jq -r .id)`];
  });
  return commands.length === steps.length ? commands.join('\n') : undefined;
}
