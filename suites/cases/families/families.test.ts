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
  it('that must be served and comes first has larger requests in its place', () => {
    expect(plan.check('families.multimodal.chat.default', 'served')).toEqual<Check>({
      kind: 'served',
      requirement: 'family.multimodal.chat',
      probes: ['cell.multimodal.chat.default'],
      fallback: {
        probes: ['chat.plain', 'chat.full'],
        streams: ['chat.only-stream'],
        smallest: ['cell.multimodal.chat.default', 'cell.general.chat.default'],
      },
    });
  });

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

  it('that must be refused has as controls another model, and the same model on its own protocol', () => {
    expect(plan.check('families.multimodal.responses.default.stream', 'refused')).toEqual<Check>({
      kind: 'refused',
      requirement: 'family.multimodal.responses',
      probe: 'cell.multimodal.responses.default.stream',
      controls: ['cell.general.responses.default.stream', 'cell.multimodal.chat.default.stream'],
      after: 'responses.plain.after',
      rule: 'The Responses protocol is stated as unsupported for multimodal models (2.2).',
      controlMayBeRefused: true,
      isValidElsewhere: true,
    });
  });

  it('that must be refused on Messages has as control the token of the right group', () => {
    expect(plan.check('families.conversational.messages.default', 'refused')).toMatchObject({
      controls: ['cell.conversational.messages.third-party-client'],
      after: 'messages.plain.after',
      controlMayBeRefused: false,
    });
  });

  it('that must be refused names no control afterwards where its protocol has none', () => {
    const { check } = built({ families: ['multimodal'], groups, rateLimited: false });
    expect(check('families.multimodal.responses.default', 'refused')).not.toHaveProperty('after');
  });

  it('of which the document says both is a conflict, in a stream together with the plain request', () => {
    const expected = {
      kind: 'conflict',
      conflict: 'family-conversational-chat',
      refused: 'family.conversational.chat.unsupported',
      served: 'family.conversational.chat.every-family',
      pairs: [
        {
          probe: 'cell.conversational.chat.default',
          controls: [
            'cell.general.chat.default',
            'cell.multimodal.chat.default',
            'cell.conversational.messages.default',
          ],
        },
      ],
    } as const;
    expect(plan.check('families.conversational.chat.default', 'conflict')).toEqual<Check>(expected);
    expect(plan.check('families.conversational.chat.default.stream', 'conflict')).toEqual<Check>({
      ...expected,
      pairs: [
        ...expected.pairs,
        {
          probe: 'cell.conversational.chat.default.stream',
          controls: ['cell.general.chat.default.stream', 'cell.multimodal.chat.default.stream'],
        },
      ],
    });
    expect(caseOf('families.conversational.chat.default')?.title).toBe(
      'conversational model on chat with a default token: the document contradicts itself',
    );
  });

  it.each([
    ['families.multimodal.chat.coding-tool', 'family.multimodal.chat.other-groups'],
    ['families.general.responses.default.stream', 'family.general.responses.groups'],
    ['families.image.images.default', 'family.image.groups'],
    ['families.general.images.default', 'family.text.images'],
  ])('%s is unspecified, and observed for %s', (id, requirement) => {
    const entry = caseOf(id);
    expect(entry?.requirements).toEqual([requirement]);
    expect(entry?.title).toMatch(/: unspecified$/);
    expect(plan.check(id, 'observe')).toMatchObject({
      requirement,
      aspect: 'answer-or-refusal',
      probes: [id.replace('families', 'cell')],
      subject: entry?.title.replace(': unspecified', ''),
    });
  });
});

describe('the request of a cell', () => {
  const pick = (id: string) => {
    const { expect: hope, stage, when, billed } = plan.request(id);
    return { hope, stage, when, billed };
  };

  it('that must be served goes first, and its stream where no row of its caller was streamed', () => {
    expect(pick('cell.general.chat.default')).toEqual({
      hope: 'answer',
      stage: 'discovery',
      when: [],
      billed: 1,
    });
    expect(pick('cell.general.chat.default.stream')).toEqual({
      hope: 'answer',
      stage: 'lanes',
      when: [{ kind: 'answered', any: ['cell.general.chat.default', 'chat.only-stream'] }],
      billed: 0,
    });
  });

  it('that must be refused is sent whatever the control did', () => {
    expect(pick('cell.conversational.messages.default.stream')).toEqual({
      hope: 'refusal',
      stage: 'lanes',
      when: [{ kind: 'recorded', all: ['cell.conversational.messages.third-party-client'] }],
      billed: 0,
    });
  });

  it('that is unspecified waits for an answer of its protocol, and its stream for its own', () => {
    const any = ['cell.conversational.messages.third-party-client'];
    expect(pick('cell.general.messages.default')).toEqual({
      hope: 'either',
      stage: 'lanes',
      when: [{ kind: 'answered', any }],
      billed: 1,
    });
    expect(pick('cell.general.messages.default.stream').when).toEqual([
      { kind: 'answered', any: ['cell.general.messages.default'] },
    ]);
  });

  it('of a conflict waits in a stream for an answer of its protocol', () => {
    expect(pick('cell.conversational.chat.default.stream')).toMatchObject({
      hope: 'either',
      when: [{ kind: 'answered', any: ['cell.multimodal.chat.default', 'cell.general.chat.default'] }],
    });
  });

  it('waits for nothing where its protocol has no caller', () => {
    const { request } = built({ families: ['multimodal'], groups, rateLimited: false });
    expect(request('cell.multimodal.responses.default').when).toEqual([]);
    expect(request('cell.multimodal.messages.default').when).toEqual([]);
  });

  it('asks an image model for an image, in the form of each protocol', () => {
    const picture = 'Draw an image of a plain red circle on a white background.';
    const model = { $: 'model' };
    const messages = [{ role: 'user', content: picture }];
    expect(plan.body('cell.image.responses.default')).toEqual({ model, input: picture });
    expect(plan.body('cell.image.messages.default')).toEqual({ model, messages, max_tokens: 256 });
    expect(plan.body('cell.chat-image.chat.default.stream')).toEqual({ model, messages, stream: true });
    expect(plan.body('cell.image.images.default')).toEqual({
      model,
      prompt: 'A plain red circle on a white background',
    });
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

describe('an endpoint', () => {
  const cells = groups.map((group) => `cell.general.responses.${group}`);

  it('answers the smallest request of some caller, or a larger one', () => {
    const probes = ['responses.plain', 'responses.full', 'responses.listed'];
    const fallback = { probes, smallest: cells, streams: ['responses.only-stream'] };
    for (const [id, requirement] of [
      ['families.responses.endpoint', 'responses.endpoint'],
      ['families.general.responses.some-group', 'family.general.responses'],
    ] as const) {
      expect(plan.check(id, 'served')).toEqual<Check>({
        kind: 'served',
        requirement,
        probes: cells,
        fallback,
      });
    }
  });

  it('still answers after the requests that it must refuse', () => {
    expect(plan.check('families.images.endpoint.after', 'still-served')).toEqual<Check>({
      kind: 'still-served',
      requirement: 'images.endpoint',
      before: ['images.plain'],
      after: 'images.plain.after',
    });
  });
});
