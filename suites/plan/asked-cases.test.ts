import { describe, expect, it } from 'vitest';
import { parameters } from '../../spec/openapi.ts';
import { requirement, requirements } from '../../spec/requirements.ts';
import { families, protocols, textProtocols } from '../../spec/vocabulary.ts';
import { built } from '../cases/cases.fixture.ts';
import { reads } from '../checks/registry.ts';
import { profiles } from '../types/profile.ts';
import { valueAt } from '../reading/json.ts';
import { countOf } from './plan-counts.ts';
import { asked, ids, isFraction, planIn, whole } from './profiles.fixture.ts';
import { isConditional } from '../types/plan.ts';

const [smoke, standard, full] = [planIn('smoke'), planIn('standard'), planIn('full')];

describe('every profile', () => {
  it('asks no less than the one before it', () => {
    expect(ids(standard.cases)).toEqual(expect.arrayContaining([...ids(smoke.cases)]));
    expect(ids(full.cases)).toEqual(expect.arrayContaining([...ids(standard.cases)]));
    expect(countOf(smoke.requests).billed).toBeLessThan(countOf(standard.requests).billed);
    expect(countOf(standard.requests).billed).toBeLessThan(countOf(full.requests).billed);
  });

  it.each(profiles)('(%s) names the requirements that it has no case for, and no other', (profile) => {
    const plan = planIn(profile);
    const judged = ids(requirements().filter(({ excluded }) => excluded === undefined));
    expect([...asked(plan), ...plan.notAsked].sort()).toEqual([...judged].sort());
  });

  it.each(profiles)('(%s) has the same of a suite whether or not that is selected alone', (profile) => {
    const alone = planIn(profile, whole, { suites: ['observations'] });
    const { cases } = planIn(profile);
    expect(ids(alone.cases)).toEqual(ids(cases.filter(({ suite }) => suite === 'observations')));
  });

  it.each(profiles)('(%s) leaves no requirement unnamed that is selected', (profile) => {
    const selection = { suites: ['errors', 'streams'] } as const;
    const plan = planIn(profile, whole, selection);
    const deeper = planIn('full', whole, selection);
    expect([...asked(plan), ...plan.notAsked].sort()).toEqual([...asked(deeper)].sort());
  });
});

describe('full', () => {
  it('asks everything', () => {
    expect([...ids(full.cases)].sort()).toEqual([...ids(built().cases)].sort());
    expect(full.notAsked).toEqual([]);
  });
});

describe('standard', () => {
  it('leaves out no observation that costs nothing, and bills nothing for one', () => {
    const kept = new Set(ids(standard.cases));
    const leftOut = full.cases.filter(({ id }) => !kept.has(id) && !isFraction(id));
    expect(leftOut.length).toBeGreaterThan(20);
    const sent = new Set(ids(standard.requests));
    const known = new Map(full.requests.map((request) => [request.id, request]));
    for (const { id, check, requirements: judged } of leftOut) {
      expect(
        judged.map((each) => requirement(each).level),
        id,
      ).toEqual(judged.map(() => 'unspecified'));
      const further = reads(check).flatMap((one) => (sent.has(one) ? [] : (known.get(one) ?? [])));
      const stands = standard.requests.filter((one) => reads(check).includes(one.id) && isConditional(one));
      expect(countOf(further).billed + stands.length, id).toBeGreaterThan(0);
    }
  });

  it('asks for another form of the credential only where the documented one is not answered', () => {
    const other = standard.requests.find(({ id }) => id === 'chat.auth.x-api-key');
    expect(other).toMatchObject({ billed: 0, when: [{ kind: 'unanswered' }] });
    expect(standard.notAsked).toContain('chat.auth.x-api-key');
    expect(full.requests.find(({ id }) => id === 'chat.auth.x-api-key')).toMatchObject({
      billed: 1,
      when: [],
    });
  });
});

describe('smoke', () => {
  it('asks every endpoint, every family, the shape of streams, missing and invalid tokens, and unknown models', () => {
    const judged = asked(smoke);
    for (const protocol of protocols)
      for (const aspect of ['endpoint', 'auth.missing', 'auth.invalid', 'param.model.unknown'])
        expect(judged).toContain(`${protocol}.${aspect}`);
    for (const protocol of textProtocols) expect(judged).toContain(`${protocol}.stream.well-formed`);
    const called = smoke.requests
      .filter((request) => !isConditional(request) && request.expect === 'answer')
      .flatMap(({ callers }) => callers.map(({ family }) => family));
    expect(new Set(called)).toEqual(new Set(families));
  });

  it('asks for the smallest images, but where those are refused', () => {
    const sizes = parameters('images').find(({ name }) => name === 'size')?.allowed;
    expect(sizes?.[0]).toBe('256x256');
    const others = smoke.requests.filter(
      ({ protocol, body }) => protocol === 'images' && valueAt(body?.json, '/size') !== '256x256',
    );
    expect(others).toMatchObject([{ id: 'images.any-size', billed: 0, when: [{ kind: 'unanswered' }] }]);
  });

  it('sends a valid request before each refusal and the same one afterwards', () => {
    const refused = smoke.cases.flatMap(({ check }) => (check.kind === 'refused' ? [check] : []));
    expect(refused.length).toBeGreaterThanOrEqual(2 * protocols.length);
    const byId = new Map(smoke.requests.map((request) => [request.id, request]));
    for (const { probe, controls, after = '' } of refused) {
      expect(byId.get(controls[0] ?? '')).toMatchObject({ stage: 'discovery', billed: 1 });
      const [own, last] = [byId.get(probe), byId.get(after)];
      expect(own?.stage).toBe('lanes');
      expect(last?.stage).toBe('after');
      expect({ ...Object(last?.body?.json), model: 'any' }).toEqual({
        ...Object(own?.body?.json),
        model: 'any',
      });
      expect(last?.credential).toEqual({ form: 'right' });
    }
  });

  it('asks one caller of a protocol, and the next only where those before it are not answered', () => {
    const cells = smoke.requests.filter(({ id }) => id.startsWith('cell.general.responses.'));
    expect(cells.map(({ billed }) => billed)).toEqual([1, 0, 0]);
    expect(cells.at(-1)?.when).toEqual([
      { kind: 'unanswered', all: ['cell.general.responses.default', 'cell.general.responses.coding-tool'] },
    ]);
  });

  it('judges nothing but its gist by requests that it would not send otherwise', () => {
    expect(smoke.cases.filter(({ id }) => id.includes('general.chat'))).toEqual([]);
    expect(ids(smoke.cases)).toContain('results.chat.fields');
    expect(ids(smoke.cases)).not.toContain('parameters.chat.stream.accepted.false');
  });
});
