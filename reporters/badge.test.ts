import { expect, test } from 'vitest';
import type { Report } from '../suites/types/report.ts';
import { renderBadge, renderBadgeEndpoint } from './badge.ts';
import { unreachableReport, hostileReport, conformantReport, sampleReport } from './sample.fixture.ts';
import { smallReport } from './small.fixture.ts';
import { parseXml } from './well-formed.fixture.ts';

const titleOf = (document: string) => parseXml(document).children[0]?.text;
const endpoint = (document: string) => JSON.parse(document) as Record<string, unknown>;

test.each([
  [conformantReport, 'gateway conformance: conformant 118/120', 'success'],
  [sampleReport, 'gateway conformance: 9 failed of 120', 'critical'],
  [hostileReport, 'gateway conformance: 9 failed of 120', 'critical'],
  [unreachableReport, 'gateway conformance: inconclusive 0/0 (part)', 'yellow'],
] as const)('is well-formed and says the verdict in words (%o)', (make, title, color) => {
  const report = make();
  expect(titleOf(renderBadge(report))).toBe(title);
  expect(endpoint(renderBadgeEndpoint(report))).toMatchObject({
    schemaVersion: 1,
    label: 'gateway conformance',
    message: title.replace('gateway conformance: ', ''),
    color,
  });
});

test('a selected run says that it judged a part', () => {
  const report = conformantReport();
  const part = { ...report, scope: { ...report.scope, selection: { suites: ['errors'] } } };
  expect(titleOf(renderBadge(part))).toContain('(part)');
  const half = { ...report, scope: { ...report.scope, selection: { suites: ['errors'], groups: [] } } };
  expect(titleOf(renderBadge(half))).toContain('(part)');
});

test('both halves are as wide as the whole, and nothing is fetched', () => {
  const document = renderBadge(conformantReport());
  const { attributes, children } = parseXml(document);
  const widths = children.filter(({ name }) => name === 'rect').map((rect) => Number(rect.attributes.width));
  expect(widths.reduce((sum, width) => sum + width, 0)).toBe(Number(attributes.width));
  expect(document).not.toMatch(/href|url\(|<script|<image|@import/);
});

test('the badge of a small report: what was kept of all where nothing decided it, each text fitted to its half', () => {
  const open = { ...smallReport(), verdict: 'inconclusive' as const };
  const shape = (tag: string) => renderBadge(open).match(new RegExp(`<${tag} .*?>`, 'g'));
  expect(titleOf(renderBadge(open))).toBe('gateway conformance: inconclusive 1/5');
  expect(shape('rect')).toEqual([
    '<rect width="133" height="20" fill="#3a4149"/>',
    '<rect x="133" width="109" height="20" fill="#734700"/>',
  ]);
  expect(shape('text')).toEqual([
    '<text x="66.5" y="14" textLength="123">',
    '<text x="187.5" y="14" textLength="99">',
  ]);
});

test('only what is not conformant is an error', () => {
  const isError = (verdict: Report['verdict']) =>
    endpoint(renderBadgeEndpoint({ ...smallReport(), verdict })).isError;
  expect([isError('conformant'), isError('non-conformant'), isError('inconclusive')]).toEqual([
    false,
    true,
    false,
  ]);
});
