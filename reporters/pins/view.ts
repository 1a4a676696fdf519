import { present } from '../../spec/present.ts';
import { count, inParentheses } from '../../spec/text.ts';
import type { ReportPins } from '../../suites/types/report.ts';

type Changed = ReportPins['changed'][number];
type Unobserved = ReportPins['unobserved'][number];

const unobservedWords: Readonly<Record<Unobserved['why'], string>> = {
  'not-asked': 'it was not asked for in this run',
  'not-shown': 'what came back does not show it',
};

export const pinName = ({ kind, id, subject }: Changed | Unobserved): string =>
  kind === 'observation' ? `${subject} (${id})` : `${subject} (${kind} ${id})`;

export const pinPlace = ({ file }: ReportPins, { line }: Changed | Unobserved): string => `${file}:${line}`;

/** The exchange that showed it when it was pinned, as far as the file says; empty where it does not. */
export const pinnedIn = ({ run, exchange }: Changed): string =>
  [exchange ?? '', run === undefined ? '' : `run ${run}`].filter((word) => word !== '').join(', ');

/** Both values of a pin, with the exchanges that showed them. */
export const changeText = (pin: Changed): string =>
  `pinned: ${pin.pinned}${inParentheses(pinnedIn(pin))}\nnow: ${pin.observed}${inParentheses(pin.exchanges.slice(0, 3).join(', '))}`;

export const unobservedText = ({ why, pinned }: Unobserved): string =>
  `could not be observed: ${unobservedWords[why]}; pinned: ${pinned}`;

export function pinsHeadline({ file, kept, changed, unobserved }: ReportPins): string {
  const parts = present([
    changed.length > 0 && `${changed.length} changed`,
    `${kept} as before`,
    unobserved.length > 0 && `${unobserved.length} could not be observed`,
  ]);
  const all = kept + changed.length + unobserved.length;
  return all === 0 ? `${file} pins nothing.` : `${count(all, 'pin')} of ${file}: ${parts.join(', ')}.`;
}
