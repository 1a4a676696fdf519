import { type Command, Option } from 'commander';
import { common, runnable, shared, type Acting } from './shared-options.ts';
import { collect, duration, path, wholeNumber } from './options.ts';

function addChecking(program: Command, act: Acting): void {
  common(program.command('check').addOption(shared.config()))
    .summary('ask whether a gateway knows what a config declares')
    .description(
      'Sends the first requests of a run: one for each token, model and endpoint of a config. Judges nothing, writes no file.',
    )
    .addOption(shared.timeout())
    .action(act(async () => (await import('../commands/check.ts')).checkCommand));
}

/** Options that say what is asked: a run that asks again has those of the earlier one. */
const decidedByRun = ['suite', 'requirement', 'family', 'group', 'profile', 'skipCostly', 'explore', 'seed'];

/** Options for runs that ask all there is. */
const ofWholeRuns = ['certify', 'sign', 'baseline', 'pins', 'history'];

/** With what a report of a whole run is for. */
const ofWhole = (command: Command): Command =>
  command
    .option('--certify', 'also write a certificate; refused unless everything was judged')
    .option('--sign <key>', 'sign it with this private key, KEY.pem')
    .option('--baseline <file>', 'expected failures; only new failures fail the run')
    .addOption(shared.pins())
    .addOption(shared.history())
    .addOption(shared.failOn());

function addJudging(program: Command, act: Acting): void {
  ofWhole(
    common(runnable(program.command('run').addOption(shared.config())).addOption(shared.extend()))
      .summary('judge a gateway')
      .description('Judges the gateway of a config file against the whole interface and writes a report.')
      .addOption(
        new Option('--resume <dir>', 'go on with the run that was stopped or killed in this DIR')
          .argParser(path)
          .conflicts(['out', 'shard']),
      )
      .addOption(
        new Option(
          '--last-failed <dir>',
          'ask again only what failed or is undecided in the report of this DIR',
        )
          .argParser(path)
          .conflicts([...decidedByRun, ...ofWholeRuns, 'resume', 'repeat', 'shard', 'interop']),
      )
      .option('--only-causes <ids>', 'of --last-failed only what these causes explain', collect)
      .addOption(shared.shard().conflicts(ofWholeRuns)),
  ).action(act(async () => (await import('../commands/run.ts')).runCommand));

  common(runnable(program.command('demo')))
    .summary('judge the reference gateway')
    .description('Starts the reference gateway on a free local port and judges it.')
    .addOption(shared.history())
    .action(act(async () => (await import('../commands/demo.ts')).demoCommand));

  common(program.command('judge'))
    .summary('judge recorded evidence again')
    .description('Judges the recorded evidence of a run again, without a network.')
    .argument('<evidence>', 'an evidence.jsonl, or the DIR that holds it')
    .option('--out <dir>', 'write the reports there too', path)
    .option(
      '--again <dir>',
      'with what `run --last-failed` wrote to this DIR in place of what it asked again',
      path,
    )
    .addOption(shared.failOn())
    .addOption(shared.pins())
    .action(act(async () => (await import('../commands/judge.ts')).judgeCommand));
}

function addMerging(program: Command, act: Acting): void {
  ofWhole(
    common(program.command('merge'))
      .summary('make one report of all shards')
      .description(
        'Judges the evidence of all shards of a run as one run, and writes its report. Sends nothing.',
      )
      .argument('<dirs...>', 'the DIRs that the shards wrote')
      .requiredOption('--out <dir>', 'where the results are written', path),
  ).action(act(async () => (await import('../commands/merge.ts')).mergeCommand));
}

function addWatching(program: Command, act: Acting): void {
  common(program.command('proxy').addOption(shared.config()))
    .summary('judge a gateway by the traffic of your own clients')
    .description(
      'Stands between clients and the gateway of a config file, passes every byte on, and judges what passes.',
    )
    .requiredOption('--port <number>', 'port to listen on; 0 takes a free one', wholeNumber(0, 65_535))
    .option('--host <address>', 'address to listen on', path, '127.0.0.1')
    .option('--out <dir>', 'where evidence and reports are written', path, 'conformance-report')
    .option('--every <time>', 'also write the report every 60s, 5m or 1h', duration)
    .option(
      '--max-evidence <bytes>',
      'evidence to record at most; then everything still passes',
      wholeNumber(10_000, 200_000_000),
      50_000_000,
    )
    .addOption(shared.failOn())
    .addOption(shared.extend())
    .action(act(async () => (await import('../commands/proxy.ts')).proxyCommand));
}

/** The commands that judge: a gateway, the traffic of clients, recorded evidence. */
export function addJudgingCommands(program: Command, act: Acting): void {
  addChecking(program, act);
  addJudging(program, act);
  addMerging(program, act);
  addWatching(program, act);
}
