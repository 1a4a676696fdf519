import { type SchemaName, validator, type Violation } from '../../spec/validators.ts';
import type { Protocol } from '../../spec/vocabulary.ts';
import type { Check } from '../model/case.ts';
import type { Finding, Judgement } from '../model/finding.ts';
import { answersOf } from '../plan/reads.ts';
import { type EvidenceView, mayBeSilent } from './evidence-view.ts';
import { createdProblem, emptyFirstBlock, joinedText } from './field-rules.ts';
import { type Contradiction, fail, inconclusive, pass, untested } from './findings.ts';

const schemas: Readonly<Record<Protocol, SchemaName>> = {
  responses: 'ResponsesResult',
  messages: 'MessageResult',
  chat: 'ChatCompletion',
  images: 'ImageResult',
};

/** Where a violation of a schema belongs. A row without a pattern is judged by a rule of its own. */
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
const rows: Readonly<Record<Protocol, readonly Row[]>> = {
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

/** What a row lies in: a violation there leaves nothing of the row to be judged. */
const inside: Readonly<Record<string, readonly string[]>> = {
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

const joined = 'responses.result.output-text.equal';

/** The violations of one result, by requirement. */
export function violations(protocol: Protocol, json: unknown): ReadonlyMap<string, Contradiction> {
  const found = new Map<string, Contradiction>();
  const first = firstMessage(protocol, json);
  // What is no object, such as a list with the result in it, has none of the fields.
  const fields = typeof json === 'object' && !Array.isArray(json) ? json : {};
  for (const violation of validator(schemas[protocol])(fields).errors) {
    if (!judged(violation, first)) continue;
    const matching = rows[protocol].filter(
      (candidate) =>
        candidate.at.test(violation.pointer) &&
        (candidate.keyword ?? violation.keyword) === violation.keyword,
    );
    // A message that is missing lacks its role and its content; else the first row that matches holds.
    const blamed = violation.pointer.endsWith('/message') ? matching : matching.slice(0, 1);
    for (const { requirement } of blamed)
      if (!found.has(requirement)) found.set(requirement, contradiction(violation));
  }
  const emptied = protocol === 'messages' ? emptyFirstBlock(json) : undefined;
  if (emptied) found.set('messages.result.content.text', emptied);
  const created = createdProblem(json);
  const dated = `${protocol}.result.created`;
  if (created && rows[protocol].some((entry) => entry.requirement === dated) && !found.has(dated))
    found.set(dated, created);
  return found;
}

const contradiction = ({ message, pointer, expected, actual = 'nothing' }: Violation): Contradiction => ({
  message,
  pointer,
  expected,
  actual,
});

/** How many images there must be is a requirement of its own, and so are message items behind the first. */
const judged = ({ pointer, keyword }: Violation, first: number): boolean =>
  !(pointer === '/data' && keyword === 'minItems') &&
  !(/^\/output\/\d+\//.test(pointer) && !pointer.startsWith(`/output/${first}/`));

function firstMessage(protocol: Protocol, json: unknown): number {
  if (protocol !== 'responses') return -1;
  const output = (json as { output?: unknown } | null)?.output;
  return Array.isArray(output)
    ? output.findIndex((item: { type?: unknown } | null) => item?.type === 'message')
    : -1;
}

interface Tally {
  seen: boolean;
  wrong?: Contradiction;
  where?: string;
}

/** Every field of every result that the run was given. */
export function resultFields(
  check: Extract<Check, { kind: 'result-fields' }>,
  view: EvidenceView,
): Judgement {
  const { protocol, requirements, probes } = check;
  const tallies = new Map<string, Tally>(requirements.map((id) => [id, { seen: false }]));
  let results = 0;
  for (const id of answersOf(view.plan, protocol)) {
    const state = view.state(id);
    if (state.kind !== 'answered' || state.reading.kind !== 'result') continue;
    const { json, shape } = state.reading;
    // A reply of another kind than its endpoint's is judged where it was asked for, and not field by field.
    if (shape !== protocol && !probes.includes(id)) continue;
    results += 1;
    const found = violations(protocol, json);
    const silent = mayBeSilent(view, id) && hasNoBlock(json);
    for (const [requirement, tally] of tallies) {
      if (silent && requirement === 'messages.result.content.text') continue;
      const text = requirement === joined ? joinedText(json) : undefined;
      const wrong = requirement === joined ? (text === 'equal' ? undefined : text) : found.get(requirement);
      const hidden =
        requirement === joined
          ? text === undefined
          : (inside[requirement] ?? []).some((outer) => found.has(outer));
      if (hidden && !wrong) continue;
      tally.seen = true;
      if (wrong && !tally.wrong) Object.assign(tally, { wrong, where: id });
    }
  }
  const findings = [...tallies].map(([requirement, tally]) => verdict(requirement, tally, results));
  const shows = [...tallies.values()].find((tally) => tally.where)?.where;
  return { findings, ...(shows ? { shows } : {}) };
}

const hasNoBlock = (json: unknown): boolean => {
  const content = (json as { content?: unknown } | null)?.content;
  return Array.isArray(content) && content.length === 0;
};

function verdict(requirement: string, { seen, wrong, where }: Tally, results: number): Finding {
  if (wrong) return fail(requirement, { ...wrong, ...(where ? { exchange: where } : {}) });
  if (seen) return pass(requirement);
  if (requirement === joined && results > 0)
    return untested(requirement, 'no reply came with output_text and its text in one part');
  return inconclusive(requirement, 'no result holds what this is about');
}
