import type { Protocol } from '../../spec/vocabulary.ts';
import type { Finding } from '../model/finding.ts';
import { replyText } from '../reading/text.ts';
import type { CheckDefinition } from './definition.ts';
import type { EvidenceView } from './evidence-view.ts';
import { describeFirst, describeReply } from './shared/describe.ts';
import { fail, inconclusive, oneFinding, pass } from './shared/findings.ts';

/** A reply with output carries text. */
export interface Output {
  readonly kind: 'output';
  readonly requirement: string;
  readonly protocol: Protocol;
  readonly probes: readonly string[];
}

/** A reply with output carries text: one that does is enough. */
export const output: CheckDefinition<Output> = {
  kind: 'output',
  explanation: 'Passes where replies carry text.',
  reads: ({ probes }) => probes,
  judge: (check, view) => oneFinding(judge(check, view)),
};

function judge({ requirement, protocol, probes }: Output, view: EvidenceView): Finding {
  const answered = probes.map((id) => view.state(id)).filter((state) => state.kind === 'answered');
  if (answered.some((state) => replyText(state.reading, protocol).trim() !== '')) return pass(requirement);
  const [first] = answered;
  if (first === undefined) {
    const actual = describeFirst(view, probes);
    return inconclusive(requirement, { kind: 'nothing-answered' }, { actual });
  }
  const actual = describeReply(first.exchange);
  // A field of another name or type is judged by its own requirement, and not a second time here.
  if (answered.some((state) => state.reading.kind === 'result' && !hasTextField(state.reading.json)))
    return inconclusive(requirement, { kind: 'no-text-field' }, { actual });
  return fail(requirement, { reason: { kind: 'no-text' }, actual });
}

/** Whether a field for text is there and empty. */
const hasTextField = (json: unknown): boolean =>
  /"(text|content|output_text)":""/.test(JSON.stringify(json) ?? '');
