import { join } from 'node:path';
import { loadTarget } from '../../fixtures/target/config.ts';
import { renderSummary } from '../../reporters/terminal.ts';
import { count } from '../../spec/text.ts';
import type { Report } from '../../suites/model/report.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { type FailOnOptions, failOnOf, uncountedText } from '../fail-on.ts';
import { onInterrupt } from '../interrupt.ts';
import { type LiveProxy, startProxy } from '../live-proxy.ts';
import { exitCodeAgainst } from '../render-context.ts';
import { type CommonOptions, print, printError, summaryOptions, wantsColour } from '../terminal.ts';

export interface ProxyCommandOptions extends CommonOptions, FailOnOptions {
  readonly config: string;
  readonly host: string;
  readonly port: number;
  readonly out: string;
  /** Milliseconds from one report to the next; without it there is one, at the end. */
  readonly every?: number;
  /** Bytes. */
  readonly maxEvidence: number;
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
function told({ run, summary }: Report): string {
  const { passed = 0, judged = 0, failing = 0 } = run.traffic ?? {};
  const failed = summary.fail === 0 ? 'nothing failed' : `${count(summary.fail, 'requirement')} failed`;
  return `${count(passed, 'request')} passed on, ${judged} judged, ${failing} of them failing; ${failed}`;
}

/** Writes a report now and then until it is stopped; rejects where DIR is no longer ours. */
function reportEvery(proxy: LiveProxy, everyMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let last = 0;
    let isBusy = false;
    const timer = setInterval(async () => {
      if (isBusy) return;
      isBusy = true;
      try {
        const report = await proxy.report();
        if (report.run.requests !== last) print(proxy.redactor().text(told(report)));
        last = report.run.requests;
      } catch (error) {
        clearInterval(timer);
        reject(error);
      }
      isBusy = false;
    }, everyMs);
    signal.addEventListener('abort', () => {
      clearInterval(timer);
      resolve();
    });
  });
}

/** `proxy`: passes traffic on and judges it, until a signal ends it. */
export async function proxyCommand(options: ProxyCommandOptions): Promise<ExitCode> {
  const failOn = failOnOf(options);
  const target = loadTarget(options.config, process.env);
  const proxy = await startProxy(target, {
    ...options,
    onFull: (why) => printError(`no more is recorded, and everything still passes: ${why}`),
  });
  const interrupt = onInterrupt();
  try {
    print(welcome(proxy, target.baseUrl));
    const stopped = new Promise<void>((resolve) =>
      interrupt.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    await (options.every === undefined ? stopped : reportEvery(proxy, options.every, interrupt.signal));
    const { report, problems } = await proxy.end();
    const uncounted = uncountedText(report, failOn);
    if (uncounted !== undefined) printError(uncounted);
    for (const problem of problems) printError(`internal error, this report proves nothing: ${problem}`);
    const files = { html: join(proxy.dir, 'report.html'), json: join(proxy.dir, 'report.json') };
    const colour = wantsColour(options, process.stdout);
    print(proxy.redactor().text(renderSummary(report, { ...summaryOptions({ colour }), files })));
    return problems.length > 0 ? exitCodes.notJudged : exitCodeAgainst(report, undefined, failOn);
  } finally {
    interrupt.release();
  }
}
