import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isIPv6 } from 'node:net';
import { errorMessage } from '../spec/text.ts';
import { UsageError } from '../fixtures/target/errors.ts';
import type { Target } from '../fixtures/target/target.ts';
import { judgeRun } from '../suites/judge/report.ts';
import type { Plan } from '../suites/model/plan.ts';
import type { Report } from '../suites/model/report.ts';
import { everything } from '../suites/plan/plan.ts';
import { createCredentials } from '../suites/proxy/credentials.ts';
import { createForwarder } from '../suites/proxy/forward.ts';
import { createRecorder, type Recorder } from '../suites/proxy/recorder.ts';
import { planTraffic, trafficDepth } from '../suites/proxy/traffic-plan.ts';
import type { Redactor } from '../suites/wire/redaction/redact.ts';
import { startTestRunner } from '../suites/vitest/runner.ts';
import { writeAllure, writeReport } from './artefacts.ts';
import { headerOf } from './conformance.ts';
import { evidenceIn, openEvidence } from './evidence-file.ts';
import { claimFolder } from './folder.ts';
import { runAsTests } from './judged-run.ts';
import { lockFolder } from './run-lock.ts';

/** Where the proxy listens, and what it leaves. */
export interface ProxySettings {
  readonly host: string;
  readonly port: number;
  /** DIR of the contract. */
  readonly out: string;
  /** Bytes of evidence that are recorded at most. */
  readonly maxEvidence: number;
  /** Told once, when no more is recorded. */
  readonly onFull: (why: string) => void;
}

/** A proxy that records and judges what passes. */
export interface LiveProxy {
  readonly url: string;
  readonly dir: string;
  readonly redactor: () => Redactor;
  /** Writes the report of what has passed so far. Throws UsageError where DIR is no longer ours. */
  readonly report: () => Promise<Report>;
  /** Lets nothing more pass, writes the last report and every file of DIR, and gives problems of the suite itself. */
  readonly end: () => Promise<{ readonly report: Report; readonly problems: readonly string[] }>;
}

/** Milliseconds for what is under way when the proxy is stopped. */
const lastMs = 1_000;

async function listenAt(server: Server, port: number, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(
        new UsageError(
          code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL'
            ? `--host ${host}: is no address of this machine (${code}); 127.0.0.1 is`
            : `--port ${port}: can't be listened on (${code}); 0 takes a free one`,
        ),
      ),
    );
    server.listen(port, host, () => resolve());
  });
  const bound = server.address() as AddressInfo;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${bound.port}`;
}

/** Ends a server: what is under way has a moment left. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const clock = setTimeout(() => server.closeAllConnections(), lastMs);
  await closed;
  clearTimeout(clock);
}

/**
 * Listens, passes everything on to the target, and records what passes into DIR.
 * @throws UsageError where the port or DIR can't be had; then nothing is written
 */
export async function startProxy(target: Target, settings: ProxySettings): Promise<LiveProxy> {
  const folder = claimFolder(settings.out);
  const unlock = lockFolder(folder.path);
  const credentials = createCredentials(target);
  let recorder: Recorder | undefined;
  const server = createForwarder(new URL(target.baseUrl), (head) => {
    if (recorder === undefined) throw new Error('it is not open yet');
    return recorder.watch(head);
  });
  const url = await listenAt(server, settings.port, settings.host).catch((error: unknown) => {
    unlock();
    folder.release();
    throw error;
  });
  folder.clear();
  const header = headerOf(target, { seed: 0, selection: everything, ...trafficDepth });
  const log = openEvidence(evidenceIn(folder.path), { header }, (line) => credentials.redactor().text(line));
  const open = createRecorder({
    target,
    credentials,
    maxEvidence: settings.maxEvidence,
    write: log.write,
    onFull: (error) =>
      settings.onFull(
        error === undefined
          ? `${settings.maxEvidence} bytes of evidence are recorded (--max-evidence)`
          : errorMessage(error),
      ),
  });
  recorder = open;

  async function judged(): Promise<{ plan: Plan; report: Report }> {
    await open.settled();
    const [traffic, finishedAt] = [open.counts(), new Date().toISOString()];
    const plan = planTraffic(target, open.evidence);
    const meta = { ...header, finishedAt, partial: false, traffic };
    const report = judgeRun(target, plan, open.evidence, meta);
    log.traffic(finishedAt, traffic);
    writeReport(folder.path, report, credentials.redactor());
    return { plan, report };
  }

  return {
    url,
    dir: folder.path,
    redactor: credentials.redactor,
    report: async () => (await judged()).report,
    end: async () => {
      const runner = startTestRunner();
      try {
        await closeServer(server);
        const { plan, report } = await judged();
        log.close();
        const { allure, problems } = await runAsTests(runner, plan, open.evidence, report);
        if (allure !== undefined) writeAllure(folder.path, allure, credentials.redactor());
        return { report, problems };
      } finally {
        unlock();
        await runner.close();
      }
    },
  };
}
