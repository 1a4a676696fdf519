import { expect, test } from 'vitest';
import { smallReport, withRow } from '../small.fixture.ts';
import { markupOf } from '../document/printed.fixture.ts';
import { contextOf } from './context.ts';
import { renderHtml } from './document.ts';
import { requirementEntry } from './requirement.ts';
import { failed, open, requirementLines } from './requirement-lines.fixture.ts';

const exchange = (reply: string, status: number, path = '') => [
  'Request',
  `POST https://gateway.example.com/v1/chat/completions${path}`,
  'content-type: application/json',
  '{"model": "m"}',
  `Reply ${reply.replace(/[ «»]/g, '').length} bytes`,
  `${status}`,
  'content-type: application/json',
  reply,
];

test('a failure has its finding, the place that shows it, a command, and its exchange', () => {
  expect(requirementLines(smallReport(), failed)).toEqual([
    '{fail}',
    '{fail}✕ Fail',
    'usage.total_tokens is an integer.',
    '`chat.result.usage.total-tokens` derived section 2.5',
    '{fail}',
    'Case A plain chat completion',
    'The value has another type.',
    'Came',
    '"21"',
    'Expected',
    'an integer',
    "curl -X POST 'https://gateway.example.com/v1/chat/completions' \\",
    "-d 'hello'",
    '`/usage/total_tokens` is marked below, in the reply of `one`',
    '{"usage": {"total_tokens": «"21"»}}',
    '`one` POST /v1/chat/completions 200, 400 ms',
    ...exchange('{"usage": {"total_tokens": «"21"»}}', 200),
    'Link to this requirement; in the guide: docs/interface.md#chat.result.usage.total-tokens',
  ]);
});

test('what keeps the run from a verdict has the reading held, and all exchanges of its case', () => {
  expect(requirementLines(smallReport(), open)).toEqual([
    '{inconclusive}',
    '{inconclusive}? Inconclusive',
    'temperature lies between 0 and 2.',
    '`chat.param.temperature.range` stated sections 4.3, 8',
    'Reading held: Both ends are allowed.',
    '{inconclusive}',
    'Case A temperature above 2',
    'The control failed.',
    'Came',
    'status 503',
    'Expected',
    'a result',
    "curl -X POST 'https://gateway.example.com/v1/chat/completions' \\",
    "-d 'hot'",
    '`two` POST /v1/chat/completions 503, 30 ms',
    ...exchange('{"id": "x"}', 503),
    '`three` POST /v1/chat/completions?x 200, 1.23 s',
    ...exchange('{"id": "x"}', 200, '?x'),
    'Link to this requirement; in the guide: docs/interface.md#chat.param.temperature.range',
  ]);
});

test.each([
  [
    'chat.result.id',
    ['{pass}', '{pass}✓ Pass', 'id is a string.', '`chat.result.id` stated section 2.5'],
    ['{pass}✓ Pass A plain chat completion `one`', '{pass}✓ Pass A chat stream `three`'],
  ],
  [
    'chat.stream.incremental',
    [
      '{inconclusive}',
      '{inconclusive}? Inconclusive',
      'Text arrives as it is made.',
      '`chat.stream.incremental` derived sections 1, 4.3 not gating: left open by the clock',
      'Why: All of it came within 2 ms.',
    ],
    ['{inconclusive}? Inconclusive A chat stream `three`'],
  ],
  [
    'errors.rate-limit.distinct',
    [
      '{untested}',
      '{untested}– Untested',
      'A rate limit can be told from an invalid token.',
      '`errors.rate-limit.distinct` stated section 7',
      'Why: No token with a spent rate limit.',
    ],
    ['{untested}– Untested A spent rate limit'],
  ],
  [
    'errors.status',
    [
      '{observed}',
      '{observed}○ Observed',
      'The status of a refusal is not shown.',
      '`errors.status` unspecified section 7',
    ],
    ['{observed}○ Observed A refusal `two`'],
  ],
  [
    'conflict.a',
    [
      '{conflict}',
      '{conflict}≠ Conflict',
      'A conversational model must not be called through Chat Completions.',
      '`conflict.a` conflicting section 2.2',
    ],
    [],
  ],
])('%s is told with why and its cases', (id, head, cases) => {
  expect(requirementLines(smallReport(), id)).toEqual([...head, ...cases, 'Link to this requirement']);
});

test('one that depends on the answer of the model says that it does not gate', () => {
  const report = withRow(smallReport(), open, { nonGating: 'model-behaviour' });
  expect(requirementLines(report, open)[3]).toBe(
    `\`${open}\` stated sections 4.3, 8 not gating: depends on the model's answer`,
  );
});

test('a requirement can be filtered by verdict, level, impact, section and the families of its cases', () => {
  const [row] = smallReport().requirements;
  if (row === undefined) throw new Error('the fixture has rows');
  const view = markupOf(requirementEntry(contextOf(smallReport()), { ...row, impact: 'client' }));
  expect(view).toMatch(
    /^<details class="req pass" id="chat.result.id" data-verdict="pass" data-level="stated" data-impact="client" data-section="2.5" data-family="general"><summary>/,
  );
  expect(renderHtml(smallReport())).toContain(
    'data-verdict="fail" data-level="derived" data-impact="" data-section="2.5" data-family="general" open><summary>',
  );
});
