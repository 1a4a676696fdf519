import { existsSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { UsageError } from '../../fixtures/target/errors.ts';
import type { Report } from '../../suites/types/report.ts';
import { writeWhole } from './folder.ts';
import { readReport, readReportFile } from '../run/rejudge.ts';
import { print } from '../output/terminal.ts';

/** The report at a path: a report.json or its DIR. Throws UsageError where there is none, with file and reason. */
export function reportAt(path: string): Report {
  if (!existsSync(path))
    throw new UsageError(`${path}: no such file; name a report.json, or the DIR that holds it`);
  return (statSync(path).isDirectory() ? readReport(path) : readReportFile(path)).report;
}

/** The format asked for, else the one of the file's extension, else the fallback. */
export function formatFor<Format extends string>(
  formats: Readonly<Record<Format, readonly string[]>>,
  fallback: Format,
  { format, out }: { readonly format?: Format; readonly out?: string },
): Format {
  if (format !== undefined) return format;
  const ending = out === undefined ? '' : extname(out).toLowerCase();
  const found = (Object.keys(formats) as Format[]).find((name) => formats[name].includes(ending));
  return found ?? fallback;
}

export const otherFileHint = 'name another file';

/** Prints what was rendered, or writes it to a file and prints a line and where it is. */
export function printOrWrite(content: string, out: string | undefined, line: string): void {
  if (out !== undefined) writeWhole(out, content, otherFileHint);
  print(out === undefined ? content : `${line}\n${out}`);
}
