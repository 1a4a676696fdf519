import { groups } from '../../spec/vocabulary.ts';
import type { Comparison, Distinct } from '../types/checks/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Outcome } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import type { EvidenceView } from './evidence-view.ts';
import { lastOf, shortestOf } from './shared/failure-in.ts';
import { describeFirst, describeReply, fail, inconclusive, pass } from './shared/findings.ts';
import { tellsApart } from './shared/refusal-features.ts';
import { isPassed, mayBeLoginLimit, refusalsOrRateLimits } from './shared/refusals.ts';

export const distinct: CheckDefinition<Distinct> = {
  kind: 'distinct',
  explanation:
    'Passes where refusals of the two classes differ in the status or in a stable field of the body.',
  reads: ({ comparisons }) =>
    comparisons.flatMap(({ probes, others, control, ofGroups = [] }) => [
      ...probes,
      ...others.flatMap((other) => other.probes),
      control,
      ...ofGroups,
    ]),
  judge,
};

function judge({ comparisons }: Distinct, view: EvidenceView): Outcome {
  const each = comparisons.map((comparison) => ({ comparison, outcome: compare(comparison, view) }));
  const compared = each.map(({ outcome }) => outcome);
  const certain = each.find(
    ({ comparison, outcome }) => outcome.verdict === 'fail' && isNotForGroup(comparison, view),
  );
  return (
    certain?.outcome ??
    compared.find(({ verdict }) => verdict === 'pass') ??
    compared.find(({ verdict }) => verdict === 'fail') ??
    compared[0] ??
    inconclusive('nothing-compared')
  );
}

/** Whether the refusals of a class are seen not to be those of a group that the endpoint does not serve: it may serve all. */
function isNotForGroup({ probes, ofGroups = [] }: Comparison, view: EvidenceView): boolean {
  const own = refusalsOrRateLimits(view, probes);
  const refused = ofGroups.filter((id) => view.state(id).kind !== 'answered');
  return (
    (refused.length > 0 || ofGroups.length === groups.length) &&
    refused.every((id) => {
      const group = refusalsOrRateLimits(view, [id]);
      return group.length > 0 && tellsApart(own, group) !== undefined;
    })
  );
}

function compare({ probes, others, control }: Comparison, view: EvidenceView): Outcome {
  const own = refusalsOrRateLimits(view, probes);
  const [first] = own;
  if (first === undefined || own.length < 2)
    return inconclusive('too-few-refusals', describeFirst(view, probes));
  for (const { name: other, probes: otherProbes, mayBeAbsent = false } of others) {
    // A limit of failed logins may well be told as any other limit is.
    const against = refusalsOrRateLimits(view, otherProbes).filter((each) => !mayBeLoginLimit(view, each));
    const [sample] = against;
    if (sample === undefined && mayBeAbsent) continue;
    if (sample === undefined)
      return inconclusive({ kind: 'no-refusal-to-compare', other }, describeFirst(view, otherProbes));
    const alike = alikeIn(own, view).find((those) => tellsApart(those, against) === undefined);
    const [shown] = alike ?? [];
    if (shown === undefined) continue;
    if (isPointless(view, control)) return inconclusive('control-unanswered', describeFirst(view, [control]));
    const [valid] = refusalsOrRateLimits(view, [control]);
    if (valid && tellsApart(own, [valid]) === undefined)
      return inconclusive('valid-request-indistinguishable', describeReply(valid));
    const isSameAs = (each: Exchange): boolean => tellsApart([shown], [each]) === undefined;
    const same = shortestOf(view, against.filter(isSameAs)) ?? sample;
    const [came, before] = [describeReply(shown), describeReply(same)];
    const isSame = came === before && shown.response?.body.text === same.response?.body.text;
    const actual = `${came}; ${other} (${same.id}): ${isSame ? 'the same' : before}`;
    const isAlike = (each: Exchange): boolean => tellsApart([each], against) === undefined;
    const refs = (all: readonly Exchange[]) => all.map(({ id }) => lastOf(view.state(id), id));
    const replies = { broken: refs(own.filter(isAlike)), kept: refs(own.filter((each) => !isAlike(each))) };
    return {
      ...fail({ kind: 'class-indistinguishable', other, like: same.id }, actual, { exchange: shown.id }),
      // Where the class has one status it is told by all of its replies together.
      ...(alike?.length === own.length ? {} : { replies }),
    };
  }
  return pass();
}

/**
 * The refusals of a class, together where they have one status. Those of a lock-out, of a filter or of another node
 * behind the same address have another: each of them is held against the other classes by itself, unless valid
 * requests got past the same reply, or it came only once of several (principle 9).
 */
function alikeIn(refusals: readonly Exchange[], view: EvidenceView): readonly (readonly Exchange[])[] {
  const statuses = new Set(refusals.map(({ response }) => response?.status));
  if (statuses.size === 1) return [refusals];
  const isOnce = ({ response }: Exchange): boolean =>
    refusals.length > 2 &&
    refusals.filter((other) => other.response?.status === response?.status).length === 1;
  const lasting = refusals.filter((each) => !isPassed(view, each) && !isOnce(each));
  return (lasting.length > 0 ? lasting : refusals).map((each) => [each]);
}

/** Whether a control was left out since nothing valid is answered there: all refusals of such an endpoint may be alike. */
function isPointless(view: EvidenceView, control: string): boolean {
  const state = view.state(control);
  return (
    state.kind === 'unclear' && state.why.kind === 'not-sent' && state.why.unsent.kind === 'not-answered'
  );
}
