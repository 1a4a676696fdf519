import type { Failure } from '../../types/finding.ts';
import { isObject } from '../../../spec/json.ts';
import { elements, isText, objects } from '../../reading/json.ts';
import { describeValue, type Aspect, fail } from './findings.ts';

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
  if (!isObject(json) || !Array.isArray(json.content)) return undefined;
  const [first, ...others]: readonly unknown[] = json.content;
  if (!isObject(first) || first.text !== '') return undefined;
  const carrier = objects(others).find(({ type, text }) => type === first.type && isText(text));
  if (carrier === undefined) return undefined;
  const reason = { kind: 'first-block-empty', text: describeValue(carrier.text) } as const;
  return fail(reason, '""', { pointer: '/content/0/text' });
}

/**
 * With one text part `output_text` equals it (2.3); `undefined` where there are none or several. What parts
 * of other types add to it is not shown: with them it has the text, and may have more.
 */
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
