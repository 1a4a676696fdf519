import { beforeEach, describe, expect, it } from 'vitest';
import { parameters } from '../../../spec/openapi.ts';
import { protocols } from '../../../spec/vocabulary.ts';
import type { Check } from '../../types/checks/check.ts';
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
    '$name of $protocol is left out, of the plain request and of two rows',
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
      const inRows = startingWith(`parameters.${protocol}.${slug}.required.in.`);
      expect(inRows.length).toBe(2);
      for (const id of inRows) {
        const check = plan.check(id, 'refused');
        expect(check).toMatchObject({ rule: `\`${name}\` is required`, controlMayBeRefused: true });
        expect(plan.body(check.probe)).not.toHaveProperty(name);
        expect(plan.body(check.controls[0] ?? '')).toHaveProperty(name);
      }
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
    expect(top_p).toBe(0);
    expect(plan.body('chat.full.without.top-p')).toEqual(others);
    expect(plan.body('chat.full')).toMatchObject({ temperature: 0, max_tokens: 64, stream: false });
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
  it('is accepted in a row, else where the plain request is, first and again afterwards', () => {
    const { combinations = [], ...check } = plan.check('parameters.chat.temperature.accepted.2', 'accepted');
    expect(check).toEqual<Check>({
      kind: 'accepted',
      requirement: 'chat.param.temperature.accepted',
      probe: 'chat.temperature.2',
      controls: ['chat.plain'],
      after: 'chat.plain.after',
    });
    expect(combinations.length).toBeGreaterThan(0);
    for (const id of combinations) expect(plan.body(id)).toMatchObject({ temperature: 2 });
    const { stream: _, ...smallest } = Object(plan.body('chat.plain'));
    expect(plan.body('chat.temperature.2')).toEqual({ ...smallest, temperature: 2 });
    expect(plan.request('chat.temperature.2')).toMatchObject({ billed: 0, standsFor: combinations });
  });

  it('that no row has is asked in the request for a long reply', () => {
    const { combinations } = plan.check('parameters.chat.temperature.accepted.0.7', 'accepted');
    expect(combinations).toEqual(['chat.long']);
    expect(plan.body('chat.long')).toMatchObject({ temperature: 0.7 });
  });

  it('that the plain request has is compared with what differs in that value alone, where there is such', () => {
    const controlsOf = (id: string) => plan.check(`parameters.${id}`, 'accepted');
    expect(controlsOf('chat.messages.accepted.plain')).toEqual<Check>({
      kind: 'accepted',
      requirement: 'chat.param.messages.accepted',
      probe: 'chat.plain',
      controls: [],
    });
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

  it('of n is billed for each image in the row that asks for it, and no second time', () => {
    for (const n of [1, 2, 10]) {
      const { combinations = [] } = plan.check(`parameters.images.n.accepted.${n}`, 'accepted');
      expect(combinations.map((id) => plan.request(id).billed)).toEqual([n]);
      expect(plan.request(`images.n.${n}`)).toMatchObject({ billed: 0, standsFor: combinations });
    }
  });

  it('of a message on chat refuses a content that is no string, in a stream and before others too', () => {
    const contents = startingWith('parameters.chat.messages.content.type.').map((id) => {
      const { probe, controls } = plan.check(id, 'refused');
      const { messages, stream } = Object(plan.body(probe));
      const wrong = messages.find(
        ({ content }: { readonly content: unknown }) => typeof content !== 'string',
      );
      return [wrong, messages.length, stream, controls];
    });
    const hello = { type: 'text', text: 'Reply with the word hello.' };
    expect(contents).toEqual([
      [{ role: 'user', content: 42 }, 1, false, ['chat.plain']],
      [{ role: 'user', content: true }, 1, false, ['chat.plain']],
      [{ role: 'user', content: hello }, 1, false, ['chat.plain']],
      [{ role: 'user', content: 42 }, 3, false, ['chat.plain']],
      [{ role: 'assistant', content: 42 }, 3, false, ['chat.plain']],
      [{ role: 'system', content: 42 }, 2, false, ['chat.plain']],
      [{ role: 'user', content: 42 }, 1, true, ['chat.stream.true']],
    ]);
    expect(startingWith('parameters.messages.messages.content')).toEqual([]);
  });

  it('of a role is a message of that role', () => {
    const hello = { role: 'user', content: 'Reply with the word hello.' };
    for (const role of ['system', 'assistant']) {
      const { combinations = [], ...check } = plan.check(
        `parameters.chat.messages.accepted.${role}`,
        'accepted',
      );
      expect(check).toEqual<Check>({
        kind: 'accepted',
        requirement: 'chat.param.messages.accepted',
        probe: `chat.messages.${role}`,
        controls: ['chat.plain'],
      });
      expect(combinations.length).toBeGreaterThan(1);
      for (const id of combinations)
        expect(plan.body(id)).toHaveProperty(
          'messages',
          expect.arrayContaining([{ role, content: expect.any(String) }]),
        );
    }
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
      controls: expect.arrayContaining([
        'chat.plain',
        'chat.temperature.0',
        'chat.temperature.0.7',
        'chat.temperature.2',
      ]),
      after: 'chat.plain.after',
      rule: '`temperature` is 2.01',
    });
    for (const id of plan.check('parameters.chat.temperature.range.2.01', 'refused').controls)
      if (id !== 'chat.plain') expect(plan.body(id)).toHaveProperty('temperature', expect.any(Number));
    expect(plan.check('parameters.chat.model.type.number', 'refused').controls).toEqual(['chat.plain']);
  });

  it.each([
    ['chat', 'temperature', ['-0.01', '2.01'], [-0.01, 2.01]],
    ['images', 'n', ['0', '-1', '11'], [0, -1, 11]],
  ])(
    'a step outside a bound is refused on %s in the plain request and in rows: %s',
    (protocol, name, slugs, values) => {
      const start = `parameters.${protocol}.${name}.range.`;
      const found = startingWith(start).map((id) => id.replace(start, ''));
      expect(found.filter((slug) => !slug.includes('.in.'))).toEqual([...slugs, 'far-below', 'far-above']);
      for (const [at, slug] of slugs.entries()) {
        const inRows = found.filter((each) => each.startsWith(`${slug}.in.`));
        expect(inRows.length).toBeGreaterThan(1);
        for (const each of inRows)
          expect(plan.body(plan.check(`${start}${each}`, 'refused').probe)).toHaveProperty(name, values[at]);
      }
    },
  );

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

  it('of another type is refused in rows, too, some of them streamed', () => {
    const inRows = [...ids].filter((id) => /\.type\.[\w-]+\.in\.\d+$/.test(id));
    const slugs = new Set(inRows.map((id) => id.replace(/^parameters\.|\.type\..*/g, '')));
    const all = protocols.flatMap((protocol) =>
      parameters(protocol).map(({ slug }) => `${protocol}.${slug}`),
    );
    expect([...slugs].sort()).toEqual(all.sort());
    const probes = inRows.map((id) => plan.request(plan.check(id, 'refused').probe));
    expect(new Set(probes.map(({ stream }) => stream))).toEqual(new Set([true, false]));
    expect(plan.request('chat.stream.type.string').stream).toBe(false);
  });

  it('of model is a name that is not in the catalogue, also in rows', () => {
    const found = startingWith('parameters.chat.model.unknown.');
    expect(found.filter((id) => !id.includes('.in.')).map((id) => id.replace(/.*\./, ''))).toEqual([
      'unknown',
      'longer',
      'prefixed',
      'empty',
    ]);
    expect(found.filter((id) => id.includes('.in.')).length).toBeGreaterThan(1);
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
    ['size', '1792x1025', '1536x1024'],
    ['quality', 'hd', 'high'],
    ['response_format', 'b64_jsoo', 'b64'],
  ])('of %s is no allowed one, nearly one, or one of other interfaces', (name, _, elsewhere) => {
    const slug = name.replace('_', '-');
    expect(plan.body(`images.${slug}.allowed.other`)).toHaveProperty(name, expect.stringMatching(/^not-/));
    expect(plan.body(`images.${slug}.allowed.elsewhere.${elsewhere}`)).toHaveProperty(name, elsewhere);
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
      ...['empty', 'trailing-comma', 'comment', 'twice', 'line-feed'],
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
      expect(request.when).toContainEqual({ kind: 'unanswered', all: [`${protocol}.body.malformed`] });
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
});

describe('the limit of the output', () => {
  it.each(['messages', 'chat'] as const)('of %s is tested in rows, one of them in a stream', (protocol) => {
    const { probes, ...check } = plan.check(`parameters.${protocol}.max-tokens.limit`, 'token-limit');
    expect(check).toEqual({
      kind: 'token-limit',
      requirement: `${protocol}.param.max-tokens.limit`,
      protocol,
      control: `${protocol}.long`,
      shortPrompt: `${protocol}.plain`,
    });
    const streams = probes.map(({ exchange }) => plan.request(exchange).stream);
    expect(new Set(streams)).toEqual(new Set([true, false]));
    for (const { exchange, limit } of probes)
      expect(plan.body(exchange)).toMatchObject({ max_tokens: limit });
  });
});
