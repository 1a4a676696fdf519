import type { Edit } from '../../fixtures/pins/edit.ts';
import type { KnownIds, Pin, Pins } from '../../fixtures/pins/pins.ts';
import type { Report } from '../../suites/types/report.ts';
import type { Selection } from '../../suites/types/run.ts';
import { type Behaviour, behavioursOf, pinKey } from './behaviours.ts';

const isAmong = (names: readonly string[], name: string | undefined): boolean =>
  names.length === 0 || (name !== undefined && names.includes(name));

/** Whether a selection names it; an empty one names everything. */
function isSelected({ kind, requirements, case: outcome, cell }: Behaviour, selection: Selection): boolean {
  const caller = cell ?? outcome?.cell;
  const suite = kind === 'observation' ? outcome?.suite : 'families';
  return (
    isAmong(selection.suites, suite) &&
    isAmong(selection.families, caller?.family) &&
    isAmong(selection.groups, caller?.group) &&
    (selection.requirements.length === 0 || requirements.some((id) => isAmong(selection.requirements, id)))
  );
}

const hasValue = (one: Behaviour): one is Behaviour & { readonly value: string } => one.value !== null;

/** A cell that an observation or a contradiction shows, too: pinned as well, one change would be reported twice. */
function isToldElsewhere({ cell }: Behaviour, { observations }: Report): boolean {
  if (cell === undefined) return false;
  return cell.expectation === 'conflict' || observations.some(({ id }) => cell.cases.includes(id));
}

const pinOf = ({ kind, id, value, exchanges }: Behaviour & { value: string }, run: string) => ({
  kind,
  id,
  value,
  run,
  ...(exchanges[0] === undefined ? {} : { exchange: exchanges[0] }),
});

/**
 * What brings a file of pins up to a report. Without a selection a file that has pins keeps its choice: only their
 * values change. A pin that the report does not show stays as it is.
 * @param known what a pin may name: the report may be of another version of the suite; whatever it shows where it is left out
 */
export function planPins(
  report: Report,
  { pins }: Pins,
  { selection, known }: { readonly selection: Selection; readonly known?: KnownIds },
): Edit {
  const shown = behavioursOf(report)
    .filter(hasValue)
    .filter(({ kind, id }) => known === undefined || known[kind].has(id))
    .filter((one) => isSelected(one, selection));
  const places = new Map(pins.map((pin, at) => [pinKey(pin), at]));
  const changed = shown.flatMap((one): [number, Omit<Pin, 'line'>][] => {
    const at = places.get(pinKey(one));
    return at === undefined || pins[at]?.value === one.value ? [] : [[at, pinOf(one, report.run.id)]];
  });
  const isChosen = pins.length === 0 || Object.values(selection).some((names) => names.length > 0);
  const added = shown.filter((one) => !places.has(pinKey(one)) && !isToldElsewhere(one, report));
  return { change: new Map(changed), add: isChosen ? added.map((one) => pinOf(one, report.run.id)) : [] };
}
