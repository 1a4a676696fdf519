import { cellName } from '../../fixtures/baseline/cell.ts';
import type { KnownIds, Pin, PinKind, Pins } from '../../fixtures/pins/pins.ts';
import { given } from '../../spec/present.ts';
import { cells } from '../../spec/matrix.ts';
import { requirements } from '../../spec/requirements.ts';
import type {
  Report,
  ReportCase,
  ReportCell,
  ReportConflict,
  ReportPins,
} from '../../suites/types/report.ts';
import { firstModelCells } from '../models.ts';
import { byId, openContradictions } from '../report-queries.ts';
import type { Edit } from '../../fixtures/pins/edit.ts';
import type { Selection } from '../../suites/types/run.ts';

export interface Behaviour extends Pick<Pin, 'kind' | 'id'> {
  readonly subject: string;
  /** Null where the run does not show it, or nothing of it that is the same in each run. */
  readonly value: string | null;
  /** What it was seen in; none where nothing was asked. */
  readonly exchanges: readonly string[];
  readonly requirements: readonly string[];
  /** The case that shows it, where there is one. */
  readonly case?: ReportCase | undefined;
  readonly cell?: ReportCell;
}

function observations(report: Report, cases: ReadonlyMap<string, ReportCase>): Behaviour[] {
  const found = new Map<string, Behaviour>();
  for (const { id, requirement, subject, value, stable = value, exchanges } of report.observations) {
    const earlier = found.get(id);
    const parts = earlier === undefined ? [stable] : [earlier.value, stable];
    found.set(id, {
      kind: 'observation',
      id,
      subject: earlier?.subject ?? subject,
      value: parts.includes(null) ? null : parts.join('; '),
      exchanges,
      requirements: [...(earlier?.requirements ?? []), requirement],
      case: cases.get(id),
    });
  }
  return [...found.values()];
}

/** A refusal is no behaviour of its own where nothing of its protocol is served. */
function cellValue(cell: ReportCell, { matrix }: Report): string | null {
  const isFounded = matrix.some(
    ({ protocol, observed }) => protocol === cell.protocol && observed === 'served',
  );
  return cell.observed === 'served' || (cell.observed === 'refused' && isFounded) ? cell.observed : null;
}

const cellBehaviour = (
  cell: ReportCell,
  report: Report,
  cases: ReadonlyMap<string, ReportCase>,
): Behaviour => ({
  kind: 'cell',
  id: cellName(cell),
  subject: `whether ${cellName(cell)} is served`,
  value: cellValue(cell, report),
  exchanges: [...new Set(cell.cases.flatMap((id) => cases.get(id)?.exchanges ?? []))],
  requirements: cell.requirements,
  cell,
});

const conflictBehaviour = ({ id, readings, follows, exchanges }: ReportConflict): Behaviour => ({
  kind: 'conflict',
  id,
  subject: 'which reading of the contradiction is followed',
  value: follows === 'A' || follows === 'B' || follows === 'mixed' || follows === 'neither' ? follows : null,
  exchanges,
  requirements: readings.flatMap(({ requirement }) => requirement ?? []),
});

/** Everything of a report that a pin can name. Pure. */
export function behavioursOf(report: Report): Behaviour[] {
  const cases = byId(report.cases);
  return [
    ...observations(report, cases),
    ...firstModelCells(report.matrix).map((cell) => cellBehaviour(cell, report, cases)),
    ...openContradictions(report).map(conflictBehaviour),
  ];
}

/** Names one behaviour among all kinds. */
export const pinKey = ({ kind, id }: { readonly kind: PinKind; readonly id: string }): string =>
  `${kind} ${id}`;

/** Everything that a pin may name; observations go by their cases. */
export const knownIds = (caseIds: Iterable<string>): KnownIds => ({
  observation: new Set(caseIds),
  cell: new Set(cells().map(cellName)),
  conflict: new Set(requirements().flatMap(({ conflict }) => conflict ?? [])),
});

type Unobserved = ReportPins['unobserved'][number];

/** Whether anything was sent for it: else the run was not asked to look. */
function whyUnobserved(pin: Pin, found: Behaviour | undefined, report: Report): Unobserved['why'] {
  if (found?.cell?.observed === 'not sent') return 'not-asked';
  const exchanges = found?.exchanges ?? byId(report.cases).get(pin.id)?.exchanges ?? [];
  return exchanges.length === 0 ? 'not-asked' : 'not-shown';
}

const named = ({ kind, id, line, value: pinned, run, exchange }: Pin, found: Behaviour | undefined) => {
  const { subject = id, exchanges = [] } = found ?? {};
  return given({ kind, id, line, subject, pinned, run, exchange, exchanges });
};

/** Compares a report with pins. Pure; no verdict depends on it. */
export function applyPins(report: Report, { file, pins }: Pins): ReportPins {
  const behaviours = new Map(behavioursOf(report).map((one) => [pinKey(one), one]));
  const changed: ReportPins['changed'][number][] = [];
  const unobserved: Unobserved[] = [];
  for (const pin of pins) {
    const found = behaviours.get(pinKey(pin));
    const observed = found?.value ?? null;
    if (observed === null) unobserved.push({ ...named(pin, found), why: whyUnobserved(pin, found, report) });
    else if (observed !== pin.value) changed.push({ ...named(pin, found), observed });
  }
  return { file, kept: pins.length - changed.length - unobserved.length, changed, unobserved };
}

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

const pinOf = ({ kind, id, value, exchanges: [exchange] }: Behaviour & { value: string }, run: string) =>
  given({ kind, id, value, run, exchange });

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
