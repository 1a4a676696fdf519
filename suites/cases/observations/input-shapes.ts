import type { Template } from '../../types/template.ts';
import { hello, plain, turn } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { instead } from '../builder/shared-requests.ts';
import { inputElementsId, inputFormId } from '../../types/request-ids.ts';
import { rowsWhere } from '../combinations/rows-showing.ts';

/** Shapes of an element of `input` that clients send; the document shows none. */
export const inputShapes = ['short', 'typed', 'parts', 'typed-parts'] as const;
type InputShape = (typeof inputShapes)[number];

const parts = (text: string): Template => [{ type: 'input_text', text }];

/** An element that says a text of the user, by its shape. */
export const inputElement: Readonly<Record<InputShape, (text: string) => Template>> = {
  short: (text) => turn('user', text),
  typed: (text) => ({ type: 'message', role: 'user', content: text }),
  parts: (text) => turn('user', parts(text)),
  'typed-parts': (text) => ({ type: 'message', role: 'user', content: parts(text) }),
};

export const sendInputShape = (builder: CaseBuilder, shape: InputShape): string =>
  builder.send(inputElementsId(shape), 'responses', {
    json: { ...plain.responses, input: [inputElement[shape](hello)] },
    expect: 'either',
  });

/** A list in one shape, sent where no row that has a list is answered, nor one in a shape before. */
function sendInputForm(builder: CaseBuilder, shape: InputShape): string {
  const before = inputShapes.slice(0, inputShapes.indexOf(shape)).map((each) => inputFormId(each));
  const rows = rowsWhere(builder, 'responses', ({ factor }) => factor === 'list');
  return builder.send(inputFormId(shape), 'responses', {
    json: { ...plain.responses, input: [inputElement[shape](hello)] },
    expect: 'either',
    ...instead([...rows, ...before]),
  });
}

/** `input` may be an array (4.1): one of the shapes is accepted. */
export function acceptedArrayCase(builder: CaseBuilder): void {
  builder.addOne(
    {
      id: 'parameters.responses.input.accepted.array',
      title: 'responses accepts input as an array of messages',
      requirement: 'responses.param.input.accepted',
    },
    'responses',
    () => ({
      kind: 'accepted-somehow',
      probes: inputShapes.map((shape) => sendInputForm(builder, shape)),
      controls: [builder.control('responses')],
    }),
  );
}
