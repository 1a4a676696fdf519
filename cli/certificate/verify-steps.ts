import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { coverageOf, certificationBlockers } from '../../reporters/certificate/coverage.ts';
import {
  type Difference,
  describeDifference,
  differences,
  suiteName,
} from '../../reporters/certificate/differences.ts';
import { isSameSuite } from '../../reporters/report-queries.ts';
import { signatureState } from '../../reporters/certificate/envelope.ts';
import type { Certificate } from '../../reporters/certificate/read.ts';
import { certificateFile, predicateOf, targetFile } from '../../reporters/certificate/statement.ts';
import { subjectProblems } from '../../reporters/certificate/subjects.ts';
import type { Step, Verification } from '../../reporters/certificate/verification.ts';
import { jsonText } from '../../spec/json.ts';
import { isExchange } from '../../suites/types/exchange.ts';
import type { Report } from '../../suites/types/report.ts';
import { renderings } from '../files/artefacts.ts';
import { renderContextFile, renderContextProblems, readRenderContext } from '../files/render-context.ts';
import { listBundle, readBounded } from './bundle.ts';
import { compareWithEvidence, type Rejudged } from '../run/rejudge.ts';

/** A DIR, its report, and what this suite makes of its evidence. */
export interface Content {
  readonly dir: string;
  readonly report: Report;
  /** The text of report.json. */
  readonly text: string;
  readonly rejudged: Rejudged;
}

const between =
  (one: string, other: string) =>
  (found: Difference): string =>
    describeDifference(found, one, other);

export type SignatureStep = Step & { readonly signed: Verification['signed'] };

/** The signature, checked where there is a key. */
export function signatureStep({ envelope }: Certificate, key: KeyObject | undefined): SignatureStep {
  const state = signatureState(envelope, key);
  const step = (signed: Verification['signed'], detail: string, ...problems: string[]): SignatureStep => ({
    name: 'Signature',
    signed,
    detail,
    problems,
    unchecked: signed !== 'valid',
  });
  switch (state.kind) {
    case 'valid':
      return step('valid', `valid, of the key ${state.keyid}`);
    case 'unsigned':
      if (key === undefined) return step('unsigned', 'none: the bundle is unsigned');
      return step('wrong', 'none', 'the bundle is unsigned, and --key names a key');
    case 'unchecked':
      return step('unchecked', `not checked; it claims the key ${state.keyids.join(', ')}`);
    case 'other-key':
      return step('wrong', `of the key ${state.keyids.join(', ')}`, `it is not of the key ${state.keyid}`);
    case 'invalid':
      return step('wrong', `of the key ${state.keyid}`, 'it is not valid: what was signed was changed');
    default:
      return state satisfies never;
  }
}

/** The files of DIR, by their digests. Throws UsageError where they can't be read. */
export function filesStep(dir: string, { statement }: Certificate): Step {
  const { files, otherEntries } = listBundle(dir);
  return {
    name: 'Files',
    detail: `${statement.subject.length} are certified, ${files.length} are there`,
    problems: [
      ...subjectProblems(statement.subject, files),
      ...otherEntries.map((name) => `${name} is neither a file nor a folder`),
    ],
  };
}

function parsedOrNothing(file: string): unknown {
  try {
    return JSON.parse(readBounded(file));
  } catch {
    return undefined;
  }
}

/** Whether the certificate says what report.json says, and could be given for it. */
export function certificateStep({ statement }: Certificate, content: Content): Step {
  const { dir, report, rejudged } = content;
  const { predicate } = statement;
  const coverage = coverageOf(report);
  const expected = predicateOf(report, coverage.notCovered);
  const declared = parsedOrNothing(join(dir, targetFile));
  return {
    name: 'Certificate',
    detail: `${predicate.verdict}, run ${predicate.runId} of ${predicate.finishedAt}`,
    problems: [
      ...differences(predicate, expected).map(between(certificateFile, 'report.json')),
      ...certificationBlockers(report, coverage).map((why) => `it is not justified: ${why}`),
      ...differences(declared, rejudged.run.header.target).map(between(targetFile, 'the evidence')),
    ],
  };
}

/** Whether each line of the evidence was planned, and each planned request has its line. */
function planProblems({ plan, run }: Rejudged): readonly string[] {
  const planned = new Set(plan.requests.map(({ id }) => id));
  const unknown = [...run.evidence.values()]
    .filter((entry) => !planned.has((isExchange(entry) && entry.repeats) || entry.id))
    .map(({ id }) => id);
  const absent = run.partial ? [] : [...planned].filter((id) => !run.evidence.has(id));
  return [
    ...unknown.map((id) => `the evidence holds ${id}, which was not planned`),
    ...absent.map((id) => `the evidence has no exchange for ${id}, which was planned`),
  ];
}

/** Exchanges that only one of report and evidence has: no version of the suite explains that. */
function exchangeProblems(report: Report, { run }: Rejudged): readonly string[] {
  const reported = report.exchanges.map(({ id }) => ({ id }));
  const recorded = [...run.evidence.values()].filter(isExchange).map(({ id }) => ({ id }));
  const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);
  return differences(reported.sort(byId), recorded.sort(byId), ['exchanges']).map(
    between('report.json', 'the evidence'),
  );
}

/** Evidence judged again, against report.json. */
export function verdictStep({ report, rejudged }: Content): Step {
  const { run, report: derived } = rejudged;
  const { sameSuite, differences: found } = compareWithEvidence(report, derived);
  const differenceLines = found.map(between('report.json', 'the evidence'));
  const recorded = differences(report.suite, run.header.suite, ['suite']).map(
    between('report.json', 'the evidence'),
  );
  const name = 'Verdicts';
  const again = `judged again from ${derived.exchanges.length} exchanges`;
  if (sameSuite)
    return { name, detail: again, problems: [...recorded, ...differenceLines, ...planProblems(rejudged)] };
  return {
    name,
    detail: `${again} by another suite: ${suiteName(report.suite)} judged then, this version is ${suiteName(derived.suite)}`,
    problems: [...recorded, ...exchangeProblems(report, rejudged)],
    versionDifferences: differenceLines,
  };
}

/** Whether what people read is what report.json gives. Another suite may have written it in another way. */
export function renderingStep({ dir, report, text, rejudged }: Content): Step {
  const sameSuite = isSameSuite(report.suite, rejudged.report.suite);
  const read = readRenderContext(dir);
  const present = [...renderings(report, read?.context)].filter(([name]) => existsSync(join(dir, name)));
  const others = present.filter(([name, render]) => readBounded(join(dir, name)) !== render());
  const found = [
    ...(jsonText(report) === text ? [] : ['report.json is not written as this suite writes it']),
    ...(read === undefined ? [] : renderContextProblems(read, report)),
    ...others.map(
      ([name]) =>
        `${name} is not what ${sameSuite ? 'report.json gives' : 'this suite makes of report.json'}`,
    ),
  ];
  return {
    name: 'Renderings',
    detail: [...present.map(([name]) => name), ...(read === undefined ? [] : [renderContextFile])].join(', '),
    ...(sameSuite ? { problems: found } : { problems: [], versionDifferences: found }),
  };
}
