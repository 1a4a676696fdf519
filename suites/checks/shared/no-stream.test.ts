import { describe, expect, it } from 'vitest';
import type { PlannedRequest } from '../../types/plan.ts';
import {
  answered,
  findingsOf,
  judge,
  refused,
  replied,
  silent,
  streamed,
  unsent,
  viewOf,
} from '../evidence.fixture.ts';
import type { Check } from '../../types/checks/check.ts';
import { noStream } from './valid-request.ts';

const asStream: Partial<PlannedRequest> = { stream: true };
const requests = { 'chat.stream.true': asStream, other: asStream, 'chat.plain': {}, 'chat.plain.after': {} };
const refusedStreams = [refused('chat.stream.true'), refused('other')];
const plain = [answered('chat.plain'), answered('chat.plain.after')];
const withoutStreams = viewOf('chat', [...refusedStreams, ...plain], requests);

describe('a protocol without streams', () => {
  it('is one that refuses each and answers the same request without one', () => {
    expect(noStream(withoutStreams, ['other'])).toEqual({
      verdict: 'untested',
      reason: { kind: 'no-stream-answered', requirement: 'chat.param.stream.accepted' },
    });
    const notSent = viewOf('chat', [refused('chat.stream.true'), unsent('other'), ...plain], requests);
    expect(noStream(notSent, ['other'])?.verdict).toBe('untested');
  });

  it.each([
    ['one stream is answered', [refused('chat.stream.true'), streamed('other'), ...plain]],
    [
      'a stream without text came',
      [refused('chat.stream.true'), replied('other', { text: 'data: {"type":"x"}\n\n' }), ...plain],
    ],
    [
      'one gets no reply',
      [refused('chat.stream.true'), silent('other', { kind: 'timeout', afterMs: 9 }), ...plain],
    ],
    ['the plain one was not sent', [unsent('chat.stream.true'), refused('other'), ...plain]],
    [
      'the whole protocol is refused',
      [...refusedStreams, refused('chat.plain'), refused('chat.plain.after')],
    ],
    [
      'the control is refused alike afterwards',
      [...refusedStreams, answered('chat.plain'), refused('chat.plain.after')],
    ],
  ])('is none where %s', (_, entries) => {
    expect(noStream(viewOf('chat', entries, requests), ['other'])).toBeUndefined();
  });

  it('is asked about by streams alone', () => {
    expect(noStream(withoutStreams, ['other', 'chat.plain'])).toBeUndefined();
    expect(noStream(withoutStreams, [])).toBeUndefined();
    expect(noStream(viewOf('images', refusedStreams, requests), ['other'])).toBeUndefined();
  });
});

const short = { unstreamed: 'chat.plain', short: ['chat.plain'], streamed: [], bounded: [] };
const other = { requirement: 'r', probe: 'other', controls: ['chat.stream.true'] } as const;
const hanging: readonly Check[] = [
  { kind: 'stream', protocol: 'chat', probes: ['chat.stream.true'] },
  { kind: 'incremental', protocol: 'chat', probes: ['other'], controls: short, situations: [] },
  { kind: 'served', requirement: 'r', probes: ['other'], prerequisites: ['chat.stream.true'] },
  { kind: 'accepted', ...other },
  { kind: 'refused', ...other, rule: 'wrong' },
  {
    kind: 'observe',
    requirement: 'r',
    subject: 'framing',
    aspect: 'framing',
    protocol: 'chat',
    probes: ['other'],
  },
];

describe('what hangs on a stream', () => {
  it.each(hanging)('is untested by $kind where no stream was answered, and says where to look', (check) => {
    const findings = findingsOf(judge(check, withoutStreams, ['chat.stream.given']));
    expect(findings.length).toBeGreaterThan(0);
    for (const finding of findings) {
      expect(finding).toMatchObject({
        verdict: 'untested',
        message: 'no stream was answered (chat.param.stream.accepted)',
      });
    }
  });

  it('but for the plain stream itself: that it is refused is the failure', () => {
    const check: Check = {
      kind: 'accepted',
      requirement: 'r',
      probe: 'chat.stream.true',
      controls: ['chat.plain'],
    };
    expect(findingsOf(judge(check, withoutStreams))).toMatchObject([{ verdict: 'fail' }]);
  });
});
