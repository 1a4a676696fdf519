import { describe, expect, test } from 'vitest';
import { smallReport } from '../small.fixture.ts';
import { coversOf } from './covers.ts';
import { predicateOf, type Subject, statementOf, subjectProblems } from './statement.ts';

const subject = (name: string, sha256 = `of ${name}`): Subject => ({ name, digest: { sha256 } });
const listed = [subject('evidence.jsonl'), subject('report.json'), subject('target.json')];

describe('the files of a bundle', () => {
  test('are right where each is there with its digest, whatever their order; the certificate is none of them', () => {
    expect(subjectProblems(listed, [...listed].reverse())).toEqual([]);
    expect(subjectProblems(listed, [...listed, subject('certificate.json')])).toEqual([]);
  });

  test('are wrong where one is missing, changed or added', () => {
    const found = [subject('evidence.jsonl', 'another'), subject('report.json'), subject('extra.html')];
    expect(subjectProblems(listed, found)).toEqual([
      'evidence.jsonl was changed: its digest is another',
      'target.json is missing',
      'extra.html was added',
    ]);
  });

  test('are wrong where a file that is needed is not certified, or one is certified twice', () => {
    const [, ...rest] = listed;
    expect(subjectProblems(rest, listed)).toEqual([
      'evidence.jsonl is not certified',
      'evidence.jsonl was added',
    ]);
    expect(subjectProblems([...listed, subject('report.json')], listed)).toEqual([
      'a file is certified twice',
      'the certified files are not sorted by their names',
    ]);
  });
});

test('a certificate says of its report what can be checked, key for key', () => {
  const report = smallReport();
  const notCovered = [{ requirement: 'errors.rate-limit.distinct', reason: 'not declared' }];
  const { suite, target, summary } = report;
  const predicate = {
    ...coversOf(report),
    suite,
    target,
    scope: {
      families: ['general', 'conversational', 'multimodal', 'image'],
      groups: ['default', 'coding-tool'],
      rateLimited: false,
      profile: 'full',
    },
    verdict: 'non-conformant',
    runId: 'run-1',
    finishedAt: '2026-11-21T09:00:12.500Z',
    summary,
    notCovered,
  };
  expect(JSON.stringify(predicateOf(report, notCovered))).toBe(JSON.stringify(predicate));
});

test('a statement lists its subjects by code units, so that every machine gives the same bytes', () => {
  const names = ['b', 'a', 'B', 'ä', 'a'];
  const { subject: sorted, ...rest } = statementOf(
    names.map((name) => subject(name)),
    predicateOf(smallReport(), []),
  );
  expect(sorted.map(({ name }) => name)).toEqual(['B', 'a', 'a', 'b', 'ä']);
  expect(rest).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    predicateType: 'urn:inference-gateway-conformance:certificate:3',
  });
});
