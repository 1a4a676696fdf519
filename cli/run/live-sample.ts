import { loadTarget } from '../../fixtures/target/config.ts';
import { UsageError } from '../../fixtures/target/errors.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { type LiveSample, outcomeOfSample, renderLiveSample } from '../../reporters/live-sample.ts';
import { families } from '../../spec/vocabulary.ts';
import { count } from '../../spec/text.ts';
import { isExchange } from '../../suites/types/exchange.ts';
import { stopWords } from '../../suites/types/reasons/exchange-words.ts';
import { redactorOf } from '../../suites/run/execute-plan.ts';
import { askAgain } from '../../suites/live-sample/ask-again.ts';
import { chooseSample, repeatables } from '../../suites/live-sample/repeatable.ts';
import type { Recorded, Repeatable } from '../../suites/live-sample/repeatable.ts';
import { type ExitCode, exitCodes, NotJudgedError } from '../exit.ts';
import { interruptible } from './interrupt.ts';
import { freshSeed } from '../options/options.ts';
import { evidenceIn, shownTarget } from '../files/evidence-file.ts';
import { isRepeated, runFolder } from '../files/repeated-folder.ts';
import { longestReachMs, reach } from './reachability.ts';
import { rejudge } from './rejudge.ts';
import { print, printError } from '../output/terminal.ts';

/** How `verify` asks a live gateway. */
export interface LiveOptions {
  /** Config file of the gateway that is asked. */
  readonly against?: string;
  /** Exchanges that are asked. */
  readonly sample?: number;
  readonly seed?: number;
}

/** Exchanges that are asked where no number is given. */
const usualSample = 12;

/** The gateway of a config. Throws UsageError where its model or version header is not that of the report. */
function liveTarget(config: string, reported: Target): Target {
  const live = loadTarget(config, process.env);
  for (const family of families) {
    const [own, then] = [live.models[family], reported.models[family]];
    if (own !== undefined && then !== undefined && own !== then)
      throw new UsageError(
        `${config}: models.${family} is ${JSON.stringify(own)}, and the report was made with ${JSON.stringify(then)}; declare the model of the report, or leave the family out`,
      );
  }
  const header = ({ versionHeader: { name, value } }: Target): string => `${name.toLowerCase()}: ${value}`;
  if (header(live) !== header(reported))
    throw new UsageError(
      `${config}: target.versionHeader is "${header(live)}", and the report was made with "${header(reported)}"; declare that of the report`,
    );
  return live;
}

function tellCost(sample: readonly Repeatable[], size: number, live: Target): void {
  const answered = sample.filter(({ recorded }) => recorded === 'answered').length;
  const fewer = sample.length < size ? ` (no more of them can be asked by themselves and cheaply)` : '';
  printError(
    `asks ${count(sample.length, 'recorded exchange')} again at ${live.baseUrl}${fewer}: ${sample.length - answered} that were refused, ${answered} that were answered; ${count(answered, 'billed generation')} where it answers as it did`,
  );
}

const codes = {
  same: exitCodes.conformant,
  different: exitCodes.nonConformant,
  open: exitCodes.notJudged,
} as const;

/** Asks a gateway some recorded exchanges of DIR again, and prints what differs. Throws UsageError and NotJudgedError. */
export async function verifyLive(dir: string, config: string, options: LiveOptions): Promise<ExitCode> {
  const { run: read, plan, report } = rejudge(evidenceIn(isRepeated(dir) ? runFolder(dir, 1) : dir));
  if (read.header.source !== undefined)
    throw new UsageError(
      `${dir}: was judged from live traffic: its requests are of others, and are not sent again`,
    );
  const run: Recorded = { target: read.target, plan, evidence: read.evidence };
  const live = liveTarget(config, run.target);
  const { sample: size = usualSample, seed = freshSeed() } = options;
  const sample = chooseSample(repeatables(run, live), size, seed);
  if (sample.length === 0)
    throw new UsageError(
      `${dir}: none of its exchanges can be asked again with what ${config} declares: declare models and tokens of the report, and use the version of the suite that recorded it`,
    );
  return interruptible(async (signal) => {
    const problem = await reach(live.baseUrl, longestReachMs, signal);
    if (problem !== undefined) throw new NotJudgedError(`${live.baseUrl}: ${stopWords(problem)}`);
    tellCost(sample, size, live);
    const asked = await askAgain(sample, run, live, signal);
    const found: LiveSample = {
      reported: { baseUrl: run.target.baseUrl, at: report.run.startedAt },
      baseUrl: live.baseUrl,
      of: [...run.evidence.values()].filter(isExchange).length,
      asked,
      seed,
      variables: shownTarget(live).tokens,
    };
    print(redactorOf(live).text(renderLiveSample(found)));
    return codes[outcomeOfSample(found)];
  });
}
