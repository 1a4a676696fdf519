import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { installedClient, runsOn } from './installed.ts';
import { nothingShown, interopTrials } from './trials.ts';

const target = targetFor(defaultConsole(), 'https://gateway.example');

/** The trials of Messages of the official client in that version. */
function anthropic(version: string, of: Target = target) {
  const asked = interopTrials(of, () => version, nothingShown).find(
    ({ client }) => client === '@anthropic-ai/sdk',
  );
  return { notes: asked?.notes ?? [], trials: asked?.trials ?? [] };
}

describe('what the clients of Messages are told', () => {
  test('is nothing where their defaults are those of the interface', () => {
    const { notes, trials } = anthropic('0.137.0');
    expect(notes).toEqual([]);
    expect(trials.map(({ headers }) => headers)).toEqual(trials.map(() => ({})));
  });

  test('is x-api-key and the version where the client would send Bearer, and the results say so', () => {
    const { notes, trials } = anthropic('1.11.0');
    expect(notes).toHaveLength(1);
    expect(trials.map(({ headers, apiKey }) => [headers, apiKey])).toEqual(
      trials.map(({ apiKey }) => [
        { 'x-api-key': apiKey, authorization: null, 'anthropic-version': '2023-06-01' },
        apiKey,
      ]),
    );
    expect(new Set(trials.map(({ apiKey }) => apiKey)).size).toBe(3);
  });

  test('is the declared header where that is another', () => {
    const of = { ...target, versionHeader: { name: 'Acme-Version', value: '2024-01-01' } };
    expect(anthropic('0.137.0', of).trials[0]?.headers).toEqual({ 'acme-version': '2024-01-01' });
    expect(anthropic('0.137.0', of).notes).toHaveLength(1);
  });
});

test('only what is declared is asked, and the spent token only where the run saw its limit', () => {
  const { conversational = '' } = target.models;
  const of = { ...target, models: { conversational } };
  const trials = interopTrials(of, () => '0.1', { ...nothingShown, limited: [] }).flatMap(
    (one) => one.trials,
  );
  expect([...new Set(trials.map(({ protocol }) => protocol))]).toEqual(['messages']);
  expect(trials.map(({ asked }) => asked)).not.toContain('spent-token');
});

describe('where a client is installed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'interop-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const install = (at: string, name: string, manifest: object): void => {
    const dir = join(folder, at, 'node_modules', name);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'package.json'), JSON.stringify(manifest));
  };

  test('the first folder that has all its packages is taken, from the folders above it too', () => {
    install('own', 'openai', { version: '6.1.0' });
    mkdirSync(join(folder, 'own', 'sub'), { recursive: true });
    install('package', 'openai', { version: '5.0.0' });
    const folders = [join(folder, 'own', 'sub'), join(folder, 'package')];
    expect(installedClient('openai', folders, '20.20.2')).toEqual({
      from: folders[0],
      versions: { openai: '6.1.0' },
    });
  });

  test('a package that is missing is told with the command that installs it', () => {
    install('half', 'ai', { version: '6.0.0' });
    expect(installedClient('ai with @ai-sdk/openai', [join(folder, 'half')], '20.20.2')).toEqual({
      problem: 'not installed: npm install --save-dev ai@6 @ai-sdk/openai@3',
    });
  });

  test('a package that needs another Node is told with both versions', () => {
    install('new', 'openai', { version: '7.0.0', engines: { node: '>=22' } });
    expect(installedClient('openai', [join(folder, 'new')], '20.20.2')).toEqual({
      problem: 'openai 7.0.0 needs Node >=22, and this is Node 20.20.2: npm install --save-dev openai@6',
    });
  });

  test.each([
    ['20.20.2', '>=22', false],
    ['22.1.0', '>=22', true],
    ['20.18.0', '>=20.19', false],
    ['20.19.0', '^18 || >=20.19', true],
    ['20.19.0', undefined, true],
  ])('Node %s for %s: %s', (node, range, runs) => {
    expect(runsOn(node, range)).toBe(runs);
  });
});
