import { existsSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { UsageError } from '../../fixtures/target/errors.ts';
import type { Report } from '../../suites/types/report.ts';
import { writeWhole } from './folder.ts';
import { readReport, readReportFile } from '../run/rejudge.ts';
import { type CommonOptions, print } from '../output/terminal.ts';

/** The report at a path: a report.json or its DIR. Throws UsageError where there is none, with file and reason. */
export function reportAt(path: string): Report {
  if (!existsSync(path))
    throw new UsageError(`${path}: no such file; name a report.json, or the DIR that holds it`);
  return (statSync(path).isDirectory() ? readReport(path) : readReportFile(path)).report;
}

/** The options of a command that prints what is made of reports. */
export interface FormatOptions<Name extends string> extends CommonOptions {
  readonly format?: Name;
  readonly out?: string;
}

export const otherFileHint = 'name another file';

/** Prints or writes something in the format asked for, else that of the file's extension, else the usual one. */
export function printAs<Name extends string, Of>(
  formats: Readonly<Record<Name, readonly [render: (of: Of) => string, ...extensions: string[]]>>,
  usual: Name,
  of: Of,
  { format, out }: FormatOptions<Name>,
  line: () => string,
): void {
  const extension = out === undefined ? '' : extname(out).toLowerCase();
  const named = (Object.keys(formats) as Name[]).find((name) => formats[name].includes(extension));
  const content = formats[format ?? named ?? usual][0](of);
  if (out !== undefined) writeWhole(out, content, otherFileHint);
  print(out === undefined ? content : `${line()}\n${out}`);
}
