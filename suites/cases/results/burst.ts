import { textProtocols } from '../../../spec/vocabulary.ts';
import { asking } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { burstId } from '../../types/request-ids.ts';
import { wordings } from '../builder/question-words.ts';

/** Generations that go out at once, as far as the run lets so many through. */
export const burstSize = 16;

/**
 * Short generations at once, each with a nonce of its own: callers take turns, and each asks for a stream in every
 * second of its own. Only `full` has them.
 */
export function burst(builder: CaseBuilder): readonly string[] {
  if (builder.depth.profile !== 'full') return [];
  const [wording] = wordings;
  const turns = textProtocols.flatMap((protocol) => {
    const callers = builder.callers(protocol);
    return callers.map((_, at) => ({ protocol, callers: [...callers.slice(at), ...callers.slice(0, at)] }));
  });
  return Array.from({ length: burstSize }, (_, at) => ({
    number: at + 1,
    turn: turns[at % turns.length],
  })).flatMap(({ number, turn }) => {
    if (turn === undefined) return [];
    const { protocol, callers } = turn;
    const asked = asking(protocol, `${wording.statement(builder.data.nonce())} ${wording.question}`);
    const stream = Math.floor((number - 1) / turns.length) % 2 === 1;
    return builder.send(burstId(protocol, number), protocol, {
      json: { ...asked, stream },
      callers,
      when: [builder.served(protocol)],
      stage: 'burst',
    });
  });
}
