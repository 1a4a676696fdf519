import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defaultConsole } from '../../../fixtures/gateway/console.ts';
import { configYaml } from '../../../fixtures/gateway/describe.ts';
import { selfSigned } from '../../../suites/wire/certificate.fixture.ts';
import { listening } from '../../../suites/wire/loopback.fixture.ts';
import { call } from '../../command.fixture.ts';
import { testFolder, tokensByVariable as env } from '../../folder.fixture.ts';

const folder = testFolder('wrong-scheme');

test('a run of http where https is spoken says so, and warns of nothing else beside it', async () => {
  const { url, close } = await listening(createServer(selfSigned()));
  onTestFinished(close);
  const config = join(folder, 'gateway.yaml');
  writeFileSync(config, configYaml(defaultConsole(), url));
  const { code, stdout, stderr } = await call(
    ['run', '--config', config, '--out', join(folder, 'out'), '--no-allure'],
    { env },
  );
  expect(code).toBe(3);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('https is spoken at this address');
  const warnings = stderr.split('\n').filter((line) => line.startsWith('gateway-conformance:'));
  expect(warnings).toEqual([
    'gateway-conformance: not everything was sent: the address of the target speaks https',
  ]);
});
