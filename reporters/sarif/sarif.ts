import { count, shorten } from '../../spec/text.ts';
import type { Impact } from '../../spec/vocabulary.ts';
import { isGating } from '../../suites/types/gating.ts';
import type { Report, ReportCase, ReportRequirement } from '../../suites/types/report.ts';
import { type ExpectedFailures, noExpectedFailures } from '../baseline/expected-failures.ts';
import { causesOf } from '../causes.ts';
import { visible } from '../escape.ts';
import { byId, findingsOf, withVerdict } from '../report-queries.ts';
import { guideAnchor, guideUri } from '../interface-guide.ts';
import { locate } from './compiled-places.ts';
import { sectionList } from '../sections.ts';

const longest = 1_000;

/** Text of a SARIF message: no link and no placeholder in it (SARIF 2.1.0, 3.11.5 and 3.11.6). */
const message = (text: string): { readonly text: string } => {
  const safe = visible(shorten(text, longest));
  return { text: safe.replace(/[\\[\]]/g, '\\$&').replace(/[{}]/g, '$&$&') };
};

/** Error: failed. Warning: keeps the run from a verdict. Note: tried, not decided, does not gate. */
const levelOf = (requirement: ReportRequirement): 'error' | 'warning' | 'note' =>
  requirement.verdict === 'fail' ? 'error' : isGating(requirement) ? 'warning' : 'note';

/** How much a result matters, from 0 to 100 (SARIF 2.1.0, 3.27.25). */
const ranks: Readonly<Record<Impact, number>> = { credential: 90, client: 60, lenient: 30 };

const rule = (
  { id, statement, reading, sections, level, impact }: ReportRequirement,
  suite: Report['suite'],
): object => ({
  id: visible(id),
  shortDescription: message(statement),
  // GitHub's code scanning refuses a rule without it.
  fullDescription: message(reading === undefined ? statement : `${statement} Reading held: ${reading}`),
  help: message(
    level === 'own'
      ? `Stated by an extension. \`gateway-conformance explain --extend FILE ${id}\` describes how it is judged.`
      : `Interface ${sectionList(sections)}; ${guideAnchor(id)} in the package. \`gateway-conformance explain ${id}\` describes how it is judged.`,
  ),
  helpUri: guideUri(suite),
  defaultConfiguration: { level: 'error' },
  properties: {
    tags: [
      level,
      ...(impact === undefined ? [] : [`impact ${impact}`]),
      ...sections.map((section) => `section ${visible(section)}`),
    ],
  },
});

/** What paths begin from: not the repository that uploads the file, which may have such a file too. */
const packagesBase = 'PACKAGES';

/** Of an own statement its line in the extension. */
function locationOf({ id, place }: ReportRequirement, { suiteName }: ResultContext): object {
  const { file, line } = place ?? locate(id);
  const artifactLocation =
    place === undefined
      ? { uri: `${encodeURIComponent(visible(suiteName))}/${file}`, uriBaseId: packagesBase }
      : { uri: encodeURIComponent(visible(file)) };
  return { physicalLocation: { artifactLocation, region: { startLine: line } } };
}

/** By SARIF 2.1.0, 3.27.23, all results of a run have suppressions or none has. */
function suppressionsOf({ id, verdict }: ReportRequirement, { requirements }: ExpectedFailures): object {
  if (requirements.size === 0) return {};
  const why = verdict === 'fail' ? requirements.get(id) : undefined;
  if (why === undefined) return { suppressions: [] };
  return { suppressions: [{ kind: 'external', justification: `Expected failure: ${visible(why)}` }] };
}

interface ResultContext {
  readonly suiteName: string;
  readonly cases: ReadonlyMap<string, ReportCase>;
  readonly ruleIndexes: ReadonlyMap<string, number>;
  readonly known: ExpectedFailures;
}

function result(requirement: ReportRequirement, context: ResultContext): object {
  const { cases, ruleIndexes, known } = context;
  const { id, statement, reason, impact, cause } = requirement;
  const found = findingsOf(requirement, cases);
  const finding = found[0]?.finding;
  const where = finding?.pointer === undefined ? '' : `, at ${finding.pointer}`;
  const detail =
    finding === undefined
      ? (reason ?? 'no finding recorded')
      : `${finding.message.replace(/[.]$/, '')}${where}. Expected: ${finding.expected}. Actual: ${finding.actual}. ${count(found.length, 'finding')}.`;
  return {
    ruleId: visible(id),
    ruleIndex: ruleIndexes.get(id) ?? -1,
    level: levelOf(requirement),
    ...(impact === undefined ? {} : { rank: ranks[impact] }),
    message: message(`${statement} ${detail}`),
    locations: [locationOf(requirement, context)],
    partialFingerprints: { 'requirement/v1': visible(id) },
    ...suppressionsOf(requirement, known),
    properties: {
      cases: found.map((one) => visible(one.case.id)),
      ...(impact === undefined ? {} : { impact }),
      ...(cause === undefined ? {} : { cause: visible(cause) }),
    },
  };
}

/** What stands behind the results, each of which names its cause. */
const causesProperty = (report: Report): object => ({
  properties: {
    causes: causesOf(report).map(({ cause: { id, summary, requirements } }) => ({
      id: visible(id),
      summary: visible(summary),
      requirements: requirements.map(visible),
    })),
  },
});

/** The report as SARIF 2.1.0: requirements are the rules; a result points at a line of the documents of this package. */
export function renderSarif(report: Report, known: ExpectedFailures = noExpectedFailures): string {
  const { suite, run, target } = report;
  const context: ResultContext = {
    suiteName: suite.name,
    cases: byId(report.cases),
    ruleIndexes: new Map(report.requirements.map(({ id }, at) => [id, at])),
    known,
  };
  const rows = [...withVerdict(report, 'fail'), ...withVerdict(report, 'inconclusive')];
  const results = rows.map((row) => result(row, context));
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: suite.name,
            semanticVersion: suite.version,
            // A name and no address: there is none that holds for every version.
            informationUri: `pkg:npm/${suite.name}@${suite.version}`,
            rules: report.requirements.map((each) => rule(each, suite)),
          },
        },
        automationDetails: {
          id: `${suite.name}/`,
          description: message(`${target.name} at ${target.baseUrl}`),
        },
        invocations: [
          { executionSuccessful: !run.partial, startTimeUtc: run.startedAt, endTimeUtc: run.finishedAt },
        ],
        originalUriBaseIds: {
          [packagesBase]: {
            description: message(
              `The folder that ${suite.name} ${suite.version} is installed in, such as node_modules.`,
            ),
          },
        },
        columnKind: 'utf16CodeUnits',
        ...causesProperty(report),
        results,
      },
    ],
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}
