import { beforeEach, describe, expect, it } from 'vitest';
import { requirement } from '../../../spec/requirements.ts';
import { protocols } from '../../../spec/vocabulary.ts';
import type { Check } from '../../types/checks/check.ts';
import { factsOf } from '../../reading/request-facts.ts';
import { type Built, built, everythingDeclared } from '../cases.fixture.ts';
import { isConditional } from '../../types/plan.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

const isStreamedCredential = ({ id }: { readonly id: string }): boolean => /\.auth\..*\.streamed$/.test(id);
const credentialOf = (id: string) => plan.request(id).credential;

describe('authentication', () => {
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

  it('sends few wrong credentials: refused logins may trip abuse protection', () => {
    const wrong = plan.requests.filter(
      (request) => factsOf(request).credential === 'wrong' && !isConditional(request),
    );
    expect(wrong.length).toBe(110);
  });

  it('shows what one row alone shows in the plain request, too, where that row is refused', () => {
    const { controls, instead } = plan.check('authentication.chat.basic', 'refused');
    expect(instead).toEqual({ probe: 'chat.auth.basic.plain', controls: ['chat.plain'] });
    expect(plan.request('chat.auth.basic.plain')).toMatchObject({
      credential: credentialOf('chat.auth.basic'),
      when: [{ kind: 'refused', exchange: controls[0] }],
      stream: false,
    });
  });

  it('sends a wrong form even where nothing is answered, but for what an accepted form would explain', () => {
    const forms = plan.requests.filter(
      (request) => request.id.includes('.auth.') && request.expect === 'refusal' && !isConditional(request),
    );
    const waiting = forms.flatMap(({ when }) => when);
    expect(waiting.length).toBeGreaterThan(5);
    expect(new Set(waiting.map(({ kind }) => kind))).toEqual(new Set(['unanswered']));
    const asked = new Set(forms.map(({ id }) => id));
    for (const condition of waiting)
      if (condition.kind === 'unanswered') for (const id of condition.all) expect(asked).toContain(id);
  });

  it('observes what is unspecified, and refuses the rest', () => {
    for (const { suite, check, requirements } of plan.cases.filter(({ check: { kind } }) =>
      /observe|refused/.test(kind),
    ))
      if (suite === 'authentication')
        expect(requirements.map((id) => requirement(id).level === 'unspecified')).toEqual([
          check.kind === 'observe',
        ]);
  });

  it('refuses a form with the plain request as control', () => {
    expect(plan.check('authentication.chat.near-miss.last', 'refused')).toEqual<Check>({
      kind: 'refused',
      requirement: 'chat.auth.invalid',
      probe: 'chat.auth.near-miss.last',
      controls: ['chat.plain'],
      after: 'chat.plain.after',
      rule: 'the token with another last character',
    });
  });

  it('refuses a form in a row, and in the plain request where that row is refused', () => {
    const { controls, instead } = plan.check('authentication.chat.basic', 'refused');
    const [row = ''] = controls;
    expect(row).toMatch(/^chat\.combination\.\d+$/);
    expect(instead).toEqual({ probe: 'chat.auth.basic.plain', controls: ['chat.plain'] });
    expect(plan.request('chat.auth.basic.plain').when).toEqual([{ kind: 'refused', exchange: row }]);
    expect(plan.request('chat.auth.basic').headers).toEqual(plan.request(row).headers);
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

  it('refuses a header without a token, explained by a near-miss token that is accepted', () => {
    expect(plan.check('authentication.messages.empty', 'refused').explainedBy).toEqual({
      answered: 'messages.auth.near-miss.last',
      refused: 'messages.auth.missing',
    });
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
