import { Command } from 'commander';

/** The command of a tool of this repository, started by `npm run NAME -- …`. An option that it does not have ends it with exit code 2. */
export const tool = (name: string, description: string): Command =>
  new Command(`npm run ${name} --`)
    .description(description)
    .showHelpAfterError('(--help shows what there is)')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
