import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../suites/types/report.ts';

/** A folder of its own, and reports in it as runs leave them. */
export function reportFolder(): {
  readonly path: string;
  /** Writes a DIR with this report and gives its path. */
  readonly put: (name: string, report: Report) => string;
} {
  const path = mkdtempSync(join(tmpdir(), 'reports-'));
  const put = (name: string, report: Report): string => {
    const dir = join(path, name);
    mkdirSync(dir);
    writeFileSync(join(dir, 'report.json'), JSON.stringify(report));
    return dir;
  };
  return { path, put };
}
