import { isTextProtocol } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import type { Asked } from './asked.ts';
import { acceptedIds, listedRequest } from './valid-requests.ts';

/** Requests that differ from a probe in what is asked of it alone, by the name that the probe gives them. */
const controls: Readonly<Record<string, (builder: CaseBuilder, asked: Asked) => readonly string[]>> = {
  plain: (builder, { protocol }) => [builder.control(protocol)],
  smallest: (builder, { protocol }) => builder.controls(protocol),
  'accepted values': acceptedIds,
  'a stream': (builder, { protocol }) => (isTextProtocol(protocol) ? [builder.streamed(protocol)] : []),
  'Accept: */*': (builder, { protocol }) => (isTextProtocol(protocol) ? [builder.acceptAny(protocol)] : []),
  'a list': (builder) => [listedRequest(builder)],
  none: () => [],
};

/** The controls of a probe. Throws where it names one that there is not. */
export function controlsOf(builder: CaseBuilder, asked: Asked): readonly string[] {
  const found = controls[asked.control ?? 'plain'];
  if (found === undefined) throw new Error(`there is no control called ${asked.control}`);
  return found(builder, asked);
}
