import { describe, expect, test } from 'vitest';
import type { Where } from '../../fixtures/faults/effect.ts';
import { conditionNamed } from '../../fixtures/faults/named.ts';
import type { Hooks } from '../../fixtures/gateway/hooks.ts';
import { parameters } from '../../spec/openapi.ts';
import { textRows } from '../../suites/cases/combinations/text-rows.ts';
import { blamed, detect, type Subject } from '../detect.ts';

const reference: Subject = { id: 'reference', title: 'the reference gateway', hooks: {} };
const seed = 1;

/** Of chat: a system turn and many earlier turns, in a stream. */
const together: Where = (ctx) =>
  ctx.protocol === 'chat' &&
  ['streamed', 'system', 'long-history'].every((condition) => conditionNamed(condition).holds(ctx));
const isTogether = (levels: Readonly<Record<string, string>>): boolean =>
  ['stream', 'system', 'history'].every((factor) => levels[factor] === 'present');

const broken = (hooks: (where: Where) => Hooks): Subject => ({
  id: 'several',
  title: 'breaks where several settings meet',
  hooks: hooks(together),
});

const refusing = broken((where) => ({
  check: (problems, ctx) =>
    problems.length === 0 && where(ctx)
      ? [{ parameter: 'messages', kind: 'malformed', message: 'not with these' }]
      : problems,
}));
const lenient = broken((where) => ({
  check: (problems, ctx) => (where(ctx) ? problems.filter(({ kind }) => kind !== 'type') : problems),
}));

describe('explored combinations', () => {
  test('keep the reference gateway conformant, and the report says how many and the seed', async () => {
    const report = await detect(reference, { seed, explore: 40 });
    expect({ verdict: report.verdict, blamed: blamed(report) }).toEqual({
      verdict: 'conformant',
      blamed: [],
    });
    expect(report.scope).toMatchObject({ profile: 'standard', explore: 40 });
    expect(report.run.seed).toBe(seed);
  }, 60_000);

  test('find a refusal of settings that no row of the array has together, and name the fewest', async () => {
    expect(textRows('chat', 2, seed).some(({ levels }) => isTogether(levels))).toBe(false);
    const selected = { requirements: ['chat.param.messages.accepted', 'chat.param.stream.accepted'] };
    expect(blamed(await detect(refusing, { seed, selected }))).toEqual([]);
    const report = await detect(refusing, { seed, selected, explore: 150 });
    expect(blamed(report)).toEqual(['chat.param.stream.accepted']);
    const [found] = report.cases.flatMap(({ findings }) =>
      findings.filter(({ verdict }) => verdict === 'fail'),
    );
    expect(found?.code).toBe('combination-refused');
  }, 60_000);

  test('find a wrong value that is taken in one of them alone', async () => {
    const selected = { requirements: parameters('chat').map(({ slug }) => `chat.param.${slug}.type`) };
    expect(blamed(await detect(lenient, { seed, selected }))).toEqual([]);
    expect(blamed(await detect(lenient, { seed, selected, explore: 150 }))).not.toEqual([]);
  }, 60_000);
});
