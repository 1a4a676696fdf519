import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadTarget } from '../../fixtures/target/config.ts';
import { count } from '../../spec/text.ts';
import { type ExitCode, exitCodes, NotJudgedError } from '../exit.ts';
import { exitCodeAgainst, failOnOf, uncountedText } from '../run/fail-on.ts';
import { ownPart } from '../../spec/part.ts';
import { extensionOf } from '../run/own-options.ts';
import { exitCodeOfRuns } from '../run/own-run.ts';
import type { RunOptions } from '../options/run-options.ts';
import { interruptible } from '../run/interrupt.ts';
import type { ReportedTraffic } from '../proxy/live-judge.ts';
import { type LiveProxy, type ProxySettings, startProxy } from '../proxy/live-proxy.ts';
import { summaryText } from '../output/show-report.ts';
import { type CommonOptions, print, printError, wantsColour } from '../output/terminal.ts';

export interface ProxyCommandOptions
  extends CommonOptions,
    Pick<RunOptions, 'failOn' | 'extend'>,
    Pick<ProxySettings, 'host' | 'port' | 'out' | 'maxEvidence'> {
  readonly config: string;
  /** Milliseconds from one report to the next; without it there is one, at the end. */
  readonly every?: number;
}

/** What to do with the proxy. */
const welcome = ({ url, dir }: LiveProxy, baseUrl: string): string =>
  [
    `Proxy at ${url} for ${baseUrl}. Ctrl-C ends it and writes the report.`,
    '',
    'Give it to your clients in place of the gateway; they keep their own tokens:',
    `  openai:    base URL ${url}/v1`,
    `  anthropic: base URL ${url}`,
    '',
    `Evidence and reports: ${dir}`,
    '',
  ].join('\n');

/** One line for a report on the way. */
function told({ passed, judged, failing, failed }: ReportedTraffic): string {
  const result = failed === 0 ? 'nothing failed' : `${count(failed, 'requirement')} failed`;
  return `${count(passed, 'request')} passed on, ${judged} judged, ${failing} of them failing; ${result}`;
}

/** Writes a report now and then until it is stopped; where that fails it is told, and everything still passes. */
async function reportEvery(proxy: LiveProxy, everyMs: number, signal: AbortSignal): Promise<void> {
  let last = 0;
  let failure: string | undefined;
  while (await sleep(everyMs, true, { signal }).catch(() => false)) {
    try {
      const report = await proxy.report();
      if (report.passed !== last) print(told(report));
      [last, failure] = [report.passed, undefined];
    } catch (error) {
      if (error instanceof NotJudgedError) return;
      const { message } = error as Error;
      if (message !== failure) printError(`no report, and everything still passes: ${message}`);
      failure = message;
    }
  }
}

/** `proxy`: passes traffic on and judges it, until a signal ends it. */
export async function proxyCommand(options: ProxyCommandOptions): Promise<ExitCode> {
  const failOn = failOnOf(options);
  const target = loadTarget(options.config, process.env, options.extend);
  const extension = extensionOf(options, options.config);
  // A signal while it starts ends it in order, too: it listens by then.
  return interruptible(async (signal) => {
    const stopped = once(signal, 'abort');
    const proxy = await startProxy(target, {
      ...options,
      own: extension,
      onFull: (why) => printError(`no more is recorded, and everything still passes: ${why}`),
      onLost: (why) =>
        printError(`nothing is recorded or judged any more, and everything still passes: ${why}`),
    });
    print(welcome(proxy, target.baseUrl));
    if (options.every !== undefined) await reportEvery(proxy, options.every, signal);
    await stopped;
    const { report, own, problems } = await proxy.end();
    const reports = own === undefined ? [report] : [report, own];
    for (const uncounted of reports.map((each) => uncountedText(each, failOn)))
      if (uncounted !== undefined) printError(uncounted);
    for (const problem of problems) printError(`internal error, this report proves nothing: ${problem}`);
    const colour = wantsColour(options);
    print(summaryText(report, { colour, dir: proxy.dir }));
    if (own !== undefined) print(summaryText(own, { colour, dir: join(proxy.dir, ownPart) }));
    return problems.length > 0
      ? exitCodes.notJudged
      : exitCodeOfRuns(reports.map((each) => exitCodeAgainst(each, undefined, failOn)));
  });
}
