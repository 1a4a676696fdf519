import { describe, expect, it } from 'vitest';
import type { Check } from './registry.ts';
import { answered, viewOf, judge, refused, replied } from './evidence.fixture.ts';

describe('conflict', () => {
  const check: Check = {
    kind: 'conflict',
    conflict: 'c',
    served: 'served',
    refused: 'refused',
    probes: ['plain', 'stream'],
    controls: ['control'],
  };
  const control = answered('control');

  it.each([
    ['A where both are refused beside a control', [refused('plain'), refused('stream'), control], 'A'],
    ['B where both are answered', [answered('plain'), answered('stream'), refused('control')], 'B'],
    ['neither where only one is answered', [answered('plain'), refused('stream'), control], 'neither'],
    [
      'unknown where the control is refused, too',
      [refused('plain'), refused('stream'), refused('control')],
      'unknown',
    ],
    [
      'unknown where one has no reply',
      [answered('plain'), replied('stream', { status: 503 }), control],
      'unknown',
    ],
    ['unknown where nothing was sent', [control], 'unknown'],
  ] as const)('follows %s, and fails neither reading', (_, entries, follows) => {
    const judgement = judge(check, viewOf('chat', entries));
    expect(judgement.follows).toBe(follows);
    expect(judgement.findings.some(({ verdict }) => verdict === 'fail')).toBe(false);
    expect(judgement.findings.map(({ requirement }) => requirement).sort()).toEqual(['refused', 'served']);
  });
});

it('a conflict needs one control that is answered, not all', () => {
  const check: Check = {
    kind: 'conflict',
    conflict: 'c',
    served: 'served',
    refused: 'refused',
    probes: ['plain'],
    controls: ['other', 'control'],
  };
  const entries = [refused('plain'), refused('other'), answered('control')];
  expect(judge(check, viewOf('chat', entries)).follows).toBe('A');
});
