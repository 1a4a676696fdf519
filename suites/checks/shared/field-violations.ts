import { isObject } from '../../../spec/json.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import { oncePerExtension } from '../../../spec/extension.ts';
import { requirements } from '../../../spec/requirements.ts';
import { validator, type Violation } from '../../../spec/validators.ts';
import { type Protocol, protocols } from '../../../spec/vocabulary.ts';
import type { Failure } from '../../types/finding.ts';
import { elements, isText, objects } from '../../reading/json.ts';
import { fail, describeValue, type Aspect } from './findings.ts';
import { violationReason } from './stream-shape.ts';

/** Whole seconds since 1970 of any day between 2001 and 2286: the interface names no clock tolerance. */
const seconds = { from: 1e9, to: 1e10 } as const;

/** `created` is a time in Unix seconds, judged by its magnitude (2.5, 2.6). */
export function createdProblem(json: unknown): Failure | undefined {
  if (!isObject(json) || !Number.isInteger(json.created)) return undefined;
  const created = Number(json.created);
  if (created >= seconds.from && created < seconds.to) return undefined;
  return fail('created-not-seconds', String(created), { pointer: '/created' });
}

/** The first block carries the reply (2.4): no empty one before the block of its kind that does. */
export function emptyFirstBlock(json: unknown): Failure | undefined {
  const [first, ...others] = elements(isObject(json) ? json.content : undefined);
  if (!isObject(first) || first.text !== '') return undefined;
  const carrier = objects(others).find(({ type, text }) => type === first.type && isText(text));
  const reason = carrier && ({ kind: 'first-block-empty', text: describeValue(carrier.text) } as const);
  return reason && fail(reason, '""', { pointer: '/content/0/text' });
}

/** With one text part `output_text` equals it (2.3); undefined with none or several. What other parts add to it is not shown. */
export function joinedText(json: unknown): Aspect {
  if (!isObject(json) || typeof json.output_text !== 'string' || !Array.isArray(json.output))
    return undefined;
  const messages = objects(json.output).filter(({ type }) => type === 'message');
  const parts = messages.flatMap(({ content }) => elements(content));
  const texts = objects(parts).flatMap(({ type, text }) =>
    type === 'output_text' && typeof text === 'string' ? [text] : [],
  );
  const [text] = texts;
  if (text === undefined || texts.length > 1) return undefined;
  if (text === json.output_text) return 'kept';
  if (parts.length > 1 && json.output_text.includes(text.trim())) return undefined;
  const reason = { kind: 'output-text-differs', text: describeValue(text) } as const;
  return fail(reason, describeValue(json.output_text), { pointer: '/output_text' });
}

/** A field by its requirement's name, where its violations are (by default as its name says), and what else tells. */
type Field = readonly [
  name: string,
  pointer?: string,
  options?: {
    /** Only violations of this keyword of the schema belong here. */
    readonly keyword?: string;
    /** The field that contains it; by default what stands before the last dot of its name. */
    readonly within?: string;
  },
];

/** Fields of each result, `*` for any index; for a violation the first match holds. */
const fields: Readonly<Record<Protocol, readonly Field[]>> = {
  responses: [
    ['id'],
    ['object'],
    ['output.message', '/output', { keyword: 'contains' }],
    ['output'],
    ['output.role', '/output/*/role', { within: 'output.message' }],
    ['output.content-type', '/output/*/content', { keyword: 'contains', within: 'output.content' }],
    ['output.content', '/output/*/content', { within: 'output.message' }],
    ['output.text', '/output/*/content/*/text', { within: 'output.content-type' }],
    ['output-text'],
  ],
  messages: [
    ['content.text', '/content/0(/text)?'],
    // An array without blocks is an array: what is missing is the first of them.
    ['content.text', '/content', { keyword: 'minItems' }],
    ['content'],
  ],
  chat: [
    ['id'],
    ['object'],
    ['created'],
    ['model'],
    ['choices', '/choices(/*)?'],
    ['choices.index', '/choices/*/index'],
    ['choices.role', '/choices/*/message(/role)?'],
    ['choices.content', '/choices/*/message(/content)?'],
    ['choices.finish-reason', '/choices/*/finish_reason'],
    ['usage'],
    ['usage.prompt-tokens'],
    ['usage.completion-tokens'],
    ['usage.total-tokens'],
  ],
  images: [['created'], ['data']],
};

const rowsOf = (protocol: Protocol) =>
  fields[protocol].map(([name, pointer, { keyword, within = name.replace(/\.?[^.]*$/, '') } = {}]) => ({
    requirement: `${protocol}.result.${name}`,
    at: pointerPattern(pointer ?? `/${name.replaceAll('.', '/').replaceAll('-', '_')}`),
    keyword,
    within: within === '' ? undefined : `${protocol}.result.${within}`,
  }));

const pointerPattern = (pointer: string): RegExp => new RegExp(`^${pointer.replaceAll('*', '\\d+')}$`);

const rows = Object.fromEntries(protocols.map((protocol) => [protocol, rowsOf(protocol)]));

/** Matches the pointers to a field and to what is in it. */
const within = (field: string): RegExp => new RegExp(`^/${field.replaceAll('*', '\\d+')}(/|$)`);

/** The fields that an extension in force adds to the results. */
const ownFields = oncePerExtension(() =>
  requirements().flatMap(({ id, about, level }) => {
    if (level !== 'own' || about?.field === undefined) return [];
    const { protocol, field } = about;
    return [{ protocol, requirement: id, at: within(field), keyword: undefined }];
  }),
);

const withins = new Map(
  Object.values(rows).flatMap((list) =>
    list.map(({ requirement, within }) => [requirement, within] as const),
  ),
);

/** The outermost field that contains a field, by requirement, and is wrong itself: then the field is not judged. */
export function violationAround(
  requirement: string,
  found: ReadonlyMap<string, Failure>,
): { readonly requirement: string; readonly failure: Failure } | undefined {
  const outer = withins.has(requirement) ? withins.get(requirement) : requirement.replace(/\.[^.]*$/, '');
  if (outer === undefined || outer === requirement) return undefined;
  const failure = found.get(outer);
  return violationAround(outer, found) ?? (failure && { requirement: outer, failure });
}

export function fieldViolations(protocol: Protocol, json: unknown): ReadonlyMap<string, Failure> {
  const found = new Map<string, Failure>();
  // The deepest field first: a value within one is not the whole of it.
  const own = ownFields()
    .filter((field) => field.protocol === protocol)
    .reverse();
  const first = firstMessage(protocol, json);
  // What is no object, such as a list with the result in it, has none of the fields.
  const result = typeof json === 'object' && !Array.isArray(json) ? json : {};
  for (const violation of validator(protocolFacts[protocol].resultSchema)(result).errors) {
    const { pointer, keyword, actual = 'no value' } = violation;
    if (!isJudged(violation, first)) continue;
    const matching = [...(rows[protocol] ?? []), ...own].filter(
      (row) => row.at.test(pointer) && (row.keyword ?? keyword) === keyword,
    );
    // A message that is missing lacks its role and its content; else the first row that matches holds.
    const blamed = pointer.endsWith('/message') ? matching : matching.slice(0, 1);
    for (const { requirement } of blamed)
      if (!found.has(requirement))
        found.set(requirement, fail(violationReason(violation), actual, { pointer }));
  }
  const emptied = protocol === 'messages' ? emptyFirstBlock(json) : undefined;
  if (emptied) found.set('messages.result.content.text', emptied);
  const created = createdProblem(json);
  const dated = `${protocol}.result.created`;
  if (created && withins.has(dated) && !found.has(dated)) found.set(dated, created);
  return found;
}

/** How many images there must be is a requirement of its own, and so are message items behind the first. */
const isJudged = ({ pointer, keyword }: Violation, first: number): boolean =>
  !(pointer === '/data' && keyword === 'minItems') &&
  !(/^\/output\/\d+\//.test(pointer) && !pointer.startsWith(`/output/${first}/`));

const firstMessage = (protocol: Protocol, json: unknown): number =>
  protocol === 'responses' && isObject(json)
    ? elements(json.output).findIndex((item) => isObject(item) && item.type === 'message')
    : -1;
