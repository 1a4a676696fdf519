import type { IssueLink } from '../../fixtures/results/links.ts';
import { groupBy } from '../../spec/group-by.ts';
import { count, shorten } from '../../spec/text.ts';
import { isGatingLevel } from '../../spec/vocabulary.ts';
import type { Report } from '../../suites/types/report.ts';
import { coversOf } from '../certificate/covers.ts';
import { compareReports, type Comparison } from '../compare/compare.ts';
import { requirementGrid } from '../compare/document.ts';
import { badge, code, pageLink, list, quiet, row, section, table } from '../document/blocks.ts';
import type { Block, Inline } from '../document/blocks.ts';
import { coverage } from '../report-queries.ts';
import { overallTone, overallWord, utcTime } from '../wording.ts';
import type { OwnerWords } from './owner-words.ts';

type ListedResult = OwnerWords & {
  readonly statements: string;
  readonly product: string;
  readonly release: string;
  /** Without its evidence. */
  readonly report: Report;
  /** Whether its certificate is signed by the key of the product. */
  readonly isSigned: boolean;
  /** Why it could not be judged again, where that is so. */
  readonly problems: readonly string[];
};

export interface ResultList {
  readonly results: readonly ListedResult[];
  readonly links: readonly IssueLink[];
  /** The page of a result, by the id of its run. */
  readonly pages: ReadonlyMap<string, string>;
}

const timeOf = ({ report }: ListedResult): string => report.run.finishedAt;

const newestFirst = (results: readonly ListedResult[]): readonly ListedResult[] =>
  [...results].sort(
    (one, other) =>
      Number(other.statements) - Number(one.statements) || (timeOf(one) < timeOf(other) ? 1 : -1),
  );

/** The results of each product, newest first. */
const byProduct = (results: readonly ListedResult[]) => [
  ...groupBy(newestFirst(results), ({ product }) => product),
];

function resultRow(result: ListedResult, page: string) {
  const { product, release, statements, report, consent, expires, isSigned, problems } = result;
  const { covers, doesNotCover } = coversOf(report);
  const { failed } = coverage(report);
  return row(
    [pageLink(page, `${product} ${release}`), ' ', code(shorten(report.target.name, 80))],
    [shorten(covers, 300), { is: 'line' }, { is: 'small', of: `Not covered: ${shorten(doesNotCover, 300)}` }],
    badge(overallTone[report.verdict], overallWord[report.verdict]),
    failed,
    [
      `${statements}, ${utcTime(report.run.finishedAt)}`,
      isSigned && ', signed',
      problems.length > 0 && `; ${problems.join(' ')}`,
    ],
    `${shorten(consent?.by ?? '', 80)}, ${consent?.day}; until ${expires}`,
  );
}

const resultTable = ({ results, pages }: ResultList): Block =>
  table(
    ['Products and releases', 'columns'],
    ['Product', 'Covers', 'Verdict', 'Failed', 'Statements, judged', 'Consent of'],
    byProduct(results).flatMap(([, own]) =>
      own.map((one) => resultRow(one, pages.get(one.report.run.id) ?? '')),
    ),
    { rowHeads: true },
  );

const trackedList = ({ links }: ResultList): readonly Inline[] =>
  links.map(({ product, requirement, url }) => [
    `${product}: `,
    code(requirement),
    ' ',
    pageLink(url, shorten(url, 200)),
  ]);

const nameOf = ({ product, release }: ListedResult): string => `${product} ${release}`;

/** What a result covers and what not: who covers less can fail less. */
function scopeText({ report }: ListedResult): string {
  const { covers, doesNotCover } = coversOf(report);
  return `${shorten(covers, 300)}; not covered: ${shorten(doesNotCover, 300)}`;
}

/** What can fail, and of that what fails somewhere first. */
function failuresFirst(comparison: Comparison): Comparison {
  const fails = ({ values }: Comparison['requirements'][number]): boolean => values.includes('fail');
  const rows = comparison.requirements.filter(({ level }) => isGatingLevel(level));
  return {
    ...comparison,
    requirements: [...rows].sort((one, other) => Number(fails(other)) - Number(fails(one))),
  };
}

/** A list of results: what differs between the newest releases first, then all of them, and where failures are tracked. */
export function resultBlocks(all: ResultList): readonly Block[] {
  const newest = byProduct(all.results).flatMap(([, [first]]) => (first === undefined ? [] : [first]));
  const tracked = trackedList(all);
  const title = `Products (${count(newest.length, 'product')}, ${count(all.results.length, 'release')})`;
  const differing =
    newest.length < 2
      ? quiet('There is one product, and nothing to compare it with.')
      : requirementGrid(failuresFirst(compareReports(newest.map(({ report }) => report))));
  const scopes = list(
    [...groupBy(newest, scopeText)].map(([scope, own]) => `${own.map(nameOf).join(', ')}: ${scope}`),
  );
  return [
    section(['differs', 'What differs', 'What differs between the newest releases'], [scopes, differing]),
    section(['products', 'Products', title], [resultTable(all)]),
    ...(tracked.length > 0
      ? [section(['tracked', 'IssueLink failures', 'Where failures are tracked'], [list(tracked)])]
      : []),
  ];
}
