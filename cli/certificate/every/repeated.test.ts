import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, openBrowser, why } from '../../../reporters/html/browser.fixture.ts';
import { renderVerifyPage } from '../../../reporters/verify-page/page.ts';
import type { Report } from '../../../suites/types/report.ts';
import { createRedactor } from '../../../suites/wire/redaction/redact.ts';
import { call, type Ended } from '../../command.fixture.ts';
import { evidenceIn } from '../../files/evidence-file.ts';
import { readReport, rejudge } from '../../run/rejudge.ts';
import { edit, editReport, oneModel, openBundleFolder } from '../certificate.fixture.ts';
import { certify } from '../certify.ts';
import { loadSigningKey } from '../keys.ts';

const bundles = openBundleFolder();
const key = bundles.key('ours');
const dir = join(bundles.folder, 'repeated');
let ended: Ended;

/** Silent on what it is to refuse, until the first run is judged: that says nothing of the value. */
const silentAtFirst = (body: unknown): boolean =>
  Number((body as { temperature?: unknown } | null)?.temperature) > 2 &&
  !existsSync(join(dir, 'runs', '1', 'report.json'));

beforeAll(async () => {
  await call(['keygen', '--out', key]);
  ended = await bundles.run('repeated', {
    args: ['--repeat', '3', '--timeout', '3', '--sign', `${key}.pem`],
    config: oneModel,
    hooks: { reply: (reply, { body }) => (silentAtFirst(body) ? { ...reply, waitMs: 60_000 } : reply) },
  });
}, 120_000);

const verified = (folder: string): Promise<Ended> => call(['verify', folder, '--key', `${key}.pub.pem`]);
const runsOf = (folder: string) => readReport(folder).report.run.repeat?.runs ?? [];

describe('a run that left something undecided, and one that decided it', () => {
  test('are certified together, and the certificate names both', () => {
    const ids = runsOf(dir).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect([ended.code, ended.stdout]).toEqual([
      0,
      expect.stringContaining(`repeated, the runs ${ids.join(', ')}`),
    ]);
    const [first, all] = [join(dir, 'runs', '1'), dir].map((folder) => readReport(folder).report);
    expect([first?.verdict, all?.verdict]).toEqual(['inconclusive', 'conformant']);
    expect(readdirSync(join(dir, 'runs', '2'))).not.toContain('certificate.json');
  });

  test('are verified, each as a single run is and the report of all against them', async () => {
    const { code, stdout } = await verified(dir);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('Verified: certified, and signed with this key.'),
    ]);
    expect(stdout).toMatch(/^✓ Run 1 .*evidence, verdicts, renderings, checked as of a single run$/m);
    expect(stdout).toMatch(/^✓ Verdicts +made again of 2 runs$/m);
  });

  const asWhole = (report: Report): Report => ({ ...report, run: { ...report.run, requests: 1 } });
  test.each<[string, (folder: string) => void, string]>([
    [
      'evidence of a run',
      (at) => edit(at, 'runs/2/evidence.jsonl', (text) => text.replace('"status":200', '"status":201')),
      '✕ Run 2',
    ],
    ['a rendering of a run', (at) => edit(at, 'runs/1/report.md', (text) => `${text} `), '✕ Run 1'],
    ['the report of all', (at) => editReport(at, asWhole), '✕ Verdicts'],
    [
      'a run that went',
      (at) => rmSync(join(at, 'runs', '2'), { recursive: true }),
      'runs/2/evidence.jsonl is missing',
    ],
    [
      'a run in place of another',
      (at) => cpSync(join(at, 'runs', '1'), join(at, 'runs', '2'), { recursive: true }),
      'is not run 2 of those that begin with',
    ],
    [
      'a file in a run',
      (at) => writeFileSync(join(at, 'runs', '1', 'notes.txt'), ''),
      'runs/1/notes.txt is no file of a run',
    ],
  ])('are no longer after a change of %s', async (_, change, told) => {
    const other = bundles.copy(dir);
    change(other);
    const { code, stdout } = await verified(other);
    expect([code, stdout]).toEqual([1, expect.stringContaining(told)]);
  });

  test('are given no certificate for what a verification refuses', () => {
    const other = bundles.copy(dir);
    edit(other, 'runs/2/report.md', (text) => `${text} `);
    const { target } = rejudge(evidenceIn(join(other, 'runs', '1'))).run.header;
    const run = { target, redactor: createRedactor([]) };
    expect(certify(other, run, { key: loadSigningKey(`${key}.pem`) })).toMatchObject({
      kind: 'refused',
      blockers: [expect.stringContaining('report.md')],
    });
  });

  test.skipIf(!hasBrowser)(
    `are checked by the page in a browser, too${why}`,
    async () => {
      const page = join(bundles.folder, 'verify.html');
      writeFileSync(page, renderVerifyPage());
      const changed = bundles.copy(dir);
      edit(changed, 'runs/2/evidence.jsonl', (text) => text.replace('"status":200', '"status":201'));
      const browser = await openBrowser();
      const shown = async (folder: string): Promise<string> => {
        const tab = await browser.newPage();
        await tab.goto(pathToFileURL(page).href);
        await tab.fill('#key', readFileSync(`${key}.pub.pem`, 'utf8'));
        await tab.setInputFiles('#folder', folder);
        await tab.waitForSelector('#conclusion');
        return (await tab.textContent('#outcome')) ?? '';
      };
      try {
        const whole = await shown(dir);
        expect(whole).toContain('Files, signature and scope agree.');
        for (const { id } of runsOf(dir)) expect(whole).toContain(id);
        expect(await shown(changed)).toContain('runs/2/evidence.jsonl was changed');
      } finally {
        await browser.close();
      }
    },
    60_000,
  );
});
