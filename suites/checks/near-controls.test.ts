import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../spec/vocabulary.ts';
import type { Exchange } from '../types/exchange.ts';
import { answered, findingOf, judge, refused, viewOf } from './evidence.fixture.ts';
import type { Check } from '../types/checks/check.ts';

interface Sent {
  readonly protocol?: Protocol;
  readonly model?: string;
  readonly group?: string;
  readonly stream?: boolean;
  readonly more?: object;
}

/** An exchange as it is sent for a model, with the token of a group, to an endpoint. */
function as(
  exchange: Exchange,
  { protocol = 'responses', model = 'g', group = 'A', stream, more }: Sent = {},
) {
  const body = JSON.stringify({ model, ...(stream ? { stream } : {}), ...more });
  const headers = { authorization: `Bearer ${group}`, 'x-api-key': group };
  const path = protocol === 'responses' ? '/v1/responses' : '/v1/messages';
  return { ...exchange, request: { ...exchange.request, url: `http://g${path}`, headers, body } };
}

const check = {
  kind: 'refused',
  requirement: 'r',
  probe: 'probe',
  controls: ['model', 'endpoint'],
  rule: 'a model of another family',
  controlMayBeRefused: true,
  isValidElsewhere: true,
} satisfies Check;

const planned = {
  endpoint: { protocol: 'messages', path: '/v1/messages' },
  there: { stage: 'discovery' },
  model: { stage: 'discovery' },
} as const;
type Planned = Parameters<typeof viewOf>[2] & {};

function found(entries: readonly Exchange[], checked: Check = check) {
  const own = Object.entries<Planned[string]>(planned).filter(([id]) => entries.some((one) => one.id === id));
  return findingOf(judge(checked, viewOf('responses', entries, Object.fromEntries(own))));
}

const probe = as(refused('probe', 404), { model: 'c' });
const elsewhere = as(answered('endpoint', 'messages'), { protocol: 'messages', model: 'c' });
const there = as(answered('there', 'responses'), { group: 'B' });

describe('a refusal', () => {
  it('counts beside a control that differs in its model alone', () => {
    expect(found([probe, as(answered('model', 'responses'))]).verdict).toBe('pass');
  });

  it('on an endpoint that answers nothing shows nothing, though its model is answered elsewhere', () => {
    expect(found([probe, as(refused('model', 404)), elsewhere])).toMatchObject({ verdict: 'untested' });
    const mustBeServed: Check = { ...check, controlMayBeRefused: false };
    expect(found([probe, as(refused('model', 404)), elsewhere], mustBeServed)).toMatchObject({
      code: 'control-refused',
    });
  });

  it('shows nothing where what differs in one thing is refused in the same words', () => {
    expect(found([probe, as(refused('model', 404)), elsewhere, there])).toMatchObject({
      verdict: 'untested',
    });
    expect(found([probe, as(refused('model', 403)), elsewhere, there])).toEqual({
      requirement: 'r',
      verdict: 'pass',
    });
  });

  it('of a wrong value shows nothing where every right one is refused in the same words, though one without is answered', () => {
    const checked: Check = {
      ...check,
      controls: ['without', 'value'],
      isValidElsewhere: false,
      controlMayBeRefused: false,
    };
    const without = as(answered('without', 'responses'), { model: 'c' });
    const wrong = as(refused('probe', 404), { model: 'c', more: { temperature: 3 } });
    const foundBeside = (status: number) =>
      found(
        [wrong, without, as(refused('value', status), { model: 'c', more: { temperature: 1 } })],
        checked,
      );
    expect(foundBeside(404)).toMatchObject({ code: 'control-refused-alike' });
    expect(foundBeside(403)).toEqual({ requirement: 'r', verdict: 'pass' });
  });

  it.each([
    ['group and model', { group: 'B' }],
    ['model and stream', { stream: true }],
  ])('shows nothing beside a control that differs in %s', (_, control) => {
    expect(found([probe, as(answered('model', 'responses'), control), there])).toMatchObject({
      verdict: 'untested',
    });
  });

  it('of what a request holds is not held against what another model or a stream gets', () => {
    const param: Check = { ...check, isValidElsewhere: false, controlMayBeRefused: false };
    const wrong = as(refused('probe'), { more: { temperature: 5 } });
    const valid = { more: { temperature: 1 } };
    expect(found([wrong, as(answered('model', 'responses'), valid)], param).verdict).toBe('pass');
    for (const control of [
      { ...valid, model: 'm' },
      { ...valid, stream: true },
    ])
      expect(found([wrong, as(answered('model', 'responses'), control)], param)).toMatchObject({
        code: 'no-near-control',
      });
  });
});

describe('a refusal whose control is refused', () => {
  const checked: Check = {
    ...check,
    controls: ['model'],
    instead: { probe: 'plain', controls: ['there'] },
    isValidElsewhere: false,
  };
  const alike = [as(refused('probe')), as(refused('model'))];

  it('is decided by the request that is sent instead', () => {
    expect(found([...alike, as(refused('plain')), as(answered('there', 'responses'))], checked).verdict).toBe(
      'pass',
    );
    expect(found([...alike, as(answered('plain', 'responses'))], checked)).toMatchObject({
      code: 'not-refused',
      exchange: 'plain',
    });
  });

  it('is untested where none was sent', () => {
    expect(found(alike, checked).verdict).toBe('untested');
  });
});

describe('a refusal that names a model', () => {
  const naming = (model: string) =>
    as(refused('probe', 404, { error: { message: `No channel for model ${model}.` } }), { model: 'c' });
  const control = as(answered('model', 'responses'));
  const other = as(refused('there', 404), { model: 'm-large' });

  it('that was not asked for, and is not answered either, shows nothing', () => {
    expect(found([naming('m-large'), control, other])).toMatchObject({ code: 'refusal-of-other-model' });
  });

  it.each(['c', 'c, m-large', 'm-large or g', 'm-large-2'])('such as %s may be its own', (model) => {
    expect(found([naming(model), control, other]).verdict).toBe('pass');
  });
});
