import { decisions } from '../../spec/decisions.ts';
import { oncePerObject } from '../../spec/once.ts';
import { protocols, textProtocols } from '../../spec/vocabulary.ts';
import { isAnswerDue } from '../reading/request-facts.ts';
import type { Plan } from '../types/plan.ts';

/**
 * What valid requests are counted by: outcome, endpoint, streamed or not, all of them and those beside others; those that
 * are missing by caller, an earlier response and a refusal before, too; those that were lost by their endpoint alone; and
 * again with each second sample.
 */
const groupTests = (callers: number): number =>
  (1 + decisions.secondSamples.length) *
  (2 * (1 + 4 * protocols.length) + 1 + callers + 2 * protocols.length);

/** Late replies are counted for each endpoint that a rule is about. */
const timedRules = (extension: Plan['extension']): number =>
  (extension?.statements ?? [])
    .flatMap(({ replies = [] }) => replies.filter(({ within }) => within !== undefined))
    .reduce((sum, { protocols: of = protocols }) => sum + of.length, 0);

/**
 * How many exact tests a plan may come to, so that all together keep to the error budget (principle 9): each valid
 * request may be found refused by what came in a row, each stream without text, and groups of them are counted.
 */
export const testsIn = oncePerObject(
  ({ requests, extension }: Pick<Plan, 'requests' | 'extension'>): number => {
    const valid = requests.filter(isAnswerDue);
    const callers = new Set(
      valid.flatMap(({ protocol, callers: all }) => all.map((caller) => JSON.stringify([protocol, caller]))),
    );
    return (
      valid.length +
      valid.filter(({ stream }) => stream).length +
      textProtocols.length +
      groupTests(callers.size) +
      timedRules(extension)
    );
  },
);
