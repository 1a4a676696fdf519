import picocolors from 'picocolors';
import { count, inParentheses, shorten } from '../../spec/text.ts';
import type { ReportPins } from '../../suites/types/report.ts';
import { markdownCode, markdownText, terminalLine } from '../escape.ts';
import { cellText, type Part, table } from '../markdown-parts.ts';
import { firstLines, verdictSign } from '../wording.ts';

type Changed = ReportPins['changed'][number];
type Unobserved = ReportPins['unobserved'][number];

/** Changes that are listed, and pins that could not be observed. */
const [mostLines, mostOpen] = [20, 8];

const unobservedWords: Readonly<Record<Unobserved['why'], string>> = {
  'not-asked': 'it was not asked for in this run',
  'not-shown': 'what came back does not show it',
};

/** A pin in words: what it is about, with its id. */
export const pinName = ({ kind, id, subject }: Changed | Unobserved): string =>
  kind === 'observation' ? `${subject} (${id})` : `${subject} (${kind} ${id})`;

/** Where a pin stands. */
export const pinPlace = ({ file }: ReportPins, { line }: Changed | Unobserved): string => `${file}:${line}`;

/** The exchange that showed it when it was pinned, as far as the file says; empty where it does not. */
export const pinnedIn = ({ run, exchange }: Changed): string =>
  [exchange ?? '', run === undefined ? '' : `run ${run}`].filter((word) => word !== '').join(', ');

/** Both values of a pin, with the exchanges that showed them. */
export const changeText = (pin: Changed): string =>
  `pinned: ${pin.pinned}${inParentheses(pinnedIn(pin))}\nnow: ${pin.observed}${inParentheses(pin.exchanges.slice(0, 3).join(', '))}`;

/** Why a pin could not be compared. */
export const unobservedText = ({ why, pinned }: Unobserved): string =>
  `could not be observed: ${unobservedWords[why]}; pinned: ${pinned}`;

/** What the pins say of the run, in one sentence. */
export function pinsHeadline({ file, kept, changed, unobserved }: ReportPins): string {
  const parts = [
    ...(changed.length > 0 ? [`${changed.length} changed`] : []),
    `${kept} as before`,
    ...(unobserved.length > 0 ? [`${unobserved.length} could not be observed`] : []),
  ];
  const all = kept + changed.length + unobserved.length;
  return all === 0 ? `${file} pins nothing.` : `${count(all, 'pin')} of ${file}: ${parts.join(', ')}.`;
}

/** The outcome for a terminal. */
export function renderPinsText(pins: ReportPins, { colour }: { readonly colour: boolean }): string {
  const { red, green, yellow, bold } = picocolors.createColors(colour);
  const { changed, unobserved } = pins;
  const line = (text: string, indent: string) => `${indent}${terminalLine(shorten(text, 400))}`;
  const changes = changed.slice(0, mostLines).flatMap((pin) => [
    `  ${red(verdictSign.fail)} ${terminalLine(shorten(pinName(pin), 300))}`,
    ...changeText(pin)
      .split('\n')
      .map((text) => line(text, '    ')),
    line(pinPlace(pins, pin), '    '),
  ]);
  const open = firstLines(
    unobserved.map((pin) => `${pinName(pin)}: ${unobservedText(pin)}`),
    mostOpen,
  );
  const sign = changed.length > 0 ? red(`${verdictSign.fail} Pins`) : green(`${verdictSign.pass} Pins`);
  return [
    `${bold(sign)}  ${terminalLine(pinsHeadline(pins))}`,
    ...changes,
    ...(changed.length > mostLines ? [`  and ${changed.length - mostLines} more`] : []),
    ...open.map((text) => `  ${yellow(verdictSign.inconclusive)} ${terminalLine(shorten(text, 400))}`),
    '',
  ].join('\n');
}

/** The outcome as a part of the summary in Markdown; none where there were no pins. */
export function pinsPart(pins: ReportPins | undefined): Part[] {
  if (pins === undefined) return [];
  const { changed, unobserved } = pins;
  const heads = ['Pinned behaviour', 'Pinned', 'Now', 'Exchanges: pinned', 'now', 'Pin'];
  const rows = changed
    .slice(0, mostLines)
    .map((pin) => [
      markdownText(cellText(pinName(pin))),
      ...[
        pin.pinned,
        pin.observed,
        pinnedIn(pin),
        pin.exchanges.slice(0, 3).join(', '),
        pinPlace(pins, pin),
      ].map((text) => markdownCode(cellText(text))),
    ]);
  const open = firstLines(
    unobserved.map((pin) => `${pinName(pin)}: ${unobservedText(pin)}`),
    mostOpen,
  ).map((line) => `- ${markdownText(cellText(line))}`);
  const text = [
    `## ${verdictSign[changed.length > 0 ? 'fail' : 'pass']} Pinned behaviour`,
    markdownText(shorten(pinsHeadline(pins), 600)),
    ...(rows.length > 0 ? [table(heads, rows)] : []),
    ...(open.length > 0 ? [open.join('\n')] : []),
  ].join('\n\n');
  return [{ name: 'the pinned behaviour', text }];
}
