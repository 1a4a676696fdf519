import type { Template } from '../../model/plan.ts';
import { hello, plain, textParts, turn } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { inputElementsId } from '../builder/request-ids.ts';

/** Shapes of an element of `input` that clients send; the document shows none. */
export const inputShapes = ['short', 'typed', 'parts', 'typed-parts'] as const;
type InputShape = (typeof inputShapes)[number];

const inputOf: Readonly<Record<InputShape, Template>> = {
  short: [turn('user', hello)],
  typed: [{ type: 'message', role: 'user', content: hello }],
  parts: [turn('user', textParts('input_text'))],
  'typed-parts': [{ type: 'message', role: 'user', content: textParts('input_text') }],
};

export const sendInputShape = (builder: CaseBuilder, shape: InputShape): string =>
  builder.send(inputElementsId(shape), 'responses', {
    json: { ...plain.responses, input: inputOf[shape] },
    expect: 'either',
  });

/** `input` may be an array (4.1): one of the shapes is accepted. */
export function acceptedArrayCase(builder: CaseBuilder): void {
  const requirement = 'responses.param.input.accepted';
  builder.add(
    {
      id: 'parameters.responses.input.accepted.array',
      title: 'responses accepts input as an array of messages',
      requirements: [requirement],
    },
    'responses',
    () => ({
      kind: 'accepted-somehow',
      requirement,
      probes: inputShapes.map((shape) => sendInputShape(builder, shape)),
      controls: [builder.control('responses')],
    }),
  );
}
