import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { faultById } from '../../../fixtures/faults/index.ts';
import { defaultConsole, tokensOf } from '../../../fixtures/gateway/console.ts';
import { configYaml } from '../../../fixtures/gateway/describe.ts';
import { type TokenName, tokenVariable } from '../../../fixtures/target/target.ts';
import type { Hooks } from '../../../fixtures/gateway/hooks.ts';
import { call, type Ended } from '../../command.fixture.ts';
import { gatewayIn, testFolder, tokensByVariable as env } from '../../folder.fixture.ts';

const folder = testFolder('live-sample');

const settings = defaultConsole();
const dir = join(folder, 'report');

function configFor(name: string, yaml: string): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, yaml);
  return file;
}

const { url: recordedAt, config: recorded } = await gatewayIn(folder, {}, 'recorded');
beforeAll(async () => {
  const asked = ['--suite', 'authentication,results,errors', '--family', 'general,multimodal,image'];
  const ended = await call(['run', '--config', recorded, ...asked, '--out', dir, '--quiet', '--no-allure'], {
    env,
  });
  expect(ended.code).toBe(0);
}, 60_000);

/** Asks a gateway with these hooks, at another port, so many of the exchanges again. */
async function asked(hooks: Hooks, ...more: readonly string[]): Promise<Ended & { readonly url: string }> {
  return askedWith({}, hooks, ...more);
}

/** The same with other tokens, by the names of their variables. */
async function askedWith(
  tokens: Readonly<Record<string, string>>,
  hooks: Hooks,
  ...more: readonly string[]
): Promise<Ended & { readonly url: string }> {
  const { url, config } = await gatewayIn(folder, { hooks }, 'live', onTestFinished);
  const ended = await call(['verify', dir, '--against', config, ...more], { env: { ...env, ...tokens } });
  return { ...ended, url };
}

describe('verify --against', () => {
  test('finds the same gateway at another address as it was, and says what that proves, and what it costs', async () => {
    const { code, stdout, stderr, url } = await asked({}, '--sample', '40', '--seed', '1');
    expect(code).toBe(0);
    expect(stdout.match(/^✓ \S+: HTTP/gm)).toHaveLength(40);
    expect(stdout).toContain(`The report was made at another address, ${recordedAt}.`);
    expect(stdout).toMatch(
      new RegExp(`at ${url} answers today as the report says it did, for these 40 of \\d+ exchanges`),
    );
    expect(stdout).toContain('It does not prove that it answers the other requests so');
    expect(stderr).toMatch(/asks 40 recorded exchanges again .* \d+ billed generations where/);
    expect(tokensOf(settings).filter(({ value }) => (stdout + stderr).includes(value))).toEqual([]);
  }, 60_000);

  test.each([
    ['chat.result.usage.missing', 'fields that are not as stated: none in the report, chat.result.usage now'],
    ['errors.all-alike', 'status of the refusal: 401 in the report, 400 now'],
    ['chat.auth.invalid.streamed', 'outcome: refused in the report, answered now'],
    ['chat.stream.well-formed.half-json', 'events that can be read: all in the report, not all now'],
  ])(
    'shows what differs with the fault %s, with both replies and a command',
    async (id, change) => {
      const { code, stdout, url } = await asked(faultById(id)?.hooks ?? {}, '--sample', '400', '--seed', '1');
      expect(code).toBe(1);
      expect(stdout).toContain(change);
      expect(stdout).toMatch(/^ {4}report \(.* UTC\): HTTP \d+/m);
      expect(stdout).toMatch(/^ {4}now \(.* UTC\): HTTP \d+/m);
      expect(stdout).toContain(`curl -sS -i --compressed -X POST '${url}/v1/`);
      expect(stdout).toContain('does not answer as the report says it did');
    },
    60_000,
  );

  test('asks for no more than it says: answers as told before, images of the smallest size, one at a time', async () => {
    const images: object[] = [];
    let answered = 0;
    const watching: Hooks = {
      reply: (reply, { protocol, body }) => {
        if (reply.status === 200) answered += 1;
        if (protocol === 'images' && reply.status === 200) images.push(body);
        return reply;
      },
    };
    const { code, stderr } = await asked(watching, '--sample', '1000');
    expect(code).toBe(0);
    expect(stderr).toContain('no more of them can be asked by themselves and cheaply');
    expect(stderr).toContain(`; ${answered} billed generations where it answers as it did`);
    expect(images.map((body) => ({ n: 1, ...body }))).toEqual(
      images.map(() => expect.objectContaining({ size: '256x256', n: 1 })),
    );
  }, 60_000);

  test('takes a token that nothing is answered to for no difference, and says so', async () => {
    const refusing: Hooks = {
      authenticate: (verdict) =>
        verdict.problem === null ? { problem: 'invalid-token', token: null } : verdict,
    };
    const { code, stdout } = await asked(refusing, '--sample', '30', '--seed', '1');
    expect(code).toBe(3);
    expect(stdout).toContain('nothing was answered to the token default: it is not accepted');
  }, 60_000);

  test.each([
    [['coding-tool'], '400'],
    [['rate-limited'], '12'],
    [['default', 'coding-tool', 'third-party-client'], '400'],
  ])(
    'tells a token that is not accepted from a gateway that changed: %j, a sample of %s',
    async (names, size) => {
      const wrong = names.map((name) => [tokenVariable(name as TokenName), `sk-of-another-gateway-${name}`]);
      const { code, stdout } = await askedWith(
        Object.fromEntries(wrong),
        {},
        '--sample',
        size,
        '--seed',
        '1',
      );
      expect(code).toBe(3);
      expect(stdout).not.toContain('does not answer as the report says');
      for (const name of size === '400' ? names : [])
        expect(stdout).toContain(
          `The token ${name} (${tokenVariable(name as TokenName)}) is not accepted at `,
        );
      expect(stdout).toMatch(/The token \S+ \(GATEWAY_TOKEN_\w+\) /);
    },
    60_000,
  );

  test.each(['12', '400'])(
    'takes a token that is limited no more for no difference, for its limit may not be spent: a sample of %s',
    async (size) => {
      const { code, stdout } = await asked({ limit: () => null }, '--sample', size, '--seed', '1');
      expect(code).toBe(3);
      expect(stdout).toContain('The token rate-limited (GATEWAY_TOKEN_RATE_LIMITED) is not limited at ');
      expect(stdout).not.toContain('does not answer as the report says');
    },
    60_000,
  );

  test('finds a change of the gateway beside a token that is not accepted', async () => {
    const wrong = { [tokenVariable('coding-tool')]: 'sk-of-another-gateway' };
    const hooks = faultById('chat.result.usage.missing')?.hooks ?? {};
    const { code, stdout } = await askedWith(wrong, hooks, '--sample', '400', '--seed', '1');
    expect(code).toBe(1);
    expect(stdout).toContain('chat.result.usage now');
    expect(stdout).toContain('The token coding-tool (GATEWAY_TOKEN_CODING_TOOL) is not accepted');
  }, 60_000);

  test('takes a transient fault for no difference', async () => {
    let sent = 0;
    const overloaded: Hooks = {
      reply: (reply) => {
        sent += 1;
        return sent === 2 ? { ...reply, status: 503, headers: { 'retry-after': '0' } } : reply;
      },
    };
    const { code } = await asked(overloaded, '--sample', '8', '--seed', '1');
    expect({ code, sent }).toEqual({ code: 0, sent: 9 });
  }, 60_000);

  test('ends with 3 where nobody answers', async () => {
    const dead = configFor('dead', configYaml(settings, 'http://127.0.0.1:9'));
    const ended = await call(['verify', dir, '--against', dead], { env });
    expect(ended).toMatchObject({ code: 3 });
    expect(ended.stderr).toContain('connection refused');
  }, 60_000);
});

describe('bad input of verify --against is one error, and nothing is sent', () => {
  const against = (yaml: string) => ['--against', configFor('other', yaml)];
  const yaml = (): string => configYaml(settings, recordedAt);
  test.each([
    ['another model', () => against(yaml().replace('g-large', 'g-other')), 'models.general is "g-other"'],
    ['another version header', () => against(yaml().replace('2023-06-01', '2020-01-01')), 'versionHeader'],
    ['no config', () => ['--against', join(folder, 'none.yaml')], 'no such config file'],
    ['a sample without --against', () => ['--sample', '12'], '--against CONFIG'],
    ['a seed without --against', () => ['--seed', '1'], '--against CONFIG'],
    ['a sample of 0', () => [...against(yaml()), '--sample', '0'], 'whole number from 1'],
    ['a sample that is no number', () => [...against(yaml()), '--sample', 'some'], 'whole number from 1'],
  ])('%s', async (_name, more, message) => {
    const { code, stderr } = await call(['verify', dir, ...more()], { env });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('a folder without evidence', async () => {
    const empty = mkdtempSync(join(folder, 'empty-'));
    const ended = await call(['verify', empty, ...against(yaml())], { env });
    expect(ended).toMatchObject({ code: 2 });
  });
});
