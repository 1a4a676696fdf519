import { UsageError } from '../../fixtures/target/errors.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { oncePer } from '../../spec/once.ts';
import { packageRoot } from '../../spec/package-root.ts';
import { count } from '../../spec/text.ts';
import { installCommand, installedClient } from '../../suites/interop/installed.ts';
import { type ClientsOptions, type ClientToRun, runClients } from '../../suites/interop/run-clients.ts';
import { nothingShown, shownBy, interopTrials, isBilled } from '../../suites/interop/trials.ts';
import type { Shown, Trial } from '../../suites/interop/trials.ts';
import type { Evidence } from '../../suites/types/exchange.ts';
import { type InteropClientName, interopPackages } from '../../suites/types/interop.ts';
import type { RunLimits } from '../../suites/types/limits.ts';
import type { Plan } from '../../suites/types/plan.ts';
import type { Report } from '../../suites/types/report.ts';

/** Where clients are looked for: those of the user first, then those beside this package. */
const usualFolders = (): readonly string[] => [process.cwd(), packageRoot];

/** What is to be asked of each client, with the place where it is installed. */
function clientsFor(target: Target, shown: Shown, folders = usualFolders()): readonly ClientToRun[] {
  const lookUp = oncePer((client: InteropClientName) =>
    installedClient(client, folders, process.versions.node),
  );
  const versionOf = (client: InteropClientName): string | undefined => {
    const found = lookUp(client);
    return 'versions' in found ? Object.values(found.versions).at(0) : undefined;
  };
  return interopTrials(target, versionOf, shown).map((each) => ({ ...each, installed: lookUp(each.client) }));
}

function costOf(trials: readonly Trial[]): string {
  const billed = trials.filter(isBilled);
  const images = billed.filter(({ protocol }) => protocol === 'images').length;
  const drawn = images === 0 ? '' : ` (${count(images, 'image')} of the smallest size among them)`;
  return `${count(trials.length, 'request')}, ${count(billed.length, 'billed generation')}${drawn}`;
}

const versionsText = (versions: Readonly<Record<string, string>>): string =>
  Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(' with ');

/** What `--interop` asks and costs, a line for each client and one for all. Throws UsageError where no client can be tried. */
export function interopCost(target: Target, folders = usualFolders()): readonly string[] {
  const clients = clientsFor(target, nothingShown, folders);
  if (clients.every(({ installed }) => 'problem' in installed)) {
    const all = [...new Set(Object.values(interopPackages).flat())];
    const why = clients.map(({ client, installed }) =>
      'problem' in installed ? `${client}: ${installed.problem}` : client,
    );
    throw new UsageError(
      [
        '--interop: no official client can be tried',
        ...why,
        `for all of them: ${installCommand(all, process.versions.node)}`,
      ].join('\n  '),
    );
  }
  const ready = clients.filter(({ installed }) => !('problem' in installed));
  const all = ready.flatMap(({ trials }) => trials);
  return [
    `--interop: official clients ask after the run; at most ${costOf(all)}, beside those of the run and its limits`,
    ...clients.map(({ installed, client, trials }) =>
      'problem' in installed
        ? `${client}: ${installed.problem}`
        : `${versionsText(installed.versions)}: ${costOf(trials)}`,
    ),
  ];
}

/** The report with what the official clients met; the verdict stays as it is. */
export async function withInterop(
  report: Report,
  about: { readonly target: Target; readonly plan: Plan; readonly evidence: Evidence },
  { limits, ...options }: Omit<ClientsOptions, 'pauseMs'> & { readonly limits?: RunLimits },
): Promise<Report> {
  const { target, plan, evidence } = about;
  const { rate } = limits ?? {};
  const pauseMs = rate === undefined ? 0 : rate.windowMs / rate.requests;
  const clients = clientsFor(target, shownBy(target, plan, evidence));
  return { ...report, interop: await runClients(clients, { ...options, pauseMs }) };
}
