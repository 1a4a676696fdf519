import { expect, it } from 'vitest';
import { planned } from '../plan/planned.fixture.ts';
import { controlsIn } from './control-sender.ts';

const scope = {
  families: ['general', 'conversational', 'multimodal', 'image', 'chat-image'],
  groups: ['default', 'coding-tool', 'third-party-client'],
  rateLimited: true,
} as const;
const plan = planned(scope);
const controls = controlsIn(plan);

it('a request that is to be refused has the controls of its case first, then what its endpoint answers', () => {
  expect(controls.get('cell.conversational.responses.coding-tool')).toEqual([
    'cell.general.responses.coding-tool',
    'cell.conversational.messages.coding-tool',
    'cell.general.responses.default',
    'cell.general.responses.third-party-client',
    'responses.plain',
    'responses.only-stream',
    'cell.conversational.messages.third-party-client',
    'messages.plain',
    'messages.only-stream',
  ]);
  expect(controls.get('chat.rate-limited.1')?.[0]).toBe('chat.plain');
  expect(controls.get('cell.conversational.chat.default')?.[0]).toBe('cell.general.chat.default');
});

it('one whose endpoint answers nothing has what its model answers elsewhere', () => {
  const few = controlsIn(planned({ ...scope, families: ['conversational', 'multimodal'] }));
  expect(few.get('cell.multimodal.responses.coding-tool')?.slice(-3)).toEqual([
    'cell.multimodal.chat.default',
    'chat.plain',
    'chat.only-stream',
  ]);
  expect(few.get('cell.conversational.responses.default')?.slice(-3)).toEqual([
    'cell.conversational.messages.third-party-client',
    'messages.plain',
    'messages.only-stream',
  ]);
});

it('one that the document leaves open has what its endpoint answers', () => {
  expect(controls.get('cell.general.messages.default')).toContain(
    'cell.conversational.messages.third-party-client',
  );
});

it('one that asks whether a group is served has the same model in other groups', () => {
  expect(controls.get('cell.image.images.coding-tool')).toEqual([
    'cell.image.images.default',
    'cell.image.images.third-party-client',
  ]);
  expect(controls.get('cell.multimodal.chat.default')).toBe(undefined);
});

it('any other valid request has none, and every other request has one, whatever its credential', () => {
  for (const { id, expect: due, stage } of plan.requests) {
    if (due === 'answer' && stage === 'discovery') continue;
    if (due === 'answer') expect(controls.get(id)).toBe(undefined);
    else expect(controls.get(id)?.length).toBeGreaterThan(0);
  }
});
