import { once, oncePer } from '../../spec/once.ts';
import { isTextProtocol } from '../../spec/vocabulary.ts';
import type { Failure } from '../types/finding.ts';
import { takenOver } from '../types/plan.ts';
import type { CheckDefinition } from './check-definition.ts';
import type { Exchange } from '../types/exchange.ts';
import { type EvidenceView, textOf, documentOf, takenFrom } from './evidence-view.ts';
import {
  excerpt,
  dependsOnModel,
  fail,
  pass,
  unsaid,
  describeState,
  inconclusive,
} from './shared/findings.ts';
import { bareLetters } from '../reading/text.ts';
import { filtered, holds, isFiltered, isRecalled } from './shared/nonces.ts';
import type { BranchQuestion } from '../types/checks/check.ts';
import { isObject } from '../../spec/json.ts';

export const branch: CheckDefinition<'branch'> = {
  explanation:
    'A word said in one branch of a chain must not be known in another, and no response has the id of the one that it follows.',
  reads: ({ probes, controls, plainRequest }) => [
    ...probes.flatMap(({ exchange, root, otherBranch }) => [exchange, root, otherBranch]),
    ...controls.map(({ exchange }) => exchange),
    plainRequest,
  ],
  readsFurther: (_, { requests }) =>
    requests.filter((request) => takenOver(request).length > 0).map(({ id }) => id),
  judge({ probes, controls, plainRequest }, view) {
    const [wrong] = [
      ...view.exchanges().flatMap((exchange) => repeatedId(exchange, view) ?? []),
      ...probes.flatMap((probe) => mixed(probe, view) ?? []),
    ];
    if (wrong) return wrong;
    const states = probes.map((probe) => ({ probe, state: view.state(probe.exchange) }));
    const own = states.find(({ probe }) => isRecalled(view, probe));
    if (own) return pass(own.probe.exchange);
    const answered = states.filter(({ state }) => state.kind === 'answered');
    const [other] = answered;
    if (other !== undefined)
      return dependsOnModel(
        'neither-branch-shown',
        unsaid(answered.map(({ probe }) => probe.exchange)),
        excerpt(textOf(other.state, 'responses')),
      );
    const left = states.filter(({ probe }) => !isFiltered(view, probe, controls));
    const [sample] = left;
    if (sample === undefined) return filtered(plainRequest, view, probes);
    // Where the id of one is refused, fewer are sent.
    const sent = left.filter(({ state }) => state.exchange !== undefined);
    const isTakenOnce = sent.every(
      ({ probe, state }) => state.kind === 'refused' && view.state(probe.otherBranch).kind === 'answered',
    );
    return inconclusive(
      sent.length > 0 && isTakenOnce ? 'id-taken-once' : 'no-conclusive-reply',
      describeState(sample.state),
    );
  },
};

/** A response with the id of the one that it follows: what follows either of them is in one branch. */
function repeatedId(exchange: Exchange, view: EvidenceView): Failure | undefined {
  const request = view.requestOf(exchange);
  const before = request ? takenOver(request).map((hole) => takenFrom(view, hole)) : [];
  const json = before.length > 0 ? documentOf(view.state(exchange.id)) : undefined;
  const id = isObject(json) && json.id;
  return typeof id === 'string' && before.includes(id)
    ? fail('chained-id-repeated', excerpt(id), { pointer: '/id', exchange: exchange.id })
    : undefined;
}

function mixed(probe: BranchQuestion, view: EvidenceView): Failure | undefined {
  const { exchange, nonce, otherNonces } = probe;
  const text = textOf(view.state(exchange), 'responses');
  return otherNonces.some((otherNonce) => holds(text, otherNonce))
    ? fail({ kind: 'other-branch-known', nonce }, excerpt(text), { exchange })
    : undefined;
}

/** A reply shows no word of another request, unless it is chained to it (3, principle 13). One sighting is enough. */
export const ownContext: CheckDefinition<'own-context'> = {
  explanation:
    'Fails where a reply shows a random word that stands in another request and not in its own, nor in those that it is chained to.',
  reads: ({ probes }) => probes,
  readsFurther: (_, { requests }) => requests.map(({ id }) => id),
  judge({ words }, view) {
    const talks = view.plan.requests.flatMap(({ id }) => talkOf(view, id) ?? []);
    const replies = talks.filter(({ text }) => text !== '');
    const known = words.map((word) => ({ word, bare: bareLetters(word) }));
    // Hundreds of requests are long: they are looked through only where that of the reply itself has not the word.
    const askingFor = oncePer((bare: string) => talks.find(({ request }) => request().includes(bare)));
    let isAnyShown = false;
    for (const { id, root, text } of replies) {
      const letters = bareLetters(text);
      for (const { word, bare } of known.filter((each) => letters.includes(each.bare))) {
        isAnyShown = true;
        if (talks.some((talk) => talk.root === root && talk.request().includes(bare))) continue;
        const other = askingFor(bare);
        if (other === undefined) continue;
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
        known.some(({ bare }) => request().includes(bare)),
    );
    return dependsOnModel('no-word-shown', unsaid(asking.map(({ id }) => id)));
  },
};

/** The first response of the conversation of a request: itself where it is chained to none. */
function rootOf(view: EvidenceView, id: string): string {
  const request = view.request(id);
  const [before] = request ? takenOver(request) : [];
  return before === undefined ? id : rootOf(view, before.exchange);
}

/** A request that was sent, in the letters of its body, and the text of its reply. */
function talkOf(view: EvidenceView, id: string) {
  const request = view.request(id);
  const state = view.state(id);
  if (request === undefined || !isTextProtocol(request.protocol) || view.isStoodFor(id)) return undefined;
  if (state.exchange === undefined) return undefined;
  const text = textOf(state, request.protocol);
  const { body } = state.exchange.request;
  return { id, root: rootOf(view, id), request: once(() => bareLetters(body ?? '')), text };
}
