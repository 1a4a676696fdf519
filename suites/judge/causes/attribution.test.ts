import { expect, test } from 'vitest';
import { answered, refused } from '../../checks/evidence.fixture.ts';
import { createEvidenceView } from '../../checks/evidence-view.ts';
import { judgementOf } from '../../checks/registry.ts';
import { planned } from '../../plan/planned.fixture.ts';
import { factOfUndecided } from './attribution.ts';
import { unansweredReader } from './unanswered.ts';

test('a model that says no word it was given is the cause, and not a group that is refused images', () => {
  const plan = planned();
  const [cell, other] = ['cell.image.images.coding-tool', 'cell.image.images.default'];
  const view = createEvidenceView(
    plan,
    new Map([
      [other, answered(other, 'images')],
      [cell, refused(cell, 403)],
    ]),
  );
  const entry = plan.cases.find(({ check }) => check.kind === 'own-context');
  if (entry === undefined) throw new Error('no case looks for the words of other requests');
  const unanswered = unansweredReader(view, []);
  const row = { id: 'states.only-relation', verdict: 'inconclusive', nonGating: 'model-behaviour' } as const;
  const deciding = judgementOf(entry, view).findings.flatMap((finding) =>
    finding.verdict === 'pass' ? [] : [{ entry, finding, shown: undefined }],
  );
  const found = factOfUndecided(
    { ...row, code: 'no-word-shown', level: 'derived', sections: [], statement: '', cases: [] },
    deciding,
    { view, viewOf: () => view, mistakes: [], unanswered, refusedRequest: () => undefined },
    () => undefined,
  );
  expect(found.kind).toBe('model-behaviour');
});
