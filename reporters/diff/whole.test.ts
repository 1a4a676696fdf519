import { expect, test } from 'vitest';
import { textLines } from '../html/text-lines.fixture.ts';
import { smallReport } from '../small.fixture.ts';
import { diffReports } from './diff.ts';
import { renderDiffHtml, renderDiffText } from './document.ts';
import { laterReport } from './pair.fixture.ts';

const diff = () => diffReports(smallReport(), laterReport());

test('each kind of change stands once in the text, the earlier value before the later one', () => {
  expect(renderDiffText(diff())).toBe(`✕ 1 regression, 1 improvement  Acme 2
  Verdict still not conformant.
  The suite changed: version 1.2.0 → 1.3.0.
  0 statements are another one now, listed apart: no change of the target. 3 verdicts differ on the
  same statement: the target changed, or the suite judges it in another way.
  The scope changed: another profile, other families, groups or selection, or a run that was
  stopped. What is untested or missing now may be outside the new scope.
  1 new requirement failed. The earlier report does not have it, so it is no regression.
  Before  Acme, not conformant, https://gateway.example.com 2026-11-21 09:00:00 UTC, run run-1
          conformance 1.2.0
  After  Acme 2, not conformant, https://gateway.example.com 2026-12-01 09:00:00 UTC, run run-2
         (stopped early) conformance 1.3.0

Regressions (1)
  id is a string. (stated) chat.result.id · An id is missing.
    section 2.5, before ✓ pass, after ✕ fail

Improvements (1)
  usage.total_tokens is an integer. (derived) chat.result.usage.total-tokens
    section 2.5, before ✕ fail, after ✓ pass

Other changes of verdict (1)
  temperature lies between 0 and 2. (stated) chat.param.temperature.range · The control failed:
  status 503.
    section 4.3, 8, before ? inconclusive, after – untested

New requirements (1)
  object is “chat.completion”. (stated) chat.result.object
    section 2.5, before —, after ✕ fail

Removed requirements (1)
  A rate limit can be told from an invalid token. (stated) errors.rate-limit.distinct
    section 7, before – untested, after —

Changed behaviour that the interface does not specify (3)
  Status of a refused token observation.status
    section 7, before 401, after 403
  What is refused first observation.order
    section 6, before —, after the token
  Framing of a chat stream observation.framing
    section 6, before server-sent events, after —

Conflicts with another reading followed (1)
  Reading followed conflict.conversational-on-chat
    before A, after B

Support matrix (1)
  The interface says: served general/chat/default
    before served, after unknown

Latency class (never a regression) (1)
  Chat Completions: median time of an answer chat
    before 0.3 to 1 s (817 ms, 2 answers), after 3 to 10 s (4.00 s, 2 answers)
`);
});

test('HTML has the later verdict in its colour', () => {
  expect(textLines(renderDiffHtml(diff()))).toContain('An id is missing. | 2.5 | ✓ pass | {fail}✕ fail');
});

test('where nothing changed, HTML has no note and no table, and says so', () => {
  const lines = textLines(renderDiffHtml(diffReports(smallReport(), smallReport())));
  expect(lines.slice(3, 8)).toEqual([
    '{pass}',
    '✓',
    'Nothing changed',
    'No verdict, no observation, no reading, no cell and no latency class differs.',
    'Before',
  ]);
  expect(lines.join()).not.toContain('| What');
});
