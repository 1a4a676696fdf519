import { protocolPath } from '../../../spec/paths.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import type { Caller, Condition, Damage, PlannedRequest } from '../../types/plan.ts';
import { acceptOf } from '../../types/accept.ts';
import type { Template } from '../../types/template.ts';
import { valueAt } from '../../reading/json.ts';
import { plain } from './bodies.ts';
import { secondCaller } from './callers.ts';
import { cellId, plainId } from '../../types/request-ids.ts';
import { withSmallestImage } from './smallest-image.ts';

/** What of a planned request differs from the plain one of its protocol. */
export type RequestOverrides = Partial<Omit<PlannedRequest, 'id' | 'protocol' | 'body'>> & {
  readonly json?: Template;
  readonly damage?: Damage;
  /** The second family that can judge the protocol first: what a gateway does for one it may not do for the other. */
  readonly secondFamilyFirst?: boolean;
  /** An image of a size that the target chooses, where the profile asks for the smallest ones. */
  readonly anySize?: boolean;
};

/** What a request takes from its protocol: who can call it, and what it waits for. */
interface Defaults {
  readonly callers: readonly Caller[];
  readonly served: Condition;
  /** Where every generation counts: images are as small as can be, and who streams is not asked of each caller. */
  readonly isSmoke: boolean;
}

export function plannedRequest(
  id: string,
  protocol: Protocol,
  overrides: RequestOverrides,
  defaults: Defaults,
): PlannedRequest {
  const { json: asked = plain[protocol], damage, secondFamilyFirst = false, anySize, ...rest } = overrides;
  const isSmallest = defaults.isSmoke && protocol === 'images' && !anySize;
  const json = isSmallest ? withSmallestImage(asked) : asked;
  const expect = overrides.expect ?? 'answer';
  const byDefault =
    secondFamilyFirst && secondCaller(protocol) ? [...defaults.callers].reverse() : defaults.callers;
  const callers = overrides.callers ?? byDefault;
  const conditions = overrides.when ?? (overrides.callers ? [] : [defaults.served]);
  const when = defaults.isSmoke ? conditions.map(withoutPlain(protocol)) : conditions;
  const stream = valueAt(json, '/stream') === true;
  // Which caller to ask for a stream is known once each was asked for one.
  const awaitsStreams =
    !defaults.isSmoke && expect === 'answer' && stream && callers.length > 1 && !overrides.combination;
  const streams = callers.map((caller) => cellId(caller, protocol, true));
  return {
    id,
    protocol,
    method: 'POST',
    path: protocolPath(protocol),
    callers,
    credential: { form: 'right' },
    version: 'declared',
    accept: acceptOf(stream),
    contentType: 'application/json',
    body: { json, ...(damage ? { damage } : {}) },
    stream,
    expect,
    stage: 'lanes',
    billed: expect === 'answer' || expect === 'either' ? 1 : 0,
    ...rest,
    when: awaitsStreams ? [...when, { kind: 'recorded', all: streams }] : when,
  };
}

/** The plain request goes last in `smoke`: what stands in for others is not sent after it. */
const withoutPlain =
  (protocol: Protocol) =>
  (condition: Condition): Condition =>
    condition.kind === 'unanswered'
      ? { ...condition, all: condition.all.filter((id) => id !== plainId(protocol)) }
      : condition;
