import { expect, test } from 'vitest';
import { replied } from '../../checks/evidence.fixture.ts';
import { createEvidenceView } from '../../checks/evidence-view.ts';
import { planned } from '../../plan/planned.fixture.ts';
import { createOriginReader } from './origin.ts';

/** Why a valid request was not answered that gets this reply. */
function originWhere(status: number, headers: Readonly<Record<string, string>>): string | undefined {
  const id = 'chat.plain';
  const view = createEvidenceView(planned(), new Map([[id, replied(id, { status, headers })]]));
  return createOriginReader(view, []).ofRequest(id)?.kind;
}

test('a limit is reached where a reply says so by its status, or names the time to wait', () => {
  expect(originWhere(429, {})).toBe('limit-hit');
  expect(originWhere(429, { 'retry-after': 'soon' })).toBe('limit-hit');
  expect(originWhere(401, { 'retry-after': '30' })).toBe('limit-hit');
});

test('a refusal whose Retry-After names no time tells of no limit', () => {
  expect(originWhere(401, { 'retry-after': 'soon' })).toBe('no-usable-reply');
});
