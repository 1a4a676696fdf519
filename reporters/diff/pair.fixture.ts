import type { Report, ReportRequirement } from '../../suites/types/report.ts';
import { requirementRow } from '../empty-report.fixture.ts';
import { smallReport, withRow } from '../small.fixture.ts';

/** The small report a release later: each kind of change once; for tests only. */
export function laterReport(): Report {
  const early = smallReport();
  const worse = withRow(early, 'chat.result.id', { verdict: 'fail', reason: 'An id is missing.' });
  const { requirements } = withRow(worse, 'chat.param.temperature.range', { verdict: 'untested' });
  const [status, framing] = early.observations;
  if (status === undefined || framing === undefined) throw new Error('the fixture has observations');
  return {
    ...early,
    suite: { ...early.suite, version: '1.3.0' },
    target: { ...early.target, name: 'Acme 2' },
    scope: { ...early.scope, groups: ['default'] },
    run: { ...early.run, id: 'run-2', startedAt: '2026-12-01T09:00:00.000Z', partial: true },
    requirements: [
      ...requirements.flatMap(({ reason, ...row }): ReportRequirement[] => {
        if (row.id === 'errors.rate-limit.distinct') return [];
        if (row.id === 'chat.result.usage.total-tokens') return [{ ...row, verdict: 'pass' }];
        return [reason === undefined ? row : { ...row, reason }];
      }),
      requirementRow('chat.result.object', { statement: 'object is “chat.completion”.', verdict: 'fail' }),
    ],
    observations: [
      { ...status, value: '403' },
      { ...framing, id: 'observation.order', subject: 'What is refused first', value: 'the token' },
    ],
    conflicts: early.conflicts.map((row) => ({ ...row, follows: 'B' })),
    matrix: early.matrix.map((cell, at) => (at === 0 ? { ...cell, observed: 'unknown' } : cell)),
    exchanges: early.exchanges.map((one) => ({ ...one, timing: { ...one.timing, endMs: 4_000 } })),
  };
}
