import { given } from '../../../spec/present.ts';
import type { Report, ReportCell, ReportObservation, Verdict } from '../../types/report.ts';
import type { Exchange } from '../../types/exchange.ts';

/** What several runs show of the same thing; a run that does not show it changes nothing. */
const isShown = (value: string): boolean => !['unknown', 'untested', 'not sent'].includes(value);

/** Names an observation, with what of it is the same in each run. */
export const observationKey = ({
  id,
  requirement,
  subject,
  value,
  stable = value,
}: ReportObservation): string => JSON.stringify([id, requirement, subject, stable]);

/** A failure outweighs all else, and what a run decided outweighs what others could not. */
const weightiest: readonly Verdict[] = ['fail', 'pass', 'inconclusive'];

/** A combination as each run has it: served in one and refused in another is neither. */
export function mergedCell(cells: readonly [ReportCell, ...ReportCell[]]): ReportCell {
  const shown = new Map(
    cells.filter(({ observed }) => isShown(observed)).map((cell) => [cell.observed, cell]),
  );
  const [first = cells[0]] = shown.values();
  const verdicts = cells.flatMap(({ anyGroup }) => anyGroup ?? []);
  const anyGroup = weightiest.find((verdict) => verdicts.includes(verdict)) ?? verdicts[0];
  return {
    ...first,
    ...(shown.size > 1 ? { observed: 'unknown' } : {}),
    ...(anyGroup === undefined ? {} : { anyGroup }),
  };
}

const withExchanges = <Row extends { readonly exchanges: readonly string[] }>(
  rows: readonly Row[],
  own: (id: string) => string,
): readonly Row[] => rows.map((row) => ({ ...row, exchanges: row.exchanges.map(own) }));

function ownExchange<Sent extends Exchange>(exchange: Sent, own: (id: string) => string): Sent {
  const { id, repeats, part, smaller, attempts } = exchange;
  const ofs = given({
    repeats: repeats && own(repeats),
    part: part && { ...part, of: own(part.of) },
    smaller: smaller && { ...smaller, of: own(smaller.of) },
  });
  return {
    ...exchange,
    id: own(id),
    ...ofs,
    attempts: attempts.map((attempt) =>
      attempt.control === undefined ? attempt : { ...attempt, control: own(attempt.control) },
    ),
  };
}

/** The report of one of several runs, with the number of the run in the ids of its exchanges. */
export function withOwnIds(report: Report, run: number): Report {
  const own = (id: string): string => `run-${run}/${id}`;
  const { cases, causes, observations, conflicts, declared, exchanges } = report;
  return {
    ...report,
    ...(declared === undefined ? {} : { declared: withExchanges(declared, own) }),
    cases: withExchanges(cases, own).map((row) => ({
      ...row,
      findings: row.findings.map((finding) =>
        finding.exchange === undefined ? finding : { ...finding, exchange: own(finding.exchange) },
      ),
    })),
    causes: withExchanges(causes, own).map(({ smallest, ...cause }) => ({
      ...cause,
      evidence: cause.evidence.map(own),
      ...(smallest ? { smallest: { ...smallest, exchange: own(smallest.exchange) } } : {}),
    })),
    observations: withExchanges(observations, own),
    conflicts: withExchanges(conflicts, own),
    exchanges: exchanges.map((exchange) => ownExchange(exchange, own)),
  };
}
