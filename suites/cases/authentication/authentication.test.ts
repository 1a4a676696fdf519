import { beforeEach, describe, expect, it } from 'vitest';
import { requirement } from '../../../spec/requirements.ts';
import { factsOf } from '../../reading/request-facts.ts';
import { type Built, built, everythingDeclared } from '../cases.fixture.ts';
import { isConditional } from '../../types/plan.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

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

  it('sends the shown version by itself where another one is declared', () => {
    const other = built({ ...everythingDeclared, declaresOtherVersion: true });
    const { probes, prerequisites } = other.check('authentication.messages.version.shown-value', 'served');
    expect(probes.map((id) => other.request(id).version)).toEqual([{ value: '2023-06-01' }]);
    expect(prerequisites).toEqual(expect.arrayContaining(['messages.plain', 'messages.auth.version.later']));
    const sent = (requests: Built['requests']) => requests.map(({ id }) => id);
    expect(sent(other.requests).filter((id) => !sent(plan.requests).includes(id))).toEqual(probes);
  });
});
