import type { Protocol } from '../../../spec/vocabulary.ts';

/** Where a violation of a schema belongs: to which requirement. A row without a pattern is judged by a rule of its own. */
interface Row {
  readonly requirement: string;
  readonly at: RegExp;
  readonly keyword?: string;
}

const row = (requirement: string, at: RegExp, keyword?: string): Row => ({
  requirement,
  at,
  ...(keyword ? { keyword } : {}),
});

/** Rows of each result; for a violation the first match holds, and a row below a violation is not judged. */
export const fieldRows: Readonly<Record<Protocol, readonly Row[]>> = {
  responses: [
    row('responses.result.id', /^\/id$/),
    row('responses.result.object', /^\/object$/),
    row('responses.result.output.message', /^\/output$/, 'contains'),
    row('responses.result.output', /^\/output$/),
    row('responses.result.output.role', /^\/output\/\d+\/role$/),
    row('responses.result.output.content-type', /^\/output\/\d+\/content$/, 'contains'),
    row('responses.result.output.content', /^\/output\/\d+\/content$/),
    row('responses.result.output.text', /^\/output\/\d+\/content\/\d+\/text$/),
    row('responses.result.output-text', /^\/output_text$/),
  ],
  messages: [
    row('messages.result.content.text', /^\/content\/0(\/text)?$/),
    // An array without blocks is an array: what is missing is the first of them.
    row('messages.result.content.text', /^\/content$/, 'minItems'),
    row('messages.result.content', /^\/content$/),
  ],
  chat: [
    row('chat.result.id', /^\/id$/),
    row('chat.result.object', /^\/object$/),
    row('chat.result.created', /^\/created$/),
    row('chat.result.model', /^\/model$/),
    row('chat.result.choices', /^\/choices(\/\d+)?$/),
    row('chat.result.choices.index', /^\/choices\/\d+\/index$/),
    row('chat.result.choices.role', /^\/choices\/\d+\/message(\/role)?$/),
    row('chat.result.choices.content', /^\/choices\/\d+\/message(\/content)?$/),
    row('chat.result.choices.finish-reason', /^\/choices\/\d+\/finish_reason$/),
    row('chat.result.usage', /^\/usage$/),
    row('chat.result.usage.prompt-tokens', /^\/usage\/prompt_tokens$/),
    row('chat.result.usage.completion-tokens', /^\/usage\/completion_tokens$/),
    row('chat.result.usage.total-tokens', /^\/usage\/total_tokens$/),
  ],
  images: [row('images.result.created', /^\/created$/), row('images.result.data', /^\/data$/)],
};

/** The fields that contain a field, by requirement: where one of those is wrong, the field is not judged. */
export const enclosing: Readonly<Record<string, readonly string[]>> = {
  'responses.result.output.message': ['responses.result.output'],
  'responses.result.output.role': ['responses.result.output', 'responses.result.output.message'],
  'responses.result.output.content': ['responses.result.output', 'responses.result.output.message'],
  'responses.result.output.content-type': [
    'responses.result.output',
    'responses.result.output.message',
    'responses.result.output.content',
  ],
  'responses.result.output.text': [
    'responses.result.output',
    'responses.result.output.message',
    'responses.result.output.content',
    'responses.result.output.content-type',
  ],
  'messages.result.content.text': ['messages.result.content'],
  'chat.result.choices.index': ['chat.result.choices'],
  'chat.result.choices.role': ['chat.result.choices'],
  'chat.result.choices.content': ['chat.result.choices'],
  'chat.result.choices.finish-reason': ['chat.result.choices'],
  'chat.result.usage.prompt-tokens': ['chat.result.usage'],
  'chat.result.usage.completion-tokens': ['chat.result.usage'],
  'chat.result.usage.total-tokens': ['chat.result.usage'],
};
