import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderHtml } from '../reporters/html/index.ts';
import { renderJunit } from '../reporters/junit.ts';
import { renderMarkdown } from '../reporters/markdown.ts';
import { validateReport } from '../reporters/schema/validate.ts';
import type { Report } from '../suites/model/report.ts';
import type { Redactor } from '../suites/wire/redact.ts';

/** Writes a file whole or not at all, without a token in it. Throws where one would remain. */
function writeClean(file: string, content: string, redactor: Redactor): void {
  const clean = redactor.text(content);
  const leaks = redactor.leaks(clean);
  if (leaks.length > 0)
    throw new Error(`${file} would hold the token ${leaks.join(', ')}; it was not written`);
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, clean);
  renameSync(draft, file);
}

/**
 * Writes report.json and its renderings into DIR.
 * @throws Error where the report is not what its schema says, or a token would be in a file
 */
export function writeReport(dir: string, report: Report, redactor: Redactor): void {
  const json = redactor.text(`${JSON.stringify(report, null, 2)}\n`);
  // Renderings are made of the report that is written: one document, many forms.
  const clean = JSON.parse(json) as Report;
  const complaints = validateReport(clean);
  if (complaints.length > 0) throw new Error(`the report is not valid: ${complaints[0]}`);
  writeClean(join(dir, 'report.json'), json, redactor);
  writeClean(join(dir, 'report.html'), renderHtml(clean), redactor);
  writeClean(join(dir, 'report.md'), renderMarkdown(clean), redactor);
  writeClean(join(dir, 'junit.xml'), renderJunit(clean), redactor);
}

/** A place beside DIR for files that have not been scanned yet. */
export interface Staging {
  readonly path: string;
  /** Moves every file to a folder, scanned; a file with a token in it is cleaned. */
  readonly moveTo: (folder: string, redactor: Redactor) => void;
  readonly remove: () => void;
}

/** Makes the staging folder, for a writer that is not ours. */
export function createStaging(): Staging {
  const path = mkdtempSync(join(tmpdir(), 'gateway-conformance-'));
  return {
    path,
    moveTo: (folder, redactor) => {
      mkdirSync(folder, { recursive: true });
      for (const name of readdirSync(path)) {
        writeClean(join(folder, name), readFileSync(join(path, name), 'utf8'), redactor);
      }
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
