import { expect, test } from 'vitest';
import { answered, refused } from '../../checks/evidence.fixture.ts';
import { createEvidenceView } from '../../checks/evidence-view.ts';
import { judgementOf } from '../../checks/registry.ts';
import { planned } from '../../plan/planned.fixture.ts';
import { factOfUndecided } from './attribution.ts';
import { causeWords } from './cause-words.ts';
import { unansweredReader } from './unanswered.ts';

test('a model that says no word it was given is the cause, and not a group that is refused images', () => {
  const plan = planned();
  const [cell, other] = ['cell.image.images.coding-tool', 'cell.image.images.default'];
  const entry = plan.cases.find(({ check }) => check.kind === 'own-context');
  if (entry?.check.kind !== 'own-context') throw new Error('no case looks for the words of other requests');
  const [asking] = plan.requests.filter(({ says, protocol }) => says && protocol === 'chat');
  if (asking === undefined) throw new Error('no request asks for a text');
  const talk = answered(asking.id, 'chat', 'No.');
  const body = JSON.stringify({ model: 'g-large', messages: entry.check.words });
  const view = createEvidenceView(
    plan,
    new Map([
      [other, answered(other, 'images')],
      [cell, refused(cell, 403)],
      [asking.id, { ...talk, request: { ...talk.request, body } }],
    ]),
  );
  const unanswered = unansweredReader(view, []);
  const row = { id: 'states.only-relation', verdict: 'inconclusive', nonGating: 'model-behaviour' } as const;
  const deciding = judgementOf(entry, view).findings.flatMap((finding) =>
    finding.verdict === 'pass' ? [] : [{ entry, finding, shown: undefined }],
  );
  const found = factOfUndecided(
    { ...row, code: 'no-word-shown', level: 'derived', sections: [], statement: '', cases: [] },
    deciding,
    {
      ...{ view, viewOf: () => view, mistakes: [], unanswered },
      ...{ refusedRequest: () => undefined },
    },
    { failureAt: () => undefined, brokenAt: () => [] },
  );
  expect(found).toMatchObject({
    kind: 'model-behaviour',
    answers: [{ protocol: 'chat', model: 'g-large', said: [], unsaid: [asking.id] }],
    evidence: [asking.id],
  });
  expect(causeWords([found])).toContain(
    'Replies that hold what was asked for: 0 of 1 of g-large on POST /v1/chat/completions.',
  );
});
