import type { Output } from '../types/checks/replies.ts';
import type { Outcome } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, textOf } from './evidence-view.ts';
import { describeFirst, describeReply } from './shared/describe.ts';
import { fail, inconclusive, pass } from './shared/findings.ts';
import { answersOf, sentOf, streamsOf } from './shared/selections.ts';

export const output: CheckDefinition<Output> = {
  kind: 'output',
  explanation: 'Passes where a reply of the endpoint carries text, streamed or not.',
  reads: ({ probes }) => probes,
  readsFurther: ({ protocol }, plan) => [...answersOf(plan, protocol), ...streamsOf(plan, protocol)],
  judge,
};

function judge({ protocol, probes }: Output, view: EvidenceView): Outcome {
  const { plan } = view;
  const all = sentOf(view, [...probes, ...answersOf(plan, protocol), ...streamsOf(plan, protocol)]);
  const answered = all.map((id) => view.state(id)).filter((state) => state.kind === 'answered');
  if (answered.some((state) => textOf(state, protocol).trim() !== '')) return pass();
  const [first] = answered;
  if (first === undefined) return inconclusive('nothing-answered', describeFirst(view, probes));
  const actual = describeReply(first.exchange);
  // A field of another name or type is judged by its own requirement, and not a second time here.
  return answered.some((state) => state.reading.kind === 'result' && !hasTextField(state.reading.json))
    ? inconclusive('no-text-field', actual)
    : fail('no-text', actual);
}

/** Whether a field for text is there and empty. */
const hasTextField = (json: unknown): boolean =>
  /"(text|content|output_text)":""/.test(JSON.stringify(json) ?? '');
