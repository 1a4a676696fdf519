import { affects, type Erratum } from '../../spec/errata.ts';
import { present } from '../../spec/present.ts';
import { count } from '../../spec/text.ts';
import type { Report } from '../../suites/types/report.ts';
import { sinceReport } from '../register-changes.ts';
import { byId } from '../report-queries.ts';

/** What is known now of the suite that judged a report: no problem of the bundle, and no verdict depends on it. */
export interface Notice {
  readonly name: string;
  readonly detail: string;
  readonly lines: readonly string[];
}

function erratumLine({ requirement, error, holds, url }: Erratum, report: Report): string {
  const row = byId(report.requirements).get(requirement);
  const found = row === undefined ? 'not in this report' : `here: ${row.verdict}`;
  return `${requirement} (${found}): ${error} What holds instead: ${holds} ${url}`;
}

/** The errors of the suite that judged a report, this version or another, and what changed in the statements since. */
export function noticesOf(
  report: Report,
  errata: readonly Erratum[],
  isSameSuite: boolean,
): readonly Notice[] {
  const { version, statements = '1' } = report.suite;
  const own = errata.filter((erratum) => affects(erratum, version));
  const changes = isSameSuite ? [] : sinceReport(report);
  return present([
    own.length > 0 && {
      name: 'Errata',
      detail: `${count(own.length, 'error')} of the suite ${version}, which judged: no fault of the target`,
      lines: own.map((erratum) => erratumLine(erratum, report)),
    },
    !isSameSuite && {
      name: 'Since then',
      detail:
        changes.length === 0
          ? `no statement changed since version ${statements}`
          : `${count(changes.length, 'statement')} changed since version ${statements}, by which it was judged`,
      lines: changes,
    },
  ]);
}
