import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { requirement } from '../../../spec/requirements.ts';
import type { Check } from '../../types/checks/check.ts';
import { type Built, built } from '../cases.fixture.ts';

let plan: Built;
beforeEach(() => {
  plan = built();
});

type Kind = Check['kind'];
const checks = <K extends Kind>(kind: K, suite = 'parameters') =>
  plan.cases.flatMap(({ id, suite: own, check }) =>
    own === suite && check.kind === kind ? [{ id, ...(check as Extract<Check, { kind: K }>) }] : [],
  );

/** The names of what differs between two bodies. */
const differing = (one: unknown, other: unknown): readonly string[] =>
  [...new Set([...Object.keys(Object(one)), ...Object.keys(Object(other))])].filter(
    (name) => !isDeepStrictEqual(Object(one)[name], Object(other)[name]),
  );

describe('what must be refused', () => {
  it('differs from its control in one thing: a parameter, the body as a whole, or that it is no JSON', () => {
    const wrong = checks('refused').filter(({ probe, controls }) => {
      const [sent, control] = [plan.request(probe), plan.request(controls[0] ?? '')];
      const { json, damage } = sent.body ?? {};
      const isWhole = typeof json !== 'object' || json === null || Array.isArray(json);
      const names = isWhole ? ['body'] : differing(json, control.body?.json);
      // NaN has to stand in place of a number.
      return !damage && names.length !== 1;
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it('is not billed, expects a refusal, and the control is asked again behind it', () => {
    for (const { probe, after } of checks('refused')) {
      expect(plan.request(probe), probe).toMatchObject({ billed: 0, expect: 'refusal' });
      expect(after).toBe(`${plan.request(probe).protocol}.plain.after`);
    }
  });
});

describe('what must be accepted', () => {
  it('is shown by rows of the covering array, and sent alone where none of them is answered', () => {
    const shown = checks('accepted').filter(({ combinations = [] }) => combinations.length > 0);
    expect(shown.length).toBeGreaterThan(30);
    for (const { probe, combinations } of shown)
      expect(plan.request(probe), probe).toMatchObject({ billed: 0, standsFor: combinations });
  });

  it('bills each image once, in the row that asks for it', () => {
    for (const n of [1, 2, 10]) {
      const { combinations = [] } = plan.check(`parameters.images.n.accepted.${n}`, 'accepted');
      expect(combinations.map((id) => plan.request(id).billed)).toEqual([n]);
    }
  });
});

it('an optional parameter is left out of the smallest request, or of one with all the others', () => {
  for (const { requirement: each, smallest, pairs } of checks('optional')) {
    const [protocol, , slug = ''] = each.split('.');
    const { without, full } = pairs.at(-1) ?? { without: '', full: '' };
    expect(differing(plan.body(without), plan.body(full))).toEqual([slug.replaceAll('-', '_')]);
    expect(plan.request(full)).toMatchObject({ id: `${protocol}.full`, billed: 0 });
    expect(plan.request(without).when).toEqual([{ kind: 'answered', any: [full] }]);
    expect(smallest.length).toBeGreaterThan(0);
  }
  expect(plan.body('responses.full')).not.toHaveProperty('previous_response_id');
});

it('what is observed can never fail, and expects either', () => {
  for (const { requirement: each, probes } of checks('observe', 'observations')) {
    expect(requirement(each).level).toBe('unspecified');
    for (const id of probes) expect(['either', 'answer']).toContain(plan.request(id).expect);
  }
});

it('every parameter is asked for by each of its rows in the register', () => {
  const judged = new Set(plan.cases.flatMap(({ requirements }) => requirements));
  const rules = /\.param\.[a-z-]+\.(required|type|accepted|unknown|range|allowed|optional|null)$/;
  expect([...judged].filter((id) => rules.test(id)).length).toBeGreaterThan(80);
});
