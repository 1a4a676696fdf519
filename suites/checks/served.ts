import type { Conflict, Served, StillServed } from '../types/checks/requests.ts';
import type { Judgement, Outcome } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, isAnswered, isTaken, type State } from './evidence-view.ts';
import { describeState } from './shared/describe.ts';
import { fail, inconclusive, pass } from './shared/findings.ts';
import { noStream } from './shared/no-stream.ts';
import type { UnsentReason } from '../types/reasons/exchange-reasons.ts';

export const served: CheckDefinition<Served> = {
  kind: 'served',
  explanation: 'Passes where at least one of the requests is answered with output.',
  reads: ({ probes, prerequisites = [], fallback }) => [
    ...probes,
    ...prerequisites,
    ...(fallback ? [...fallback.probes, ...fallback.smallest] : []),
  ],
  smaller: () => ({}),
  judge: judgeServed,
};

function judgeServed(check: Served, view: EvidenceView): Outcome {
  const { prerequisites = [], fallback } = check;
  const answers = (id: string): boolean => isTaken(view, id);
  const probes =
    fallback && !fallback.smallest.some(answers) ? [...check.probes, ...fallback.probes] : check.probes;
  const answered = probes.find(answers);
  if (answered !== undefined) return pass(answered);
  const states = probes.map((id) => view.state(id));
  const refused = probes.find((id) => view.state(id).kind === 'refused');
  const unclear = states.find((state) => state.kind === 'unclear' && state.exchange);
  const seen = unclear ?? (refused === undefined ? states[0] : view.state(refused));
  const actual = seen ? describeState(seen) : 'nothing was sent';
  // One that is served is enough: it may be one that was never asked.
  if (refused === undefined || states.some(isUnasked)) return inconclusive('no-conclusive-reply', actual);
  if (prerequisites.length > 0 && !prerequisites.some(answers))
    return noStream(view, prerequisites) ?? inconclusive('protocol-unanswered', actual);
  return fail('valid-request-refused', actual, { exchange: refused });
}

export const stillServed: CheckDefinition<StillServed> = {
  kind: 'still-served',
  explanation: 'Passes where a valid request still works after the requests that must be refused.',
  reads: ({ before, after }) => [after, ...before],
  judge({ before, after }, view) {
    const last = view.state(after);
    if (last.kind === 'answered') return pass();
    const lost =
      last.exchange === undefined ? 'valid-request-not-sent-again' : 'valid-request-fails-afterwards';
    const reason = before.some((id) => isAnswered(view, id)) ? lost : 'control-never-answered';
    return inconclusive(reason, describeState(last));
  },
};

export const conflict: CheckDefinition<Conflict> = {
  kind: 'conflict',
  explanation:
    'The document contradicts itself: which reading the target follows is reported, and neither is failed.',
  reads: ({ pairs }) => [
    ...pairs.map(({ probe }) => probe),
    ...new Set(pairs.flatMap(({ controls }) => controls)),
  ],
  controlPairs: ({ pairs }) => pairs.map(({ probe, controls }) => ({ probes: [probe], controls })),
  judge: ({ refused, served, pairs }, view) => ({
    findings: [refused, served].map((requirement) => ({ requirement, ...pass() })),
    follows: readingOf(pairs, view),
  }),
};

function readingOf(pairs: Conflict['pairs'], view: EvidenceView): NonNullable<Judgement['follows']> {
  const seen = pairs.map(({ probe, controls }) => {
    const { kind } = view.state(probe);
    return kind === 'refused' && !controls.some((id) => isAnswered(view, id)) ? 'unclear' : kind;
  });
  if (seen.includes('unclear')) return 'unknown';
  if (seen.every((kind) => kind === 'answered')) return 'B';
  return seen.includes('answered') ? 'mixed' : 'A';
}

/** Reasons for which a request was not sent that say nothing about the target: the run ended, or had no time for it. */
const cutShort: Readonly<Partial<Record<UnsentReason['kind'], true>>> = {
  stopped: true,
  'duration-spent': true,
  'budget-spent': true,
  unreachable: true,
  'wrong-scheme': true,
  'mistake-found': true,
  'target-given-up': true,
  'no-reply-in-time': true,
  'internal-error': true,
};

/** Whether nothing conclusive came of a request, and another run may well show more of it. */
export function isUnasked(state: State): boolean {
  if (state.kind !== 'unclear') return false;
  const { why } = state;
  return why.kind !== 'not-sent' || cutShort[why.unsent.kind] === true;
}
