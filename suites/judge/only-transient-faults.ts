import { type Evidence, isExchange } from '../types/exchange.ts';
import { transientWords } from '../types/reasons/exchange-words.ts';
import { transientOf } from '../reading/transient.ts';

/** What came most often where nothing can be judged. Undefined where an exchange can be, or none was sent. */
export function onlyTransientFaults(evidence: Evidence): string | undefined {
  const counts = new Map<string, number>();
  let all = 0;
  for (const entry of evidence.values()) {
    if (!isExchange(entry)) continue;
    const transient = transientOf(entry);
    if (transient === null) return undefined;
    all += 1;
    const why = transientWords(transient);
    counts.set(why, (counts.get(why) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most && `${most[1]} of ${all} exchanges: ${most[0]}`;
}
