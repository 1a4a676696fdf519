import type { Report } from '../suites/types/report.ts';
import { type CauseRows, causesHeadline, causesOf, explained, findingOfCause } from './causes.ts';
import { rateText, seenText } from './repeats.ts';
import { commandLines, type Layout, verdictColours, wrap } from './terminal-layout.ts';
import { verdictSign } from './wording.ts';

/** Causes that are named, and those that are shown with an exchange and a command. */
const [mostNamed, mostDetailed] = [12, 6];
/** Requirements that are named with a cause. */
const mostRequirements = 6;

/** Where a key of the config stands, such as `gateway-conformance.yaml:8`; undefined where that is not known. */
export type PlaceOf = (key: string) => string | undefined;

/** One line for each cause: what it is, and what it explains. */
/** The most keys of the config that are shown with their place. */
const mostPlaces = 3;

function nameLines(layout: Layout, causes: readonly CauseRows[], placeOf: PlaceOf): readonly string[] {
  const ink = verdictColours(layout.colours);
  return causes.flatMap((one, at) => {
    const places = (one.cause.configKeys ?? []).slice(0, mostPlaces).flatMap((key) => {
      const place = placeOf(key);
      return place === undefined ? [] : [`${key} is at ${place}.`];
    });
    const text = [
      `${at + 1}.`,
      one.cause.summary,
      ...places,
      `(${[...explained(one), ...seenText(one.cause)].join(', ')})`,
    ].join(' ');
    const [first = '', ...rest] = wrap(layout, '  ', text);
    return [`${ink[one.tone](verdictSign[one.tone])} ${layout.colours.bold(first.slice(2))}`, ...rest];
  });
}

/** The exchange and the command that show a cause, and what it explains. */
function detailLines(layout: Layout, report: Report, one: CauseRows, number: number): readonly string[] {
  const { cause, rows } = one;
  const finding = findingOfCause(report, one);
  const [shown] = cause.evidence;
  const names = rows.slice(0, mostRequirements).map((row) => {
    const rate = rateText(row);
    return rate === undefined ? row.id : `${row.id} (${rate})`;
  });
  const more = rows.length - names.length;
  return [
    ...wrap(layout, `${number}. `, shown === undefined ? 'shown by no single reply' : `shown by ${shown}`),
    ...(finding?.verdict === 'fail' ? wrap(layout, '   expected ', finding.expected) : []),
    ...(finding === undefined ? [] : wrap(layout, '   actual   ', finding.actual)),
    ...wrap(
      layout,
      '   explains ',
      `${names.join(', ')}${more > 0 ? `, and ${more} more in the report` : ''}`,
    ),
    ...(cause.reproduce === undefined
      ? []
      : [`   ${layout.colours.dim('reproduce')}`, ...commandLines(cause.reproduce)]),
    '',
  ];
}

/** What stands behind the verdict: all causes by name, then the first of them with what shows them. */
export function causeLines(layout: Layout, report: Report, placeOf: PlaceOf): readonly string[] {
  const causes = causesOf(report);
  if (causes.length === 0) return [];
  const rest = causes.length - mostNamed;
  const detailed = causes.filter(({ gates }) => gates).slice(0, mostDetailed);
  return [
    `  ${causesHeadline(report)}`,
    '',
    ...nameLines(layout, causes.slice(0, mostNamed), placeOf),
    ...(rest > 0 ? [`  and ${rest} more in the report`] : []),
    '',
    ...detailed.flatMap((one) => detailLines(layout, report, one, causes.indexOf(one) + 1)),
  ];
}
