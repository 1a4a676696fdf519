import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faultById } from '../../../fixtures/faults/index.ts';
import { call, command } from '../../command.fixture.ts';
import { gatewayIn, reportIn, testFolder, tokensByVariable as env } from '../../folder.fixture.ts';

const folder = testFolder('two-runs');
const at = (name: string): string => join(folder, name);

test('two runs at the same time, one of a gateway with a fault: exit codes 0 and 1', async () => {
  const fault = faultById('chat.result.id.missing');
  if (!fault) throw new Error('there is no such fault');
  const sound = await gatewayIn(folder);
  const faulty = await gatewayIn(folder, { hooks: fault.hooks }, 'faulty');
  const run = (config: string, out: string) =>
    command(['run', '--config', config, '--out', at(out), '--suite', 'results', '--no-allure'], {
      cwd: tmpdir(),
      env,
    });
  const [good, bad] = await Promise.all([run(sound.config, 'good'), run(faulty.config, 'bad')]);
  expect(good.code).toBe(0);
  expect(bad.code).toBe(1);
  const { verdict, requirements } = reportIn(at('bad'));
  expect(verdict).toBe('non-conformant');
  const failed = requirements.filter((row) => row.verdict === 'fail').map(({ id }) => id);
  expect(failed.sort()).toEqual([...fault.breaks].sort());
  for (const id of failed) expect(bad.stdout).toContain(id);
  expect((await call(['judge', join(at('bad'), 'evidence.jsonl')])).code).toBe(1);
});
