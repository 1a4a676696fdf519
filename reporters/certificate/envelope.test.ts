import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sampleReport } from '../sample.fixture.ts';
import {
  certificateText,
  keyId,
  preAuthEncoding,
  createEnvelope,
  signatureState,
  CertificateError,
  readCertificate,
} from './envelope.ts';
import { predicateOf, type Statement, statementOf } from './statement.ts';

const report = { ...sampleReport(), verdict: 'conformant' as const };
const subject = (name: string, digit: string) => ({ name, digest: { sha256: digit.repeat(64) } });
const statement: Statement = statementOf(
  [subject('report.json', '1'), subject('evidence.jsonl', '2'), subject('target.json', '3')],
  predicateOf(report, [{ requirement: 'errors.rate-limit', reason: 'not declared' }]),
);
const key = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');

describe('the envelope', () => {
  test('signs the bytes that the DSSE specification gives as its example', () => {
    expect(preAuthEncoding('http://example.com/HelloWorld', Buffer.from('hello world')).toString()).toBe(
      'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
    );
  });

  test('counts bytes, not characters', () => {
    expect(preAuthEncoding('é', Buffer.from('π')).toString()).toBe('DSSEv1 2 é 2 π');
  });

  test('is read back as it was sealed, with its subjects sorted', () => {
    const { statement: read } = readCertificate(Buffer.from(certificateText(createEnvelope(statement, key))));
    expect(read).toEqual(statement);
    expect(read.subject.map(({ name }) => name)).toEqual(['evidence.jsonl', 'report.json', 'target.json']);
  });

  test('is the same, signature and all, for the same statement and key', () => {
    expect(createEnvelope(statement, key)).toEqual(createEnvelope(statement, key));
  });

  test('is valid for its key, of another key for another, unchecked without, unsigned without a signature', () => {
    const envelope = createEnvelope(statement, key);
    expect(signatureState(envelope, key.publicKey)).toEqual({ kind: 'valid', keyid: keyId(key.publicKey) });
    const keyids = [keyId(key.publicKey)];
    expect(signatureState(envelope, other.publicKey)).toEqual({
      kind: 'other-key',
      keyid: keyId(other.publicKey),
      keyids,
    });
    expect(signatureState(envelope, undefined)).toEqual({ kind: 'unchecked', keyids });
    expect(signatureState(createEnvelope(statement), key.publicKey).kind).toBe('unsigned');
  });

  test('is not valid with the signature of another key under the name of this one', () => {
    const [signature] = createEnvelope(statement, other).signatures;
    const forged = {
      ...createEnvelope(statement, key),
      signatures: [{ sig: signature?.sig ?? '', keyid: keyId(key.publicKey) }],
    };
    expect(signatureState(forged, key.publicKey).kind).toBe('invalid');
  });

  test('is valid by one good signature of the key, whatever stands beside it', () => {
    const { signatures, ...rest } = createEnvelope(statement, key);
    const [mine] = signatures;
    if (mine === undefined) throw new Error('it is signed');
    const both = [{ ...mine, sig: createEnvelope(statement, other).signatures[0]?.sig ?? '' }, mine];
    expect(signatureState({ ...rest, signatures: both }, key.publicKey).kind).toBe('valid');
  });

  test('is not valid for another statement', () => {
    const { signatures } = createEnvelope(statement, key);
    const changed = { ...statement, predicate: { ...statement.predicate, runId: 'another' } };
    expect(signatureState({ ...createEnvelope(changed), signatures }, key.publicKey).kind).toBe('invalid');
  });
});

describe('a certificate is refused', () => {
  const envelope = createEnvelope(statement, key);
  const withPayload = (payload: string): string =>
    certificateText({ ...envelope, payload: Buffer.from(payload).toString('base64') });
  const text = JSON.stringify(statement);

  test.each([
    ['that is not JSON', '{', 'the envelope is not JSON'],
    ['without a payload', '{}', "must have required property 'payloadType'"],
    [
      'of another type',
      certificateText({ ...envelope, payloadType: 'text/plain' }),
      '/payloadType must be equal to constant',
    ],
    ['whose payload is not base64', certificateText({ ...envelope, payload: '*' }), 'not base64'],
    ['whose payload is not JSON', withPayload('no'), 'the payload is not JSON'],
    [
      'of another kind of statement',
      withPayload(text.replace('Statement/v1', 'Statement/v2')),
      '/_type must be equal to constant',
    ],
    [
      'of a target that is not conformant',
      withPayload(text.replace('"conformant"', '"inconclusive"')),
      '/predicate/verdict must be equal to constant',
    ],
    [
      'with a digest that is none',
      withPayload(text.replace('1'.repeat(64), '1')),
      '/subject/1/digest/sha256 must match pattern',
    ],
    [
      'with a key twice, which JSON readers read differently',
      withPayload(text.replace('"runId":', '"runId":"x","runId":')),
      'the payload at predicate/runId stands twice',
    ],
    [
      'with bytes that are not UTF-8',
      certificateText({
        ...envelope,
        payload: Buffer.from(text.replace(report.run.id, '\u00ff'), 'latin1').toString('base64'),
      }),
      'the payload is not UTF-8',
    ],
    ['with a space too many', `${certificateText(envelope)} `, 'not written the way this suite writes it'],
  ])('%s', (_, certificate, message) => {
    expect(() => readCertificate(Buffer.from(certificate))).toThrow(CertificateError);
    expect(() => readCertificate(Buffer.from(certificate))).toThrow(message);
  });
});
