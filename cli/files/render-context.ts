import { existsSync } from 'node:fs';
import { given, present } from '../../spec/present.ts';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { jsonIn, mostReportBytes, readBytes, usualJson } from '../../fixtures/files/bounded.ts';
import { parseBaseline } from '../../fixtures/baseline/baseline.ts';
import { applyBaseline, type BaselineOutcome } from '../../reporters/baseline/apply.ts';
import { historyEntry, historyLine, isHistoryEntry } from '../../reporters/history.ts';
import { applyPins } from '../../reporters/pins/behaviours.ts';
import type { CertificateMark } from '../../reporters/run/beside.ts';
import type { Additions } from '../../reporters/run/document.ts';
import { partOfReport } from '../../reporters/report-queries.ts';
import { isObject, jsonText } from '../../spec/json.ts';
import type { Report } from '../../suites/types/report.ts';
import { isPart } from '../../spec/part.ts';
import { pinsIn, type PinsText } from './pins-file.ts';

export const renderContextFile = 'render-context.json';

/** What the renderings of a report show besides it: with both, they can be made again. */
export interface RenderContext extends Pick<Additions, 'history' | 'own' | 'certificate'> {
  readonly baseline?: { readonly file: string; readonly text: string };
  readonly pins?: PinsText;
}

/** This day in UTC, as `YYYY-MM-DD`. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** The report compared with its baseline, on the day of the run; undefined without a baseline. */
export const outcomeOf = (report: Report, { baseline }: RenderContext): BaselineOutcome | undefined =>
  baseline &&
  applyBaseline(
    report,
    parseBaseline(baseline.file, baseline.text, partOfReport(report)),
    report.run.startedAt.slice(0, 10),
  );

export const withPins = (report: Report, { pins }: Pick<RenderContext, 'pins'>): Report =>
  pins === undefined ? report : { ...report, pins: applyPins(report, pinsIn(pins, partOfReport(report))) };

/** The text of the file; empty where there is no context, and so no file. */
export const renderContextText = (context: RenderContext): string =>
  Object.keys(context).length === 0 ? '' : jsonText(context);

/** The pins of a report are those that the file gives, and none where there is no file. */
const pinsProblems = (context: RenderContext, { pins, ...report }: Report): readonly string[] =>
  isDeepStrictEqual(withPins(report, context).pins, pins)
    ? []
    : [`report.json does not have the pins that ${renderContextFile} gives`];

/** What is wrong with the file of a DIR, as far as the report shows it; earlier runs can't be checked. */
export function renderContextProblems(read: ReturnType<typeof readRenderContext>, report: Report) {
  if (read === undefined) return pinsProblems({}, report);
  const { context, text } = read;
  const last = context.history?.at(-1);
  const isOurs = Object.keys(context).length > 0 && renderContextText(context) === text;
  const isOfReport = last === undefined || historyLine(last) === historyLine(historyEntry(report));
  return present([
    !isOurs && `${renderContextFile} is not written as this suite writes it`,
    !isOfReport && `${renderContextFile} ends with another run than that of report.json`,
    ...pinsProblems(context, report),
  ]);
}

/** The render context of a DIR, empty where this suite did not write it; undefined where there is none. */
export function readRenderContext(dir: string): { text: string; context: RenderContext } | undefined {
  const file = join(dir, renderContextFile);
  if (!existsSync(file)) return undefined;
  try {
    const { value, text } = jsonIn({ file }, readBytes(file, mostReportBytes), usualJson);
    return { text, context: contextIn(value) };
  } catch {
    // Then the renderings differ from what report.json gives, and `verify` reports that.
    return { text: '', context: {} };
  }
}

/** A file with its text; undefined where it is none. */
function fileText(value: unknown): { file: string; text: string } | undefined {
  const { file, text } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof file === 'string' && typeof text === 'string' ? { file, text } : undefined;
}

const isMark = (value: unknown): value is CertificateMark =>
  isObject(value) && (value.keyid === null || /^[0-9a-f]{64}$/.test(String(value.keyid)));

/** The context that a value holds. Throws where its baseline or its pins are none. */
function contextIn(written: unknown): RenderContext {
  const { baseline, pins, history, certificate, own } = (written ?? {}) as Partial<
    Record<keyof RenderContext, unknown>
  >;
  const [ownBaseline, ownPins] = [fileText(baseline), fileText(pins)];
  if (ownBaseline !== undefined) parseBaseline(ownBaseline.file, ownBaseline.text);
  if (ownPins !== undefined) pinsIn(ownPins);
  return given({
    baseline: ownBaseline,
    pins: ownPins,
    history: Array.isArray(history) && history.every(isHistoryEntry) ? history : undefined,
    own: Array.isArray(own) && own.every(isPart) ? own : undefined,
    // Written last, when all else is there.
    certificate: isMark(certificate) ? certificate : undefined,
  });
}
