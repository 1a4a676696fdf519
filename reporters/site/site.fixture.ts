import type { Report } from '../../suites/types/report.ts';
import { conformantReport, hostileReport, sampleReport } from '../sample.fixture.ts';
import { hostile } from '../sample.wire.fixture.ts';
import { type SiteRun, withoutEvidence } from './runs.ts';

/** A report as a run of this gateway at this day, for tests only. */
export const runOf = (
  report: Report,
  [name, host, day]: readonly [name: string, host: string, day: number],
): SiteRun => {
  const startedAt = new Date(Date.UTC(2026, 0, 1) + day * 86_400_000).toISOString();
  const id = `run-${day}`;
  return {
    folder: id,
    report: withoutEvidence({
      ...report,
      target: { name, baseUrl: `https://${host}.example.com` },
      run: { ...report.run, id, startedAt, finishedAt: startedAt },
    }),
  };
};

/** Fifty runs of five gateways, one of which is hostile. */
export function fiftyRuns(): readonly SiteRun[] {
  const kinds = [conformantReport(), sampleReport(), hostileReport()];
  return Array.from({ length: 50 }, (_, at) => {
    const gateway = at % 5;
    const name = gateway === 4 ? `${hostile} ${at}` : `Gateway ${gateway}, release ${Math.floor(at / 5)}`;
    return runOf(kinds[at % 3] ?? conformantReport(), [name, `gateway-${gateway}`, at]);
  });
}
