import type { CheckOf } from '../types/checks/check.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, isAnswered, isTaken, type State, textAt } from './evidence-view.ts';
import { describeState, describeFirst, fail, inconclusive, pass } from './shared/findings.ts';
import { noStream, validRequestOutcome } from './shared/valid-request.ts';
import type { UnsentReason } from '../types/reasons/exchange-reasons.ts';
import { stopBehind } from '../facts/stops.ts';

export const accepted: CheckDefinition<'accepted'> = {
  explanation:
    'Passes where the request is answered; judged only where its control, a plain valid request, is answered.',
  reads: ({ probe, controls, after, combinations = [], parts = [] }) => [
    ...combinations,
    probe,
    ...controls,
    ...(after ? [after] : []),
    ...parts,
  ],
  smaller: ({ controls }) => ({ controls }),
  judge(check, view) {
    const outcome = validRequestOutcome(check, view);
    return outcome.verdict === 'inconclusive' ? (noStream(view, check.controls) ?? outcome) : outcome;
  },
};

export const acceptedSomehow: CheckDefinition<'accepted-somehow'> = {
  explanation:
    'Passes where one of several spellings of the request is answered; none answered decides nothing.',
  reads: ({ probes, controls }) => [...probes, ...controls],
  judge({ probes }, view) {
    if (probes.some((id) => isAnswered(view, id))) return pass();
    return inconclusive('no-known-form-accepted', describeFirst(view, probes));
  },
};

export const optional: CheckDefinition<'optional'> = {
  explanation: 'Passes where a request without the parameter is answered.',
  reads: ({ smallest, pairs }) => [...smallest, ...pairs.flatMap(({ without, full }) => [without, full])],
  judge({ smallest, pairs }, view) {
    if (smallest.some((id) => isAnswered(view, id))) return pass();
    const pair = pairs.find(({ full }) => isAnswered(view, full));
    if (pair === undefined)
      return inconclusive('smallest-and-full-unanswered', describeFirst(view, smallest));
    const { without, full } = pair;
    const state = view.state(without);
    if (state.kind === 'answered') return pass();
    const actual = describeState(state);
    return state.kind === 'unclear'
      ? inconclusive('no-conclusive-reply', actual)
      : fail({ kind: 'optional-parameter-required', full }, actual, { exchange: without });
  },
};

export const served: CheckDefinition<'served'> = {
  explanation: 'Passes where at least one of the requests is answered with output.',
  reads: ({ probes, prerequisites = [], fallback }) => [
    ...probes,
    ...prerequisites,
    ...(fallback ? [...fallback.probes, ...fallback.streams, ...fallback.smallest] : []),
  ],
  smaller: () => ({}),
  judge(check, view) {
    const { prerequisites = [], fallback } = check;
    const answers = (id: string): boolean => isTaken(view, id);
    const inStead = fallback?.smallest.some(answers) ? undefined : fallback;
    const probes = [...check.probes, ...(inStead?.probes ?? [])];
    // What comes in a stream that can't be read is no output.
    const answered =
      probes.find(answers) ?? inStead?.streams.find((id) => answers(id) && textAt(view, id) !== '');
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
    if (stopBehind(view, refused)) return inconclusive('control-fails-afterwards', actual);
    return fail('valid-request-refused', actual, { exchange: refused });
  },
};

export const stillServed: CheckDefinition<'still-served'> = {
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

export const conflict: CheckDefinition<'conflict'> = {
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

function readingOf(pairs: CheckOf<'conflict'>['pairs'], view: EvidenceView) {
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
