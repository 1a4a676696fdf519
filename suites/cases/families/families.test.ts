import { beforeEach, describe, expect, it } from 'vitest';
import { groups } from '../../../spec/vocabulary.ts';
import type { Check } from '../../types/checks/check.ts';
import { type Built, built, everythingDeclared } from '../cases.fixture.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

const caseOf = (id: string) => plan.cases.find((entry) => entry.id === id);

describe('a cell of the support matrix', () => {
  it('that must be refused is so in a row of the combinations, too, and three groups in three rows', () => {
    const rows = plan.cases.filter(({ id }) => /^families\.multimodal\.responses\.[a-z-]+\.in\./.test(id));
    expect(rows.map(({ id }) => id.split('.')[3])).toEqual([...groups]);
    expect(new Set(rows.map(({ id }) => id.split('.').at(-1))).size).toBe(3);
    for (const { id, requirements } of rows) {
      const number = id.split('.').at(-1);
      const [, , , group] = id.split('.');
      expect(requirements).toEqual(['family.multimodal.responses']);
      const { probe, controls } = plan.check(id, 'refused');
      expect(controls[0]).toBe(`responses.combination.${number}`);
      expect(plan.request(probe)).toMatchObject({
        callers: [{ family: 'multimodal', group }],
        expect: 'refusal',
        stage: 'lanes',
        stream: plan.request(`responses.combination.${number}`).stream,
      });
      expect(plan.body(probe)).toEqual(plan.body(`responses.combination.${number}`));
    }
  });

  it('that is the only one of its protocol has no control', () => {
    const alone = built({ families: ['chat-image'], groups: ['default'], rateLimited: false });
    expect(alone.check('families.chat-image.chat.default', 'served')).toEqual<Check>({
      kind: 'served',
      requirement: 'family.chat-image.chat',
      probes: ['cell.chat-image.chat.default'],
    });
    expect(caseOf('families.chat-image.chat.default')?.requirements).toEqual(['family.chat-image.chat']);
  });

  it('that must be refused names no control afterwards where its protocol has none', () => {
    const { check } = built({ families: ['multimodal'], groups, rateLimited: false });
    expect(check('families.multimodal.responses.default', 'refused')).not.toHaveProperty('after');
  });
});

describe('the request of a cell', () => {
  it('waits for nothing where its protocol has no caller', () => {
    const { request } = built({ families: ['multimodal'], groups, rateLimited: false });
    expect(request('cell.multimodal.responses.default').when).toEqual([]);
    expect(request('cell.multimodal.messages.default').when).toEqual([]);
  });
});

describe('a token of two groups', () => {
  let shared: Built;
  beforeEach(() => {
    shared = built({ ...everythingDeclared, shared: [['default', 'third-party-client']] });
  });

  it('leaves a cell untested that must be refused for one and not for the other', () => {
    expect(shared.check('families.conversational.messages.default', 'undeclared').reason).toBe(
      'tokens.default and tokens.third-party-client are the same token',
    );
    expect(shared.requests.map(({ id }) => id)).not.toContain('cell.conversational.messages.default');
  });

  it('leaves a cell that must be refused for both, and one of another group', () => {
    expect(shared.check('families.conversational.responses.default', 'refused').kind).toBe('refused');
    expect(shared.check('families.conversational.messages.coding-tool', 'refused').kind).toBe('refused');
  });
});
