import type { Check } from '../model/case.ts';
import type { Judgement } from '../model/finding.ts';
import { type EvidenceView, isTaken } from './evidence-view.ts';
import { tellsApart } from './classes.ts';
import { fail, inconclusive, pass, describeState, untested } from './findings.ts';

/** At least one of the probes is answered with output. */
export function served(check: Extract<Check, { kind: 'served' }>, view: EvidenceView): Judgement {
  const { requirement, unless = [], fuller } = check;
  const answers = (id: string): boolean => isTaken(view, id);
  const probes =
    fuller && !fuller.smallest.some(answers) ? [...check.probes, ...fuller.probes] : check.probes;
  const states = probes.map((id) => view.state(id));
  const answered = probes.findIndex(answers);
  if (answered >= 0) return { findings: [pass(requirement)], ...shows(probes[answered]) };
  const refused = states.findIndex((state) => state.kind === 'refused');
  const open = states.find((state) => state.kind === 'unclear' && state.exchange);
  const seen = open ?? states[refused] ?? states[0];
  const actual = seen ? describeState(seen) : 'nothing was sent';
  if (refused < 0 || open) return { findings: [inconclusive(requirement, 'no reply decides it', actual)] };
  if (unless.length > 0 && !unless.some(answers)) {
    return {
      findings: [
        inconclusive(requirement, 'nothing of this kind is answered anywhere on this protocol', actual),
      ],
    };
  }
  const expected = 'a reply with output';
  return {
    findings: [fail(requirement, { message: 'a valid request is refused', expected, actual })],
    ...shows(probes[refused]),
  };
}

const shows = (id: string | undefined) => (id === undefined ? {} : { shows: id });

/** A valid request is answered, where its control is. */
export function accepted(check: Extract<Check, { kind: 'accepted' }>, view: EvidenceView): Judgement {
  const { requirement, probe, controls, after, elsewhere = [] } = check;
  const state = view.state(probe);
  if (isTaken(view, probe)) return { findings: [pass(requirement)] };
  if (state.kind === 'unclear') {
    const open = elsewhere.find((id) => view.state(id).kind !== 'answered');
    if (state.exchange === undefined && open !== undefined)
      return { findings: [untested(requirement, `not sent, and ${open} is not answered`)] };
    return { findings: [inconclusive(requirement, 'no reply decides it', describeState(state))] };
  }
  if (isBareText(view, probe)) {
    const message = 'text in no framing that is known: it may be the stream, or a refusal';
    return { findings: [inconclusive(requirement, message, describeState(state))] };
  }
  const control = controls.find((id) => view.state(id).kind === 'answered');
  if (control === undefined) {
    return { findings: [inconclusive(requirement, 'refused, and so is the control', describeState(state))] };
  }
  const alone = elsewhere.find((id) => view.state(id).kind === 'refused');
  if (alone !== undefined) {
    return { findings: [untested(requirement, `refused, as is the same of ${alone}`)] };
  }
  const last = after === undefined ? undefined : view.state(after);
  if (
    last?.kind === 'refused' &&
    state.exchange &&
    tellsApart([state.exchange], [last.exchange]) === undefined
  ) {
    const message = 'refused, and later so is the control in the same way';
    return { findings: [inconclusive(requirement, message, describeState(state))] };
  }
  const expected = `a reply with output, as for ${control}`;
  return {
    findings: [
      fail(requirement, { message: 'a valid value is refused', expected, actual: describeState(state) }),
    ],
  };
}

/** Text where a stream was asked for: on Messages neither its events nor its framing are shown (4.2, 6). */
function isBareText(view: EvidenceView, id: string): boolean {
  const state = view.state(id);
  const request = view.request(id);
  return (
    request?.protocol === 'messages' &&
    request.stream &&
    state.kind === 'refused' &&
    (state.reading.form === 'text' || typeof state.reading.json === 'string') &&
    (state.exchange.response?.status ?? 0) < 300
  );
}

/** One of several spellings of a valid request is answered. */
export function acceptedSomehow(
  check: Extract<Check, { kind: 'accepted-somehow' }>,
  view: EvidenceView,
): Judgement {
  const { requirement, probes } = check;
  const states = probes.map((id) => view.state(id));
  if (states.some((state) => state.kind === 'answered')) return { findings: [pass(requirement)] };
  const [first] = states;
  const message = 'no shape that we know is taken, and the document shows none';
  return { findings: [inconclusive(requirement, message, first ? describeState(first) : message)] };
}

/** A parameter may be left out: of the smallest request, or where that is refused, of one that is answered. */
export function optional(check: Extract<Check, { kind: 'optional' }>, view: EvidenceView): Judgement {
  const { requirement, smallest, pairs } = check;
  if (smallest.some((id) => view.state(id).kind === 'answered')) return { findings: [pass(requirement)] };
  const pair = pairs.find(({ full }) => view.state(full).kind === 'answered');
  if (pair === undefined) {
    const [first = ''] = smallest;
    return {
      findings: [
        inconclusive(
          requirement,
          'neither the smallest request nor a fuller one is answered',
          describeState(view.state(first)),
        ),
      ],
    };
  }
  const less = view.state(pair.without);
  if (less.kind === 'answered') return { findings: [pass(requirement)] };
  if (less.kind === 'unclear')
    return { findings: [inconclusive(requirement, 'no reply decides it', describeState(less))] };
  const message = 'a request without an optional parameter is refused';
  return {
    findings: [
      fail(requirement, {
        message,
        expected: `a reply with output, as for ${pair.full}`,
        actual: describeState(less),
      }),
    ],
    shows: pair.without,
  };
}
