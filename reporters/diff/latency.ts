import { protocolFacts } from '../../spec/protocols.ts';
import type { Protocol } from '../../spec/vocabulary.ts';
import type { Report } from '../../suites/types/report.ts';

/** Upper bounds of the classes but the slowest, in milliseconds; coarse, so that the noise of a network stays within one. */
const classes = [
  ['under 0.3 s', 300],
  ['0.3 to 1 s', 1_000],
  ['1 to 3 s', 3_000],
  ['3 to 10 s', 10_000],
  ['10 to 30 s', 30_000],
] as const;
const slowest = 'over 30 s';

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** Answers only: a refusal costs no generation, and there may be more of them than before. */
function measure(protocol: Protocol, { exchanges }: Report) {
  const times = exchanges
    .filter(({ request }) => request.url.split(/[?#]/)[0]?.endsWith(protocolFacts[protocol].path))
    .filter(({ response, ending }) => {
      const status = response?.status ?? 0;
      return ending.kind === 'complete' && status >= 200 && status < 300;
    })
    .map(({ timing }) => timing.endMs);
  if (times.length === 0) return undefined;
  // Milliseconds from send to end.
  const medianMs = median(times);
  const [name] = classes.find(([, bound]) => medianMs < bound) ?? [slowest];
  return { exchanges: times.length, medianMs: Math.round(medianMs), class: name };
}

/** The change of latency of a protocol; nothing where its class is the same, or one side has no answer. */
export function latencies(protocol: Protocol, a: Report, b: Report) {
  const [before, after] = [measure(protocol, a), measure(protocol, b)];
  if (before === undefined || after === undefined || before.class === after.class) return [];
  return [{ protocol, before, after }];
}
