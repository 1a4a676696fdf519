import { beforeEach, describe, expect, it } from 'vitest';
import { requirements } from '../../spec/requirements.ts';
import { families, groups } from '../../spec/vocabulary.ts';
import type { Condition } from '../types/plan.ts';
import { suiteNames } from '../types/suite-names.ts';
import { type Built, built, builtAnew, everythingDeclared } from './cases.fixture.ts';

let plan: Built;
let ids: ReadonlySet<string>;
beforeEach(() => {
  plan = built();
  ids = new Set(plan.requests.map(({ id }) => id));
});

/** Ids but for those of rows and what is asked in them: how many there are depends on the seed and on who may call. */
const stable = (named: readonly { readonly id: string }[]): readonly string[] =>
  named.map(({ id }) => id).filter((id) => !/\.(combination|in)\.\d+/.test(id));

const ofKind = ({ cases }: Built, kind: string) => cases.filter(({ check }) => check.kind === kind);

const waitsFor = (condition: Condition): readonly string[] => {
  if (condition.kind === 'row-at-once') return [...condition.pace.rows, condition.pace.long];
  if (condition.kind === 'unrecalled' || condition.kind === 'recalled')
    return condition.any.map(({ exchange }) => exchange);
  if ('any' in condition) return condition.any;
  if ('all' in condition) return condition.all;
  if ('questions' in condition) return condition.questions.map(({ exchange }) => exchange);
  return 'exchange' in condition ? [condition.exchange] : condition.exchanges;
};

describe('the cases of all areas', () => {
  it('are of each suite', () => {
    expect(new Set(plan.cases.map(({ suite }) => suite))).toEqual(new Set(suiteNames));
  });

  it('name requirements of the register that are not excluded', () => {
    const known = new Set(requirements().flatMap(({ id, excluded }) => (excluded === undefined ? [id] : [])));
    const named = plan.cases.flatMap((entry) => entry.requirements);
    expect(named.filter((id) => !known.has(id))).toEqual([]);
    expect(plan.cases.filter((entry) => entry.requirements.length === 0)).toEqual([]);
  });

  it('have ids of letters, digits, dots and hyphens, and a title', () => {
    const named = [...ids, ...plan.cases.map(({ id }) => id)];
    expect(named.filter((id) => !/^[\w.-]+$/.test(id))).toEqual([]);
    expect(plan.cases.filter(({ title }) => !/^[\w-]+:? .+\w/.test(title)).map(({ id }) => id)).toEqual([]);
  });

  it('are the same for the same seed, and have other nonces for another', () => {
    expect(builtAnew()).toMatchObject({ cases: plan.cases, requests: plan.requests });
    const other = built(everythingDeclared, 2);
    expect(stable(other.requests)).toEqual(stable(plan.requests));
    expect(stable(other.cases)).toEqual(stable(plan.cases));
    expect(other.body('chat.context.inline.1')).not.toEqual(plan.body('chat.context.inline.1'));
  });

  it('name of what must be refused a request, planned controls, and the control afterwards', () => {
    const refused = plan.cases.flatMap(({ id, check }) => (check.kind === 'refused' ? [{ id, check }] : []));
    const after = /^(responses|messages|chat|images)\.plain\.after$/;
    const unsound = refused.filter(({ check }) => {
      const { expect: hope, billed } = plan.request(check.probe);
      const isControlled = check.controls.some((id) => ids.has(id) && id !== check.probe);
      return hope !== 'refusal' || billed !== 0 || !isControlled || !after.test(check.after ?? 'none');
    });
    expect(unsound).toEqual([]);
    expect(refused.length).toBeGreaterThan(200);
  });

  it('name of what is accepted a valid request', () => {
    const accepted = plan.cases.flatMap(({ check }) => (check.kind === 'accepted' ? [check.probe] : []));
    expect(accepted.filter((id) => plan.request(id).expect !== 'answer')).toEqual([]);
    expect(accepted.length).toBeGreaterThan(30);
  });

  it('wait for planned requests only', () => {
    const awaited = plan.requests.flatMap(({ when }) => when.flatMap(waitsFor));
    expect(awaited.filter((id) => !ids.has(id))).toEqual([]);
    expect(awaited.length).toBeGreaterThan(1000);
  });
});

describe('a partial declaration', () => {
  it('leaves every case, and untested ones with their reason', () => {
    const partial = built({ families: ['general'], groups: ['default'], rateLimited: false });
    expect(stable(partial.cases)).toEqual(stable(plan.cases));
    const reasons = ofKind(partial, 'undeclared').map(({ check }) => 'reason' in check && check.reason);
    expect([...new Set(reasons)].sort()).toEqual([
      'no chat-image model is declared',
      'no chat-image model with a default token is declared',
      'no coding-tool token is declared',
      'no conversational model is declared',
      'no conversational model with a third-party-client token is declared',
      'no image model is declared',
      'no image model with a token of a group is declared',
      'no model with an unsupported protocol is declared',
      'no multimodal model is declared',
      'no rate-limited token is declared',
      'no third-party-client token is declared',
    ]);
    // What another family than its own gets there is observed, and whether the endpoint is there.
    const asked = (protocol: string) => partial.requests.filter((each) => each.protocol === protocol);
    expect(asked('images').map(({ id }) => id)).toEqual([
      'cell.general.images.default',
      'images.not-declared',
      'images.not-declared.invented-path',
    ]);
    expect(asked('images').map(({ billed }) => billed)).toEqual([1, 0, 0]);
  });

  it.each(families)('of %s models alone asks no model of another family', (family) => {
    const { requests } = built({ families: [family], groups, rateLimited: true });
    expect(requests.flatMap(({ callers }) => callers).filter((caller) => caller.family !== family)).toEqual(
      [],
    );
  });

  it('of nothing plans no request', () => {
    const nothing = built({ families: [], groups: [], rateLimited: false });
    expect(nothing.requests).toEqual([]);
    expect(stable(nothing.cases)).toEqual(stable(plan.cases));
    expect(ofKind(nothing, 'undeclared').length).toBeGreaterThan(400);
  });
});
