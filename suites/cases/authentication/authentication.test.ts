import { beforeEach, describe, expect, it } from 'vitest';
import { requirement } from '../../../spec/requirements.ts';
import { type Built, built, everythingDeclared } from '../cases.fixture.ts';

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
