import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parameters } from '../../../spec/openapi.ts';
import { isTextProtocol, protocols } from '../../../spec/vocabulary.ts';
import { type Built, built } from '../cases.fixture.ts';
import { everyPlan } from './rows.fixture.ts';

/** The cases of what must be refused in a row of the array. */
const inRows = ({ cases }: Built) =>
  cases.flatMap(({ id, check }) =>
    /^parameters\..*\.in\.\d+$/.test(id) && check.kind === 'refused' ? [{ id, check }] : [],
  );

describe.each(everyPlan)('a wrong value in a situation, planned for %s', (_, plan) => {
  it('differs from the row that is its control in one member of the body alone, or in that it is no JSON', () => {
    const found = inRows(plan);
    expect(found.length).toBeGreaterThan(10);
    for (const { id, check } of found) {
      const [control = '', ...others] = check.controls;
      const [wrong, right] = [plan.request(check.probe), plan.request(control)];
      const [one, other] = [Object(wrong.body?.json), Object(right.body?.json)];
      const members = [...new Set([...Object.keys(one), ...Object.keys(other)])];
      const differing = members.filter((name) => !isDeepStrictEqual(one[name], other[name]));
      // A body that is no JSON has the members of its control.
      expect(differing.length, id).toBe(wrong.body?.damage === undefined ? 1 : 0);
      expect(others).toEqual([]);
    }
  });

  it('is sent as its control was, where that is answered', () => {
    for (const { id, check } of inRows(plan)) {
      const [control = ''] = check.controls;
      const [wrong, right] = [plan.request(check.probe), plan.request(control)];
      expect(wrong.callers, id).toEqual(right.callers);
      expect(wrong.when, id).toContainEqual({ kind: 'answered', any: [control] });
      expect([wrong.credential, wrong.expect, wrong.billed]).toEqual([right.credential, 'refusal', 0]);
      expect(check.controlMayBeRefused).toBe(true);
    }
  });

  it('is one of temperature or top_p only where the other is not given', () => {
    for (const { check } of inRows(plan)) {
      const body = Object(plan.body(check.probe));
      expect('temperature' in body && 'top_p' in body, check.probe).toBe(false);
    }
  });
});

describe('the situations of a parameter', () => {
  const plan = built();
  const found = inRows(plan);

  it('are of every protocol, and of every parameter that can be wrong', () => {
    for (const protocol of protocols) {
      for (const { slug } of parameters(protocol)) {
        expect(
          found.some(({ id }) => id.startsWith(`parameters.${protocol}.${slug}.`)),
          `${protocol} ${slug}`,
        ).toBe(true);
      }
    }
  });

  it('are streams and others, of each caller', () => {
    for (const protocol of protocols.filter(isTextProtocol)) {
      const requests = found
        .map(({ check }) => plan.request(check.probe))
        .filter((request) => request.protocol === protocol);
      expect(new Set(requests.map(({ stream }) => stream)), protocol).toEqual(new Set([true, false]));
      const [first, all] = [1, 9].map((count) =>
        requests.flatMap(({ callers }) => callers.slice(0, count).map((each) => JSON.stringify(each))),
      );
      expect(new Set(first)).toEqual(new Set(all));
    }
  });
});
