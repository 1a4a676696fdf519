import type { Exchange } from '../model/exchange.ts';
import type { FindingWithReason, Judgement } from '../model/finding.ts';
import type { CheckDefinition } from './definition.ts';
import type { EvidenceView } from './evidence-view.ts';
import { describeFirst, describeReply } from './shared/describe.ts';
import { fail, inconclusive, oneFinding, pass } from './shared/findings.ts';
import { tellsApart } from './shared/refusal-features.ts';
import { isRefusalOrRateLimit } from './shared/refusals.ts';

/** Refusals of one class on one endpoint, and those that they must differ from. */
export interface Comparison {
  /** Refusals of the class, at least two. */
  readonly probes: readonly string[];
  /** A valid request, sent last: where it is refused as they are, they tell no class. */
  readonly control: string;
  readonly others: readonly { readonly name: string; readonly probes: readonly string[] }[];
}

/** Refusals of one class differ from those of the others; on one endpoint is enough. */
export interface Distinct {
  readonly kind: 'distinct';
  readonly requirement: string;
  readonly comparisons: readonly Comparison[];
}

/** Refusals of one class differ from those of the others in the status or in a stable field of the body. */
export const distinct: CheckDefinition<Distinct> = {
  kind: 'distinct',
  explanation:
    'Passes where refusals of the two classes differ in the status or in a stable field of the body.',
  reads: ({ comparisons }) =>
    comparisons.flatMap(({ probes, others, control }) => [
      ...probes,
      ...others.flatMap((other) => other.probes),
      control,
    ]),
  judge,
};

function judge({ requirement, comparisons }: Distinct, view: EvidenceView): Judgement {
  const compared = comparisons.map((comparison) => compare(requirement, comparison, view));
  if (compared.includes('apart')) return oneFinding(pass(requirement));
  const found = compared.filter((result) => result !== 'apart');
  const worst = found.find((finding) => finding.verdict === 'fail') ?? found[0];
  return oneFinding(worst ?? inconclusive(requirement, { kind: 'nothing-compared' }));
}

function compare(
  requirement: string,
  { probes, others, control }: Comparison,
  view: EvidenceView,
): 'apart' | FindingWithReason {
  const own = refusals(view, probes);
  const [first] = own;
  if (first === undefined || own.length < 2) {
    const actual = describeFirst(view, probes);
    return inconclusive(requirement, { kind: 'too-few-refusals' }, { actual });
  }
  for (const other of others) {
    const against = refusals(view, other.probes);
    const [sample] = against;
    if (sample === undefined) {
      const actual = describeFirst(view, other.probes);
      return inconclusive(requirement, { kind: 'no-refusal-to-compare', other: other.name }, { actual });
    }
    if (tellsApart(own, against) !== undefined) continue;
    const [valid] = refusals(view, [control]);
    if (valid && tellsApart(own, [valid]) === undefined) {
      const actual = describeReply(valid);
      return inconclusive(requirement, { kind: 'valid-request-indistinguishable' }, { actual });
    }
    return fail(requirement, {
      reason: { kind: 'class-indistinguishable', other: other.name },
      actual: `${describeReply(first)} against ${describeReply(sample)}`,
      exchange: first.id,
    });
  }
  return 'apart';
}

const refusals = (view: EvidenceView, probes: readonly string[]): readonly Exchange[] =>
  probes
    .map((id) => view.state(id))
    .filter(isRefusalOrRateLimit)
    .map((state) => state.exchange);
