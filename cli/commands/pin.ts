import { existsSync } from 'node:fs';
import { editPins } from '../../fixtures/pins/edit.ts';
import { planPins } from '../../reporters/pins/behaviours.ts';
import { terminalLine } from '../../reporters/escape.ts';
import { partOfReport } from '../../reporters/report-queries.ts';
import { firstLines } from '../../reporters/wording.ts';
import { count } from '../../spec/text.ts';
import { exitCodes } from '../exit.ts';
import { type SelectionOptions, selectionOf } from '../options/options.ts';
import { writeWhole } from '../files/folder.ts';
import { knownPins, pinsIn, readPins } from '../files/pins-file.ts';
import { otherFileHint, reportAt } from '../files/report-file.ts';
import { print } from '../output/terminal.ts';

const mostListed = 20;

/** `pin update`: takes over what a report shows of the behaviour that the interface leaves open. */
export function pinUpdateCommand(options: SelectionOptions & Readonly<Record<'pins' | 'report', string>>) {
  const file = options.pins;
  const selection = selectionOf(options);
  const report = reportAt(options.report);
  const written = existsSync(file) ? readPins(file) : { file, text: '' };
  const part = partOfReport(report);
  const current = pinsIn(written, part);
  const edit = planPins(report, current, {
    selection,
    ...(part === undefined ? { known: knownPins() } : {}),
  });
  writeWhole(file, editPins(written.text, edit, part), otherFileHint);
  const kept = current.pins.length - edit.change.size;
  const changes = [...edit.change].map(
    ([at, { kind, id, value }]) => `  ~ ${kind} ${id}: ${current.pins[at]?.value} is now ${value}`,
  );
  const additions = edit.add.map(({ kind, id, value }) => `  + ${kind} ${id}: ${value}`);
  print(
    [
      `${file}: ${count(edit.add.length, 'pin')} added, ${edit.change.size} changed, ${kept} kept.`,
      ...firstLines([...changes, ...additions], mostListed),
    ]
      .map(terminalLine)
      .join('\n'),
  );
  return exitCodes.conformant;
}
