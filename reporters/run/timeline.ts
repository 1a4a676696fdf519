import type { ReportExchange } from '../../suites/types/report.ts';
import { count, groupDigits } from '../../spec/text.ts';
import { duration } from '../wording.ts';
import { type BlockOf, type Block, code, row, table } from '../document/blocks.ts';

const width = 600;
const height = 34;
const most = 80;

/** Arrivals of a reply as bars over time: when each chunk came, and how much of the body it brought. */
export function timeline({ response, timing, ending }: ReportExchange): BlockOf<'picture'> | null {
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

/** Pixels of the picture of how much of a body had come when. */
const [broad, tall] = [600, 90];

/** A line of steps: when how much of the whole body had come. */
function stepsOf({ response }: ReportExchange, lastMs: number): string {
  const arrivals = response?.body.arrivals ?? [];
  const whole = arrivals.at(-1)?.[0] ?? 1;
  const step = Math.ceil(arrivals.length / most);
  const shown = arrivals.filter((_, at) => at % step === 0 || at === arrivals.length - 1);
  const points = shown.map(
    ([bytes, ms]) =>
      `H${Math.round((ms / lastMs) * (broad - 4) + 2)}V${Math.round((1 - bytes / whole) * (tall - 8) + 4)}`,
  );
  return `M2 ${tall - 4}${points.join('')}`;
}

/** When the first, half and all of a body had come. */
function arrivalRow({ id, response }: ReportExchange) {
  const arrivals = response?.body.arrivals ?? [];
  const [first, last] = [arrivals[0], arrivals.at(-1)];
  const half = arrivals.find(([bytes]) => bytes * 2 >= (last?.[0] ?? 0));
  return row(code(id), ...[first, half, last].map((one) => (one === undefined ? '—' : duration(one[1]))));
}

/** How a stream that was held back arrived, against the reply of its case that was whole first; nothing where no times are recorded. */
export function arrivalBlocks(stream: ReportExchange, others: readonly ReportExchange[]): readonly Block[] {
  const endOf = ({ response }: ReportExchange): number => response?.body.arrivals.at(-1)?.[1] ?? 0;
  const [control] = others.filter((one) => endOf(one) > 0).sort((one, other) => endOf(one) - endOf(other));
  const lastMs = endOf(stream);
  if (control === undefined || lastMs <= 0) return [];
  const label = `How much of ${stream.id} had come when, and of ${control.id}, which was whole first`;
  const paths = [
    { look: 'axis', d: `M0 ${tall - 3.5}H${broad}` },
    { look: 'pass', d: stepsOf(control, Math.max(lastMs, endOf(control))) },
    { look: 'fail', d: stepsOf(stream, Math.max(lastMs, endOf(control))) },
  ];
  const caption = `Bytes over time, up to ${duration(lastMs)}: red, the stream that was held back; green, a reply that was whole at ${duration(endOf(control))}.`;
  return [
    { kind: 'picture', from: 'page', look: 'steps', label, width: broad, height: tall, paths, caption },
    table(
      ['Arrival in numbers', 'rows'],
      ['Reply', 'First bytes', 'Half', 'All'],
      [stream, control].map(arrivalRow),
      { from: 'page' },
    ),
  ];
}
