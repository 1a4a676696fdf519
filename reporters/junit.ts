import { present } from '../spec/present.ts';
import { inParentheses } from '../spec/text.ts';
import type { Report, ReportCase, ReportRequirement } from '../suites/types/report.ts';
import { suiteNames } from '../suites/types/suite-names.ts';
import { noExpectedFailures, caseOutcome } from './baseline/expected-failures.ts';
import type { ExpectedFailures, CaseOutcome } from './baseline/expected-failures.ts';
import { xmlAttribute, htmlText } from './escape.ts';
import { changeText, pinName, pinPlace, unobservedText } from './pins/view.ts';
import { rateText } from './repeats.ts';
import { byId, caseDetail, caseMs, impactsOf } from './report-queries.ts';

type Attributes = Readonly<Record<string, string | number>>;

function element(name: string, attributes: Attributes, content?: string): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlAttribute(String(value))}"`);
  const start = `<${name}${pairs.join('')}`;
  return content === undefined || content === '' ? `${start}/>` : `${start}>${content}</${name}>`;
}

type Requirements = ReadonlyMap<string, ReportRequirement>;

const causesBehind = ({ findings }: ReportCase, requirements: Requirements): readonly string[] => [
  ...new Set(findings.flatMap(({ requirement }) => requirements.get(requirement)?.cause ?? [])),
];

function result(
  outcome: ReportCase,
  kind: CaseOutcome,
  known: string | undefined,
  requirements: Requirements,
): string {
  if (kind === 'passed') return '';
  const { first, text } = caseDetail(outcome);
  const [reason] = outcome.requirements.flatMap((id) => requirements.get(id)?.reason ?? []);
  const said = first?.message ?? (outcome.verdict === 'untested' ? (reason ?? 'not needed') : 'not run');
  const [cause] = causesBehind(outcome, requirements);
  const judged = first && requirements.get(first.requirement);
  const rate = judged && rateText(judged);
  const message = `${said}${inParentheses(present([cause && `cause: ${cause}`, rate]).join('; '))}`;
  if (kind === 'skipped' && known !== undefined)
    return element('skipped', { message: `expected failure: ${known}` }, htmlText(text));
  if (kind === 'skipped') return element('skipped', { message: `${outcome.verdict}: ${message}` });
  return element(kind, { message, type: first?.requirement ?? outcome.verdict }, htmlText(text));
}

function countOutcomes(tests: readonly Test[]) {
  const of = (kind: CaseOutcome) => tests.filter(([one]) => one === kind).length;
  return { tests: tests.length, failures: of('failure'), errors: of('error'), skipped: of('skipped') };
}

function properties(outcome: ReportCase, requirements: Requirements, known: string | undefined): string {
  const sections = new Set(outcome.requirements.flatMap((id) => requirements.get(id)?.sections ?? []));
  const all = Object.entries({
    requirement: outcome.requirements,
    section: [...sections],
    impact: impactsOf(outcome, requirements),
    exchange: outcome.exchanges,
    cause: causesBehind(outcome, requirements),
    'expected-failure': known === undefined ? [] : [known],
  });
  const each = all.flatMap(([name, values]) => values.map((value) => element('property', { name, value })));
  return element('properties', {}, each.join(''));
}

/** A test of a suite, with what came of it. */
type Test = readonly [kind: CaseOutcome, element: string];

const testCase = (classname: string, name: string, content = '', time = '0.000'): string =>
  element('testcase', { classname, name, time }, content);

/** Entries of a baseline that are errors themselves. */
const baselineTests = ({ problems }: ExpectedFailures): readonly Test[] =>
  problems.map(({ requirement, entry, message }) => {
    const property = element('property', { name: 'requirement', value: requirement });
    const failure = element('failure', { message, type: requirement });
    return ['failure', testCase('baseline', entry, element('properties', {}, property) + failure)];
  });

/** A pin that changed fails, one that could not be observed is skipped. */
function pinTests({ pins }: Report): readonly Test[] {
  if (pins === undefined) return [];
  const failure = (pin: (typeof pins.changed)[number]): string => {
    const text = `${changeText(pin)}\n${pinPlace(pins, pin)}`;
    return element('failure', { message: changeText(pin), type: pin.id }, htmlText(text));
  };
  const skipped = (pin: (typeof pins.unobserved)[number]): string =>
    element('skipped', { message: unobservedText(pin) });
  return [
    ['passed', testCase('pins', 'pins as before')],
    ...pins.changed.map((pin) => ['failure', testCase('pins', pinName(pin), failure(pin))] as const),
    ...pins.unobserved.map((pin) => ['skipped', testCase('pins', pinName(pin), skipped(pin))] as const),
  ];
}

/** The report as JUnit XML, a suite for each area. `known`: what a baseline expects is skipped, and its errors fail. */
export function renderJunit(report: Report, known: ExpectedFailures = noExpectedFailures): string {
  const [requirements, exchanges] = [byId(report.requirements), byId(report.exchanges)];
  const testOf = (outcome: ReportCase): Test => {
    const kind = caseOutcome(outcome, requirements, known);
    const why = known.cases.get(outcome.id);
    const content = properties(outcome, requirements, why) + result(outcome, kind, why, requirements);
    const time = (caseMs(outcome, exchanges) / 1000).toFixed(3);
    return [kind, testCase(outcome.suite, `${outcome.id}: ${outcome.title}`, content, time)];
  };
  const suites: readonly (readonly [name: string, tests: readonly Test[]])[] = [
    ...suiteNames.map(
      (suite) => [suite, report.cases.filter((each) => each.suite === suite).map(testOf)] as const,
    ),
    ['baseline', baselineTests(known)],
    ['pins', pinTests(report)],
  ];
  const elements = suites
    .filter(([, tests]) => tests.length > 0)
    .map(([name, tests]) =>
      element(
        'testsuite',
        { name, ...countOutcomes(tests), timestamp: report.run.startedAt },
        `\n${tests.map(([, text]) => text).join('\n')}\n`,
      ),
    );
  const name = `${report.suite.name} ${report.suite.version}: ${report.target.name}`;
  const counts = countOutcomes(suites.flatMap(([, tests]) => tests));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name, ...counts }, `\n${elements.join('\n')}\n`)}\n`;
}
