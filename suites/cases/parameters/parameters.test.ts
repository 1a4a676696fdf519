import { beforeEach, describe, expect, it } from 'vitest';
import { parameters } from '../../../spec/openapi.ts';
import { protocols } from '../../../spec/vocabulary.ts';
import type { Check } from '../../checks/registry.ts';
import { type Built, built } from '../cases.fixture.ts';

let plan: Built;
let ids: ReadonlySet<string>;
beforeEach(() => {
  plan = built();
  ids = new Set(plan.cases.map(({ id }) => id));
});

const startingWith = (start: string) => [...ids].filter((id) => id.startsWith(start));

const required = protocols.flatMap((protocol) =>
  parameters(protocol)
    .filter((parameter) => parameter.required)
    .map(({ name, slug }) => ({ protocol, name, slug })),
);

describe('a required parameter', () => {
  it.each(required)(
    '$name of $protocol is left out, with and without a stream',
    ({ protocol, name, slug }) => {
      const probe = `${protocol}.${slug}.missing`;
      expect(plan.check(`parameters.${protocol}.${slug}.required`, 'refused')).toEqual<Check>({
        kind: 'refused',
        requirement: `${protocol}.param.${slug}.required`,
        probe,
        controls: [`${protocol}.plain`],
        after: `${protocol}.plain.after`,
        rule: `\`${name}\` is required`,
      });
      expect(plan.body(probe)).not.toHaveProperty(name);
      const streamed = `parameters.${protocol}.${slug}.required.streamed`;
      expect(ids.has(streamed)).toBe(protocol !== 'images');
      if (protocol === 'images') return;
      expect(plan.check(streamed, 'refused')).toMatchObject({
        probe: `${probe}.streamed`,
        rule: `\`${name}\` is required`,
        controlMayBeRefused: true,
      });
      expect(plan.body(`${probe}.streamed`)).toMatchObject({ stream: true });
      expect(plan.body(`${probe}.streamed`)).not.toHaveProperty(name);
    },
  );

  it('is one of these', () => {
    expect(required.map(({ protocol, name }) => `${protocol} ${name}`)).toEqual([
      'responses model',
      'responses input',
      'messages model',
      'messages messages',
      'messages max_tokens',
      'chat model',
      'chat messages',
      'images model',
      'images prompt',
    ]);
  });
});

describe('an optional parameter', () => {
  it('is left out of the smallest request, or of one with all the others', () => {
    expect(plan.check('parameters.chat.top-p.optional', 'optional')).toEqual<Check>({
      kind: 'optional',
      requirement: 'chat.param.top-p.optional',
      smallest: ['cell.multimodal.chat.default', 'cell.general.chat.default', 'chat.plain'],
      pairs: [{ without: 'chat.full.without.top-p', full: 'chat.full' }],
    });
    const { top_p, ...others } = Object(plan.body('chat.full'));
    expect(top_p).toBe(0.5);
    expect(plan.body('chat.full.without.top-p')).toEqual(others);
    expect(plan.body('chat.full')).toMatchObject({ temperature: 1, max_tokens: 64, stream: false });
  });

  it('called stream is also left out of the plain request', () => {
    expect(plan.check('parameters.chat.stream.optional', 'optional')).toMatchObject({
      smallest: ['cell.multimodal.chat.default', 'cell.general.chat.default'],
      pairs: [
        { without: 'cell.multimodal.chat.default', full: 'chat.plain' },
        { without: 'chat.full.without.stream', full: 'chat.full' },
      ],
    });
  });

  it('is sent with all the others only where no smaller request was answered, and is not billed', () => {
    expect(plan.request('chat.full')).toMatchObject({
      callers: [{ family: 'multimodal', group: 'default' }],
      billed: 0,
      when: [
        {
          kind: 'unanswered',
          all: ['cell.multimodal.chat.default', 'cell.general.chat.default', 'chat.plain'],
        },
      ],
    });
    expect(plan.request('chat.full.without.top-p')).toMatchObject({
      callers: [{ family: 'multimodal', group: 'default' }],
      billed: 0,
      when: [{ kind: 'answered', any: ['chat.full'] }],
    });
    expect(plan.request('responses.listed')).toMatchObject({ billed: 0 });
    expect(plan.body('responses.full')).not.toHaveProperty('previous_response_id');
  });

  it('has a case for each that is not excluded', () => {
    expect([...ids].filter((id) => id.endsWith('.optional'))).toEqual([
      'parameters.responses.instructions.optional',
      'parameters.responses.stream.optional',
      'parameters.messages.system.optional',
      'parameters.messages.temperature.optional',
      'parameters.messages.stream.optional',
      'parameters.chat.temperature.optional',
      'parameters.chat.top-p.optional',
      'parameters.chat.max-tokens.optional',
      'parameters.chat.stream.optional',
      ...['n', 'size', 'quality', 'response-format'].map((slug) => `parameters.images.${slug}.optional`),
    ]);
  });
});

describe('a valid value', () => {
  it('is accepted where the plain request is, first and again afterwards', () => {
    expect(plan.check('parameters.chat.temperature.accepted.2', 'accepted')).toEqual<Check>({
      kind: 'accepted',
      requirement: 'chat.param.temperature.accepted',
      probe: 'chat.temperature.2',
      controls: ['chat.plain'],
      after: 'chat.plain.after',
    });
    expect(plan.body('chat.temperature.2')).toEqual({ ...Object(plan.body('chat.plain')), temperature: 2 });
  });

  it('that the plain request has is compared with what differs in that value alone, where there is such', () => {
    const controlsOf = (id: string) => plan.check(`parameters.${id}`, 'accepted');
    expect(controlsOf('chat.messages.accepted.plain')).toEqual<Check>({
      kind: 'accepted',
      requirement: 'chat.param.messages.accepted',
      probe: 'chat.plain',
      controls: [],
    });
    expect(controlsOf('chat.stream.accepted.false').controls).toEqual([
      'cell.multimodal.chat.default',
      'cell.general.chat.default',
    ]);
    expect(controlsOf('responses.input.accepted.plain').controls).toEqual(['responses.listed']);
  });

  it('of a response id waits for that response', () => {
    expect(plan.request('responses.previous-response-id.earlier').when).toEqual([
      { kind: 'answered', any: ['responses.plain'] },
    ]);
    expect(plan.body('responses.previous-response-id.earlier')).toMatchObject({
      previous_response_id: { $: 'reply', exchange: 'responses.plain', pointer: '/id' },
    });
  });

  it('of n is billed for each image', () => {
    expect(['1', '2', '10'].map((n) => plan.request(`images.n.${n}`).billed)).toEqual([1, 2, 10]);
  });

  it('of a role is a message of that role', () => {
    const hello = { role: 'user', content: 'Reply with the word hello.' };
    expect(plan.check('parameters.chat.messages.accepted.system', 'accepted')).toEqual<Check>({
      kind: 'accepted',
      requirement: 'chat.param.messages.accepted',
      probe: 'chat.messages.system',
      controls: ['chat.plain'],
    });
    expect(plan.body('chat.messages.system')).toMatchObject({
      messages: [{ role: 'system', content: 'Be brief.' }, hello],
    });
    expect(plan.body('chat.messages.assistant')).toMatchObject({
      messages: [hello, { role: 'assistant', content: 'hello' }, hello],
    });
  });
});

describe('a wrong value', () => {
  it('is refused with the valid values as controls', () => {
    expect(plan.check('parameters.chat.temperature.range.2.01', 'refused')).toEqual<Check>({
      kind: 'refused',
      requirement: 'chat.param.temperature.range',
      probe: 'chat.temperature.range.2.01',
      controls: ['1', '0', '0.01', '1.99', '2'].map((value) => `chat.temperature.${value}`),
      after: 'chat.plain.after',
      rule: '`temperature` is 2.01',
    });
    expect(plan.check('parameters.chat.model.type.number', 'refused').controls).toEqual(['chat.plain']);
  });

  it('a step outside a bound is refused in a stream and for the second family, too', () => {
    expect(startingWith('parameters.chat.temperature.range.')).toEqual([
      'parameters.chat.temperature.range.-0.01',
      'parameters.chat.temperature.range.-0.01.streamed',
      'parameters.chat.temperature.range.-0.01.general',
      'parameters.chat.temperature.range.2.01',
      'parameters.chat.temperature.range.2.01.streamed',
      'parameters.chat.temperature.range.2.01.general',
      'parameters.chat.temperature.range.far-below',
      'parameters.chat.temperature.range.far-above',
    ]);
    expect(startingWith('parameters.images.n.range.')).toEqual([
      'parameters.images.n.range.0',
      'parameters.images.n.range.-1',
      'parameters.images.n.range.11',
      'parameters.images.n.range.far-below',
      'parameters.images.n.range.far-above',
    ]);
    expect(plan.check('parameters.chat.temperature.range.2.01.general', 'refused')).toEqual<Check>({
      kind: 'refused',
      requirement: 'chat.param.temperature.range',
      probe: 'chat.temperature.range.2.01.general',
      controls: ['cell.general.chat.default'],
      after: 'chat.plain.after',
      rule: '`temperature` is 2.01',
      controlMayBeRefused: true,
    });
    expect(plan.request('chat.temperature.range.2.01.general').when.map(({ kind }) => kind)).toEqual([
      'answered',
    ]);
    expect(plan.request('chat.temperature.range.2.01.streamed').callers[0]?.family).toBe('general');
  });

  it('far outside a bound waits until the step outside was refused', () => {
    expect(plan.body('chat.temperature.range.far-above')).toMatchObject({ temperature: 22 });
    expect(plan.request('chat.temperature.range.far-above').when).toEqual([
      {
        kind: 'answered',
        any: ['cell.multimodal.chat.default', 'cell.general.chat.default', 'chat.plain'],
      },
      { kind: 'unanswered', all: ['chat.temperature.range.2.01'] },
    ]);
  });

  it('of the first other type is refused in a stream, too, but for stream itself', () => {
    const streamed = [...ids].filter((id) => /\.type\.\w+\.streamed$/.test(id));
    expect(streamed.map((id) => id.replace('parameters.', ''))).toEqual([
      'responses.model.type.number.streamed',
      'responses.input.type.number.streamed',
      'responses.instructions.type.number.streamed',
      'responses.previous-response-id.type.number.streamed',
      'messages.model.type.number.streamed',
      'messages.messages.type.string.streamed',
      'messages.max-tokens.type.string.streamed',
      'messages.system.type.number.streamed',
      'messages.temperature.type.string.streamed',
      'chat.model.type.number.streamed',
      'chat.messages.type.string.streamed',
      'chat.temperature.type.string.streamed',
      'chat.top-p.type.string.streamed',
      'chat.max-tokens.type.string.streamed',
    ]);
    expect(plan.request('chat.stream.type.string').stream).toBe(false);
  });

  it('of model is a name that is not in the catalogue, once in a stream', () => {
    expect(startingWith('parameters.chat.model.unknown')).toEqual([
      'parameters.chat.model.unknown.unknown',
      'parameters.chat.model.unknown.longer',
      'parameters.chat.model.unknown.prefixed',
      'parameters.chat.model.unknown.empty',
      'parameters.chat.model.unknown.unknown.streamed',
    ]);
    expect(plan.check('parameters.chat.model.unknown.longer', 'refused')).toMatchObject({
      requirement: 'chat.param.model.unknown',
      controls: ['chat.plain'],
    });
    expect(plan.body('chat.model.unknown.unknown')).toMatchObject({
      model: expect.stringMatching(/^no-such-model-\w{8}$/),
    });
    expect(plan.body('chat.model.unknown.longer')).toMatchObject({
      model: { $: 'model', suffix: expect.stringMatching(/^-not-[a-z]{6}$/) },
    });
    expect(plan.body('chat.model.unknown.prefixed')).toMatchObject({
      model: { $: 'model', prefix: expect.stringMatching(/^not-[a-z]{6}\/$/) },
    });
    expect(plan.body('chat.model.unknown.empty')).toMatchObject({ model: '' });
  });

  it.each([
    ['size', '1792x1025', 'auto'],
    ['quality', 'hd', 'high'],
    ['response_format', 'b64_jsoo', 'b64'],
  ])('of %s is no allowed one, nearly one, or one of other interfaces', (name, _, elsewhere) => {
    const slug = name.replace('_', '-');
    expect(plan.body(`images.${slug}.allowed.other`)).toHaveProperty(name, expect.stringMatching(/^not-/));
    expect(plan.body(`images.${slug}.allowed.elsewhere`)).toHaveProperty(name, elsewhere);
    expect(plan.check(`parameters.images.${slug}.allowed.near`, 'refused').requirement).toBe(
      `images.param.${slug}.allowed`,
    );
  });

  it.each(protocols)('of %s is an object', (protocol) => {
    const bodies = plan.cases
      .filter(({ requirements }) => requirements.includes(`${protocol}.body.object`))
      .map(({ id }) => plan.body(plan.check(id, 'refused').probe));
    expect(bodies).toEqual([[], [plan.body(`${protocol}.plain`)], 'x', 1, true, null]);
    expect(plan.check(`parameters.${protocol}.body.object.null`, 'refused')).toMatchObject({
      probe: `${protocol}.body.null`,
      controls: [`${protocol}.plain`],
      after: `${protocol}.plain.after`,
    });
    expect(plan.request(`${protocol}.body.null`)).toMatchObject({ expect: 'refusal', billed: 0 });
  });

  it('is a body that is cut off, too', () => {
    expect(plan.check('parameters.images.body.json', 'refused')).toEqual<Check>({
      kind: 'refused',
      requirement: 'images.body.json',
      probe: 'images.body.malformed',
      controls: ['images.plain'],
      after: 'images.plain.after',
      rule: 'the body is not JSON',
    });
    expect(plan.request('images.body.malformed').body).toEqual({
      json: plan.body('images.plain'),
      damage: 'cut',
    });
  });

  it.each(protocols)('is on %s a body that is almost JSON, too, where a cut one was refused', (protocol) => {
    const damages = [
      ...['trailing-comma', 'comment', 'twice', 'line-feed'],
      ['responses', 'images'].includes(protocol) ? 'bare-names' : 'single-quotes',
      ...(protocol === 'responses' ? [] : ['not-a-number']),
    ];
    const start = `parameters.${protocol}.body.json.`;
    expect(startingWith(start).map((id) => id.replace(start, ''))).toEqual(damages);
    for (const damage of damages) {
      expect(plan.check(`${start}${damage}`, 'refused')).toMatchObject({
        requirement: `${protocol}.body.json`,
        controls: [`${protocol}.plain`],
        rule: 'the body is not JSON',
      });
      const request = plan.request(`${protocol}.body.${damage}`);
      expect(request.body).toMatchObject({ damage });
      expect(request.when.at(-1)).toEqual({ kind: 'unanswered', all: [`${protocol}.body.malformed`] });
      if (damage !== 'not-a-number') expect(request.body?.json).toEqual(plan.body(`${protocol}.plain`));
    }
  });

  it.each([
    ['messages', 'temperature', 0],
    ['chat', 'temperature', 0],
    ['images', 'n', 1],
  ])('is on %s NaN as %s', (protocol, name, replaced) => {
    expect(Object.entries(Object(plan.body(`${protocol}.body.not-a-number`))).at(-1)).toEqual([
      name,
      replaced,
    ]);
  });

  it('has no second family of chat where only one is declared', () => {
    const one = built({ families: ['multimodal'], groups: ['default'], rateLimited: false });
    expect(one.check('parameters.chat.temperature.range.2.01.general', 'undeclared').reason).toBe(
      'no second family that chat serves is declared',
    );
  });
});

describe('the limit of the output', () => {
  it.each(['messages', 'chat'] as const)('of %s is two bounds, one of them in a stream', (protocol) => {
    expect(plan.check(`parameters.${protocol}.max-tokens.limit`, 'token-limit')).toEqual<Check>({
      kind: 'token-limit',
      requirement: `${protocol}.param.max-tokens.limit`,
      protocol,
      probes: [
        { exchange: `${protocol}.limit.1`, limit: 1 },
        { exchange: `${protocol}.limit.16`, limit: 16 },
        { exchange: `${protocol}.limit.16.stream`, limit: 16 },
      ],
      control: `${protocol}.long`,
      shortPrompt: `${protocol}.plain`,
    });
    expect(plan.body(`${protocol}.limit.16.stream`)).toEqual({
      ...Object(plan.body(`${protocol}.limit.16`)),
      stream: true,
    });
  });
});
