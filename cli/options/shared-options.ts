import { type Command, Option } from 'commander';
import { impacts } from '../../spec/vocabulary.ts';
import { costlyNames, defaultConcurrency, defaultProfile, profiles } from '../../suites/types/profile.ts';
import type { ExitCode } from '../exit.ts';
import { amount, collect, path, seconds, shard, wholeNumber } from './options.ts';
import { mostSeconds, runDefaults, wholeBounds } from './run-options.ts';
import { readFileSync } from 'node:fs';
import { packageFile } from '../../spec/package-root.ts';

/** The text of `help/NAME.txt`, behind the options of a command; a line `{OTHER}` stands for that text. */
export function helpText(name: string): string {
  const file = packageFile(`cli/options/help/${name}.txt`);
  const text = readFileSync(file, 'utf8').replace(/\n$/, '');
  return text.replace(/^\{(\w+)\}$/gm, (_, other: string) => helpText(other));
}

/** An option that takes a whole number within bounds. */
export const wholeOption = (flags: string, description: string, bounds: readonly [number, number]) =>
  new Option(flags, description).argParser(wholeNumber(...bounds));

/** Options that several commands have; each has its own, which it may change. */
export const shared = {
  config: () =>
    new Option('--config <file>', 'declaration of the gateway in YAML or JSON; - is standard input').default(
      'gateway-conformance.yaml',
    ),
  seed: (description = 'repeats the data of an earlier run; random by default') =>
    wholeOption('--seed <number>', description, wholeBounds.seed),
  repeat: (description: string) => wholeOption('--repeat <number>', description, wholeBounds.repeat),
  timeout: () =>
    new Option('--timeout <seconds>', 'longest time of one request')
      .argParser(seconds(mostSeconds.timeout))
      .default(runDefaults.timeout, String(runDefaults.timeout / 1000)),
  pins: () => new Option('--pins <file>', 'behaviour that must not change; see `pin update`'),
  extend: () =>
    new Option(
      '--extend <file>',
      'what the gateway states beyond the interface, judged apart; may be repeated; see `init --extend`',
    )
      .argParser((file: string, before: readonly string[] = []) => [...before, path(file)])
      .conflicts(['resume', 'lastFailed']),
  history: () =>
    new Option(
      '--history <file>',
      'append the run to this file; default: history.jsonl in DIR, if it exists',
    ),
  shard: () =>
    new Option('--shard <i/n>', 'only the i-th of n parts of the cases; see `merge`').argParser(shard),
  failOn: () =>
    new Option(
      '--fail-on <impacts>',
      `only failures of these make exit code 1: ${impacts.join(', ')}, own`,
    ).argParser(collect),
};

/** What all commands have; those of two words have the help text of the first. */
export function common(command: Command): Command {
  const named = command.parent?.parent ? command.parent : command;
  return command
    .option('--no-color', 'no colours (also: NO_COLOR)')
    .option('--debug', 'a stack trace with an error')
    .addHelpText('after', () => helpText(named.name()));
}

export const selectable = (command: Command): Command =>
  command
    .option('--suite <names>', 'only these suites; comma-separated, or repeated', collect)
    .option('--requirement <ids>', 'only what judges these requirements', collect)
    .option('--family <names>', 'only these model families', collect)
    .option('--group <names>', 'only these token groups', collect);

/** With what says how much is asked. */
export const graded = (command: Command): Command =>
  command
    .addOption(
      new Option('--profile <name>', `how much is asked; default: ${defaultProfile}`).choices(profiles),
    )
    .option('--skip-costly', `leave out what is billed most: ${costlyNames.join(', ')}`)
    .addOption(
      wholeOption(
        '--explore <number>',
        'random combinations to ask beyond those of the profile; every second one is wrong in one thing',
        wholeBounds.explore,
      ),
    );

const limit = wholeNumber(...wholeBounds.limit);

/** With what limits what a run uses up, and how fast; the config may do so, too. */
export const limited = (command: Command): Command =>
  command
    .option('--max-requests <number>', 'requests at most, every attempt counted', limit)
    .option('--max-generations <number>', 'billed generations at most, each image counted', limit)
    .option('--max-cost <amount>', 'cost at most, in the currency of the prices in the config', amount)
    .option('--requests-per-minute <number>', 'requests at most in any 60 seconds', limit)
    .addOption(
      new Option('--max-duration <seconds>', 'longest time of the run; the rest is not judged')
        .argParser(seconds(mostSeconds.maxDuration))
        .default(runDefaults.maxDuration, String(runDefaults.maxDuration / 1000)),
    );

/** With all that `run` and `demo` take. */
export const runnable = (command: Command): Command =>
  limited(graded(selectable(command)))
    .option('--out <dir>', 'where the results are written', path, 'conformance-report')
    .addOption(
      wholeOption(
        '--concurrency <number>',
        `requests under way at once; default: ${defaultConcurrency.standard}, with --profile full ${defaultConcurrency.full}`,
        wholeBounds.concurrency,
      ),
    )
    .addOption(shared.seed())
    .addOption(shared.timeout())
    .option('--keep-going', 'send all, also where the first replies show a mistake in the config')
    .option('--interop', 'official clients ask, too; no verdict depends on them')
    .addOption(
      shared
        .repeat(
          'judge all, then up to so many times in all what failed or is undecided, each with the next seed, and say how often it failed',
        )
        .conflicts(['resume']),
    )
    .option('--no-allure', 'no allure-results/, and no test runner that makes it')
    .option('--quiet', 'no progress: no live line on a terminal, and no line every ten seconds without one');

/**
 * The action of a command, whose module is loaded when it is called: help, and the commands that send nothing, start fast.
 * @param onExit takes the exit code of the command that ran
 */
export const acting =
  (onExit: (code: ExitCode) => void) =>
  <Given extends unknown[]>(load: () => Promise<(...given: Given) => ExitCode | Promise<ExitCode>>) =>
  async (...given: Given): Promise<void> =>
    onExit(await (await load())(...given));
export type Acting = ReturnType<typeof acting>;
