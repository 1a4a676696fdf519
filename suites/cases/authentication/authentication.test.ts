import { beforeEach, describe, expect, it } from 'vitest';
import { protocols } from '../../../spec/vocabulary.ts';
import type { Check } from '../../types/checks/check.ts';
import { isConditional } from '../../plan/plan-counts.ts';
import type { Condition } from '../../types/plan.ts';
import { factsOf } from '../../reading/request-facts.ts';
import { type Built, built, everythingDeclared } from '../cases.fixture.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

/** But for those in rows: how many there are depends on the seed. */
const casesOf = (protocol: string) =>
  plan.cases
    .map(({ id }) => id)
    .filter((id) => id.startsWith(`authentication.${protocol}.`) && !/\.in\.\d+$/.test(id))
    .map((id) => id.replace(`authentication.${protocol}.`, ''));

const everywhere = [
  'accepted',
  'every-request',
  'missing',
  'missing.streamed',
  'empty',
  'longer',
  'near-miss.last',
  'near-miss.last.streamed',
  'near-miss.shorter',
  'near-miss.unprefixed',
  'invalid.first',
  'invalid.second',
];
const bearer = ['bare', 'basic', 'lower-case', 'x-api-key'];
/** What is asked of one endpoint or two. */
const somewhere = {
  responses: ['near-miss.wildcard', 'token', 'twice'],
  messages: ['near-miss.case', 'near-miss.middle', 'listed'],
  chat: ['near-miss.case', 'missing.in.chat-image', 'invalid.member', 'followed', 'colon'],
  images: ['api-key', 'attached', 'listed'],
};
const waitsFor = (condition: Condition) => (condition.kind === 'unanswered' ? condition.all : ['?']);
const isStreamedCredential = ({ id }: { readonly id: string }): boolean => /\.auth\..*\.streamed$/.test(id);
const credentialOf = (id: string) => plan.request(id).credential;

describe('authentication', () => {
  it.each(['responses', 'chat'] as const)(
    'of %s has a case for every form, some of them streamed',
    (protocol) => {
      expect(casesOf(protocol).sort()).toEqual([...everywhere, ...bearer, ...somewhere[protocol]].sort());
    },
  );

  it('of images has no stream', () => {
    const cases = [...everywhere, ...bearer, ...somewhere.images];
    expect(casesOf('images').sort()).toEqual(cases.filter((id) => !id.endsWith('.streamed')).sort());
  });

  it('of messages has forms of its own: Bearer, and the version header', () => {
    expect(casesOf('messages').sort()).toEqual(
      [
        ...everywhere,
        ...somewhere.messages,
        'version.shown-value',
        ...['bearer', 'bearer.streamed', 'beside-bearer', 'prefixed'],
        ...['version.missing', 'version.missing.streamed', 'version.later', 'version.word'],
      ].sort(),
    );
  });

  it.each([
    ['chat.auth.missing', { form: 'none' }],
    ['chat.auth.empty', { form: 'header', name: 'authorization', value: 'Bearer' }],
    ['chat.auth.longer', { form: 'header', name: 'authorization', value: 'Bearer {token}-1' }],
    ['chat.auth.near-miss.case', { form: 'near-miss', how: 'case' }],
    ['chat.auth.bare', { form: 'header', name: 'authorization', value: '{token}' }],
    ['chat.auth.basic', { form: 'header', name: 'authorization', value: 'Basic {token}' }],
    ['responses.auth.token', { form: 'header', name: 'authorization', value: 'Token {token}' }],
    ['responses.auth.twice', { form: 'header', name: 'authorization', value: 'Bearer Bearer {token}' }],
    ['chat.auth.colon', { form: 'header', name: 'authorization', value: 'Bearer:{token}' }],
    ['images.auth.api-key', { form: 'header', name: 'authorization', value: 'ApiKey {token}' }],
    ['images.auth.attached', { form: 'header', name: 'authorization', value: 'Bearer{token}' }],
    ['chat.auth.invalid.member', { form: 'invalid', token: 'constructor' }],
    ['responses.auth.near-miss.wildcard', { form: 'near-miss', how: 'wildcard' }],
    ['chat.auth.lower-case', { form: 'header', name: 'authorization', value: 'bearer {token}' }],
    ['chat.auth.x-api-key', { form: 'header', name: 'x-api-key', value: '{token}' }],
    ['messages.auth.empty', { form: 'header', name: 'x-api-key', value: '' }],
    ['messages.auth.longer', { form: 'header', name: 'x-api-key', value: '{token}-1' }],
    ['messages.auth.bearer.streamed', { form: 'header', name: 'authorization', value: 'Bearer {token}' }],
    ['messages.auth.prefixed', { form: 'header', name: 'x-api-key', value: 'Bearer {token}' }],
    ['messages.auth.version.missing', { form: 'right' }],
  ])('sends %s as %j', (id, credential) => {
    expect(credentialOf(id)).toEqual(credential);
  });

  it('sends two tokens that were never issued, and one of them with a valid Bearer token', () => {
    const [first, second, conflicting] = ['invalid.first', 'invalid.second', 'beside-bearer'].map((form) =>
      credentialOf(`messages.auth.${form}`),
    );
    expect(first).toMatchObject({ form: 'invalid', token: expect.stringMatching(/^sk-\w{40}$/) });
    expect(second).toMatchObject({ form: 'invalid', token: expect.stringMatching(/^sk-\w{40}$/) });
    expect(first).not.toEqual(second);
    expect(conflicting).toEqual({ ...first, form: 'conflicting' });
  });

  it.each(['responses', 'messages', 'chat'] as const)(
    'shows one invalid token of %s where stream is left out, as most clients send it',
    (protocol) => {
      expect(plan.request(`${protocol}.auth.invalid.first`).body?.json).toHaveProperty('stream', false);
      expect(plan.request(`${protocol}.auth.invalid.second`).body?.json).not.toHaveProperty('stream');
      const { controls } = plan.check(`authentication.${protocol}.invalid.second`, 'refused');
      expect(controls).toContain(`${protocol}.plain`);
      expect(controls[0]).toMatch(/^cell\./);
    },
  );

  it('shows a wrong credential behind the plain answer, for which nothing else has to be awaited', () => {
    const chained = plan.requests.filter(
      ({ id, body }) => id.includes('.auth.') && 'previous_response_id' in Object(body?.json),
    );
    expect(new Set(chained.map(({ credential }) => credential.form))).toContain('none');
    const { callers, stage } = plan.request('responses.plain');
    expect(stage).toBe('discovery');
    for (const request of chained) {
      expect(request.callers).toEqual(callers);
      expect(request.body?.json).toMatchObject({
        previous_response_id: { $: 'reply', exchange: 'responses.plain', pointer: '/id' },
      });
    }
  });

  it('refuses another shape than the documented one, explained by a near-miss token that is accepted', () => {
    expect(plan.check('authentication.chat.followed', 'refused')).toMatchObject({
      requirement: 'chat.auth.scheme',
      explainedBy: { answered: 'chat.auth.near-miss.last', refused: 'chat.auth.missing' },
    });
  });

  it.each([
    ['messages.auth.listed', /^sk-\w{40},\{token\}$/],
    ['images.auth.listed', /^Bearer \{token\},sk-\w{40}$/],
    ['chat.auth.followed', /^Bearer \{token\} sk-\w{40}$/],
  ])('sends as %s the right token and one that was never issued', (id, value) => {
    expect(credentialOf(id)).toMatchObject({ form: 'header', value: expect.stringMatching(value) });
  });

  it('sends few wrong credentials: refused logins may trip abuse protection', () => {
    const wrong = plan.requests.filter(
      (request) => factsOf(request).credential === 'wrong' && !isConditional(request),
    );
    expect(wrong.length).toBe(80);
  });

  it('shows what one row alone shows in the plain request, too, where that row is refused', () => {
    const { controls, instead } = plan.check('authentication.chat.bare', 'refused');
    expect(instead).toEqual({ probe: 'chat.auth.bare.plain', controls: ['chat.plain'] });
    expect(plan.request('chat.auth.bare.plain')).toMatchObject({
      credential: credentialOf('chat.auth.bare'),
      when: [{ kind: 'refused', exchange: controls[0] }],
      stream: false,
    });
  });

  it('sends every form of the version header', () => {
    expect(
      ['missing', 'later', 'word'].map((form) => plan.request(`messages.auth.version.${form}`).version),
    ).toEqual(['absent', { value: '2030-01-01' }, { value: 'latest' }]);
    expect(plan.request('messages.auth.version.missing.streamed').version).toBe('absent');
  });

  it('sends a wrong form even where nothing is answered, but for what an accepted form would explain', () => {
    const waiting = plan.requests.filter(
      (request) =>
        request.id.includes('.auth.') &&
        request.expect === 'refusal' &&
        request.when.length > 0 &&
        !isConditional(request),
    );
    const unless = waiting.map(({ id, when }) => [id, when.flatMap(waitsFor).join()]);
    expect(unless).toEqual([
      ['responses.auth.near-miss.wildcard', 'responses.auth.near-miss.last'],
      ['responses.auth.near-miss.unprefixed', 'responses.auth.near-miss.last'],
      ['responses.auth.token', 'responses.auth.basic'],
      ['responses.auth.twice', 'responses.auth.basic'],
      ['messages.auth.listed', 'messages.auth.near-miss.last'],
      ['messages.auth.near-miss.unprefixed', 'messages.auth.near-miss.last'],
      ['messages.auth.beside-bearer', 'messages.auth.bearer'],
      ['chat.auth.invalid.member', 'chat.auth.invalid.first'],
      ['chat.auth.near-miss.unprefixed', 'chat.auth.near-miss.last'],
      ['chat.auth.followed', 'chat.auth.basic'],
      ['chat.auth.colon', 'chat.auth.bare'],
      ['images.auth.near-miss.unprefixed', 'images.auth.near-miss.last'],
      ['images.auth.api-key', 'images.auth.basic'],
      ['images.auth.attached', 'images.auth.bare'],
      ['images.auth.listed', 'images.auth.bare'],
    ]);
  });

  it('observes what is unspecified, and refuses the rest', () => {
    const observed = plan.cases
      .filter(({ suite, check }) => suite === 'authentication' && check.kind === 'observe')
      .map(({ id }) => id.replace('authentication.', ''));
    expect(observed).toEqual([
      'responses.lower-case',
      'responses.x-api-key',
      'messages.prefixed',
      'messages.version.later',
      'messages.version.word',
      'chat.lower-case',
      'chat.x-api-key',
      'images.lower-case',
      'images.x-api-key',
    ]);
    expect(plan.check('authentication.chat.x-api-key', 'observe')).toEqual<Check>({
      kind: 'observe',
      requirement: 'chat.auth.x-api-key',
      subject: 'chat given the token in x-api-key',
      aspect: 'answer-or-refusal',
      protocol: 'chat',
      probes: ['chat.auth.x-api-key'],
    });
    for (const id of observed) expect(plan.request(id.replace('.', '.auth.')).expect).toBe('either');
  });

  it('refuses a form with the plain request as control', () => {
    expect(plan.check('authentication.chat.basic', 'refused')).toEqual<Check>({
      kind: 'refused',
      requirement: 'chat.auth.scheme',
      probe: 'chat.auth.basic',
      controls: ['chat.plain'],
      after: 'chat.plain.after',
      rule: 'the token under the scheme Basic',
    });
  });

  it('shows a wrong credential beside a stream in a row that has one, whatever came of that', () => {
    const streamed = plan.requests.filter(isStreamedCredential);
    expect(streamed.length).toBeGreaterThan(7);
    for (const { id, body, callers, when, stream } of streamed) {
      const check = plan.check(`authentication.${id.replace('.auth.', '.')}`, 'refused');
      const [row = ''] = check.controls;
      expect(row, id).toMatch(/\.combination\.\d+$/);
      expect(when).toEqual([]);
      const { previous_response_id: previous, ...own } = Object(body?.json);
      expect(plan.request(row)).toMatchObject({ body: { json: own }, callers, stream: true });
      expect('previous_response_id' in Object(plan.body(row))).toBe(previous !== undefined);
      expect(stream).toBe(true);
    }
  });

  it('refuses a header without a token in a stream, explained by a near-miss token that is accepted', () => {
    expect(plan.check('authentication.messages.empty', 'refused').explainedBy).toEqual({
      answered: 'messages.auth.near-miss.last',
      refused: 'messages.auth.missing',
    });
    expect(plan.request('messages.auth.empty').stream).toBe(true);
    expect(plan.check('authentication.messages.near-miss.last.streamed', 'refused')).toEqual<Check>({
      kind: 'refused',
      requirement: 'messages.auth.invalid',
      probe: 'messages.auth.near-miss.last.streamed',
      controls: [expect.stringMatching(/^messages\.combination\.\d+$/)],
      after: 'messages.plain.after',
      rule: 'the token with another last character',
      controlMayBeRefused: true,
    });
  });

  it.each(protocols)(
    'of %s accepts the documented credential, else every other form is tried',
    (protocol) => {
      const check = plan.check(`authentication.${protocol}.accepted`, 'served');
      expect(check.probes.at(-1)).toBe(`${protocol}.plain`);
      expect(check.prerequisites?.slice(0, 2)).toEqual([
        `${protocol}.auth.missing`,
        `${protocol}.auth.empty`,
      ]);
      expect(check.prerequisites).not.toContain(`${protocol}.auth.version.missing`);
      expect(check.prerequisites?.length).toBe(
        { responses: 15, messages: 14, chat: 16, images: 15 }[protocol],
      );
    },
  );

  it('accepts the documented version, else every other version is tried', () => {
    expect(plan.check('authentication.messages.version.shown-value', 'served').prerequisites).toEqual([
      'messages.auth.version.missing',
      'messages.auth.version.later',
      'messages.auth.version.word',
    ]);
  });

  it('sends the shown version by itself where another one is declared', () => {
    const other = built({ ...everythingDeclared, declaresOtherVersion: true });
    const { probes, prerequisites } = other.check('authentication.messages.version.shown-value', 'served');
    expect(probes.map((id) => other.request(id).version)).toEqual([{ value: '2023-06-01' }]);
    expect(prerequisites).toEqual(expect.arrayContaining(['messages.plain', 'messages.auth.version.later']));
    const sent = (requests: Built['requests']) => requests.map(({ id }) => id);
    expect(sent(other.requests).filter((id) => !sent(plan.requests).includes(id))).toEqual(probes);
  });

  it('accepts the documented credential on every request, compared with a spent limit where one is declared', () => {
    const without = built({ families: ['general'], groups: ['default'], rateLimited: false });
    const [whole, partial] = [plan, without].map((each) =>
      each.check('authentication.chat.every-request', 'steady'),
    );
    expect(whole).toEqual<Check>({
      kind: 'steady',
      requirement: 'chat.auth.accepted',
      protocol: 'chat',
      probes: ['chat.plain'],
      invalid: ['chat.auth.invalid.first', 'chat.auth.invalid.second'],
      limited: ['chat.rate-limited.1'],
    });
    expect(partial?.limited).toEqual([]);
  });
});
