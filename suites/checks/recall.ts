import type { TextProtocol } from '../../spec/vocabulary.ts';
import type { Asked, Check, Place } from '../model/case.ts';
import type { Judgement } from '../model/finding.ts';
import type { ReportFinding } from '../model/report.ts';
import { replyText } from '../reading/text.ts';
import type { EvidenceView, State } from './evidence-view.ts';
import { excerpt, fail, inconclusive, pass, describeState, untested } from './findings.ts';

type Recall = Extract<Check, { kind: 'recall' }>;

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Whether a text holds a nonce, however it is spelt out. */
export const holds = (text: string, nonce: string): boolean => letters(text).includes(letters(nonce));

/** Whether a reply gives a nonce back. */
export const recalls = (state: State, protocol: TextProtocol, nonce: string): boolean =>
  state.kind === 'answered' && holds(replyText(state.reading, protocol), nonce);

/** Whether a request is refused, or was not sent since one that it hangs on is. */
export function isRefused(view: EvidenceView, id: string): boolean {
  const state = view.state(id);
  if (state.kind !== 'unclear') return state.kind === 'refused';
  if (state.exchange !== undefined) return false;
  return (view.request(id)?.when ?? []).some(
    (condition) =>
      condition.kind === 'answered' &&
      condition.any.length > 0 &&
      condition.any.every((before) => isRefused(view, before)),
  );
}

/** Whether a probe is refused for its words: the control in the same words is, too. */
export const isFiltered = (view: EvidenceView, asked: Asked, controls: readonly Asked[]): boolean =>
  isRefused(view, asked.exchange) &&
  controls.some(({ topic, exchange }) => topic === asked.topic && isRefused(view, exchange));

/** Nothing but refusals of the words: it hangs on the model, where anything else is answered. */
export function filtered(requirement: string, plain: string, view: EvidenceView): ReportFinding {
  const state = view.state(plain);
  const message = 'the question itself is refused, in other words too';
  return state.kind === 'answered'
    ? inconclusive(requirement, message, message, 'model-behaviour')
    : inconclusive(requirement, message, describeState(state));
}

/** What became of one place: recalled, lost, or open for a reason. */
type Outcome =
  | { readonly kind: 'recalled'; readonly exchange: string }
  | { readonly kind: 'lost'; readonly place: Place; readonly silent: readonly Asked[] }
  | { readonly kind: 'open'; readonly finding: ReportFinding };

/**
 * What was given as context comes back. The protocol is failed only where the control, which has it in
 * the question, recalls and the probe never does in any attempt (principle 9).
 */
export function recall(check: Recall, view: EvidenceView): Judgement {
  const outcomes = check.places.flatMap((place) => outcomeOf(place, check, view) ?? []);
  const lost = outcomes.filter((outcome) => outcome.kind === 'lost');
  if (lost.length > 0) return lostJudgement(check, lost, view);
  const open = outcomes.flatMap((outcome) => (outcome.kind === 'open' ? [outcome.finding] : []));
  const worst = open.find(({ nonGating }) => nonGating === undefined) ?? open[0];
  if (worst) return { findings: [worst] };
  const heard = outcomes.find((outcome) => outcome.kind === 'recalled');
  return heard
    ? { findings: [pass(check.requirement)], shows: heard.exchange }
    : { findings: [untested(check.requirement, 'refused, in the only form that it is asked in')] };
}

function lostJudgement(
  { requirement, protocol }: Recall,
  lost: readonly Extract<Outcome, { kind: 'lost' }>[],
  view: EvidenceView,
): Judgement {
  const [first] = lost.flatMap(({ silent }) => silent);
  const state = first && view.state(first.exchange);
  const said = state?.kind === 'answered' ? excerpt(replyText(state.reading, protocol)) : '';
  const where = lost.map(({ place }) => place.where).join(' or ');
  const most = Math.max(...lost.map(({ silent }) => silent.length));
  const message = `what stands ${where} is not recalled in ${most} attempt${most === 1 ? '' : 's'}, and is where it stands in the question`;
  const contradiction = { message, expected: first?.nonce ?? '', actual: said === '' ? 'no text' : said };
  return { findings: [fail(requirement, contradiction)], ...(first ? { shows: first.exchange } : {}) };
}

/** Undefined where the place may be refused and is, and where nothing stands in it. */
function outcomeOf(place: Place, check: Recall, view: EvidenceView): Outcome | undefined {
  const { requirement, protocol } = check;
  const controls = place.controls ?? check.controls;
  const open = (...why: readonly [string, string?, 'model-behaviour'?]): Outcome => ({
    kind: 'open',
    finding: inconclusive(requirement, ...why),
  });
  const recalled = ({ exchange, nonce }: Asked) => recalls(view.state(exchange), protocol, nonce);
  if (place.said && !recalled(place.said)) return undefined;
  const heard = [...place.probes, ...(place.also ?? [])].find(recalled);
  if (heard) return { kind: 'recalled', exchange: heard.exchange };
  const silent = place.probes.filter((asked) => !isFiltered(view, asked, check.controls));
  const [first] = silent;
  if (first === undefined) return { kind: 'open', finding: filtered(requirement, check.plain, view) };
  if (silent.some(({ exchange }) => view.state(exchange).kind !== 'answered')) {
    const refused = isRefused(view, first.exchange);
    if (refused && place.instead)
      return outcomeOf({ where: place.where, probes: place.instead }, check, view);
    if (refused && place.free) return undefined;
    return open('not every attempt was answered', describeState(view.state(first.exchange)));
  }
  const answered = controls.find(({ exchange }) => view.state(exchange).kind === 'answered');
  if (answered === undefined) {
    return controls.every(({ exchange }) => isRefused(view, exchange))
      ? { kind: 'open', finding: filtered(requirement, check.plain, view) }
      : open('the control is not answered', describeState(view.state(controls[0]?.exchange ?? '')));
  }
  if (!controls.some(recalled)) {
    const message = 'the model does not even give back what stands in the question';
    return open(message, message, 'model-behaviour');
  }
  if (isEcho(silent, check, view)) {
    const message = 'the model repeats its last message, and shows nowhere that it is given more';
    return open(message, message, 'model-behaviour');
  }
  return { kind: 'lost', place, silent };
}

/** A model that says its last message again: the control, which has the nonce there, tells nothing of it. */
const isEcho = (silent: readonly Asked[], { protocol, elsewhere }: Recall, view: EvidenceView): boolean =>
  silent.every(({ exchange, question }) => recalls(view.state(exchange), protocol, question)) &&
  !elsewhere.some((asked) => recalls(view.state(asked.exchange), asked.protocol, asked.nonce));
