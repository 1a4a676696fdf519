import type { Report, ReportRequirement } from '../../suites/model/report.ts';
import { visible } from '../escape.ts';
import { byId, findingsOf, gates, withVerdict } from '../outline.ts';
import { count } from '../wording.ts';
import { locate } from './locate.ts';

const longest = 1_000;

/** Text of a SARIF message: no link and no placeholder in it (SARIF 2.1.0, 3.11.5 and 3.11.6). */
const message = (text: string): { readonly text: string } => {
  const safe = visible(text.length > longest ? `${text.slice(0, longest)}…` : text);
  return { text: safe.replace(/[\\[\]]/g, '\\$&').replace(/[{}]/g, '$&$&') };
};

/** Error: failed. Warning: keeps the run from a verdict. Note: tried, not decided, does not gate. */
const levelOf = (requirement: ReportRequirement): 'error' | 'warning' | 'note' =>
  requirement.verdict === 'fail' ? 'error' : gates(requirement) ? 'warning' : 'note';

const rule = ({ id, statement, reading, sections, level }: ReportRequirement): object => ({
  id: visible(id),
  shortDescription: message(statement),
  ...(reading === undefined ? {} : { fullDescription: message(`${statement} Reading held: ${reading}`) }),
  help: message(
    `Interface section ${sections.join(', ')}. \`gateway-conformance explain ${id}\` tells how it is judged.`,
  ),
  defaultConfiguration: { level: 'error' },
  properties: { tags: [level, ...sections.map((section) => `section ${visible(section)}`)] },
});

function result(
  report: Report,
  requirement: ReportRequirement,
  ruleIndex: number,
  isExpected: boolean,
): object {
  const { id, statement, reason } = requirement;
  const found = findingsOf(requirement, byId(report.cases));
  const finding = found[0]?.finding;
  const where = finding?.pointer === undefined ? '' : ` At ${finding.pointer}.`;
  const said =
    finding === undefined
      ? (reason ?? 'no finding recorded')
      : `${finding.message}${where} Expected: ${finding.expected}. Actual: ${finding.actual}. ${count(found.length, 'finding')}.`;
  const { file, line } = locate(id);
  return {
    ruleId: visible(id),
    ruleIndex,
    level: levelOf(requirement),
    message: message(`${statement} ${said}`),
    locations: [{ physicalLocation: { artifactLocation: { uri: file }, region: { startLine: line } } }],
    partialFingerprints: { 'requirement/v1': visible(id) },
    ...(isExpected
      ? { suppressions: [{ kind: 'external', justification: 'The baseline expects this failure.' }] }
      : {}),
    properties: { cases: found.map((one) => visible(one.case.id)) },
  };
}

/**
 * The report as SARIF 2.1.0: requirements are the rules, and a result points at the line that its
 * requirement belongs to in spec/openapi.yaml or spec/requirements.yaml.
 * @param expected requirements whose failures a baseline expects: suppressed
 */
export function renderSarif(report: Report, expected: ReadonlySet<string> = new Set()): string {
  const { suite, run, target } = report;
  const places = new Map(report.requirements.map(({ id }, at) => [id, at]));
  const rows = [...withVerdict(report, 'fail'), ...withVerdict(report, 'inconclusive')];
  const results = rows.map((row) =>
    result(report, row, places.get(row.id) ?? -1, row.verdict === 'fail' && expected.has(row.id)),
  );
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: suite.name, semanticVersion: suite.version, rules: report.requirements.map(rule) },
        },
        automationDetails: {
          id: `${suite.name}/`,
          description: message(`${target.name} at ${target.baseUrl}`),
        },
        invocations: [
          { executionSuccessful: !run.partial, startTimeUtc: run.startedAt, endTimeUtc: run.finishedAt },
        ],
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}
