import { beforeEach, describe, expect, it } from 'vitest';
import { requirement } from '../../../spec/requirements.ts';
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

  it('sends few wrong credentials: refused logins may trip abuse protection', () => {
    const wrong = plan.requests.filter(
      (request) => factsOf(request).credential === 'wrong' && !isConditional(request),
    );
    expect(wrong.length).toBe(110);
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

  it('sends the shown version by itself where another one is declared', () => {
    const other = built({ ...everythingDeclared, declaresOtherVersion: true });
    const { probes, prerequisites } = other.check('authentication.messages.version.shown-value', 'served');
    expect(probes.map((id) => other.request(id).version)).toEqual([{ value: '2023-06-01' }]);
    expect(prerequisites).toEqual(expect.arrayContaining(['messages.plain', 'messages.auth.version.later']));
    const sent = (requests: Built['requests']) => requests.map(({ id }) => id);
    expect(sent(other.requests).filter((id) => !sent(plan.requests).includes(id))).toEqual(probes);
  });
});
