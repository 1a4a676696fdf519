import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultConsole } from '../../../fixtures/gateway/console.ts';
import { configYaml, targetFor } from '../../../fixtures/gateway/describe.ts';
import { selfSigned } from '../../../suites/wire/certificate.fixture.ts';
import { call } from '../../command.fixture.ts';

test('a run of http where https is spoken says so, and warns of nothing else beside it', async () => {
  const server = createServer(selfSigned()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'wrong-scheme-'));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [settings, config] = [defaultConsole(), join(folder, 'gateway.yaml')];
  writeFileSync(config, configYaml(settings, url));
  const env = Object.fromEntries(
    Object.values(targetFor(settings, url).tokens).map(({ variable, value }) => [variable, value]),
  );
  try {
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
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
});
