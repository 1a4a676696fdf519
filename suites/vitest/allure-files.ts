import { randomUUID } from 'node:crypto';
import type { Parameter, TestResult } from 'allure-js-commons';
import type { ReportCase } from '../types/report.ts';
import type { Exchange } from '../types/exchange.ts';

/** Longest text of exchanges that goes into a test result, in characters. */
const longest = 16_000;
/** Of what is too long: exchanges that are shown, and characters of their bodies. */
const [mostShown, longestBody] = [3, 1_500];

function brief(exchange: Exchange): Exchange {
  const { response } = exchange;
  if (response === null) return exchange;
  const body = { ...response.body, text: response.body.text.slice(0, longestBody), arrivals: [] };
  return { ...exchange, response: { ...response, body } };
}

/** The exchanges of a case as one attachment, whole or the beginning of those that decided. Null where nothing was found: most cases. */
export function attachmentOf(
  { findings }: Pick<ReportCase, 'findings'>,
  exchanges: readonly Exchange[],
): string | null {
  if (exchanges.length === 0 || findings.length === 0) return null;
  const length = exchanges.reduce((sum, { response }) => sum + (response?.body.text.length ?? 0), 0);
  const whole = length > longest ? undefined : JSON.stringify(exchanges, null, 1);
  if (whole !== undefined && whole.length <= longest) return whole;
  const named = new Set(findings.map(({ exchange }) => exchange));
  const deciding = exchanges.filter(({ id }) => named.has(id));
  const told = {
    note: 'Too long for a test result: the beginning of what decided it. All of it stands in evidence.jsonl.',
    ids: exchanges.map(({ id }) => id),
  };
  const shown = [...deciding, ...exchanges].slice(0, mostShown).map(brief);
  const text = JSON.stringify({ ...told, exchanges: [...new Set(shown)] }, null, 1);
  return text.length <= longest ? text : JSON.stringify(told, null, 1);
}

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

/** The files of allure-results/. `attachmentOf`: the exchanges of a case as one JSON text; null where there is nothing to attach. */
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
