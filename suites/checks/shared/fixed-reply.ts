import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { ArrivalControls } from '../../types/arrival-controls.ts';
import { type EvidenceView, isAnswered, textOf } from '../evidence-view.ts';

/** So many replies to different requests show that a model says the same to all. */
const enoughReplies = 4;

/** Controls with the text that a stream must carry: of a model that says the same to all, as a mock does, that. */
export function withFixedReply(
  view: EvidenceView,
  controls: ArrivalControls,
  protocol: TextProtocol,
): ArrivalControls {
  const texts = [controls.unstreamed, ...controls.short]
    .filter((id) => isAnswered(view, id))
    .map((id) => textOf(view.state(id), protocol));
  const [first = ''] = texts;
  const isFixed = first !== '' && texts.length >= enoughReplies && texts.every((text) => text === first);
  return isFixed ? { ...controls, asked: first } : controls;
}
