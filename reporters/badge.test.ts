import { expect, test } from 'vitest';
import { renderBadge, renderBadgeEndpoint } from './badge.ts';
import { emptyReport, hostileReport, lawfulReport, sampleReport } from './sample.fixture.ts';
import { parseXml } from './well-formed.fixture.ts';

const titleOf = (document: string) => parseXml(document).children[0]?.text;
const endpoint = (document: string) => JSON.parse(document) as Record<string, unknown>;

test.each([
  [lawfulReport, 'gateway conformance: conformant 118/120', 'success'],
  [sampleReport, 'gateway conformance: 9 failed of 120', 'critical'],
  [hostileReport, 'gateway conformance: 9 failed of 120', 'critical'],
  [emptyReport, 'gateway conformance: inconclusive 0/0 (part)', 'yellow'],
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
  const report = lawfulReport();
  const part = { ...report, scope: { ...report.scope, selection: { suites: ['errors'] } } };
  expect(titleOf(renderBadge(part))).toContain('(part)');
});

test('both halves are as wide as the whole, and nothing is fetched', () => {
  const document = renderBadge(lawfulReport());
  const { attributes, children } = parseXml(document);
  const widths = children.filter(({ name }) => name === 'rect').map((rect) => Number(rect.attributes.width));
  expect(widths.reduce((sum, width) => sum + width, 0)).toBe(Number(attributes.width));
  expect(document).not.toMatch(/href|url\(|<script|<image|@import/);
});
