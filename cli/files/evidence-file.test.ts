import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { everything } from '../../suites/plan/plan.ts';
import { type EvidenceHeader, openEvidence } from './evidence-file.ts';
import { readEvidence } from './read-evidence.ts';
import { suiteInfo } from '../../spec/requirements.ts';
import { fullDepth } from '../../suites/types/profile.ts';
import { testFolder } from '../folder.fixture.ts';

const folder = testFolder('evidence');

const header: EvidenceHeader = {
  kind: 'header',
  schemaVersion: 3,
  suite: suiteInfo(),
  runId: 'run-1',
  target: {
    name: 'Acme',
    baseUrl: 'http://localhost:1',
    versionHeader: { name: 'anthropic-version', value: '2023-06-01' },
    models: { general: 'g' },
    tokens: { default: 'MY_TOKEN' },
  },
  seed: 7,
  selection: everything,
  ...fullDepth,
  startedAt: '2026-11-21T05:00:00.000Z',
};

function recorded(name: string, change: (lines: string) => string = (lines) => lines): string {
  const file = join(folder, name);
  const log = openEvidence(file, { header }, (line) => line.replaceAll('sk-secret', '[redacted]'));
  log.write({ id: 'a', unsent: { kind: 'internal-error', message: 'about sk-secret' } });
  log.end('2026-11-21T05:00:09.000Z', false);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  return file;
}

describe('evidence', () => {
  test('is read back as it was written, without the secrets', () => {
    const run = readEvidence(recorded('whole.jsonl'));
    expect(run.header).toEqual(header);
    expect(run.target.tokens.default).toEqual({ value: '', variable: 'MY_TOKEN' });
    expect([...run.evidence.values()]).toEqual([
      { id: 'a', unsent: { kind: 'internal-error', message: 'about [redacted]' } },
    ]);
    expect([run.finishedAt, run.partial]).toEqual(['2026-11-21T05:00:09.000Z', false]);
  });

  test('of megabytes is written without a character cut in two', () => {
    const file = join(folder, 'long.jsonl');
    const messages = ['', 'x'].map((before) => `${before}${'\u{1f600}'.repeat(1_200_000)}`);
    const log = openEvidence(file, { header }, (line) => line);
    for (const message of messages)
      log.write({ id: message.slice(0, 1), unsent: { kind: 'internal-error', message } });
    log.end('2026-11-21T05:00:09.000Z', false);
    const read = [...readEvidence(file).evidence.values()];
    expect(read.map((entry) => 'unsent' in entry && entry.unsent)).toEqual(
      messages.map((message) => ({ kind: 'internal-error', message })),
    );
  });

  test('that another run has replaced meanwhile is no evidence of this one', () => {
    const file = join(folder, 'taken.jsonl');
    const log = openEvidence(file, { header }, (line) => line);
    rmSync(file);
    writeFileSync(file, '');
    expect(() => log.end('2026-11-21T05:00:09.000Z', false)).toThrow(
      /taken\.jsonl: another run is writing to this folder; name another folder with --out DIR/,
    );
  });

  test('of a killed run is partial, and its unfinished last line is left out', () => {
    const run = readEvidence(recorded('killed.jsonl', (text) => text.slice(0, -20)));
    expect([run.evidence.size, run.finishedAt, run.partial]).toEqual([1, header.startedAt, true]);
  });

  test.each([
    [
      'garbled.jsonl',
      (text: string) => text.replace('{"kind":"unsent"', '{kind'),
      ':2: is not JSON; this is no evidence',
    ],
    ['changed.jsonl', (text: string) => text.replace('"unsent":', '"sent":'), ':2: not a line of evidence ('],
    [
      'headless.jsonl',
      (text: string) => text.slice(text.indexOf('\n') + 1),
      ': does not begin with the header of a run',
    ],
    ['empty.jsonl', () => '', ': does not begin with the header of a run'],
  ])('%s is refused with its line', (name, change, message) => {
    expect(() => readEvidence(recorded(name, change))).toThrow(join(folder, name) + message);
  });
});
