import { decisions } from '../../spec/decisions.ts';
import type { TextProtocol } from '../../spec/vocabulary.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { chanceOf, chanceOfDifference, levelOf, type Tally, testsIn } from './exact-test.ts';
import { type DueText, dueTexts } from './valid-replies.ts';

const tallyOf = (silent: readonly boolean[]): Tally => ({
  seen: silent.filter(Boolean).length,
  of: silent.length,
});

/** What first came of each request: how often it is sent again depends on what came. */
const firstOf = (texts: readonly DueText[]): Tally =>
  tallyOf(texts.flatMap(({ isSilent: [first] }) => first ?? []));

/**
 * The streams without text that are the target's, by the id of their exchange: each of a target that never gives any
 * text, and of an endpoint whose streams lack it more often than all other replies; else those of a request that lacks it
 * every time it is sent, more often than chance explains. What a model that says nothing now and then explains is none
 * (principle 9).
 */
export function silentStreams(view: EvidenceView, protocol: TextProtocol): ReadonlySet<string> {
  const all = dueTexts(view);
  const level = levelOf(testsIn(view.plan));
  const isOwn = (text: DueText): boolean => text.stream && text.protocol === protocol;
  const own = all.filter(isOwn);
  const silent = own.filter(({ isSilent }) => isSilent.at(-1));
  const others = firstOf(all.filter((text) => !isOwn(text)));
  const isNever = others.seen === others.of && chanceOf(firstOf(all), decisions.lawfulSilence) <= level;
  if (isNever || chanceOfDifference(firstOf(own), others) <= level)
    return new Set(silent.map(({ id }) => id));
  const isMute = (one: DueText): boolean =>
    one.isSilent.every(Boolean) &&
    chanceOfDifference(tallyOf(one.isSilent), firstOf(all.filter((other) => other !== one))) <= level;
  return new Set(silent.filter(isMute).map(({ id }) => id));
}
