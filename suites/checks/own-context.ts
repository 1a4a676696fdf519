import { isTextProtocol } from '../../spec/vocabulary.ts';
import type { Outcome } from '../model/finding.ts';
import { isHole, type Template } from '../model/plan.ts';
import type { CheckDefinition } from './definition.ts';
import { type EvidenceView, textOf } from './evidence-view.ts';
import { excerpt } from './shared/describe.ts';
import { fail, inconclusive, pass } from './shared/findings.ts';
import { bareLetters } from './shared/nonces.ts';

/**
 * A reply belongs to its request (3, principle 13): it shows no word of another one, unless it is chained to it. One
 * sighting is enough, since no model can guess the words.
 */
export interface OwnContext {
  readonly kind: 'own-context';
  readonly requirement: string;
  /** Words that no model can guess; each stands in the requests that ask for it, and in no other. */
  readonly words: readonly string[];
}

export const ownContext: CheckDefinition<OwnContext> = {
  kind: 'own-context',
  explanation:
    'Fails where a reply shows a random word that stands in another request and not in its own, nor in those that it is chained to.',
  reads: () => [],
  readsFurther: (_, { requests }) => requests.map(({ id }) => id),
  judge,
};

/** The earlier responses that a body refers to. */
function referredTo(template: Template): readonly string[] {
  if (typeof template !== 'object' || template === null) return [];
  if (isHole(template)) return template.$ === 'reply' ? [template.exchange] : [];
  return Object.values(template).flatMap(referredTo);
}

/** The first response of the conversation of a request: itself where it is chained to none. */
function rootOf(view: EvidenceView, id: string): string {
  const [before] = referredTo(view.request(id)?.body?.json ?? null);
  return before === undefined ? id : rootOf(view, before);
}

interface Talk {
  readonly id: string;
  readonly root: string;
  /** The words of its request. */
  readonly asked: ReadonlySet<string>;
  /** The words of its reply. */
  readonly said: readonly string[];
  readonly text: string;
}

function talkOf(view: EvidenceView, id: string, words: ReadonlyMap<string, string>): Talk | undefined {
  const request = view.request(id);
  const state = view.state(id);
  if (request === undefined || !isTextProtocol(request.protocol) || view.isStoodFor(id)) return undefined;
  if (state.exchange === undefined) return undefined;
  const within = (text: string): readonly string[] => {
    const letters = bareLetters(text);
    return [...words].filter(([, bare]) => letters.includes(bare)).map(([word]) => word);
  };
  const text = textOf(state, request.protocol);
  return {
    id,
    root: rootOf(view, id),
    asked: new Set(within(state.exchange.request.body ?? '')),
    said: text === '' ? [] : within(text),
    text,
  };
}

function judge({ words }: OwnContext, view: EvidenceView): Outcome {
  const bare = new Map(words.map((word) => [word, bareLetters(word)]));
  const talks = view.plan.requests.flatMap(({ id }) => talkOf(view, id, bare) ?? []);
  for (const talk of talks) {
    const own = new Set(talks.filter(({ root }) => root === talk.root).flatMap(({ asked }) => [...asked]));
    for (const word of talk.said) {
      const other = own.has(word) ? undefined : talks.find(({ asked }) => asked.has(word));
      if (other === undefined) continue;
      return fail({ kind: 'reply-of-another', word: excerpt(word), other: other.id }, excerpt(talk.text), {
        exchange: talk.id,
      });
    }
  }
  return talks.some(({ said }) => said.length > 0)
    ? pass()
    : inconclusive('no-word-shown', undefined, 'model-behaviour');
}
