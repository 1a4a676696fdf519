import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasTools } from '../certificate/certificate.fixture.ts';
import { call } from '../command.fixture.ts';
import { testFolder } from '../folder.fixture.ts';

const folder = testFolder('keygen');
const key = join(folder, 'ours');
beforeAll(async () => {
  await call(['keygen', '--out', key]);
});

describe('keygen', () => {
  test('writes a private key that only its owner reads, and nothing where the other half would be lost', async () => {
    expect(statSync(`${key}.pem`).mode & 0o777).toBe(0o600);
    const half = join(folder, 'half');
    writeFileSync(`${half}.pub.pem`, 'mine');
    const { code } = await call(['keygen', '--out', `${half}.pem`]);
    expect(code).toBe(2);
    expect(existsSync(`${half}.pem`)).toBe(false);
    expect(readFileSync(`${half}.pub.pem`, 'utf8')).toBe('mine');
  });

  test.skipIf(!hasTools('openssl'))('makes keys that openssl reads', () => {
    const text = execFileSync('openssl', ['pkey', '-in', `${key}.pem`, '-pubout'], { encoding: 'utf8' });
    expect(text).toBe(readFileSync(`${key}.pub.pem`, 'utf8'));
  });
});

describe('what can not be used is exit code 2', () => {
  test.each([
    ['no folder', ['verify', 'absent'], 'absent: is no folder'],
    ['an empty folder', ['verify', '.'], "report.json: can't be read (ENOENT)"],
    [
      'a key that is absent',
      ['verify', '.', '--key', 'absent.pem'],
      "--key absent.pem: can't be read (ENOENT)",
    ],
    ['a private key', ['verify', '.', '--key', `${key}.pem`], 'is a private key; name the public one'],
    [
      'a public key to sign with',
      ['run', '--certify', '--sign', `${key}.pub.pem`],
      'is a public key; name the private one',
    ],
    ['a key without --certify', ['run', '--sign', `${key}.pem`], '--sign signs a certificate: add --certify'],
    [
      'a key in the report folder',
      ['run', '--certify', '--sign', 'out/k.pem', '--out', 'out'],
      'is in the report folder',
    ],
    ['a key over another', ['keygen', '--out', key], 'exists already and is left as it is'],
    ['a key where no folder is', ['keygen', '--out', 'absent/key'], "can't be written (ENOENT)"],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await call(args, { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('a key of another kind', async () => {
    const curve = join(folder, 'ec.pem');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(curve, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const { code, stderr } = await call(['run', '--certify', '--sign', curve]);
    expect(code).toBe(2);
    expect(stderr).toContain('is not an Ed25519 key');
  });
});
