import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call, words } from '../../command.fixture.ts';
import { testFolder } from '../../folder.fixture.ts';

const folder = testFolder('same-models');

function configWith(...models: readonly string[]): string {
  const file = join(folder, 'gateway.yaml');
  const lines = [
    'target:',
    '  name: Acme',
    '  baseUrl: http://127.0.0.1:9',
    'tokens:',
    '  default: sk-secret-1',
  ];
  writeFileSync(file, [...lines, 'models:', ...models.map((line) => `  ${line}`), ''].join('\n'));
  return file;
}

describe('the same model in two families', () => {
  test('is one warning of plan with file, lines and what is left untested', async () => {
    const config = configWith('general: auto', 'image: i-1', 'multimodal: auto');
    const { code, stdout, stderr } = await call(['plan', '--config', config, '--json']);
    expect(code).toBe(0);
    expect(stderr).toBe(
      `gateway-conformance: warning: ${config}:7 (models.general), ${config}:9 (models.multimodal): the same model; ` +
        'what one family must be served and another must be refused is untested: ' +
        'family.general.responses.groups, family.multimodal.responses, family.general.responses\n',
    );
    expect(JSON.parse(stdout)).toHaveProperty('cases');
  });

  test('is a warning of run, too, before anything is sent', async () => {
    const config = configWith('general: auto', 'conversational: auto');
    const { code, stderr } = await call(
      words(`run --config ${config} --out ${join(folder, 'out')} --no-allure`),
    );
    expect(code).toBe(3);
    expect(stderr.split('\n')[0]).toContain(
      `${config}:7 (models.general), ${config}:8 (models.conversational)`,
    );
  });

  test('is one warning where one of them is in a list, with the place in the list', async () => {
    const config = configWith('general: [g-1, auto]', 'multimodal: auto');
    const { code, stderr } = await call(['plan', '--config', config]);
    expect(code).toBe(0);
    expect(stderr).toContain(
      `${config}:7 (models.general[1]), ${config}:8 (models.multimodal): the same model; `,
    );
  });

  test('is no warning where both can hold', async () => {
    const config = configWith('image: auto', 'chat-image: auto');
    expect((await call(['plan', '--config', config])).stderr).toBe('');
  });

  test('changes a plan by the names alone that are shared, and not by what they are', async () => {
    const planOf = async (...models: string[]) => {
      const { stdout } = await call(['plan', '--config', configWith(...models), '--json', '--seed', '1']);
      return stdout;
    };
    const shared = await planOf('general: auto', 'multimodal: auto');
    expect(await planOf('general: router', 'multimodal: router')).toBe(shared);
    expect(await planOf('general: auto', 'multimodal: Auto')).not.toBe(shared);
  });
});
