import type { Protocol } from '../../../spec/vocabulary.ts';
import { refusedText } from '../../facts/refused-texts.ts';
import type { OutcomeWithReason } from '../../types/finding.ts';
import type { EvidenceView } from '../evidence-view.ts';
import { describeFirst } from './describe.ts';
import { dependsOnModel, unsaid } from './findings.ts';

/**
 * Long prompts are refused for their length or for a word of theirs: neither the most that the target takes is shown, nor
 * what its filters let through (8.4). Undefined where no control shows it.
 * @param long every request with the long prompt, with a stream and without
 */
export function longRefused(
  view: EvidenceView,
  protocol: Protocol,
  long: readonly string[],
): OutcomeWithReason | undefined {
  const found = long.length === 0 ? undefined : refusedText(view, protocol, long);
  if (found === undefined) return undefined;
  const { by: _, ...figures } = found;
  const reason =
    'word' in figures
      ? ({ kind: 'word-refused', ...figures } as const)
      : ({ kind: 'long-prompt-refused', ...figures } as const);
  return dependsOnModel(reason, unsaid(long), describeFirst(view, long));
}
