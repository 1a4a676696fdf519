import type { CombinationCheck } from '../types/checks/requests.ts';
import type { Setting } from '../types/combination.ts';
import { confirmedPartId, partId } from '../types/combination-parts.ts';
import type { Judgement, Outcome } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, isTaken } from './evidence-view.ts';
import { isBareText } from './shared/unframed-text.ts';
import { describeState } from './shared/describe.ts';
import { dependsOnModel, fail, inconclusive, pass, unsaid, untested } from './shared/findings.ts';
import { reductionOf } from './shared/minimal-combination.ts';
import { isRefused } from './shared/refusals.ts';

export const combination: CheckDefinition<CombinationCheck> = {
  kind: 'combination',
  explanation:
    'Passes where a request with several parameters at once is answered. One that is refused is taken apart until no part of it can be left out; a value that is refused by itself is judged by its own case.',
  reads: ({ probe, words }) => [probe, ...words],
  readsFurther: ({ others }) => Object.values(others).flat(),
  smaller: () => ({}),
  judge: (check, view, requirements) => judge(check, view, requirements),
};

/** A request with one setting of a refused combination that is refused, too, and none with it is answered. */
export const refusedAlone = ({ others }: CombinationCheck, view: EvidenceView): string | undefined =>
  Object.values(others)
    .filter((ids) => !ids.some((id) => isTaken(view, id)))
    .flatMap((ids) => ids.at(-1) ?? [])
    .find((id) => isRefused(view, id));

function judge(check: CombinationCheck, view: EvidenceView, requirements: readonly string[]): Judgement {
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
  const refusedWords = check.words.filter((id) => view.state(id).kind === 'refused');
  if (refusedWords.length > 0)
    return all(dependsOnModel('question-refused', unsaid([probe, ...refusedWords]), actual));
  const alone = refusedAlone(check, view);
  if (alone !== undefined) return all(untested({ kind: 'part-refused', part: alone }));
  const reduction = reductionOf(view, probe);
  if (reduction.kind !== 'minimal') return all(inconclusive('combination-not-taken-apart', actual));
  const again = confirmedPartId(probe, reduction.factors);
  if (isTaken(view, again)) return { ...all(pass()), shows: again };
  return blame(check, view, { factors: reduction.factors, requirements });
}

/** The requirements that a smallest refused combination breaks. */
function brokenBy(all: readonly Setting[]): readonly string[] {
  const settings = all.filter(({ factor }) => !all.some(({ restsOn }) => restsOn === factor));
  const [first] = settings;
  if (first === undefined) return [];
  if (settings.length === 1) {
    // A stream that is refused for one caller alone is judged by the cell of that caller.
    return first.mayBeRefused || first.fields?.stream === true ? [] : first.requirements;
  }
  const stream = settings.find(({ fields }) => fields?.stream !== undefined);
  if (stream) return stream.requirements;
  const parameters = settings.filter(({ isOfPrompt }) => !isOfPrompt);
  return (parameters.length > 0 ? parameters : settings).flatMap(({ requirements }) => requirements);
}

/** Tells what a smallest refused combination breaks, and spares what it does not. */
function blame(
  { probe }: CombinationCheck,
  view: EvidenceView,
  {
    factors,
    requirements,
  }: { readonly factors: readonly string[]; readonly requirements: readonly string[] },
): Judgement {
  const all = view.request(probe)?.combination?.settings ?? [];
  const settings = all.filter(({ factor }) => factors.includes(factor));
  const broken = brokenBy(settings);
  const shown = settings.length === all.length ? probe : partId(probe, factors);
  const actual = describeState(view.state(shown));
  const descriptions = settings.map(({ description }) => description);
  const spared: Outcome =
    factors.length === 0
      ? dependsOnModel('question-refused', unsaid([probe]), actual)
      : untested({ kind: 'combination-refused-otherwise', settings: descriptions });
  const failure = fail({ kind: 'combination-refused', settings: descriptions }, actual, { exchange: shown });
  return {
    findings: requirements.map((requirement) => ({
      requirement,
      ...(broken.includes(requirement) ? failure : spared),
    })),
    shows: shown,
  };
}
