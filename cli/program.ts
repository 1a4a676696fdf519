import { Command, Option } from 'commander';
import { packageInfo } from '../spec/package-root.ts';
import { impacts, levels } from '../spec/vocabulary.ts';
import { costlyNames, defaultConcurrency, defaultProfile, profiles } from '../suites/model/profile.ts';
import type { ExitCode } from './exit.ts';
import {
  baselineHelp,
  compareHelp,
  diffHelp,
  explainHelp,
  gatewayHelp,
  judgeHelp,
  keygenHelp,
  mainHelp,
  mergeHelp,
  pinHelp,
  planHelp,
  proxyHelp,
  runHelp,
  siteHelp,
  verifyHelp,
} from './help.ts';
import {
  amount,
  collect,
  duration,
  mostSeconds,
  path,
  runDefaults,
  seconds,
  shard,
  wholeBounds,
  wholeNumber,
} from './options.ts';

const configOption = () =>
  new Option('--config <file>', 'declaration of the gateway, .yaml or .json').default(
    'gateway-conformance.yaml',
  );

const seedOption = () =>
  new Option('--seed <number>', 'repeats the data of an earlier run; random by default').argParser(
    wholeNumber(...wholeBounds.seed),
  );

const repeatOption = (description: string) =>
  new Option('--repeat <number>', description).argParser(wholeNumber(...wholeBounds.repeat));

/** What every command takes. */
const common = (command: Command): Command =>
  command
    .option('--no-color', 'no colours (also: NO_COLOR)')
    .option('--debug', 'a stack trace with an error');

const selectable = (command: Command): Command =>
  command
    .option('--suite <names>', 'only these suites; comma-separated, or repeated', collect)
    .option('--requirement <ids>', 'only what judges these requirements', collect)
    .option('--family <names>', 'only these model families', collect)
    .option('--group <names>', 'only these token groups', collect);

/** What says how much is asked. */
const graded = (command: Command): Command =>
  command
    .addOption(
      new Option('--profile <name>', `how much is asked; default: ${defaultProfile}`).choices(profiles),
    )
    .option('--skip-costly', `leave out what is billed most: ${costlyNames.join(', ')}`)
    .addOption(
      new Option(
        '--explore <number>',
        'random combinations to ask beyond those of the profile; every second one is wrong in one thing',
      ).argParser(wholeNumber(...wholeBounds.explore)),
    );

/** What says what a run may use up, and how fast; the config may say it, too. */
const limited = (command: Command): Command =>
  command
    .option(
      '--max-requests <number>',
      'requests at most, every attempt counted',
      wholeNumber(...wholeBounds.limit),
    )
    .option(
      '--max-generations <number>',
      'billed generations at most, each image counted',
      wholeNumber(...wholeBounds.limit),
    )
    .option('--max-cost <amount>', 'cost at most, in the currency of the prices in the config', amount)
    .option(
      '--requests-per-minute <number>',
      'requests at most in any 60 seconds',
      wholeNumber(...wholeBounds.limit),
    )
    .addOption(
      new Option('--max-duration <seconds>', 'longest time of the run; the rest is not judged')
        .argParser(seconds(mostSeconds.maxDuration))
        .default(runDefaults.maxDuration, String(runDefaults.maxDuration / 1000)),
    );

const runnable = (command: Command): Command =>
  limited(graded(selectable(command)))
    .option('--out <dir>', 'where the results are written', path, 'conformance-report')
    .addOption(
      new Option(
        '--concurrency <number>',
        `requests under way at once; default: ${defaultConcurrency.standard}, with --profile full ${defaultConcurrency.full}`,
      ).argParser(wholeNumber(...wholeBounds.concurrency)),
    )
    .addOption(seedOption())
    .addOption(
      new Option('--timeout <seconds>', 'longest time of one request')
        .argParser(seconds(mostSeconds.timeout))
        .default(runDefaults.timeout, String(runDefaults.timeout / 1000)),
    )
    .option('--interop', 'official clients ask, too; beside the verdict')
    .addOption(
      repeatOption(
        'judge so many times, each with the next seed, and say how often each requirement failed',
      ).conflicts(['resume']),
    )
    .option('--no-allure', 'no allure-results/, and no test runner that makes it')
    .option('--quiet', 'no progress: no live line on a terminal, and no line every ten seconds without one');

/** Takes the exit code of the command that ran. */
type OnExit = (code: ExitCode) => void;

const pinsOption = () => new Option('--pins <file>', 'behaviour that must not change; see `pin update`');

const historyOption = () =>
  new Option('--history <file>', 'append the run to this file; default: history.jsonl in DIR, if it exists');

const shardOption = () =>
  new Option('--shard <i/n>', 'only the i-th of n parts of the cases; see `merge`').argParser(shard);

const failOnOption = () =>
  new Option(
    '--fail-on <impacts>',
    `only failures of these make exit code 1: ${impacts.join(', ')}`,
  ).argParser(collect);

// Each action loads its own module: help, and the commands that send nothing, start fast.
function addJudging(program: Command, onExit: OnExit): void {
  common(runnable(program.command('run').addOption(configOption())))
    .summary('judge a gateway')
    .description('Judges the gateway of a config file against the whole interface and writes a report.')
    .addOption(
      new Option('--resume <dir>', 'go on with the run that was stopped or killed in this DIR')
        .argParser(path)
        .conflicts(['out', 'shard']),
    )
    .addOption(shardOption().conflicts(['certify', 'sign', 'baseline', 'pins', 'history']))
    .option('--certify', 'also write a certificate; refused unless everything was judged')
    .option('--sign <key>', 'sign it with this private key, KEY.pem')
    .option('--baseline <file>', 'expected failures; only new failures fail the run')
    .addOption(pinsOption())
    .addOption(historyOption())
    .addOption(failOnOption())
    .addHelpText('after', runHelp)
    .action(async (options) => onExit(await (await import('./commands/run.ts')).runCommand(options)));

  common(runnable(program.command('demo')))
    .summary('judge the reference gateway')
    .description('Starts the reference gateway on a free local port and judges it.')
    .addOption(historyOption())
    .action(async (options) => onExit(await (await import('./commands/demo.ts')).demoCommand(options)));

  common(program.command('judge'))
    .summary('judge recorded evidence again')
    .description('Judges the recorded evidence of a run again, without a network.')
    .argument('<evidence>', 'an evidence.jsonl, or the DIR that holds it')
    .option('--out <dir>', 'write the reports there too', path)
    .addOption(failOnOption())
    .addOption(pinsOption())
    .addHelpText('after', judgeHelp)
    .action(async (file, options) =>
      onExit((await import('./commands/judge.ts')).judgeCommand(file, options)),
    );
}

function addMerging(program: Command, onExit: OnExit): void {
  common(program.command('merge'))
    .summary('make one report of all shards')
    .description(
      'Judges the evidence of all shards of a run as one run, and writes its report. Sends nothing.',
    )
    .argument('<dirs...>', 'the DIRs that the shards wrote')
    .requiredOption('--out <dir>', 'where the results are written', path)
    .option('--baseline <file>', 'expected failures; only new failures fail the run')
    .addOption(pinsOption())
    .addOption(historyOption())
    .addOption(failOnOption())
    .addHelpText('after', mergeHelp)
    .action(async (dirs, options) =>
      onExit((await import('./commands/merge.ts')).mergeCommand(dirs, options)),
    );
}

function addCertifying(program: Command, onExit: OnExit): void {
  common(program.command('verify'))
    .summary('check a report folder and its certificate')
    .description(
      'Checks signature and digests of a DIR, and judges its evidence again. Needs no network but for --against.',
    )
    .argument('<dir>', 'the DIR that a run wrote')
    .option('--key <key>', 'public key that must have signed it, KEY.pub.pem')
    .option('--against <config>', 'also ask the gateway of this config some of its exchanges again', path)
    .addOption(
      new Option('--sample <number>', 'how many, with --against; default: 12').argParser(
        wholeNumber(1, 1000),
      ),
    )
    .addOption(
      new Option('--seed <number>', 'takes the sample of an earlier call; random by default').argParser(
        wholeNumber(0, 2 ** 31 - 1),
      ),
    )
    .addHelpText('after', verifyHelp)
    .action(async (dir, options) =>
      onExit(await (await import('./commands/verify.ts')).verifyCommand(dir, options)),
    );

  common(program.command('keygen'))
    .summary('make a key pair to sign certificates with')
    .description('Writes an Ed25519 key pair, KEY.pem and KEY.pub.pem, and never over a file that is there.')
    .requiredOption('--out <key>', 'where to, without .pem', path)
    .addHelpText('after', keygenHelp)
    .action(async (options) => onExit((await import('./commands/keygen.ts')).keygenCommand(options)));
}

function addWatching(program: Command, onExit: OnExit): void {
  common(program.command('proxy').addOption(configOption()))
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
    .addOption(failOnOption())
    .addHelpText('after', proxyHelp)
    .action(async (options) => onExit(await (await import('./commands/proxy.ts')).proxyCommand(options)));
}

function addComparing(program: Command, onExit: OnExit): void {
  const formats = (...names: string[]) =>
    new Option('--format <name>', 'default: by the name of FILE').choices(names);

  common(program.command('diff'))
    .summary('show what changed between two reports')
    .description('Shows what changed from one report to another: verdicts and unspecified behaviour.')
    .argument('<before>', 'the earlier report.json, or the DIR that holds it')
    .argument('<after>', 'the later one')
    .addOption(formats('text', 'markdown', 'json', 'html'))
    .option('--out <file>', 'write it there', path)
    .addHelpText('after', diffHelp)
    .action(async (before, after, options) =>
      onExit((await import('./commands/diff.ts')).diffCommand(before, after, options)),
    );

  common(program.command('compare'))
    .summary('show gateways or releases side by side')
    .description('Shows several reports side by side: requirements and observations, differences first.')
    .argument('<reports...>', 'report.json files, or the DIRs that hold them')
    .addOption(formats('markdown', 'html'))
    .option('--out <file>', 'write it there', path)
    .addHelpText('after', compareHelp)
    .action(async (reports, options) =>
      onExit((await import('./commands/compare.ts')).compareCommand(reports, options)),
    );

  common(program.command('site'))
    .summary('make a static site of many runs')
    .description('Writes a static site of many runs: index, history, comparison, search, and each report.')
    .argument('<dirs...>', 'the DIRs that runs wrote')
    .requiredOption('--out <site>', 'folder of the site: new, empty, or a site made before', path)
    .addHelpText('after', siteHelp)
    .action(async (dirs, options) => onExit((await import('./commands/site.ts')).siteCommand(dirs, options)));

  const baseline = program.command('baseline').summary('keep the list of expected failures');
  common(baseline.command('update'))
    .summary('update it from a report')
    .description(
      'Adds the failures of a report, removes entries that pass now, and keeps reasons and comments.',
    )
    .option('--baseline <file>', 'the list', 'gateway-conformance.baseline.yaml')
    .option('--report <dir>', 'a report.json, or the DIR that holds it', 'conformance-report')
    .addHelpText('after', baselineHelp)
    .action(async (options) =>
      onExit((await import('./commands/baseline.ts')).baselineUpdateCommand(options)),
    );
}

function addPinning(program: Command, onExit: OnExit): void {
  const pin = program.command('pin').summary('keep the behaviour that must not change');
  common(selectable(pin.command('update')))
    .summary('update it from a report')
    .description(
      'Writes what a report shows of the behaviour that the interface leaves open, and keeps comments.',
    )
    .option('--pins <file>', 'the pins', path, 'gateway-conformance.pins.yaml')
    .option('--report <dir>', 'a report.json, or the DIR that holds it', path, 'conformance-report')
    .addHelpText('after', pinHelp)
    .action(async (options) => onExit((await import('./commands/pin.ts')).pinUpdateCommand(options)));
}

function addOther(program: Command, onExit: OnExit): void {
  common(limited(graded(selectable(program.command('plan').addOption(configOption())))))
    .summary('show what a run would send')
    .description('Shows what a run would send and how many generations it is billed for. Sends nothing.')
    .addOption(seedOption())
    .addOption(shardOption())
    .option('--interop', 'also what `run --interop` would ask and cost')
    .addOption(repeatOption('show what so many runs come to').conflicts(['shard', 'interop']))
    .option('--json', 'everything: each case and each request')
    .addHelpText('after', planHelp)
    .action(async (options) => onExit((await import('./commands/plan.ts')).planCommand(options)));

  common(program.command('init'))
    .summary('write a config to start from')
    .description('Writes a commented config, and never over a file that is there.')
    .option('--out <file>', 'file to write', path, 'gateway-conformance.yaml')
    .action(async (options) => onExit((await import('./commands/init.ts')).initCommand(options)));

  common(program.command('explain'))
    .summary('explain a requirement, or list them')
    .description(
      'Prints what a requirement says, where it comes from, its impact, and how it is judged. Without one, lists them.',
    )
    .argument('[requirement]', 'id of the requirement, as reports name it')
    .option('--section <numbers>', 'list only those of these sections and below', collect)
    .option('--level <names>', `list only these levels: ${levels.join(', ')}`, collect)
    .option('--impact <names>', `list only these impacts: ${impacts.join(', ')}`, collect)
    .addHelpText('after', explainHelp)
    .action(async (id, options) =>
      onExit((await import('./commands/explain.ts')).explainCommand(id, options)),
    );

  common(program.command('gateway'))
    .summary('serve the reference gateway')
    .description('Serves the reference gateway on 127.0.0.1 until Ctrl-C, and prints how to use it.')
    .option('--port <number>', 'port; 0 takes a free one', wholeNumber(0, 65_535), 8080)
    .option('--console <file>', 'console file: tokens, models, limits')
    .option('--fault <id>', 'run with one fault')
    .option('--pace <ms>', 'milliseconds for each generated token', wholeNumber(0, 60_000))
    .option('--models <number>', 'models in the catalogue in all', wholeNumber(1, 10_000))
    .addHelpText('after', gatewayHelp)
    .action(async (options) => onExit(await (await import('./commands/gateway.ts')).gatewayCommand(options)));
}

/** The commands. Throws CommanderError where the arguments are wrong, or help was asked for. */
export function createProgram(onExit: OnExit): Command {
  const program = new Command('gateway-conformance')
    .description('Judges HTTP gateways against the Model Inference Gateway Interface.')
    .version(packageInfo().version, '-V, --version', 'print the version')
    .addHelpText('after', mainHelp)
    .showHelpAfterError('(--help shows what there is)')
    .exitOverride();
  addJudging(program, onExit);
  addMerging(program, onExit);
  addWatching(program, onExit);
  addComparing(program, onExit);
  addPinning(program, onExit);
  addCertifying(program, onExit);
  addOther(program, onExit);
  return program;
}
