import { type Evidence, isExchange } from '../types/exchange.ts';
import { transientWords } from '../types/reasons/exchange-words.ts';
import { transientOf } from '../reading/transient.ts';
import { mostFrequent } from '../facts/unjudged-replies.ts';

/** What came most often where nothing can be judged. Undefined where an exchange can be, or none was sent. */
export function onlyTransientFaults(evidence: Evidence): string | undefined {
  const all = [...evidence.values()].filter(isExchange).map(transientOf);
  if (all.includes(null)) return undefined;
  const [most, times] = mostFrequent(
    all.flatMap((transient) => (transient ? transientWords(transient) : [])),
  );
  return most && `${times} of ${all.length} exchanges: ${most}`;
}
