import { Command, Option } from 'commander';
import { packageInfo } from '../../spec/package-root.ts';
import { impacts, levels } from '../../spec/vocabulary.ts';
import type { ExitCode } from '../exit.ts';
import {
  acting,
  type Acting,
  common,
  graded,
  helpText,
  limited,
  selectable,
  shared,
} from './shared-options.ts';
import { addJudgingCommands } from './judging-commands.ts';
import { collect, path, presets, wholeNumber } from './options.ts';
import { addReportCommands } from './report-commands.ts';

function addOther(program: Command, act: Acting): void {
  common(
    limited(graded(selectable(program.command('plan').addOption(shared.config())))).addOption(
      shared.extend(),
    ),
  )
    .summary('show what a run would send')
    .description('Shows what a run would send and how many generations it is billed for. Sends nothing.')
    .addOption(shared.seed())
    .addOption(shared.shard())
    .option('--interop', 'also what `run --interop` would ask and cost')
    .addOption(shared.repeat('show what so many runs come to').conflicts(['shard', 'interop']))
    .option('--json', 'everything: each case and each request')
    .action(act(async () => (await import('../commands/plan.ts')).planCommand));

  common(program.command('init'))
    .summary('write a config to start from')
    .description('Writes a commented config, and never over a file that is there.')
    .option(
      '--out <file>',
      'file to write; default: gateway-conformance.yaml, of an extension gateway-extension.yaml',
      path,
    )
    .addOption(
      new Option(
        '--preset <name>',
        'for this product: how it is declared, and a baseline of its known deviations beside it',
      )
        .choices(presets)
        .conflicts('extend'),
    )
    .option('--extend', 'write an extension: what a gateway states beyond the interface')
    .action(act(async () => (await import('../commands/init.ts')).initCommand));

  common(program.command('explain'))
    .summary('explain a requirement, or list them')
    .description(
      'Prints what a requirement says, where it comes from, its impact, and how it is judged. Words list those that have all of them; without any, lists all.',
    )
    .argument(
      '[words...]',
      'id of a requirement, a cause or a case, as reports name it; or words, such as max_tokens',
    )
    .option('--section <numbers>', 'list only those of these sections and below', collect)
    .option('--level <names>', `list only these levels: ${levels.join(', ')}`, collect)
    .option('--impact <names>', `list only these impacts: ${impacts.join(', ')}`, collect)
    .addOption(shared.extend())
    .action(act(async () => (await import('../commands/explain.ts')).explainCommand));

  common(program.command('gateway'))
    .summary('serve the reference gateway')
    .description('Serves the reference gateway on 127.0.0.1 until Ctrl-C, and prints how to use it.')
    .option('--port <number>', 'port; 0 takes a free one', wholeNumber(0, 65_535), 8080)
    .option('--console <file>', 'console file: tokens, models, limits')
    .option('--fault <id>', 'run with one fault')
    .option('--pace <ms>', 'milliseconds for each generated token', wholeNumber(0, 60_000))
    .option('--models <number>', 'models in the catalogue in all', wholeNumber(1, 10_000))
    .action(act(async () => (await import('../commands/gateway.ts')).gatewayCommand));
}

/** The commands. Throws CommanderError where the arguments are wrong, or help was asked for. */
export function createProgram(onExit: (code: ExitCode) => void): Command {
  const act = acting(onExit);
  const program = new Command('gateway-conformance')
    .description('Judges HTTP gateways against the Model Inference Gateway Interface.')
    .version(packageInfo().version, '-V, --version', 'print the version')
    .addHelpText('after', () => helpText('main'))
    .showHelpAfterError('(--help shows what there is)')
    .exitOverride();
  addJudgingCommands(program, act);
  addReportCommands(program, act);
  addOther(program, act);
  return program;
}
