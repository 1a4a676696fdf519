import { expect, test } from 'vitest';
import type { BaselineEntry } from '../../fixtures/baseline/baseline.ts';
import type { BaselineOutcome, Failure } from './apply.ts';
import { calm } from './outcome.fixture.ts';
import { markdownOf, terminalOf } from '../document/printed.fixture.ts';
import { baselineSection } from '../run/beside.ts';
import { baselineHeadline } from './view.ts';

const cell = { family: 'general', protocol: 'chat', group: 'default', stream: true } as const;
const entry = (requirement: string, line: number, over: Partial<BaselineEntry> = {}): BaselineEntry => ({
  requirement,
  reason: 'ticket 12',
  expires: '2027-03-31',
  line,
  ...over,
});
const failure = (requirement: string): Failure => ({ requirement, statement: 'It is so.', cases: [] });

const outcome: BaselineOutcome = {
  ...calm,
  newFailures: [failure('a.new'), { ...failure('b.new'), cell }, failure('b.new')],
  expired: [{ entry: entry('c.late', 2, { expires: '2026-01-01' }), failures: [failure('c.late')] }],
  stale: [entry('d.stale', 3, { cell }), entry('e.stale', 4)],
  unmatched: [entry('f.gone', 5)],
  expected: [
    { entry: entry('g.known', 6, { owner: 'Kim', cell }), failures: [failure('g'), failure('g')] },
    { entry: entry('h.known', 7), failures: [failure('h')] },
  ],
  undecided: [entry('i.open', 8)],
  unexplained: [entry('h.known', 7)],
  ok: false,
};

test('a run beside its baseline is told by kind, what turns it red first', () => {
  expect(terminalOf(baselineSection(outcome))).toEqual([
    '✕ Expected failures',
    '  Baseline: Against b.yaml: 2 new failures, 1 expired entry, 2 stale entries, 1 unmatched entry; 2',
    '  failures expected.',
    '  ✕ New: no entry expects it (3)',
    '    a.new: It is so.',
    '    b.new in general/chat/default/stream: It is so.',
    '    b.new: It is so.',
    '  ✕ Expired: still fails after its expiry date (1)',
    '    c.late (b.yaml:2), expired after 2026-01-01',
    '  ✕ Stale: passes now, remove the entry (2)',
    '    d.stale in general/chat/default/stream (b.yaml:3)',
    '    e.stale (b.yaml:4)',
    '  ✕ Unmatched: this full run judged nothing that it names (1)',
    '    f.gone (b.yaml:5)',
    '  ? Without a reason: replace TODO (1)',
    '    h.known (b.yaml:7)',
    '  ○ Expected (2)',
    '    g.known in general/chat/default/stream: ticket 12 (Kim), until 2027-03-31',
    '    h.known: ticket 12, until 2027-03-31',
    '  ? Not determined by this run (1)',
    '    i.open (b.yaml:8)',
    '',
  ]);
});

test('the headline names only what there is, and counts a requirement once that fails in several cells', () => {
  expect(baselineHeadline({ ...calm, unmatched: outcome.unmatched, ok: false })).toBe(
    'Against b.yaml: 1 unmatched entry; 0 failures expected.',
  );
  expect(baselineHeadline({ ...calm, expected: outcome.expected })).toBe(
    'Every failure is expected by b.yaml: 2 failures. Nothing is new.',
  );
});

test('of one kind twenty lines are told on a terminal, forty in Markdown, and the rest is counted', () => {
  const many = (length: number) =>
    baselineSection({
      ...calm,
      newFailures: Array.from({ length }, (_, at) => failure(`r${at}`)),
      ok: false,
    });
  expect(terminalOf(many(20)).slice(-2)).toEqual(['    r19: It is so.', '']);
  expect(terminalOf(many(23)).slice(-3)).toEqual(['    r19: It is so.', '    and 3 more in the report', '']);
  expect(markdownOf(many(40)).trimEnd()).toMatch(/- r39: It is so\.$/);
  expect(markdownOf(many(43)).trimEnd()).toMatch(/- r39: It is so\.\n- and 3 more$/);
});
