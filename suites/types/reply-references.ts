import type { PlannedRequest } from './plan.ts';
import { type FromReply, isHole, type Template } from './template.ts';

/** What a body takes over from earlier replies. */
export function takenOverIn(template: Template): readonly FromReply[] {
  if (typeof template !== 'object' || template === null) return [];
  if (isHole(template)) return template.$ === 'reply' ? [template] : [];
  return Object.values(template).flatMap(takenOverIn);
}

const known = new WeakMap<PlannedRequest, readonly FromReply[]>();

/** The same of a planned request; looked for once, since every case asks for it. */
export function takenOver(request: PlannedRequest): readonly FromReply[] {
  const found = known.get(request) ?? takenOverIn(request.body?.json ?? null);
  known.set(request, found);
  return found;
}
