import { describe, expect, test } from 'vitest';
import { type Console, defaultConsole } from '../../fixtures/gateway/console.ts';
import type { Hooks } from '../../fixtures/gateway/hooks.ts';
import { groupsServed } from '../../fixtures/gateway/route.ts';
import { type Family, families } from '../../spec/vocabulary.ts';
import { profiles } from '../../suites/types/profile.ts';
import { blamed, detect, type DetectOptions, type Subject } from '../detect.ts';

const shipped = defaultConsole();
const router = 'auto';

/** Serves its one model where any of the families is served that it stands for. */
const routing = (those: readonly Family[]): Hooks => ({
  route: (route, { body, token, protocol, console }) => {
    if (body.model !== router) return route;
    const isServed = those.some(
      (family) => token && groupsServed(console, family, protocol).includes(token.group),
    );
    return { ...route, problem: isServed ? null : 'wrong-group' };
  },
});

/** A console in which these families have the same model. */
const consoleOf = (those: readonly Family[], routes = shipped.routes): Console => ({
  ...shipped,
  routes,
  models: [
    ...shipped.models.filter(({ family }) => !those.includes(family)),
    // The model behind the router is the one of the family that stands last.
    ...[...those].reverse().map((family) => ({ name: router, family })),
  ],
});

const routerOf = (those: readonly Family[], more: Hooks = {}, console = consoleOf(those)): Subject => ({
  id: 'router',
  title: `one model for ${those.join(', ')}`,
  hooks: { ...routing(those), ...more },
  console,
});

async function judged(subject: Subject, options: DetectOptions = {}) {
  const report = await detect(subject, options);
  const open = report.requirements.filter(
    ({ level, verdict, nonGating }) =>
      (level === 'stated' || level === 'derived') && verdict === 'inconclusive' && !nonGating,
  );
  return {
    report,
    summary: { verdict: report.verdict, blamed: blamed(report), open: open.map(({ id }) => id) },
    untested: report.requirements.flatMap(({ id, code }) => (code === 'same-model' ? [id] : [])),
  };
}

const conformant = { verdict: 'conformant', blamed: [], open: [] };

/** Choices of families with the same model, and what each leaves untested. */
const choices: readonly (readonly [readonly Family[], readonly string[]])[] = [
  [
    ['general', 'conversational'],
    [
      'family.general.responses',
      'family.general.responses.groups',
      'family.conversational.responses',
      'family.conversational.chat.unsupported',
      'family.conversational.chat.every-family',
    ],
  ],
  [
    ['general', 'multimodal'],
    ['family.general.responses', 'family.general.responses.groups', 'family.multimodal.responses'],
  ],
  [
    ['conversational', 'multimodal'],
    ['family.conversational.chat.unsupported', 'family.conversational.chat.every-family'],
  ],
  [['image', 'chat-image'], []],
  [
    families,
    [
      'family.chat-image.responses',
      'family.general.responses',
      'family.general.responses.groups',
      'family.conversational.responses',
      'family.multimodal.responses',
      'family.conversational.chat.unsupported',
      'family.conversational.chat.every-family',
    ],
  ],
];

describe('a gateway with one model for several families', () => {
  test.concurrent.each(choices)(
    '(%j) is conformant, and what can not both hold is untested',
    async (those, left) => {
      const { summary, untested } = await judged(routerOf(those));
      expect(summary).toEqual(conformant);
      expect([...untested].sort()).toEqual([...left].sort());
    },
  );

  test.concurrent.each(profiles)('is conformant in %s', async (profile) => {
    expect((await judged(routerOf(families), { profile })).summary).toEqual(conformant);
  });
});

describe('a gateway that takes one of the families for its model', () => {
  const pair = ['general', 'conversational'] as const;
  /** A conversational model: refused on Responses and on Chat Completions. */
  const asConversational: Subject = { ...routerOf(['conversational']), console: consoleOf(pair) };

  test('has nothing failed or left open for what it refuses lawfully: it is untested', async () => {
    const { summary, untested } = await judged(asConversational);
    expect(summary.open).toEqual([]);
    expect(summary.blamed).toEqual(['family.general.chat']);
    expect(untested).toEqual(expect.arrayContaining(['responses.endpoint', 'responses.result.id']));
  });

  test('is not failed for groups of which nothing is stated for the other family', async () => {
    const { general, ...others } = shipped.routes;
    const everywhere = { ...general, chat: ['default', 'coding-tool', 'third-party-client'] as const };
    const console = consoleOf(pair, { ...others, general: everywhere });
    const { summary, untested } = await judged(routerOf(pair, {}, console));
    expect(summary).toEqual(conformant);
    expect(untested).toContain('family.conversational.chat.other-groups');
  });
});

describe('a broken gateway with one model for several families', () => {
  const fields: Hooks = { result: ({ usage, output_text, ...body }) => body };

  test('is failed for the fields of its replies', async () => {
    const { report } = await judged(routerOf(families, fields));
    expect(blamed(report)).toEqual(
      expect.arrayContaining(['chat.result.usage', 'responses.result.output-text']),
    );
    expect(blamed(report).filter((id) => id.startsWith('family.'))).toEqual([]);
  });

  test('is failed where it serves what both must be refused', async () => {
    const pair = ['conversational', 'multimodal'] as const;
    const { conversational, ...others } = shipped.routes;
    const routes = { ...others, conversational: { ...conversational, responses: ['default'] as const } };
    const { report } = await judged(routerOf(pair, {}, consoleOf(pair, routes)));
    expect(blamed(report)).toEqual(['family.conversational.responses', 'family.multimodal.responses']);
  });

  test('is failed where it refuses what both must be served', async () => {
    const pair = ['general', 'multimodal'] as const;
    const { general, multimodal, ...others } = shipped.routes;
    const unserved = { ...general, chat: [] };
    const { report } = await judged(routerOf(pair, {}, consoleOf(pair, { ...others, general: unserved })));
    expect([...blamed(report)].sort()).toEqual(['chat.endpoint', 'family.multimodal.chat']);
  });
});
