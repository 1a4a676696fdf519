import type { Exchange } from '../../types/exchange.ts';
import type { Report } from '../../types/report.ts';

/** The id that an exchange of one of several runs has in the report of all. */
const idInRun = (run: number, id: string): string => `run-${run}/${id}`;

const withExchanges = <Row extends { readonly exchanges: readonly string[] }>(
  rows: readonly Row[],
  own: (id: string) => string,
): readonly Row[] => rows.map((row) => ({ ...row, exchanges: row.exchanges.map(own) }));

function ownExchange<Sent extends Exchange>(exchange: Sent, own: (id: string) => string): Sent {
  const { id, repeats, part, smaller, attempts } = exchange;
  return {
    ...exchange,
    id: own(id),
    ...(repeats === undefined ? {} : { repeats: own(repeats) }),
    ...(part === undefined ? {} : { part: { ...part, of: own(part.of) } }),
    ...(smaller === undefined ? {} : { smaller: { ...smaller, of: own(smaller.of) } }),
    attempts: attempts.map((attempt) =>
      attempt.control === undefined ? attempt : { ...attempt, control: own(attempt.control) },
    ),
  };
}

/** The report of one of several runs, with the number of the run in the ids of its exchanges. */
export function withOwnIds(report: Report, run: number): Report {
  const own = (id: string): string => idInRun(run, id);
  const { cases, causes, observations, conflicts, exchanges } = report;
  return {
    ...report,
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
