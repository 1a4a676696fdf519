import { describe, expect, it } from 'vitest';
import { defaultConsole } from '../../../fixtures/gateway/console.ts';
import { targetFor } from '../../../fixtures/gateway/describe.ts';
import { createGateway } from '../../../fixtures/gateway/gateway.ts';
import { variantById } from '../../../fixtures/variants/index.ts';
import { judgeRun } from '../../judge/judge-run.ts';
import { isExchange } from '../../types/exchange.ts';
import type { Selection } from '../../types/run.ts';
import { everything } from '../../plan/plan.ts';
import { executePlan } from '../execute-plan.ts';
import { planned } from '../../plan/planned.fixture.ts';
import { scopeOf } from '../../types/scope.ts';

const settings = defaultConsole();
const selection: Selection = { ...everything, suites: ['context'] };

async function attemptsAt(variant?: string) {
  const { hooks = {} } = (variant === undefined ? undefined : variantById(variant)) ?? {};
  const gateway = await createGateway({ console: settings, hooks }).listen();
  try {
    const target = targetFor(settings, gateway.url);
    const options = { seed: 1, concurrency: 8, timeoutMs: 5000, selection };
    const plan = planned(scopeOf(target), selection);
    const ran = await executePlan(target, plan, options);
    const { requirements, observations } = judgeRun(target, plan, ran.evidence, {
      runId: 'run',
      selection,
      ...ran,
    });
    const sent = [...ran.evidence.values()].filter(isExchange).map(({ id }) => id);
    const row = (id: string) => requirements.find((each) => each.id === id);
    const isOf = (way: string, id: string) => id.startsWith(way) && !id.slice(way.length).includes('stream');
    return { sent: (way: string) => sent.filter((id) => isOf(way, id)), row, observations };
  } finally {
    await gateway.close();
  }
}

const known = new Map<string | undefined, ReturnType<typeof attemptsAt>>();

/** The attempts that go out to a gateway of a freedom, by what they try, and what is said of the context: of one run. */
function attempts(variant?: string): ReturnType<typeof attemptsAt> {
  const made = known.get(variant) ?? attemptsAt(variant);
  known.set(variant, made);
  return made;
}

describe.concurrent('attempts', () => {
  it('are made once where the first recalls', async () => {
    const { sent, observations } = await attempts();
    const again = sent('').filter((id) => /\.(again|ask|reply)\.[23]$|\.context\./.test(id));
    expect(again).toEqual([]);
    expect(observations).toContainEqual(
      expect.objectContaining({
        subject: 'messages given a turn of role assistant',
        value: expect.stringMatching(/^answered/),
      }),
    );
  });

  it('are made again in other words where the words are refused', async () => {
    const { sent, row } = await attempts('model.filter');
    expect(sent('chat.context.inline')).toEqual(['chat.context.inline.1', 'chat.context.inline.2']);
    expect(sent('chat.context.system')).toEqual(['chat.context.system.1', 'chat.context.system.2']);
    expect(sent('messages.context.users')).toEqual([]);
    expect(row('responses.context.branch')?.verdict).toBe('pass');
  });

  it('are made without turns of the assistant where those are refused', async () => {
    const { sent, row, observations } = await attempts('request.users-only');
    expect(sent('messages.context.user.')).toEqual(['messages.context.user.1']);
    expect(sent('messages.context.users')).toEqual(['messages.context.users.1']);
    expect(row('messages.context.history')?.verdict).toBe('pass');
    expect(observations).toContainEqual(
      expect.objectContaining({
        subject: 'messages given a turn of role assistant',
        value: expect.stringMatching(/^refused/),
      }),
    );
  });

  it.each([
    [undefined, []],
    ['request.typed-only', ['.short.1', '.typed.1']],
    ['request.parts-only', ['.short.1', '.typed.1', '.parts.1']],
    ['request.typed-elements', ['.short.1', '.short.2', '.short.3', '.typed.1']],
  ])('of an array are made in another shape until one recalls: %s', async (variant, shapes) => {
    const { sent, row } = await attempts(variant);
    expect(sent('responses.context.input')).toEqual(shapes.map((shape) => `responses.context.input${shape}`));
    expect(row('responses.context.input')?.verdict).toBe('pass');
  });

  it('are orders where a system prompt is kept to itself', async () => {
    const { sent, row } = await attempts('model.confidential');
    const again = sent('chat.combination').filter((id) => id.includes('.system.again.'));
    expect(again.length).toBeGreaterThan(1);
    expect(again.filter((id) => !id.endsWith('.2'))).toEqual([]);
    expect(row('chat.context.system')?.verdict).toBe('pass');
  });

  it.each([
    [undefined, 'not carried'],
    ['request.chain-instructions', 'carried'],
    ['model.evasive', expect.stringMatching(/^unknown: the model/)],
    ['model.confidential', expect.stringMatching(/^unknown: the model/)],
  ])('say of %s whether instructions are carried: %s', async (variant, value) => {
    const { observations } = await attempts(variant);
    expect(observations.find(({ id }) => id === 'context.responses.instructions-carried')?.value).toEqual(
      value,
    );
  });

  it('leave it to the model where every wording is refused', async () => {
    const { row } = await attempts('model.filter.wide');
    for (const id of ['chat.context.history', 'responses.context.chain', 'responses.context.branch'])
      expect(row(id)).toMatchObject({ verdict: 'inconclusive', nonGating: 'model-behaviour' });
  });
});
