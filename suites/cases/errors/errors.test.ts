import { beforeEach, describe, expect, it } from 'vitest';
import type { Check } from '../../types/checks/check.ts';
import { type Built, built } from '../cases.fixture.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

/** Two of them in streams, too. */
const shownGeneral = [
  ...['chat.model.unknown.unknown', 'chat.model.missing', 'chat.messages.missing'],
  ...['chat.model.missing.in.', 'chat.messages.missing.in.'].map((id) => expect.stringContaining(id)),
];

const generalAlone = () => built({ families: ['general'], groups: ['default'], rateLimited: true });

describe('errors', () => {
  it('that lock out valid requests are looked for in the control of every protocol that is declared', () => {
    const check = { kind: 'lock-out', requirement: 'errors.lock-out' } as const;
    expect(plan.check('errors.lock-out', 'lock-out')).toEqual<Check>({
      ...check,
      probes: ['responses.plain', 'messages.plain', 'chat.plain', 'images.plain'],
    });
    expect(generalAlone().check('errors.lock-out', 'lock-out')).toEqual<Check>({
      ...check,
      probes: ['responses.plain', 'chat.plain'],
    });
    const nothing = built({ families: [], groups: ['default'], rateLimited: false });
    expect(nothing.check('errors.lock-out', 'undeclared').reason).toBe(
      'no model is declared that can be called',
    );
  });
});

describe('the error for an invalid token', () => {
  it('is compared with general errors, and the control is sent again', () => {
    expect(plan.check('errors.chat.authentication', 'distinct')).toEqual<Check>({
      kind: 'distinct',
      requirement: 'errors.authentication.distinct',
      comparisons: [
        {
          probes: expect.arrayContaining([
            'chat.auth.invalid.first',
            'chat.auth.invalid.again',
            'chat.auth.near-miss.last.streamed',
            'chat.auth.invalid.second',
          ]),
          others: [
            {
              name: 'a general error',
              probes: expect.arrayContaining(shownGeneral),
            },
            {
              name: 'the error for a body that is not JSON',
              probes: ['chat.body.malformed'],
              mayBeAbsent: true,
            },
            {
              name: 'the error for temperature beyond its range',
              probes: ['chat.temperature.range.-0.01', 'chat.temperature.range.2.01'],
              mayBeAbsent: true,
            },
            {
              name: 'the error for top_p beyond its range',
              probes: ['chat.top-p.range.-0.01', 'chat.top-p.range.1.01'],
              mayBeAbsent: true,
            },
          ],
          control: 'chat.plain.after',
        },
      ],
    });
  });

  it('is held beside the error for a spent limit, where such a token is declared', () => {
    const check = {
      kind: 'not-rate-limit',
      requirement: 'errors.invalid-token.distinct',
      probes: ['chat.auth.invalid.first', 'chat.auth.invalid.again'],
      control: 'chat.plain',
    } as const;
    const limited = ['chat.rate-limited.1', 'chat.rate-limited.2'];
    expect(plan.check('errors.chat.invalid-token', 'not-rate-limit')).toEqual<Check>({ ...check, limited });
    const none = built({ families: ['multimodal'], groups: ['default'], rateLimited: false });
    expect(none.check('errors.chat.invalid-token', 'not-rate-limit')).toEqual<Check>({
      ...check,
      limited: [],
    });
  });

  it('is seen twice for one token, in different requests', () => {
    const [first, again] = ['first', 'again'].map((which) => plan.request(`images.auth.invalid.${which}`));
    expect(again?.credential).toEqual(first?.credential);
    expect(again?.body?.json).toEqual({ model: { $: 'model' }, prompt: 'Two small squares' });
    expect(first?.body?.json).not.toEqual(again?.body?.json);
    expect(plan.request('chat.auth.invalid.again').stream).toBe(true);
    expect(again).toMatchObject({ expect: 'refusal', when: [] });
  });
});

describe('what an error looks like', () => {
  it('is observed where a protocol does not support a model, of the cells that are declared', () => {
    const probes = (of: Built) => of.check('errors.unsupported-route', 'observe').probes;
    expect(probes(plan)).toEqual([
      'cell.multimodal.responses.default',
      'cell.conversational.messages.coding-tool',
      'cell.conversational.responses.default',
    ]);
    const one = built({ families: ['multimodal'], groups: ['default'], rateLimited: false });
    expect(probes(one)).toEqual(['cell.multimodal.responses.default']);
    expect(generalAlone().check('errors.unsupported-route', 'undeclared').reason).toBe(
      'no model with an unsupported protocol is declared',
    );
  });
});

describe('a token whose limit is spent', () => {
  it('is sent in two different requests, and in a second stream where the first was answered', () => {
    const [first, second] = [plan.request('chat.rate-limited.1'), plan.request('chat.rate-limited.2')];
    expect(first.credential).toEqual({ form: 'token', token: 'rate-limited' });
    expect(second.credential).toEqual(first.credential);
    expect(first.body).not.toEqual(second.body);
    expect([first.expect, second.expect]).toEqual(['limited', 'limited']);
    const again = plan.request('chat.rate-limited.streamed.again');
    expect(again).toMatchObject({
      stream: true,
      when: [{ kind: 'answered', any: ['chat.rate-limited.streamed'] }],
    });
    expect(again.callers[0]?.family).toBe('general');
  });

  it('is sent once more on each endpoint where any request with it was answered', () => {
    const general = generalAlone();
    const probes = ['1', '2', 'streamed', 'streamed.again'];
    const endpoints = general.check('errors.rate-limit.enforced', 'limited').endpoints;
    const isFurther = ({ probes: [first = ''] }: (typeof endpoints)[number]): boolean =>
      first.includes('.in.');
    expect(
      endpoints.filter((each) => !isFurther(each)).map((endpoint) => endpoint.after ?? endpoint.probes),
    ).toEqual([
      'responses.rate-limited.after',
      'chat.rate-limited.after',
      ['responses.rate-limited.streamed', 'responses.rate-limited.streamed.again'],
      ['chat.rate-limited.streamed', 'chat.rate-limited.streamed.again'],
    ]);
    const { when, ...after } = general.request('chat.rate-limited.after');
    expect(after).toMatchObject({
      credential: { form: 'token', token: 'rate-limited' },
      expect: 'limited',
      body: general.request('chat.rate-limited.2').body,
    });
    const any = ['responses', 'chat'].flatMap((each) =>
      probes.map((probe) => `${each}.rate-limited.${probe}`),
    );
    expect(when).toEqual([{ kind: 'answered', any: expect.arrayContaining(any) }]);
  });

  it('is sent in situations, too, and once more where it is answered there', () => {
    const general = generalAlone();
    const { endpoints } = general.check('errors.rate-limit.enforced', 'limited');
    const further = endpoints.flatMap(({ probes: [first = '', again = ''] }) =>
      first.includes('.in.') ? [{ first, again }] : [],
    );
    expect(further).toHaveLength(6);
    for (const { first, again } of further) {
      const [protocol = ''] = first.split('.');
      const row = general.request(`${protocol}.combination.${first.split('.').at(-1)}`);
      const { previous_response_id: _, ...body } = Object(row.body?.json);
      expect(general.body(first)).toMatchObject(body);
      expect(general.request(first).headers).toEqual(row.headers);
      expect(general.request(again).when).toEqual([{ kind: 'answered', any: [first] }]);
    }
  });

  it('has an error that is compared with both other classes, on the endpoints that are declared', () => {
    expect(generalAlone().check('errors.rate-limit.distinct', 'distinct').comparisons).toMatchObject([
      {
        probes: expect.arrayContaining(['responses.rate-limited.1', 'responses.rate-limited.2']),
        control: 'responses.plain.after',
      },
      {
        probes: expect.arrayContaining([
          'chat.rate-limited.1',
          'chat.rate-limited.2',
          'chat.rate-limited.streamed',
        ]),
        others: [
          {
            name: 'an authentication error',
            probes: ['chat.auth.invalid.first', 'chat.auth.invalid.again'],
          },
          {
            name: 'a general error',
            probes: expect.arrayContaining(shownGeneral),
          },
        ],
        control: 'chat.plain.after',
      },
    ]);
    expect(generalAlone().check('errors.rate-limit.retry', 'observe')).toMatchObject({
      requirement: 'errors.rate-limit.retry',
      aspect: 'retry-after',
      probes: [
        'responses.rate-limited.1',
        'responses.rate-limited.2',
        'chat.rate-limited.1',
        'chat.rate-limited.2',
      ],
    });
  });

  it('leaves its cases untested where none is declared, or no model that it can call', () => {
    const reasonOf = (of: Built) => of.check('errors.rate-limit.enforced', 'undeclared').reason;
    expect(reasonOf(built({ families: ['general'], groups: ['default'], rateLimited: false }))).toBe(
      'no rate-limited token is declared',
    );
    expect(reasonOf(built({ families: ['chat-image'], groups: ['default'], rateLimited: true }))).toBe(
      'no model is declared that its token can call',
    );
  });
});
