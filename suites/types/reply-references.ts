import { type FromReply, isHole, type PlannedRequest, type Template } from './plan.ts';

function holesIn(template: Template): readonly FromReply[] {
  if (typeof template !== 'object' || template === null) return [];
  if (isHole(template)) return template.$ === 'reply' ? [template] : [];
  return Object.values(template).flatMap(holesIn);
}

const known = new WeakMap<PlannedRequest, readonly FromReply[]>();

/** What the body of a request takes over from earlier replies; looked for once, since every case asks for it. */
export function takenOver(request: PlannedRequest): readonly FromReply[] {
  const found = known.get(request) ?? holesIn(request.body?.json ?? null);
  known.set(request, found);
  return found;
}
