import type { OwnContext } from '../types/checks/replies.ts';
import { isTextProtocol } from '../../spec/vocabulary.ts';
import type { Outcome } from '../types/finding.ts';
import { takenOver } from '../types/plan.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, textOf } from './evidence-view.ts';
import { excerpt, dependsOnModel, fail, pass, unsaid } from './shared/findings.ts';
import { bareLetters } from './shared/nonces.ts';

/** A reply shows no word of another request, unless it is chained to it (3, principle 13). One sighting is enough. */
export const ownContext: CheckDefinition<OwnContext> = {
  kind: 'own-context',
  explanation:
    'Fails where a reply shows a random word that stands in another request and not in its own, nor in those that it is chained to.',
  reads: ({ probes }) => probes,
  readsFurther: (_, { requests }) => requests.map(({ id }) => id),
  judge,
};

/** The first response of the conversation of a request: itself where it is chained to none. */
function rootOf(view: EvidenceView, id: string): string {
  const request = view.request(id);
  const [before] = request ? takenOver(request) : [];
  return before === undefined ? id : rootOf(view, before.exchange);
}

/** A request that was sent, in the letters of its body, and the text of its reply. */
interface Talk {
  readonly id: string;
  readonly root: string;
  readonly request: string;
  readonly text: string;
}

function talkOf(view: EvidenceView, id: string): Talk | undefined {
  const request = view.request(id);
  const state = view.state(id);
  if (request === undefined || !isTextProtocol(request.protocol) || view.isStoodFor(id)) return undefined;
  if (state.exchange === undefined) return undefined;
  const text = textOf(state, request.protocol);
  return { id, root: rootOf(view, id), request: bareLetters(state.exchange.request.body ?? ''), text };
}

function judge({ words }: OwnContext, view: EvidenceView): Outcome {
  const talks = view.plan.requests.flatMap(({ id }) => talkOf(view, id) ?? []);
  const replies = talks.filter(({ text }) => text !== '');
  const known = words.map((word) => ({ word, bare: bareLetters(word) }));
  // Many replies show the same words, and hundreds of requests are long.
  const askingFor = new Map<string, readonly Talk[]>();
  let isAnyShown = false;
  for (const { id, root, text } of replies) {
    const letters = bareLetters(text);
    for (const { word, bare } of known.filter((each) => letters.includes(each.bare))) {
      isAnyShown = true;
      const asking = askingFor.get(bare) ?? talks.filter(({ request }) => request.includes(bare));
      askingFor.set(bare, asking);
      const [other] = asking;
      if (other === undefined || asking.some((talk) => talk.root === root)) continue;
      return fail({ kind: 'reply-of-another', word: excerpt(word), other: other.id }, excerpt(text), {
        exchange: id,
      });
    }
  }
  if (isAnyShown) return pass();
  // A target that answers may refuse the words; of one that answers nothing the model said nothing.
  const asking = talks.filter(
    ({ id, request }) =>
      replies.length > 0 &&
      view.request(id)?.expect === 'answer' &&
      view.kind(id) !== 'unclear' &&
      known.some(({ bare }) => request.includes(bare)),
  );
  return dependsOnModel('no-word-shown', unsaid(asking.map(({ id }) => id)));
}
