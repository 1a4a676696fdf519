import { describe, expect, it } from 'vitest';
import { viewOf } from './evidence.fixture.ts';
import { checkKinds, controlPairs, readsIn, timed } from './registry.ts';
import type { Check } from '../types/checks/check.ts';

const requirement = 'r';
const refused: Check = {
  kind: 'refused',
  requirement,
  probe: 'probe',
  controls: ['one', 'two'],
  rule: 'x is required',
};

describe('the registry', () => {
  it('knows each kind once', () => {
    expect(new Set(checkKinds).size).toBe(checkKinds.length);
  });

  it.each<readonly [Check, ReturnType<typeof controlPairs>]>([
    [refused, [{ probes: ['probe'], controls: ['one', 'two'] }]],
    [
      {
        kind: 'conflict',
        conflict: 'c',
        served: 's',
        refused: 'r',
        pairs: [
          { probe: 'a', controls: ['c'] },
          { probe: 'b', controls: ['d'] },
        ],
      },
      [
        { probes: ['a'], controls: ['c'] },
        { probes: ['b'], controls: ['d'] },
      ],
    ],
    [
      { kind: 'limited', requirement, endpoints: [{ probes: ['a', 'b'], control: 'c' }] },
      [{ probes: ['a', 'b'], controls: ['c'] }],
    ],
    [{ kind: 'still-served', requirement, before: ['a'], after: 'b' }, []],
  ])('gives the controls that a refusal rests on: %j', (check, pairs) => {
    expect(controlPairs(check)).toEqual(pairs);
  });

  it('gives the requests whose timing is read, and of most checks none', () => {
    const controls = { unstreamed: 'long', short: ['plain'], streamed: ['stream'], bounded: ['one'] };
    const situation = { where: 'here', controls: { ...controls, bounded: ['row'] } };
    const situations = [
      { ...situation, isTimed: true, probes: ['t1'] },
      { ...situation, isTimed: false, probes: ['u1'] },
    ];
    const check: Check = {
      kind: 'incremental',
      protocol: 'chat',
      probes: ['s1', 's2'],
      controls,
      situations,
    };
    expect(timed(check)).toEqual(['s1', 's2', 'plain', 'one', 'row', 't1']);
    expect(timed(refused)).toEqual([]);
  });

  it('reads once what a check names and the plan holds for it', () => {
    const { plan } = viewOf('chat', [], { a: {}, b: {}, s: { stream: true }, no: { expect: 'refusal' } });
    const check: Check = {
      kind: 'steady',
      requirement,
      protocol: 'chat',
      probes: ['a'],
      invalid: ['no'],
      limited: [],
    };
    expect(readsIn(check, plan)).toEqual(['a', 'no', 'b', 's']);
    expect(readsIn(refused, plan)).toEqual(['probe', 'one', 'two']);
  });
});
