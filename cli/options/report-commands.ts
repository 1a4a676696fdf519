import { type Command, Option } from 'commander';
import { common, selectable, wholeOption, shared, type Acting } from './shared-options.ts';
import { path } from './options.ts';

function addComparing(program: Command, act: Acting): void {
  const formats = (...names: string[]) =>
    new Option('--format <name>', 'default: by the name of FILE').choices(names);

  common(program.command('diff'))
    .summary('show what changed between two reports')
    .description('Shows what changed from one report to another: verdicts and unspecified behaviour.')
    .argument('<before>', 'the earlier report.json, or the DIR that holds it')
    .argument('<after>', 'the later one')
    .addOption(formats('text', 'markdown', 'json', 'html'))
    .option('--out <file>', 'write it there', path)
    .action(act(async () => (await import('../commands/diff.ts')).diffCommand));

  common(program.command('compare'))
    .summary('show gateways or releases side by side')
    .description('Shows several reports side by side: requirements and observations, differences first.')
    .argument('<reports...>', 'report.json files, or the DIRs that hold them')
    .addOption(formats('markdown', 'html'))
    .option('--out <file>', 'write it there', path)
    .action(act(async () => (await import('../commands/compare.ts')).compareCommand));

  common(program.command('site'))
    .summary('make a static site of many runs')
    .description('Writes a static site of many runs: index, history, comparison, search, and each report.')
    .argument('[dirs...]', 'the DIRs that runs wrote')
    .option('--results <dir>', 'a folder of results, which is checked, in place of DIRs', path)
    .requiredOption('--out <site>', 'folder of the site: new, empty, or a site made before', path)
    .action(act(async () => (await import('../commands/site.ts')).siteCommand));

  const results = program.command('results').summary('keep a list of results');
  common(results.command('check'))
    .summary('check a folder of results')
    .description(
      'Verifies each bundle of a folder of results, and judges its evidence again. Needs no network.',
    )
    .argument('<dir>', 'the folder: VERSION/PRODUCT/RELEASE/ with bundle/ and README.md')
    .action(act(async () => (await import('../commands/results.ts')).resultsCheckCommand));

  const baseline = program.command('baseline').summary('keep the list of expected failures');
  common(baseline.command('update'))
    .summary('update it from a report')
    .description(
      'Adds the failures of a report, removes entries that pass now, and keeps reasons and comments.',
    )
    .option('--baseline <file>', 'the list', 'gateway-conformance.baseline.yaml')
    .option('--report <dir>', 'a report.json, or the DIR that holds it', 'conformance-report')
    .action(act(async () => (await import('../commands/baseline.ts')).baselineUpdateCommand));
}

function addStating(program: Command, act: Acting): void {
  const pin = program.command('pin').summary('keep the behaviour that must not change');
  common(selectable(pin.command('update')))
    .summary('update it from a report')
    .description(
      'Writes what a report shows of the behaviour that the interface leaves open, and keeps comments.',
    )
    .option('--pins <file>', 'the pins', path, 'gateway-conformance.pins.yaml')
    .option('--report <dir>', 'a report.json, or the DIR that holds it', path, 'conformance-report')
    .action(act(async () => (await import('../commands/pin.ts')).pinUpdateCommand));

  common(program.command('extend'))
    .summary('propose own statements of what a gateway did')
    .description(
      'Writes statements of what a gateway did where the interface leaves it open, for you to edit.',
    )
    .requiredOption('--from-report <dirs...>', 'the DIRs that runs wrote: what all of them show is proposed')
    .option('--out <file>', 'file to write, and never over one that is there', path, 'gateway-extension.yaml')
    .action(act(async () => (await import('../commands/extend.ts')).extendCommand));
}

function addCertifying(program: Command, act: Acting): void {
  common(program.command('verify'))
    .summary('check a report folder and its certificate')
    .description(
      'Checks signature and digests of a DIR, and judges its evidence again. Needs no network but for --against.',
    )
    .argument('<dir>', 'the DIR that a run wrote')
    .option('--key <key>', 'public key that must have signed it, KEY.pub.pem')
    .option(
      '--errata <file>',
      'errors of the suite that are known by now; default: those of this version',
      path,
    )
    .option('--against <config>', 'also ask the gateway of this config some of its exchanges again', path)
    .addOption(wholeOption('--sample <number>', 'how many, with --against; default: 12', [1, 1000]))
    .addOption(shared.seed('takes the sample of an earlier call; random by default'))
    .action(act(async () => (await import('../commands/verify.ts')).verifyCommand));

  common(program.command('keygen'))
    .summary('make a key pair to sign certificates with')
    .description('Writes an Ed25519 key pair, KEY.pem and KEY.pub.pem, and never over a file that is there.')
    .requiredOption('--out <key>', 'where to, without .pem', path)
    .action(act(async () => (await import('../commands/keygen.ts')).keygenCommand));
}

/** The commands that work with the reports of runs. */
export function addReportCommands(program: Command, act: Acting): void {
  addComparing(program, act);
  addStating(program, act);
  addCertifying(program, act);
}
