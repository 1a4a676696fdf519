import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadBaseline } from '../fixtures/baseline/baseline.ts';
import { loadTarget } from '../fixtures/target/config.ts';
import { packageFile } from '../spec/package-root.ts';

const env = {
  GATEWAY_URL: 'http://127.0.0.1:4400',
  GATEWAY_TOKEN_DEFAULT: 'sk-example-default',
  GATEWAY_TOKEN_CODING_TOOL: 'sk-example-coding-tool',
  GATEWAY_TOKEN_THIRD_PARTY_CLIENT: 'sk-example-third-party',
  GATEWAY_TOKEN_RATE_LIMITED: 'sk-example-rate-limited',
};

const folder = packageFile('examples');
const examples = readdirSync(folder).filter((name) =>
  existsSync(join(folder, name, 'gateway-conformance.yaml')),
);
const fromNpm = examples.filter((name) => existsSync(join(folder, name, 'start.mjs')));
const read = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8');

describe('the examples of real gateways', () => {
  test.each(examples)('%s has a config that loads, and a report of the gateway that it names', (name) => {
    const { name: target } = loadTarget(join(folder, name, 'gateway-conformance.yaml'), env);
    expect(read(name, 'summary.txt').split('\n')[0]).toContain(target);
    const [title = ''] = read(name, 'report.md').split('\n');
    expect(title).toContain(target.split(' ').at(-1));
  });

  test.each(examples)('%s fails what its baseline has, each with a reason of its own', (name) => {
    const file = join(folder, name, 'gateway-conformance.baseline.yaml');
    const entries = existsSync(file) ? loadBaseline(file).entries : [];
    expect(entries.filter(({ reason }) => reason.includes('TODO'))).toEqual([]);
    const readme = read(name, 'README.md');
    const named = (requirement: string): boolean =>
      readme.includes(requirement) || readme.includes(`\`.${requirement.split('.').at(-1)}\``);
    expect(entries.filter(({ requirement }) => !named(requirement))).toEqual([]);
  });

  test.each(fromNpm)('%s names one version of each package, and is in the job of CI', (name) => {
    const { dependencies } = JSON.parse(read(name, 'package.json')) as { dependencies: object };
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(read('github', 'real-gateways.yml')).toMatch(new RegExp(`gateway: \\[.*\\b${name}\\b.*\\]`));
  });
});
