import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { configYaml, targetFor } from '../../fixtures/gateway/describe.ts';
import { call } from '../command.fixture.ts';
import { gatewayIn, testFolder, tokensByVariable } from '../folder.fixture.ts';

const settings = defaultConsole();
const folder = testFolder('check');
const gateway = await gatewayIn(folder);

/** A config of the reference gateway, changed, and what `check` makes of it. */
async function checked(change: (yaml: string) => string = (yaml) => yaml, env: NodeJS.ProcessEnv = {}) {
  const { config } = gateway;
  writeFileSync(config, change(configYaml(settings, gateway.url)));
  const ended = await call(['check', '--config', config], { env: { ...tokensByVariable, ...env } });
  return { ...ended, config };
}

const billed = (stdout: string): number => Number(/(\d+) billed generation/.exec(stdout)?.[1]);

describe('check', () => {
  test('says of each token, model and endpoint that it is accepted, on one screen', async () => {
    const { code, stdout, stderr } = await checked();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').filter((line) => line.startsWith('✓'))).toHaveLength(13);
    expect(stdout.split('\n').length).toBeLessThan(24);
    expect(billed(stdout)).toBeLessThanOrEqual(8);
  });

  test('says which models it did not ask, for it bills 8 generations at most, on the same screen', async () => {
    const names = Array.from({ length: 30 }, () => 'g-large').map((name, at) => `"${name}-${at}"`);
    const { code, stdout } = await checked((yaml) => yaml.replace('"g-large"', `["g-large", ${names}]`));
    expect(code).toBe(3);
    expect(stdout).toMatch(/^\? models\.general\[\d+\] and \d+ more +not asked \(a run asks\)$/m);
    expect(stdout).toMatch(/^✓ tokens\.rate-limited +known/m);
    expect(stdout).not.toContain('no reply that tells');
    expect(stdout.split('\n').filter((line) => /^[✓✕?] [a-zP]/.test(line)).length).toBeLessThan(24);
    expect(billed(stdout)).toBeLessThanOrEqual(8);
  });

  test('names a token that is not known, with its line and a command, and no token', async () => {
    const { code, stdout, config } = await checked(undefined, {
      GATEWAY_TOKEN_CODING_TOOL: 'sk-nobody-knows-it',
    });
    expect(code).toBe(3);
    expect(stdout.split('\n')[2]).toMatch(/^✕ tokens\.coding-tool is refused wherever it is used/);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`tokens.coding-tool is at ${config}:7.`);
    expect(stdout).toContain('curl ');
    expect(stdout).not.toContain('sk-nobody-knows-it');
    expect(billed(stdout)).toBeLessThanOrEqual(8);
  });

  test('says nothing of an endpoint that was asked only with what the config has wrong', async () => {
    const { stdout } = await checked(undefined, { GATEWAY_TOKEN_DEFAULT: 'sk-nobody-knows-it' });
    expect(stdout).toMatch(/^\? POST \/v1\/images\/generations +unknown \(every request to it has what/m);
    expect(stdout).toMatch(/^✓ POST \/v1\/responses +accepted/m);
  });

  test('lists every mistake: none hides another', async () => {
    const { code, stdout } = await checked((yaml) => yaml.replace('c-large', 'c-lrge'), {
      GATEWAY_TOKEN_CODING_TOOL: 'sk-nobody-knows-it',
    });
    expect(code).toBe(3);
    for (const key of ['tokens.coding-tool', 'models.conversational'])
      expect(stdout).toMatch(new RegExp(`^✕ ${key.replace('.', '\\.')} is refused`, 'm'));
  });

  test.each([
    ['default', 'coding-tool'],
    ['default', 'third-party-client'],
    ['third-party-client', 'rate-limited'],
  ] as const)('says that tokens.%s and tokens.%s are exchanged', async (one, other) => {
    const { tokens: declared } = targetFor(settings, gateway.url);
    const [first, second] = [declared[one], declared[other]];
    const { code, stdout } = await checked(undefined, {
      [first?.variable ?? '']: second?.value,
      [second?.variable ?? '']: first?.value,
    });
    expect(code).toBe(3);
    expect(stdout.split('\n')[2]).toContain(`✕ tokens.${one} and tokens.${other} seem to be exchanged`);
    expect(billed(stdout)).toBeLessThanOrEqual(8);
  });

  test('warns of one token for two groups, with both lines', async () => {
    const { stderr, config } = await checked(undefined, {
      GATEWAY_TOKEN_CODING_TOOL: tokensByVariable.GATEWAY_TOKEN_DEFAULT,
    });
    expect(stderr).toContain(
      `${config}:6 (tokens.default), ${config}:7 (tokens.coding-tool): the same token`,
    );
  });

  test('of an address that nobody listens at is one clear message', async () => {
    const { code, stdout, stderr } = await checked((yaml) => yaml.replace(gateway.url, 'http://127.0.0.1:9'));
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/target\.baseUrl: http:\/\/127\.0\.0\.1:9 can't be reached: connection refused/);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('of https where http is spoken says so, without the words of OpenSSL', async () => {
    const { code, stdout, stderr } = await checked((yaml) => yaml.replace('http://', 'https://'));
    expect(code).toBe(3);
    expect(stdout).toContain('http is spoken at this address');
    expect(stdout + stderr).not.toMatch(/SSL|EPROTO|wrong version/);
  });

  test.each([
    ['without tokens', /^tokens:\n(?: {2}.*\n)+/m, 'tokens: {}\n'],
    ['without models', /^models:\n(?: {2}.*\n)+/m, 'models: {}\n'],
  ])('%s is an error of the config in one line', async (_, lines, instead) => {
    const { code, stderr } = await checked((yaml) => yaml.replace(lines, instead));
    expect(code).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
