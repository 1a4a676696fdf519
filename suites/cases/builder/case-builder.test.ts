import { describe, expect, it } from 'vitest';
import { families, groups } from '../../../spec/vocabulary.ts';
import { createCaseBuilder } from './case-builder.ts';
import { fullDepth } from '../../types/profile.ts';

const everything = () => createCaseBuilder({ families, groups, rateLimited: false }, 1, fullDepth);
const entry = { suite: 'results', id: 'results.a', title: 'a', requirements: [] } as const;

describe('a planned request', () => {
  it('may be planned twice, and only as the same request', () => {
    const builder = everything();
    builder.send('a', 'chat');
    builder.send('a', 'chat');
    expect([...builder.requests.keys()]).toEqual(['a']);
    expect(() => builder.send('a', 'chat', { method: 'GET' })).toThrow('two requests are called a');
  });

  it('with callers of its own waits for nothing', () => {
    const builder = everything();
    builder.send('a', 'chat', { callers: [{ family: 'general', group: 'default' }] });
    expect(builder.requests.get('a')?.when).toEqual([]);
  });

  it('that asks several callers for a stream waits until each was asked for one', () => {
    const builder = everything();
    const streams = [
      { kind: 'recorded', all: ['cell.multimodal.chat.default.stream', 'cell.general.chat.default.stream'] },
    ];
    const json = { stream: true };
    builder.send('a', 'chat', { json, when: [] });
    builder.send('b', 'chat', { json, when: [], expect: 'refusal' });
    builder.send('c', 'messages', { json, when: [] });
    builder.send('d', 'chat', { json: { stream: 'true' }, when: [] });
    builder.send('e', 'chat', { json: null, when: [] });
    const seen = ['a', 'b', 'c', 'd', 'e'].map((id) => builder.requests.get(id));
    expect(seen.map((request) => request?.when)).toEqual([streams, [], [], [], []]);
    expect(seen.map((request) => request?.stream)).toEqual([true, true, true, false, false]);
  });
});

describe('a case', () => {
  it('is added once', () => {
    const builder = everything();
    builder.add({ ...entry, check: () => ({ kind: 'undeclared', reason: 'none' }) });
    expect(() => builder.add({ ...entry, check: () => ({ kind: 'undeclared', reason: 'none' }) })).toThrow(
      'two cases are called results.a',
    );
    expect(builder.cases).toEqual([{ ...entry, check: { kind: 'undeclared', reason: 'none' } }]);
  });

  it.each([
    ['responses', 'no general model with a token of a group is declared'],
    ['messages', 'no conversational model with a third-party-client token is declared'],
    ['chat', 'no multimodal or general model with a default token is declared'],
    ['images', 'no image model with a token of a group is declared'],
  ] as const)('that needs %s says what is not declared, and plans nothing', (protocol, reason) => {
    const builder = createCaseBuilder({ families: [], groups, rateLimited: false }, 1, fullDepth);
    builder.add({
      ...entry,
      needs: protocol,
      check: () => {
        throw new Error('built all the same');
      },
    });
    expect(builder.cases.map(({ check }) => check)).toEqual([{ kind: 'undeclared', reason }]);
    expect(builder.requests.size).toBe(0);
  });

  it('has the reason that it is given where it can not be tested', () => {
    const builder = everything();
    builder.add({
      ...entry,
      needs: { undeclared: 'no token' },
      check: () => {
        throw new Error('built all the same');
      },
    });
    expect(builder.cases.map(({ check }) => check)).toEqual([{ kind: 'undeclared', reason: 'no token' }]);
  });
});
