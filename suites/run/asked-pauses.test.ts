import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answered, replied } from '../checks/evidence.fixture.ts';
import type { Prepared } from '../wire/send.ts';
import { createAskedPauses } from './control-sender.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const caller = (credential: string) => ({ credential, route: '/v1/messages c-large' }) as Prepared;
const told = (seconds: number) => replied('a', { status: 503, headers: { 'retry-after': String(seconds) } });

test('a control waits for what is left of the pause that a valid request was told', () => {
  const pauses = createAskedPauses(60_000);
  pauses.note(caller('default'), told(17));
  vi.advanceTimersByTime(5_000);
  expect(pauses.left(caller('default'))).toBe(12_000);
  vi.advanceTimersByTime(20_000);
  expect(pauses.left(caller('default'))).toBe(0);
});

test('it waits for no pause of another caller, none that is over with an answer, and none that is too long', () => {
  const pauses = createAskedPauses(60_000);
  pauses.note(caller('default'), told(17));
  expect(pauses.left(caller('coding-tool'))).toBe(0);
  pauses.note(caller('default'), answered('b', 'messages'));
  expect(pauses.left(caller('default'))).toBe(0);
  pauses.note(caller('default'), told(3_600));
  expect(pauses.left(caller('default'))).toBe(0);
});
