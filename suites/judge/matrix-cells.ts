import { matrix, matrixCell } from '../../spec/matrix.ts';
import type { Cell } from '../../spec/vocabulary.ts';
import { cellId } from '../types/request-ids.ts';
import { type EvidenceView, streamOf } from '../checks/evidence-view.ts';
import type { Plan } from '../types/plan.ts';
import type { ReportCell, ReportRequirement, Verdict } from '../types/report.ts';
import type { JudgedCase } from './judge-case.ts';

const seen = { answered: 'served', refused: 'refused', unclear: 'unknown' } as const;

interface JudgedRows {
  readonly cases: readonly JudgedCase[];
  readonly rows: readonly ReportRequirement[];
}

const isOpen = (verdict: Verdict | undefined): boolean =>
  verdict === 'inconclusive' || verdict === 'untested';

/** Every cell of the matrix, with what was seen of it. A refusal that its case does not count is none. */
export function cells(plan: Plan, view: EvidenceView, judged: JudgedRows): readonly ReportCell[] {
  const idOf = (cell: Cell): string => cellId(cell, cell.protocol, cell.stream);
  const verdicts = new Map<string, Verdict>(
    [...judged.cases.map(({ outcome }) => outcome), ...judged.rows].map(({ id, verdict }) => [id, verdict]),
  );
  return matrix().map(({ anyGroup, ...cell }) => {
    const cases = plan.cases.filter((entry) => entry.cell && !entry.model && idOf(entry.cell) === idOf(cell));
    // One group that is served is enough: each by itself is unspecified.
    const ofAnyGroup = anyGroup ? verdicts.get(cell.requirements[0] ?? '') : undefined;
    const state = view.state(plan.source === undefined ? idOf(cell) : (inTraffic(cell, plan, view) ?? ''));
    const isUncounted =
      state.kind === 'refused' &&
      // Neither served nor refused: the stream that was asked for, and nothing in it.
      ((cell.stream && cell.expectation === 'served' && streamOf(state) !== undefined) ||
        (cases.length > 0 && cases.every(({ id }) => isOpen(verdicts.get(id)))) ||
        isOpen(ofAnyGroup));
    return {
      ...cell,
      expectation: anyGroup ? 'unspecified' : cell.expectation,
      ...(ofAnyGroup === undefined ? {} : { anyGroup: ofAnyGroup }),
      observed: !state.exchange ? 'not sent' : isUncounted ? 'unknown' : seen[state.kind],
      cases: cases.map(({ id }) => id),
    };
  });
}

/** The request of live traffic that shows a cell: one that is answered, or else the first. */
function inTraffic(cell: Cell, { requests }: Plan, view: EvidenceView): string | undefined {
  const own = requests.filter(
    ({ protocol, stream, callers }) =>
      protocol === cell.protocol &&
      stream === cell.stream &&
      callers.some(({ family, group }) => family === cell.family && group === cell.group),
  );
  return (own.find(({ id }) => view.kind(id) === 'answered') ?? own[0])?.id;
}

/** Who asks for which cell in a case that judges whether a model is served, or refused; and the requests that ask. */
const askedCells = ({ plan, request }: EvidenceView) =>
  plan.cases.flatMap((entry) => {
    const { check, model, suite } = entry;
    if (model === undefined || suite !== 'families') return [];
    const probes = check.kind === 'served' ? check.probes : check.kind === 'refused' ? [check.probe] : [];
    const asked = probes.flatMap((id) => request(id) ?? []);
    const callers = new Map(
      asked.flatMap((each) => each.callers.map((caller) => [caller.group, { ...each, caller }] as const)),
    );
    return [...callers.values()].flatMap(({ protocol, stream, caller }) => {
      const { family, group } = caller;
      const cell = matrixCell({ family, group, protocol, stream });
      return cell ? [{ entry, caller, cell, probes }] : [];
    });
  });

/** The cells that further models of a family were asked for; where one of several groups is enough, those asked. */
export function modelCells(view: EvidenceView, judged: readonly JudgedCase[]): readonly ReportCell[] {
  const verdicts = new Map(judged.map(({ outcome }) => [outcome.id, outcome.verdict]));
  return askedCells(view).flatMap(
    (asked) => modelCell(view, asked, verdicts.get(asked.entry.id) ?? 'inconclusive') ?? [],
  );
}

function modelCell(
  view: EvidenceView,
  { entry, caller, cell: { anyGroup, ...cell }, probes }: ReturnType<typeof askedCells>[number],
  verdict: Verdict,
): ReportCell | undefined {
  const { protocol, stream } = cell;
  const plain = view.state(cellId(caller, protocol));
  // A stream is asked of the group that serves.
  if (anyGroup && (plain.exchange === undefined || (stream && plain.kind !== 'answered'))) return undefined;
  const states = stream ? probes.map((id) => view.state(id)) : [plain];
  const state = states.find(({ kind }) => kind === 'answered') ?? states[0] ?? plain;
  return {
    ...cell,
    ...(caller.model === undefined ? {} : { model: caller.model }),
    expectation: anyGroup ? 'unspecified' : cell.expectation,
    ...(anyGroup ? { anyGroup: verdict } : {}),
    observed: !state.exchange
      ? 'not sent'
      : state.kind === 'refused' && isOpen(verdict)
        ? 'unknown'
        : seen[state.kind],
    cases: [entry.id],
  };
}
