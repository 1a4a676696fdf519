import { describe, expect, test } from 'vitest';
import { faultById, faults } from '../../fixtures/faults/index.ts';
import { type Console, defaultConsole } from '../../fixtures/gateway/console.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { type Family, type Group, groups } from '../../spec/vocabulary.ts';
import { blamed, type Subject } from '../detect.ts';
import { isTimed } from '../blame.fixture.ts';
import { heldReport } from '../truth/untruths.ts';

// Sixteen runs share a core.
const patience = 400_000;
const shipped = defaultConsole();

/**
 * One fault of so many is held to the truth in a whole run, too: the others by what they break. What the clock shows is
 * not judged beside other runs, which would be in its timings.
 */
const everyOf = 12;

describe('a whole report of a gateway with one fault', () => {
  test.concurrent.each(faults.filter((fault, at) => at % everyOf === 0 && !isTimed(fault)))(
    '$id says nothing untrue, and what is broken first',
    async (fault) => expect((await heldReport(fault)).untrue).toEqual([]),
    patience,
  );
});

/** Every choice of groups, none at all left out. */
const choices: readonly (readonly Group[])[] = Array.from({ length: 2 ** groups.length - 1 }, (_, at) =>
  groups.filter((_group, bit) => (at + 1) & (1 << bit)),
);

const others = choices.filter((some) => !some.includes('default'));

/** A console that serves these groups where the interface leaves it open. */
function serving(changes: Console['routes']): Subject {
  const routes = Object.fromEntries(
    (Object.keys(shipped.routes) as Family[]).map((family) => [
      family,
      { ...shipped.routes[family], ...changes[family] },
    ]),
  );
  return { id: 'console', title: 'other groups are served', hooks: {}, console: { ...shipped, routes } };
}

describe('a conformant gateway', () => {
  const cases: readonly { readonly name: string; readonly routes: Console['routes'] }[] = [
    ...choices.flatMap((general) =>
      choices.map((image) => ({
        name: `general models to ${general.join('+')}, images to ${image.join('+')}`,
        routes: {
          general: { responses: general, chat: ['default' as const] },
          image: { images: image },
        },
      })),
    ),
    ...others.map((some) => ({
      name: `chat models also to ${some.join('+')}`,
      routes: {
        general: { responses: groups, chat: ['default' as const, ...some], messages: some },
        multimodal: { chat: ['default' as const, ...some], messages: some },
        'chat-image': { chat: ['default' as const, ...some], images: some },
      },
    })),
  ];

  test.concurrent.each(cases)(
    'that serves $name is told nothing of',
    async ({ routes }) => expect((await heldReport(serving(routes))).untrue).toEqual([]),
    patience,
  );

  test('that serves conversational models through chat follows that reading', async () => {
    const subject: Subject = { ...serving({}), console: { ...shipped, conflict: 'B' } };
    const { report, untrue } = await heldReport(subject);
    expect(untrue).toEqual([]);
    const conflict = report.conflicts.find(({ id }) => id === 'family-conversational-chat');
    expect(conflict?.follows).toBe('B');
  });
});

describe('a gateway that serves general models to no group', () => {
  test('is told so of every group that was asked', async () => {
    const breaks = ['responses.endpoint', 'family.general.responses'];
    const subject = { ...serving({ general: { responses: [], chat: ['default'] } }), breaks };
    expect((await heldReport(subject)).untrue).toEqual([]);
  });
});

const leftOut = <Entries extends object>(entries: Entries, name: string): Entries =>
  Object.fromEntries(Object.entries(entries).filter(([key]) => key !== name)) as Entries;

/** The declaration without one of its entries. */
function without(kind: 'models' | 'tokens', name: string): (target: Target) => Target {
  return (target) => ({
    ...target,
    [kind]: leftOut(target[kind], name),
    // The reference serves images to the default group alone.
    ...(name === 'default' ? { models: leftOut(target.models, 'image') } : {}),
  });
}

const missing = [
  ...(['general', 'conversational', 'multimodal', 'image', 'chat-image'] as const).map((name) => ({
    kind: 'models' as const,
    name,
  })),
  ...(['default', 'coding-tool', 'third-party-client', 'rate-limited'] as const).map((name) => ({
    kind: 'tokens' as const,
    name,
  })),
];

/** What the protocols show of each kind of failure: fields, those that hold the text, parameters, no answer at all. */
const broken = [
  'chat.result.object.missing',
  'messages.param.temperature.accepted.not-1',
  'messages.result.content.object',
  'images.result.data.missing',
  'service.dead',
].map((id) => faultById(id) ?? expect.fail(`no fault ${id}`));

describe('a declaration in which something is missing', () => {
  test.each(missing)('$name of $kind is told nothing of by the reference gateway', async ({ kind, name }) => {
    const reference: Subject = { id: 'reference', title: 'the reference gateway', hooks: {} };
    expect((await heldReport(reference, { declared: without(kind, name) })).untrue).toEqual([]);
  });

  test.each(missing.flatMap((one) => broken.map((fault) => ({ ...one, fault, id: fault.id }))))(
    '$name of $kind makes no untrue sentence of $id, and what is broken is first where it shows',
    async ({ kind, name, fault }) => {
      const { report, untrue } = await heldReport(fault, { declared: without(kind, name) });
      // What is broken may not be among what is declared.
      const isShown = blamed(report).some((id) => fault.breaks.includes(id));
      expect(untrue.filter((each) => isShown || !each.startsWith('head: '))).toEqual([]);
    },
  );
});
