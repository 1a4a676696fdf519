import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { entry, expectedIn } from '../../reporters/baseline/entries.fixture.ts';
import {
  conformantReport,
  hostileReport,
  sampleReport,
  unreachableReport,
} from '../../reporters/sample.fixture.ts';
import { renderSarif } from '../../reporters/sarif/sarif.ts';
import { mustRun } from './install.fixture.ts';

const tool = '@microsoft/sarif-multitool-linux';

/** What the validator of the authors of SARIF complains of, as errors and warnings: file, line and rule. */
async function complaints(documents: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'sarif-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, 'package.json'), '{"private":true}');
  // 95 MB, as it brings its runtime: not for every checkout.
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await mustRun('npm', ['install', ...quietly, `${tool}@5.7.0`], { cwd });
  const program = join(cwd, 'node_modules', tool, 'Sarif.Multitool');
  chmodSync(program, 0o755);
  const files = Object.keys(documents).map((name) => `${name}.sarif`);
  for (const [name, text] of Object.entries(documents)) writeFileSync(join(cwd, `${name}.sarif`), text);
  // The rules of SARIF itself, and those of GitHub. Azure's ask for ids of builds that only its pipelines know.
  const rules = ['--rule-kind', 'Sarif;Ghas', '--level', 'Error;Warning'];
  await mustRun(program, ['validate', ...rules, '--output', 'found.json', ...files], { cwd });
  const { runs } = JSON.parse(readFileSync(join(cwd, 'found.json'), 'utf8')) as {
    runs: {
      results: {
        ruleId: string;
        locations: { physicalLocation: { artifactLocation: { uri?: string } } }[];
      }[];
    }[];
  };
  return runs.flatMap(({ results }) =>
    results.map(({ ruleId, locations }) => {
      const uri = locations[0]?.physicalLocation.artifactLocation.uri ?? '';
      return `${uri.split('/').at(-1)} ${ruleId}`;
    }),
  );
}

test('the official validator finds no error and no warning in report.sarif, and those of a broken one', async () => {
  const report = sampleReport();
  const failing = renderSarif(report);
  const { runs } = JSON.parse(failing) as { runs: { results: object[] }[] };
  const broken = runs.map((run) => ({ ...run, results: run.results.map(() => ({})) }));
  const found = await complaints({
    failing,
    expected: renderSarif(report, expectedIn(report, entry('chat.result.0.0'))),
    hostile: renderSarif(hostileReport()),
    conformant: renderSarif(conformantReport()),
    unreachable: renderSarif(unreachableReport()),
    broken: JSON.stringify({ ...JSON.parse(failing), runs: broken }),
  });
  expect([...new Set(found)]).toEqual(['broken.sarif JSON1002']);
}, 300_000);
