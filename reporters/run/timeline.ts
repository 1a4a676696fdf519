import type { ReportExchange } from '../../suites/types/report.ts';
import { count, groupDigits } from '../../spec/text.ts';
import { duration } from '../wording.ts';
import type { PictureBlock } from '../document/blocks.ts';

const width = 600;
const height = 34;
const most = 80;

/** Arrivals of a reply as bars over time: when each chunk came, and how much of the body it brought. */
export function timeline({ response, timing, ending }: ReportExchange): PictureBlock | null {
  const arrivals = response?.body.arrivals ?? [];
  if (response === null || arrivals.length < 2 || timing.endMs <= 0) return null;
  const sizes = arrivals.map(([bytes, ms], at) => ({ ms, bytes: bytes - (arrivals[at - 1]?.[0] ?? 0) }));
  const step = Math.ceil(sizes.length / most);
  const shown = sizes.filter((_, at) => at % step === 0);
  const largest = Math.max(1, ...shown.map(({ bytes }) => bytes));
  const x = (ms: number) => Math.round((Math.min(ms, timing.endMs) / timing.endMs) * (width - 4) + 2);
  const bars = shown.map(
    ({ ms, bytes }) => `M${x(ms)} ${height - 6}v-${Math.max(3, Math.round((bytes / largest) * 24))}`,
  );
  const times = arrivals.map(([, ms]) => ms);
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0];
  const longest = Math.max(...times.slice(1).map((ms, at) => ms - (times[at] ?? 0)));
  const caption = `${count(arrivals.length, 'chunk')} from ${duration(first)} to ${duration(last)}; longest pause ${duration(longest)}; ${groupDigits(response.body.bytes)} bytes; end ${ending.kind} at ${duration(timing.endMs)}`;
  return {
    kind: 'picture',
    look: 'line',
    label: 'Arrivals over time',
    width,
    height,
    stretched: true,
    paths: [
      { look: 'axis', d: `M0 ${height - 5.5}H${width}` },
      { look: 'head', d: `M${x(timing.headersMs ?? 0)} 2V${height - 2}` },
      { look: 'chunks', d: bars.join('') },
    ],
    caption,
  };
}
