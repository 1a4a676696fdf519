import { describe, expect, test } from 'vitest';
import { families, type Family, type Group, groups } from '../../spec/vocabulary.ts';
import { profiles } from '../../suites/types/profile.ts';
import { type Target, type TokenName, tokenNames } from '../../fixtures/target/target.ts';
import { blamed, detect, type DetectOptions, type Subject } from '../detect.ts';

const reference: Subject = { id: 'reference', title: 'the reference gateway', hooks: {} };

type Declared = NonNullable<DetectOptions['declared']>;

const withTokens = (target: Target, tokens: Target['tokens']): Target => ({
  ...target,
  tokens: { ...target.tokens, ...tokens },
});

const mistypedToken =
  (name: TokenName) =>
  (target: Target): Target =>
    withTokens(target, {
      [name]: { value: 'sk-mistyped-7c1d', variable: target.tokens[name]?.variable ?? name },
    });

const mistypedModel =
  (family: Family) =>
  (target: Target): Target => ({
    ...target,
    models: { ...target.models, [family]: `${target.models[family]}-x` },
  });

/** The values of two tokens are in each other's place: the variables stay where they are. */
const exchanged =
  ([one, other]: readonly [TokenName, TokenName]) =>
  (target: Target): Target => {
    const { [one]: first, [other]: second } = target.tokens;
    if (!first || !second) return target;
    return withTokens(target, {
      [one]: { ...first, value: second.value },
      [other]: { ...second, value: first.value },
    });
  };

/** A token is declared for its group, and in place of that of another. */
const sameToken =
  (wrong: Group, right: Group) =>
  (target: Target): Target =>
    withTokens(target, { [wrong]: target.tokens[right] } as Target['tokens']);

/** What comes first in the report of a declaration, and what was failed or certified for it. */
async function judged(declared: Declared, options: DetectOptions) {
  const report = await detect(reference, { declared, timeoutMs: 3_000, ...options });
  const [first] = report.causes ?? [];
  return { failed: blamed(report), verdict: report.verdict, kind: first?.kind, keys: first?.configKeys };
}

const atOnce = { verdict: 'inconclusive', failed: [] };

const settings: readonly (readonly [string, DetectOptions])[] = [
  ...profiles.map((profile) => [profile, { profile }] as const),
  ['standard with --keep-going', { keepGoing: true }],
];

const pairs = tokenNames().flatMap((one, at) =>
  tokenNames()
    .slice(at + 1)
    .map((other) => [one, other] as const),
);

const expectExchanged = async (pair: (typeof pairs)[number], options: DetectOptions): Promise<void> =>
  expect(await judged(exchanged(pair), options)).toEqual({
    ...atOnce,
    kind: 'tokens-exchanged',
    keys: pair.map((name) => `tokens.${name}`),
  });

describe.each(settings)('in %s', (_, options) => {
  test.each(tokenNames())(
    'tokens.%s that is mistyped is said first, and nothing fails for it',
    async (name) => {
      expect(await judged(mistypedToken(name), options)).toEqual({
        ...atOnce,
        kind: 'token-not-accepted',
        keys: [`tokens.${name}`],
      });
    },
  );

  test.each(families)(
    'models.%s that is mistyped is said first, and nothing fails for it',
    async (family) => {
      expect(await judged(mistypedModel(family), options)).toEqual({
        ...atOnce,
        kind: 'model-not-known',
        keys: [`models.${family}`],
      });
    },
  );

  test.each(pairs.filter(([, other]) => other !== 'rate-limited'))(
    'tokens.%s and tokens.%s that are exchanged are said first',
    (one, other) => expectExchanged([one, other], options),
  );

  // What must be served with the token of the coding-tool group alone the interface does not say.
  test.each([
    ['default', 'coding-tool'],
    ['default', 'third-party-client'],
    ['third-party-client', 'default'],
    ['third-party-client', 'coding-tool'],
  ] as const)('the token of another group as tokens.%s, that of %s, is said first', async (wrong, right) => {
    expect(await judged(sameToken(wrong, right), options)).toEqual({
      ...atOnce,
      kind: 'same-token',
      keys: groups.filter((group) => group === wrong || group === right).map((group) => `tokens.${group}`),
    });
  });
});

// What a spent token gets first may be a limit by the minute: its window is waited for, in all of these at the same time.
test.concurrent.each(
  settings.flatMap(([name, options]) => groups.map((group) => ({ name, options, group }))),
)(
  'in $name tokens.$group and tokens.rate-limited that are exchanged are said first',
  ({ options, group }) => expectExchanged([group, 'rate-limited'], options),
  240_000,
);
