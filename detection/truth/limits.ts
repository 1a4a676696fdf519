import { protocolFacts } from '../../spec/protocols.ts';
import type { Known } from './known.ts';
import { isAnswered, type Witnessed } from './witness.ts';

function longestOf({ ctx, protocol }: Witnessed): number {
  let longest = 0;
  const { body } = ctx;
  JSON.parse(
    JSON.stringify([body[protocolFacts[protocol].content], body.system, body.instructions]),
    (_, value: unknown) => {
      if (typeof value === 'string') longest = Math.max(longest, value.length);
      return value;
    },
  );
  return longest;
}

/** The lengths of texts that a report says are refused, and are not. */
export function untrueLimits({ report, witness }: Known): readonly string[] {
  return (report.textLimits ?? []).flatMap(({ protocol, refused, answered }) => {
    const lawful = witness.seen.filter((one) => one.protocol === protocol && one.worth === 'lawful');
    const isRefused = !lawful.some((one) => longestOf(one) >= refused && isAnswered(one));
    const isTaken = lawful.some((one) => longestOf(one) === answered && isAnswered(one));
    return isRefused && isTaken ? [] : [`${protocol} does not refuse texts from ${refused} characters on`];
  });
}
