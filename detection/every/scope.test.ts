import { describe, expect, test } from 'vitest';
import type { TokenName } from '../../fixtures/target/target.ts';
import type { Hooks } from '../../fixtures/gateway/hooks.ts';
import { variantById } from '../../fixtures/variants/index.ts';
import { families, type Family, type Group, groups } from '../../spec/vocabulary.ts';
import { blamed, detect } from '../detect.ts';

interface Scope {
  readonly families: readonly Family[];
  readonly tokens: readonly TokenName[];
}

/** Every choice of one or more of a list. */
const choices = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: 2 ** list.length - 1 }, (_, at) => list.filter((_item, bit) => (at + 1) & (1 << bit)));

const picked = <K extends string, V>(
  record: { readonly [name in K]?: V },
  names: readonly K[],
): { readonly [name in K]?: V } =>
  Object.fromEntries(names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]]))) as {
    [name in K]?: V;
  };

const reference = { id: 'reference', title: 'the reference gateway', hooks: {} };

const judged = (scope: Scope, subject: Parameters<typeof detect>[0] = reference) =>
  detect(subject, {
    declared: (target) => ({
      ...target,
      models: picked(target.models, scope.families),
      tokens: picked(target.tokens, scope.tokens),
    }),
  });

/** Nothing of these two has a home: a declaration from which nothing can be judged. */
const isHomeless = ({ families: offered, tokens }: Scope): boolean => {
  const has = (family: Family, group?: Group) =>
    offered.includes(family) && (group ? tokens.includes(group) : true);
  return !(
    has('general') ||
    has('image', 'default') ||
    has('conversational', 'third-party-client') ||
    has('multimodal', 'default') ||
    has('chat-image', 'default')
  );
};

describe('a conformant gateway that offers a part', () => {
  const scopes = [
    ...choices(families)
      .filter(({ length }) => length !== 3)
      .map((offered) => ({ families: offered, tokens: [...groups] })),
    ...choices(groups).map((tokens) => ({ families: [...families], tokens })),
    ...families.flatMap((family) => groups.map((group) => ({ families: [family], tokens: [group] }))),
  ]
    .filter((scope) => !isHomeless(scope))
    // The reference serves images to the default group; a target that leaves that group out must serve another.
    .filter((scope) => !scope.families.includes('image') || scope.tokens.includes('default'));

  test.concurrent.each(
    scopes.map((scope) => [`${scope.families.join('+')} with ${scope.tokens.join('+')}`, scope] as const),
  )(
    '%s is conformant',
    async (_, scope) => {
      const report = await judged(scope);
      const open = report.requirements.filter(
        ({ level, verdict, nonGating }) =>
          (level === 'stated' || level === 'derived') && verdict === 'inconclusive' && !nonGating,
      );
      expect({
        verdict: report.verdict,
        blamed: blamed(report),
        open: open.map(({ id, reason }) => `${id}: ${reason}`),
      }).toEqual({
        verdict: 'conformant',
        blamed: [],
        open: [],
      });
    },
    400_000,
  );

  test('and only images through chat is failed for what its one kind of reply lacks', async () => {
    const title = 'no usage in any chat completion';
    const hooks: Hooks = { result: ({ usage, ...body }) => body };
    const report = await judged({ families: ['chat-image'], tokens: groups }, { id: 'bare', title, hooks });
    expect(blamed(report)).toEqual(['chat.result.usage']);
  });

  test.concurrent.each(['refusal.no-channel', 'refusal.no-channel-yet'])(
    'and tells %s by a model that it serves on another path',
    async (id) => {
      const subject = variantById(id);
      expect(subject).toBeDefined();
      const few = { families: ['conversational', 'multimodal'], tokens: groups } as const;
      expect((await judged(few, subject)).verdict).toBe('conformant');
    },
    60_000,
  );
});
