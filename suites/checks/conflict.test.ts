import { describe, expect, it } from 'vitest';
import type { Check } from '../types/checks/check.ts';
import { answered, viewOf, judge, refused, replied } from './evidence.fixture.ts';

describe('conflict', () => {
  const check: Check = {
    kind: 'conflict',
    conflict: 'c',
    served: 'served',
    refused: 'refused',
    pairs: [
      { probe: 'plain', controls: ['control'] },
      { probe: 'stream', controls: ['streamed'] },
    ],
  };
  const control = answered('control');
  const streamed = answered('streamed');

  it.each([
    [
      'A where both are refused beside their controls',
      [refused('plain'), refused('stream'), control, streamed],
      'A',
    ],
    ['B where both are answered', [answered('plain'), answered('stream'), refused('control')], 'B'],
    ['neither where only one is answered', [answered('plain'), refused('stream'), streamed], 'mixed'],
    ['neither where only the stream is answered', [refused('plain'), answered('stream'), control], 'mixed'],
    [
      'unknown where no stream is answered: a plain control is none of a stream',
      [answered('plain'), refused('stream'), control, refused('streamed')],
      'unknown',
    ],
    [
      'unknown where the control is refused, too',
      [refused('plain'), refused('stream'), refused('control'), streamed],
      'unknown',
    ],
    [
      'unknown where one has no reply',
      [answered('plain'), replied('stream', { status: 503 }), control, streamed],
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
    pairs: [{ probe: 'plain', controls: ['other', 'control'] }],
  };
  const entries = [refused('plain'), refused('other'), answered('control')];
  expect(judge(check, viewOf('chat', entries)).follows).toBe('A');
});
