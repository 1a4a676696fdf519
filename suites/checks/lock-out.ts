import type { LockOut } from '../types/checks/errors.ts';
import type { Judgement, Outcome } from '../types/finding.ts';
import type { LockOut as Seen } from '../reading/lock-outs.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, isAnswered } from './evidence-view.ts';
import { describeFirst } from './shared/describe.ts';
import { inconclusive, pass } from './shared/findings.ts';

export const lockOut: CheckDefinition<LockOut> = {
  kind: 'lock-out',
  explanation:
    'It is unspecified: whether valid requests are refused for a while after wrong ones is written down, and nothing is failed.',
  reads: ({ probes }) => probes,
  judge,
};

function judge({ requirement, probes }: LockOut, view: EvidenceView): Outcome | Judgement {
  if (!probes.some((id) => isAnswered(view, id)))
    return inconclusive('control-unanswered', describeFirst(view, probes));
  const seen = view.lockOuts();
  const statuses = [...new Set(seen.map(({ status }) => status))];
  const values = statuses.map((status) => described(seen.filter((lock) => lock.status === status)));
  const [first] = seen;
  return {
    findings: [{ requirement, ...pass() }],
    observations: [
      {
        requirement,
        subject: 'valid requests after wrong ones',
        value: values.length === 0 ? 'no lock-out seen' : values.join('; '),
        // How many wrong requests came before, and how fast, is another thing in each run.
        stable: null,
      },
    ],
    ...(first ? { shows: first.exchange } : {}),
  };
}

/** Lock-outs with the same status: the longest, and how many exchanges met one. */
function described(seen: readonly Seen[]): string {
  const lengthOf = ({ fromMs, untilMs }: Seen): number => untilMs - fromMs;
  const [longest] = [...seen].sort((one, other) => lengthOf(other) - lengthOf(one));
  if (longest === undefined) return '';
  const { status, exchange } = longest;
  const others = seen.length === 1 ? '' : `, and ${seen.length - 1} more`;
  return `HTTP ${status} for ${(lengthOf(longest) / 1000).toFixed(1)} s at most, seen by ${exchange}${others}`;
}
