import type { ResultFields } from '../types/checks/replies.ts';
import type { Failure, Judgement, Outcome } from '../types/finding.ts';
import { wordsOf } from '../types/reasons/index.ts';
import { hasNoBlock } from '../reading/text.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, mayBeSilent } from './evidence-view.ts';
import { failureIn, type JudgedReply } from './shared/failure-in.ts';
import { joinedText } from './shared/field-rules.ts';
import { fieldViolations, violationAround } from './shared/field-violations.ts';
import { type Aspect, inconclusive, pass, untested } from './shared/findings.ts';
import { answersOf, everyReply } from './shared/selections.ts';

export const resultFields: CheckDefinition<ResultFields> = {
  kind: 'result-fields',
  explanation: 'Reads the field in every result of the protocol that the run got.',
  reads: ({ probes }) => probes,
  readsFurther: ({ protocol }, plan) => answersOf(plan, protocol),
  smaller: () => ({}),
  judge,
};

const joined = 'responses.result.output-text.equal';

/** What all results together say of one requirement. */
interface Tally {
  readonly replies: JudgedReply[];
  /** The field around it that is wrong. */
  within?: { readonly seen: string; readonly requirement: string };
}

function judge({ protocol, requirements }: ResultFields, view: EvidenceView): Judgement {
  const tallies = new Map<string, Tally>(requirements.map((id) => [id, { replies: [] }]));
  let results = 0;
  for (const { id, attempt, state } of everyReply(view, answersOf(view.plan, protocol))) {
    if (state.kind !== 'answered' || state.reading.kind !== 'result') continue;
    const { json } = state.reading;
    results += 1;
    const found = fieldViolations(protocol, json);
    const mayLackBlocks = mayBeSilent(view.request(state.exchange.repeats ?? id)) && hasNoBlock(json);
    for (const [requirement, tally] of tallies) {
      if (mayLackBlocks && requirement === 'messages.result.content.text') continue;
      const around = violationAround(requirement, found);
      if (around)
        tally.within ??= { seen: wordsOf(around.failure.reason).message, requirement: around.requirement };
      const aspect = requirement === joined ? joinedText(json) : fieldAspect(requirement, found);
      if (aspect !== undefined) tally.replies.push({ id, attempt, aspect });
    }
  }
  const findings = [...tallies].map(([requirement, tally]) => ({
    requirement,
    ...(failureIn(view, tally.replies) ?? unbroken(requirement, tally, results)),
  }));
  const shows = findings
    .map((finding) => (finding.verdict === 'fail' ? finding.exchange : undefined))
    .find(Boolean);
  return { findings, ...(shows ? { shows } : {}) };
}

/** Where the field that contains it is wrong itself, it is not judged. */
const fieldAspect = (requirement: string, found: ReadonlyMap<string, Failure>): Aspect =>
  found.get(requirement) ?? (violationAround(requirement, found) ? undefined : 'kept');

function unbroken(requirement: string, { replies, within }: Tally, results: number): Outcome {
  if (replies.length > 0) return pass();
  return requirement === joined && results > 0
    ? untested('no-single-text-part')
    : inconclusive({ kind: 'no-result-with-field', ...(within ? { within } : {}) });
}
