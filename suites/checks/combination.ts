import { isOwn } from '../../spec/requirements.ts';
import type { CheckOf } from '../types/checks/check.ts';
import { isSameSetting, type Setting } from '../types/combination.ts';
import { confirmedPartId, partId } from '../types/combination-parts.ts';
import { callerOf } from '../reading/sent-request.ts';
import type { Judgement, Outcome } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, isTaken } from './evidence-view.ts';
import { isBareText, isRefused } from './shared/refusals.ts';
import {
  describeState,
  dependsOnModel,
  fail,
  inconclusive,
  pass,
  unsaid,
  untested,
} from './shared/findings.ts';
import { reductionOf } from './shared/minimal-combination.ts';
import { isControlRefusedSince } from './shared/valid-request.ts';
import { stopBehind } from '../facts/stops.ts';

export const combination: CheckDefinition<'combination'> = {
  explanation:
    'Passes where a request with several parameters at once is answered. One that is refused is taken apart until no part of it can be left out; a value that is refused by itself is judged by its own case.',
  reads: ({ probe, words }) => [probe, ...words],
  readsFurther: ({ others, plain }) => [...Object.values(others).flat(), plain],
  smaller: () => ({}),
  judge(check, view, requirements) {
    const { probe } = check;
    const all = (outcome: Outcome): Judgement => ({
      findings: requirements.map((requirement) => ({ requirement, ...outcome })),
    });
    if (isTaken(view, probe)) return { ...all(pass()), shows: probe };
    const state = view.state(probe);
    const actual = describeState(state);
    if (state.kind === 'unclear')
      return all(
        state.exchange === undefined
          ? untested({ kind: 'part-unanswered', part: probe })
          : inconclusive('no-conclusive-reply', actual),
      );
    if (isBareText(view, probe)) return all(inconclusive('unknown-framing', actual));
    if (isControlRefusedSince(view, state.exchange, check.plain) || stopBehind(view, probe))
      return all(inconclusive('control-fails-afterwards', actual));
    const refusedWords = check.words.filter((id) => isQuestionRefused(view, id, check.plain));
    if (refusedWords.length > 0)
      return all(dependsOnModel('question-refused', unsaid([probe, ...refusedWords]), actual));
    const part = refusedPart(check, view);
    if (part !== undefined) return all(untested({ kind: 'part-refused', part }));
    const reduction = reductionOf(view, probe);
    if (reduction.kind !== 'minimal') return all(inconclusive('combination-not-taken-apart', actual));
    const again = confirmedPartId(probe, reduction.factors);
    if (isTaken(view, again)) return { ...all(pass()), shows: again };
    return blame(check, view, reduction.factors, requirements);
  },
};

/** Whether a row with a word in its question is refused for that: without anything else, too, and with another question not. */
function isQuestionRefused(view: EvidenceView, id: string, plain: string): boolean {
  if (isRefused(view, plain) || view.state(id).kind !== 'refused') return false;
  const reduction = reductionOf(view, id);
  return reduction.kind === 'minimal' && reduction.factors.length === 0;
}

/** The plain request, where it is refused: one without a stream asks for it, too. */
const refusedPlain = ({ probe, plain }: CheckOf<'combination'>, view: EvidenceView): string | undefined =>
  view.request(probe)?.stream !== true && isRefused(view, plain) ? plain : undefined;

/** A plain request with one setting of a refused combination that is refused, too, and none with it is answered. */
const refusedAlone = ({ others }: CheckOf<'combination'>, view: EvidenceView): string | undefined =>
  Object.values(others)
    .filter((ids) => !ids.some((id) => isTaken(view, id)))
    .flat()
    .find((id) => view.request(id)?.combination === undefined && isRefused(view, id));

/** The smallest refused part of an earlier combination of the caller that this one has whole: the first is taken apart, and shows it. */
function refusedBefore({ probe }: CheckOf<'combination'>, view: EvidenceView): string | undefined {
  const { exchange } = view.state(probe);
  const own = view.request(probe)?.combination?.settings ?? [];
  const before = view.plan.cases.flatMap(({ check }) => (check.kind === 'combination' ? check.probe : []));
  return before
    .slice(0, Math.max(0, before.indexOf(probe)))
    .flatMap((id) => smallestPart(view, id) ?? [])
    .find(({ whole: { request }, settings }) => {
      const isOfCaller = exchange && callerOf(request) === callerOf(exchange.request);
      const isWithin = settings.every((each) => own.some((other) => isSameSetting(each, other)));
      return isOfCaller && request.url === exchange.request.url && isWithin;
    })?.id;
}

/** The smallest part of a combination that is refused, behind the answers to all else, too; undefined while none is known. */
function smallestPart(view: EvidenceView, id: string) {
  const { kind, exchange } = view.state(id);
  const reduction = reductionOf(view, id);
  if (kind !== 'refused' || reduction.kind !== 'minimal') return undefined;
  const { factors } = reduction;
  const all = view.request(id)?.combination?.settings ?? [];
  const settings = all.filter(({ factor }) => factors.includes(factor));
  if (settings.length === 0 || isTaken(view, confirmedPartId(id, factors))) return undefined;
  return { whole: exchange, settings, id: settings.length === all.length ? id : partId(id, factors) };
}

/** A smaller request that is refused, too, and is judged by itself: a combination is not taken apart beside it. */
export const refusedPart = (check: CheckOf<'combination'>, view: EvidenceView): string | undefined =>
  refusedPlain(check, view) ?? refusedAlone(check, view) ?? refusedBefore(check, view);

/** The requirements that a smallest refused combination breaks. */
function brokenBy(all: readonly Setting[]): readonly string[] {
  const settings = all.filter(({ factor }) => !all.some(({ restsOn }) => restsOn === factor));
  const [first] = settings;
  if (first === undefined) return [];
  if (settings.length === 1) {
    // A stream that is refused for one caller alone is judged by the cell of that caller.
    return first.mayBeRefused || first.fields?.stream === true ? [] : first.requirements;
  }
  // Without what an extension adds, the same is answered.
  const own = settings.flatMap(({ requirements }) => requirements.filter(isOwn));
  if (own.length > 0) return own;
  const stream = settings.find(({ fields }) => fields?.stream !== undefined);
  if (stream) return stream.requirements;
  const parameters = settings.filter(({ isOfPrompt }) => !isOfPrompt);
  return (parameters.length > 0 ? parameters : settings).flatMap(({ requirements }) => requirements);
}

/** Tells what a smallest refused combination breaks, and spares what it does not. */
function blame(
  { probe, plain }: CheckOf<'combination'>,
  view: EvidenceView,
  factors: readonly string[],
  requirements: readonly string[],
): Judgement {
  const all = view.request(probe)?.combination?.settings ?? [];
  const settings = all.filter(({ factor }) => factors.includes(factor));
  const broken = brokenBy(settings);
  const shows = settings.length === all.length ? probe : partId(probe, factors);
  const actual = describeState(view.state(shows));
  const descriptions = settings.map(({ description }) => description);
  const ofQuestion = (): Outcome =>
    isRefused(view, plain)
      ? untested({ kind: 'part-refused', part: plain })
      : dependsOnModel('question-refused', unsaid([probe]), actual);
  const spared: Outcome =
    factors.length === 0
      ? ofQuestion()
      : untested({ kind: 'combination-refused-otherwise', settings: descriptions });
  const failure = fail({ kind: 'combination-refused', settings: descriptions }, actual, { exchange: shows });
  const findings = requirements.map((requirement) => {
    const outcome = broken.includes(requirement) ? failure : spared;
    return { requirement, ...outcome };
  });
  return { findings, shows };
}
