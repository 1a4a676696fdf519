import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { certificateText, createEnvelope, readCertificate } from '../../reporters/certificate/envelope.ts';
import { hasBrowser, openBrowser, violationsOf, why } from '../../reporters/html/browser.fixture.ts';
import { renderVerifyPage } from '../../reporters/verify-page/page.ts';
import type { Statement } from '../../reporters/certificate/statement.ts';
import { call } from '../command.fixture.ts';
import {
  edit,
  editReport,
  hasTools,
  hostileName,
  oneModel,
  openBundleFolder,
} from './certificate.fixture.ts';
import { loadSigningKey } from './keys.ts';

describe.skipIf(!hasBrowser)(`in a browser, the page that verifies${why}`, () => {
  const bundles = openBundleFolder();
  const key = bundles.key('ours');
  const file = join(bundles.folder, 'verify.html');
  let browser: Browser;
  let dir = '';

  beforeAll(async () => {
    browser = await openBrowser();
    writeFileSync(file, renderVerifyPage());
    await call(['keygen', '--out', key]);
    await call(['keygen', '--out', bundles.key('theirs')]);
    const config = (yaml: string) =>
      oneModel(yaml).replace('Reference gateway', '"<img src=x onerror=owned()>"');
    ({ dir } = await bundles.run('signed', { args: ['--sign', `${key}.pem`], config }));
  }, 120_000);
  afterAll(() => browser?.close());

  /** Gives the page a folder or an archive, and what it says; whatever the page asked the network for is an error. */
  async function shown(path: string, { by = 'ours', input = '#folder', look = async (_: Page) => {} } = {}) {
    const page = await browser.newPage();
    const trouble: string[] = [];
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(pathToFileURL(file).href)) trouble.push(request.url());
    });
    try {
      await page.goto(pathToFileURL(file).href);
      if (by !== '') await page.fill('#key', readFileSync(`${bundles.key(by)}.pub.pem`, 'utf8'));
      await page.setInputFiles(input, path);
      await page.waitForSelector('#conclusion');
      await look(page);
      const tone = await page.getAttribute('#conclusion', 'data-tone');
      return { tone, text: (await page.textContent('#outcome')) ?? '', trouble };
    } finally {
      await page.close();
    }
  }

  test('finds nothing in a bundle as it was signed, says its scope and what only the command can show', async () => {
    const { tone, text, trouble } = await shown(dir, {
      look: async (page) => {
        expect(await violationsOf(page)).toEqual([]);
        expect(await page.textContent('#rest')).toContain('the command judges them again');
        expect(await page.evaluate("document.querySelectorAll('img').length")).toBe(0);
      },
    });
    expect({ tone, trouble }).toEqual({ tone: 'pass', trouble: [] });
    expect(text).toContain('multimodal models only; groups: default; profile standard');
    expect(text).toContain('<img src=x onerror=owned()>');
  }, 60_000);

  test.skipIf(!hasTools('tar'))(
    'takes a folder or an archive that is dropped on it, and says nothing before',
    async () => {
      const archive = join(bundles.folder, 'dropped.tar');
      execFileSync('tar', ['cf', archive, '-C', join(dir, '..'), 'signed']);
      for (const path of [dir, archive]) {
        const page = await browser.newPage();
        try {
          await page.goto(pathToFileURL(file).href);
          expect(await page.textContent('#outcome')).toBe('');
          await page.fill('#key', readFileSync(`${key}.pub.pem`, 'utf8'));
          const session = await page.context().newCDPSession(page);
          const data = { items: [], files: [path], dragOperationsMask: 1 };
          for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
            await session.send('Input.dispatchDragEvent', { type, x: 50, y: 50, data });
          await page.waitForSelector('#conclusion');
          expect(await page.textContent('#outcome'), path).toContain('Files, signature and scope agree.');
        } finally {
          await page.close();
        }
      }
    },
  );

  test('says that the signature was not checked where no key is given', async () => {
    const { tone, text } = await shown(dir, { by: '' });
    expect(tone).toBe('untested');
    expect(text).toContain('whoever changed all of it could have made it');
  });

  test.skipIf(!hasTools('tar', 'gzip'))(
    'reads the same bundle out of a tar archive, packed or not',
    async () => {
      for (const [name, flag] of [
        ['b.tar', 'cf'],
        ['b.tar.gz', 'czf'],
      ] as const) {
        const archive = join(bundles.folder, name);
        execFileSync('tar', [flag, archive, '-C', join(dir, '..'), 'signed']);
        expect((await shown(archive, { input: '#archive' })).tone).toBe('pass');
      }
    },
  );

  test.skipIf(!hasTools('python3'))(
    'reads the same bundle out of a zip archive, and finds what was changed in it',
    async () => {
      const zip = join(bundles.folder, 'b.zip');
      const pack = (from: string) =>
        execFileSync('python3', [
          '-c',
          'import shutil,sys; shutil.make_archive(sys.argv[1][:-4], "zip", sys.argv[2])',
          zip,
          from,
        ]);
      pack(dir);
      expect((await shown(zip, { input: '#archive' })).tone).toBe('pass');
      const other = bundles.copy(dir);
      edit(other, 'report.md', (text) => `${text} `);
      pack(other);
      const { tone, text } = await shown(zip, { input: '#archive' });
      expect(tone).toBe('fail');
      expect(text).toContain('report.md was changed');
    },
  );

  /** Writes another statement into the certificate, signed by whoever holds a key. */
  function restate(
    folder: string,
    by: string | undefined,
    change: (statement: Statement) => Statement,
  ): void {
    const path = join(folder, 'certificate.json');
    const { statement, envelope } = readCertificate(readFileSync(path));
    const made = createEnvelope(
      change(statement),
      by === undefined ? undefined : loadSigningKey(`${bundles.key(by)}.pem`),
    );
    const signatures = by === undefined ? envelope.signatures : made.signatures;
    writeFileSync(path, certificateText({ ...made, signatures }));
  }
  const wider = (statement: Statement): Statement => ({
    ...statement,
    predicate: { ...statement.predicate, scope: { ...statement.predicate.scope, rateLimited: true } },
  });

  test.each<[string, (folder: string) => void, string]>([
    [
      'a changed file',
      (folder) => edit(folder, 'report.html', (text) => text.replace('Conformant', 'conformant')),
      'report.html was changed',
    ],
    [
      'changed evidence',
      (folder) => edit(folder, 'evidence.jsonl', (text) => text.replace('200', '201')),
      'evidence.jsonl was changed',
    ],
    ['a file that went', (folder) => rmSync(join(folder, 'junit.xml')), 'junit.xml is missing'],
    [
      'a file that came',
      (folder) => writeFileSync(join(folder, 'notes.txt'), hostileName),
      'notes.txt was added',
    ],
    [
      'another signature',
      (folder) =>
        edit(folder, 'certificate.json', (text) =>
          text.replace(/"sig": "(.)/, (_, one) => `"sig": "${one === 'A' ? 'B' : 'A'}`),
        ),
      'what was signed was changed',
    ],
    [
      'no signature',
      (folder) =>
        edit(folder, 'certificate.json', (text) =>
          text.replace(/"signatures": \[[^\]]*\]/, '"signatures": []'),
        ),
      'the bundle is unsigned',
    ],
    [
      'a statement that is not signed',
      (folder) => restate(folder, undefined, wider),
      'what was signed was changed',
    ],
    [
      'a signature of somebody else',
      (folder) => restate(folder, 'theirs', (same) => same),
      'it is not of the key',
    ],
    [
      'a scope that the report does not have, signed',
      (folder) => restate(folder, 'ours', wider),
      'rate limits: the certificate says another than report.json',
    ],
    [
      'a report that fails, its digest left',
      (folder) => editReport(folder, (report) => ({ ...report, verdict: 'non-conformant' })),
      'verdict: the certificate says another',
    ],
    [
      'a certificate that is written otherwise',
      (folder) => edit(folder, 'certificate.json', (text) => `${text}\n`),
      'is no certificate',
    ],
    ['no certificate', (folder) => rmSync(join(folder, 'certificate.json')), 'there is no certificate.json'],
  ])('finds %s', async (_, change, problem) => {
    const folder = bundles.copy(dir);
    change(folder);
    const { tone, text, trouble } = await shown(folder);
    expect(text).toContain(problem);
    expect({ tone, trouble }).toEqual({ tone: 'fail', trouble: [] });
  });

  test('says in one sentence what can not be read', async () => {
    const path = join(bundles.folder, 'notes.zip');
    for (const content of ['PK nothing', 'no archive at all '.repeat(60)]) {
      writeFileSync(path, content);
      const { tone, text } = await shown(path, { input: '#archive' });
      expect(tone).toBe('fail');
      expect(text).toMatch(/it is no whole (zip|tar) archive|neither certificate.json nor report.json/);
    }
  });
});
