import { present } from '../spec/present.ts';
import { inParentheses } from '../spec/text.ts';
import type { Report, ReportCase, ReportRequirement } from '../suites/types/report.ts';
import { suiteNames } from '../suites/types/suite-names.ts';
import {
  type ExpectedFailures,
  noExpectedFailures,
  type CaseOutcome,
  caseOutcome,
} from './baseline/expected-failures.ts';
import { xmlAttribute, xmlText } from './escape.ts';
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
    return element('skipped', { message: `expected failure: ${known}` }, xmlText(text));
  if (kind === 'skipped') return element('skipped', { message: `${outcome.verdict}: ${message}` });
  return element(kind, { message, type: first?.requirement ?? outcome.verdict }, xmlText(text));
}

function countOutcomes(kinds: readonly CaseOutcome[]) {
  const of = (kind: CaseOutcome) => kinds.filter((one) => one === kind).length;
  return { tests: kinds.length, failures: of('failure'), errors: of('error'), skipped: of('skipped') };
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

/** Entries of a baseline that are errors themselves, as a suite of its own. */
function baselineSuite({ problems }: ExpectedFailures, timestamp: string): readonly string[] {
  if (problems.length === 0) return [];
  const tests = problems.map(({ requirement, entry, message }) =>
    element(
      'testcase',
      { classname: 'baseline', name: entry, time: '0.000' },
      element('properties', {}, element('property', { name: 'requirement', value: requirement })) +
        element('failure', { message, type: requirement }),
    ),
  );
  const counts = countOutcomes(problems.map(() => 'failure'));
  return [element('testsuite', { name: 'baseline', ...counts, timestamp }, `\n${tests.join('\n')}\n`)];
}

/** Pins as a suite of their own: one that changed fails, one that could not be observed is skipped. */
function pinsSuite({ pins, run }: Report): { kinds: readonly CaseOutcome[]; suites: readonly string[] } {
  if (pins === undefined) return { kinds: [], suites: [] };
  const test = (name: string, content = '') =>
    element('testcase', { classname: 'pins', name, time: '0.000' }, content);
  const failure = (pin: (typeof pins.changed)[number]): string => {
    const text = `${changeText(pin)}\n${pinPlace(pins, pin)}`;
    return element('failure', { message: changeText(pin), type: pin.id }, xmlText(text));
  };
  const skipped = (pin: (typeof pins.unobserved)[number]): string =>
    element('skipped', { message: unobservedText(pin) });
  const all: readonly (readonly [CaseOutcome, string])[] = [
    ['passed', test('pins as before')],
    ...pins.changed.map((pin) => ['failure', test(pinName(pin), failure(pin))] as const),
    ...pins.unobserved.map((pin) => ['skipped', test(pinName(pin), skipped(pin))] as const),
  ];
  const [kinds, tests] = [all.map(([kind]) => kind), all.map(([, text]) => text)];
  const attributes = { name: 'pins', ...countOutcomes(kinds), timestamp: run.startedAt };
  return { kinds, suites: [element('testsuite', attributes, `\n${tests.join('\n')}\n`)] };
}

/** The report as JUnit XML, a suite for each area. `known`: what a baseline expects is skipped, and its errors fail. */
export function renderJunit(report: Report, known: ExpectedFailures = noExpectedFailures): string {
  const [requirements, exchanges] = [byId(report.requirements), byId(report.exchanges)];
  const kinds = new Map(
    report.cases.map((outcome) => [outcome.id, caseOutcome(outcome, requirements, known)]),
  );
  const kindOf = ({ id }: ReportCase): CaseOutcome => kinds.get(id) ?? 'error';
  const suites = suiteNames.flatMap((suite) => {
    const cases = report.cases.filter((outcome) => outcome.suite === suite);
    if (cases.length === 0) return [];
    const tests = cases.map((outcome) =>
      element(
        'testcase',
        {
          classname: suite,
          name: `${outcome.id}: ${outcome.title}`,
          time: (caseMs(outcome, exchanges) / 1000).toFixed(3),
        },
        properties(outcome, requirements, known.cases.get(outcome.id)) +
          result(outcome, kindOf(outcome), known.cases.get(outcome.id), requirements),
      ),
    );
    return [
      element(
        'testsuite',
        { name: suite, ...countOutcomes(cases.map(kindOf)), timestamp: report.run.startedAt },
        `\n${tests.join('\n')}\n`,
      ),
    ];
  });
  const name = `${report.suite.name} ${report.suite.version}: ${report.target.name}`;
  const pins = pinsSuite(report);
  const counts = countOutcomes([
    ...report.cases.map(kindOf),
    ...known.problems.map(() => 'failure' as const),
    ...pins.kinds,
  ]);
  const all = [...suites, ...baselineSuite(known, report.run.startedAt), ...pins.suites];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name, ...counts }, `\n${all.join('\n')}\n`)}\n`;
}
