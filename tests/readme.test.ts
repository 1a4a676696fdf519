import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call } from '../cli/command.fixture.ts';
import { loadTarget } from '../fixtures/target/config.ts';
import { packageFile } from '../spec/package-root.ts';

const readme = readFileSync(packageFile('README.md'), 'utf8');
const blocks = (language: string): readonly string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(([, text = '']) => text);

const tokens = {
  GATEWAY_TOKEN_DEFAULT: 'sk-readme-default',
  GATEWAY_TOKEN_CODING_TOOL: 'sk-readme-coding-tool',
  GATEWAY_TOKEN_THIRD_PARTY_CLIENT: 'sk-readme-third-party',
  GATEWAY_TOKEN_RATE_LIMITED: 'sk-readme-rate-limited',
};

/** What a call of the command prints; it must succeed. */
async function printed(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await call(args, { env: tokens });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** The commands of a shell block, without what stands behind `#`. */
const commands = blocks('sh')
  .flatMap((block) => block.split('\n'))
  .map((line) => line.replace(/\s+#.*$/, '').trim())
  .filter((line) => line !== '');

describe('the README', () => {
  test('shows a config that loads, and that plan takes', async () => {
    const [yaml = ''] = blocks('yaml');
    const costs = blocks('yaml').find((block) => block.startsWith('prices:')) ?? '';
    const file = join(mkdtempSync(join(tmpdir(), 'readme-')), 'gateway-conformance.yaml');
    writeFileSync(file, yaml);
    expect(Object.keys(loadTarget(file, tokens).models)).toHaveLength(5);
    expect(await printed('plan', '--config', file)).toMatch(/^total(\s+\d+){5}$/m);
    writeFileSync(file, yaml + costs);
    expect(await printed('plan', '--config', file)).toMatch(/^total(\s+\d+){5}(\s+\d+\.\d{2,4}){2}$/m);
  });

  test('names npm scripts that are there', () => {
    const { scripts } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...readme.matchAll(/npm (?:run (?:-s )?)?(start|test|detection|conformance)\b/g)].map(
      ([, name = '']) => name,
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('names commands and options that are there', async () => {
    const calls = commands.filter((line) => line.includes('conformance -- '));
    expect(calls.length).toBeGreaterThan(4);
    for (const call of calls) {
      const [name = '', ...rest] = (call.split(' -- ')[1] ?? '').split(' ');
      const help = await printed(name, '--help');
      for (const option of rest.filter((word) => word.startsWith('--'))) expect(help).toContain(option);
    }
  });

  test('links to files that are there', () => {
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path);
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((path) => !existsSync(packageFile(path)))).toEqual([]);
  });
});
