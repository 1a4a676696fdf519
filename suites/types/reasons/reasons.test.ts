import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { failureWords } from './failures.ts';
import { inconclusiveWords } from './inconclusive.ts';
import { shareWords, wordsOf } from './index.ts';
import { untestedWords } from './untested.ts';

const kinds = [failureWords, inconclusiveWords, untestedWords].flatMap((catalogue) => Object.keys(catalogue));

describe('the reasons of findings', () => {
  it('are each of one kind and one verdict', () => {
    expect(new Set(kinds).size).toBe(kinds.length);
  });

  it.each(kinds)('%s can stand as a code in a report', (kind) => {
    expect(kind).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  it.each(kinds)('%s is given by a check or by the judge', (kind) => {
    expect(source).toMatch(new RegExp(`kind: '${kind}'|'${kind}'`));
  });
});

const folder = `${import.meta.dirname}/../..`;
const source = ['checks', 'checks/shared', 'judge', 'judge/causes']
  .flatMap((part) => readdirSync(`${folder}/${part}`).map((file) => `${folder}/${part}/${file}`))
  .filter((file) => file.endsWith('.ts') && !/[.](?:test|fixture)[.]ts$/.test(file))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

describe('a reason in words', () => {
  it('says what is wrong, and what would have been right', () => {
    expect(wordsOf({ kind: 'not-refused', rule: '`model` is required' })).toEqual({
      message: 'answered with output',
      expected: 'a refusal: `model` is required',
    });
    expect(wordsOf({ kind: 'field-missing', field: 'output_text', expected: 'a string' })).toEqual({
      message: 'field `output_text` is missing',
      expected: 'a string',
    });
  });

  it.each([
    [{ pointer: '/id', expected: 'a string', counts: false }, '`id` must be a string'],
    [{ pointer: '', expected: 'an object', counts: false }, 'the value must be an object'],
    [
      { pointer: '/output', expected: 'at least 1 element', counts: true },
      '`output` must have at least 1 element',
    ],
  ])('names the place and the rule of a schema: %j', (data, message) => {
    expect(wordsOf({ kind: 'field-wrong', ...data })).toEqual({ message, expected: data.expected });
  });

  it.each([
    [false, 'without `stream`'],
    [true, 'with `stream` false'],
  ])('tells a stream that was declined (%s) from one that was not requested', (declined, words) => {
    expect(wordsOf({ kind: 'unrequested-stream', declined }).message).toContain(words);
  });

  it.each([
    [1, 'in each of 1 attempt'],
    [3, 'in each of 3 attempts'],
  ])('counts attempts: %i', (attempts, words) => {
    expect(wordsOf({ kind: 'stream-cut', attempts }).message).toMatch(new RegExp(`${words}$`));
  });

  it('of an undecided or untested requirement asks for what is missing', () => {
    expect(wordsOf({ kind: 'not-run' }).expected).toBe('evidence that decides it');
    expect(wordsOf({ kind: 'undeclared', why: 'no image model is declared' })).toEqual({
      message: 'no image model is declared',
      expected: 'something to test it with',
    });
  });
});

it('a text that differs is told by what the requests have, and where it does not', () => {
  const tallies = { probes: { seen: 5, of: 5 }, controls: { seen: 0, of: 9 } };
  const told = { kind: 'text-differs', difference: 'case', isStreamed: false, ...tallies } as const;
  expect(wordsOf({ ...told, by: 'situation', within: 'accept' }).message).toMatch(
    /^5 of 5 replies without a stream to requests with `Accept: \*\/\*` have .* of the same model to the same text without it 0 of 9 do$/,
  );
  expect(wordsOf({ ...told, by: 'stream' }).message).toContain('to the same text in a stream 0 of 9 do');
  expect(wordsOf({ ...told, by: 'stream-left-out', isLeftOut: true }).message).toMatch(
    /^5 of 5 replies to requests without `stream` have .* to the same text with `stream` = false 0 of 9 do$/,
  );
  expect(wordsOf({ ...told, by: 'group', within: 'system', group: 'coding-tool' }).message).toMatch(
    /^5 of 5 .* to requests with a system prompt and with a token of the group coding-tool have .* for tokens of another group 0 of 9 do$/,
  );
});

describe('in which replies a failure shows', () => {
  const ref = { id: 'r', attempt: 0 };
  const traits = [{ kind: 'any-value', name: 'top_p' }] as const;

  it('is told of requests that were sent once more, where all that were judged show it', () => {
    const replies = { broken: [ref], kept: [] };
    expect(shareWords({ replies, separation: { traits, alike: [], having: 1 } })).toBe(', only with `top_p`');
    expect(shareWords({ replies, separation: { traits, alike: [] } })).toBe(
      ', only with `top_p`, and not each time',
    );
  });

  it('is said not to be each of them, where one that was sent once more did not show it', () => {
    const replies = { broken: [ref, ref], kept: [ref] };
    expect(shareWords({ replies, separation: { traits, alike: [] } })).toBe(
      ', in 2 of 3 replies, all of them with `top_p`; not each such request shows it',
    );
  });
});
