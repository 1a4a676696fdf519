import { expect, test } from 'vitest';
import type { Report } from '../../suites/types/report.ts';
import { smallReport } from '../small.fixture.ts';
import { coversLines, coversOf } from './covers.ts';

const report = smallReport();
const scoped = (scope: Partial<Report['scope']>, requirements = report.requirements): Report => ({
  ...report,
  scope: { ...report.scope, ...scope },
  requirements,
});
const passed = report.requirements.map((row) => ({ ...row, level: 'stated', verdict: 'pass' }) as const);

test('what is covered is said with its number, its families and its groups', () => {
  const images = coversOf(scoped({ families: ['image'], groups: ['default'], profile: 'standard' }));
  expect(images).toEqual({
    covers: '2 of 5 requirements, image generation only; groups: default; profile standard',
    doesNotCover:
      'general models, conversational models, multimodal models, images through chat, the group coding-tool, the group third-party-client, rate limits: 3 requirements, which report.json names',
    howToCheck: 'gateway-conformance verify DIR --key KEY.pub.pem',
  });
});

test('a whole report covers all, and one without models none', () => {
  const all = scoped(
    {
      families: ['general', 'conversational', 'multimodal', 'image', 'chat-image'],
      groups: ['default', 'coding-tool', 'third-party-client'],
      rateLimited: true,
    },
    passed,
  );
  const { length } = passed;
  expect(coversOf(all).covers).toContain(`${length} of ${length} requirements, all model families; `);
  expect(coversOf(all).doesNotCover).toBe('nothing that can be judged over HTTP');
  expect(coversOf(scoped({ families: [], groups: [] })).covers).toContain('no model family; groups: none');
});

test('an endpoint that is there and left out of the config is named', () => {
  const rows = passed.map((row) => ({
    ...row,
    id: 'messages.endpoint',
    verdict: 'untested' as const,
    code: 'offered-undeclared',
  }));
  expect(coversOf(scoped({ families: ['image'] }, rows)).doesNotCover).toMatch(
    /which report\.json names; offered but not declared: POST \/v1\/messages$/,
  );
  const unseen = rows.map((row) => ({ ...row, code: 'undeclared' }));
  expect(coversOf(scoped({ families: ['image'] }, unseen)).doesNotCover).not.toContain('offered');
});

test('the lines have the day, the run and the key', () => {
  const lines = new Map(coversLines(report, 'the key'));
  expect(lines.get('Judged')).toBe('2026-11-21 09:00:12 UTC, run run-1');
  expect(lines.get('Key')).toBe('the key');
});
