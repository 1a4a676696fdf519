import { randomUUID } from 'node:crypto';
import type { Parameter, TestResult } from 'allure-js-commons';
import type { ReportCase } from '../types/report.ts';

/** A step that the recorded exchanges of a case are attached to. */
const exchangesStep = ({ start, stop }: TestResult, source: string) => ({
  name: 'exchanges',
  attachments: [{ name: 'exchanges', source, type: 'application/json' }],
  start,
  stop,
});

/** Where the evidence of a case stands in evidence.jsonl. Allure tells no results apart by it. */
const exchangesOf = ({ exchanges }: ReportCase): Parameter[] =>
  exchanges.length === 0 ? [] : [{ name: 'exchanges', value: exchanges.join(', '), excluded: true }];

/** Files of allure-results/ by name, not yet scanned for secrets; each is made when it is its turn. */
export type AllureFiles = Iterable<readonly [name: string, text: string]>;

/**
 * The files of allure-results/: the results of the tests, with the ids of the exchanges of their cases.
 * @param attachmentOf the exchanges of a case as one JSON text; null where there is nothing to attach
 */
export function* allureResults(
  results: readonly TestResult[],
  judged: ReadonlyMap<string, ReportCase>,
  attachmentOf: (outcome: ReportCase) => string | null,
): Generator<readonly [name: string, text: string]> {
  for (const result of results) {
    const outcome = judged.get(result.testCaseId ?? '');
    const attachment = outcome === undefined ? null : attachmentOf(outcome);
    const source = `${randomUUID()}-attachment.json`;
    if (attachment !== null) yield [source, attachment];
    const steps = attachment === null ? [] : [exchangesStep(result, source)];
    const parameters = outcome === undefined ? [] : exchangesOf(outcome);
    yield [`${result.uuid}-result.json`, JSON.stringify({ ...result, steps, parameters })];
  }
}
