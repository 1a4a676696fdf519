import { expect, test } from 'vitest';
import type { Exchange, Unsent } from '../types/exchange.ts';
import { wordsOf } from '../types/reasons/index.ts';
import { judge, refused, replied, unsent, viewOf } from './evidence.fixture.ts';

test('undeclared leaves every requirement of its case untested, with the reason', () => {
  const reason = 'no image model with a token of a group is declared';
  const { findings } = judge({ kind: 'undeclared', reason }, viewOf('images', []), ['r', 's']);
  expect(findings.map(({ requirement }) => requirement)).toEqual(['r', 's']);
  for (const finding of findings)
    expect(finding).toMatchObject({ verdict: 'untested', reason: { kind: 'undeclared', why: reason } });
});

const offered = { probe: 'messages.not-declared', invented: 'messages.not-declared.invented-path' };
const reason = 'no conversational model is declared';
/** The reason that is given where the endpoint and an invented path beside it got such replies. */
function reasonBy(own: Exchange | Unsent, other: Exchange | Unsent) {
  const asked = { expect: 'refusal' } as const;
  const view = viewOf('messages', [own, other], { [own.id]: asked, [other.id]: asked });
  const [finding] = judge({ kind: 'undeclared', reason, offered }, view).findings;
  return finding?.verdict === 'untested' ? wordsOf(finding.reason).message : finding?.verdict;
}

test.each([400, 401, 403, 422])(
  'undeclared says that an endpoint is offered where it replies by %i and an invented path by 404',
  (status) => {
    expect(reasonBy(refused(offered.probe, status), refused(offered.invented, 404))).toBe(
      `offered but not declared: ${reason}, and POST /v1/messages replies by HTTP ${status}, where an invented path gets HTTP 404`,
    );
  },
);

test.each<[string, Exchange | Unsent, Exchange | Unsent]>([
  ['is refused as an invented path is', refused(offered.probe, 401), refused(offered.invented, 401)],
  ['is said not to be there', refused(offered.probe, 404), refused(offered.invented, 400)],
  ['takes no such method', refused(offered.probe, 405), refused(offered.invented, 404)],
  ['leads elsewhere', replied(offered.probe, { status: 302, text: '' }), refused(offered.invented, 404)],
  ['breaks down', refused(offered.probe, 500), refused(offered.invented, 404)],
  ['is limited', refused(offered.probe, 429), refused(offered.invented, 404)],
  ['was not asked', unsent(offered.probe), refused(offered.invented, 404)],
  ['has no control', refused(offered.probe, 400), unsent(offered.invented)],
])('undeclared says nothing of an endpoint that %s', (_, own, other) => {
  expect(reasonBy(own, other)).toBe(reason);
});
