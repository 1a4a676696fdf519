import type { Report } from '../suites/types/report.ts';
import { xmlAttribute, htmlText } from './escape.ts';
import { badgeImpact, impactCounts } from './impact.ts';
import { coverage } from './report-queries.ts';
import { isWholeRun } from './scope-limits.ts';

const label = 'gateway conformance';

/** Words of ours with a colour of shields.io, and a ground on which white has a contrast of 4.5 to 1 or more. */
function badgeOf(report: Report) {
  const { judged, failed, total } = coverage(report);
  const passed = `${judged - failed}/${total}`;
  // A run of a part of the interface is no badge of the whole.
  const part = report.scope.extension ? ' (own)' : isWholeRun(report) ? '' : ' (part)';
  if (report.verdict === 'conformant')
    return { message: `conformant ${passed}${part}`, color: 'success', background: '#0a6236' };
  const impact = report.scope.extension ? '' : badgeImpact(impactCounts(report));
  const failures = `${failed} failed of ${total}${impact}${part}`;
  if (report.verdict === 'non-conformant')
    return { message: failures, color: 'critical', background: '#a3121f' };
  return { message: `inconclusive ${passed}${part}`, color: 'yellow', background: '#734700' };
}

/** Width of a text in 11 px Verdana with its margins, near enough: the text is fitted to it. */
const widthOf = (text: string): number =>
  Math.round([...text].reduce((sum, character) => sum + (/[ fijlrt/()]/.test(character) ? 4.4 : 7), 0)) + 10;

/** The verdict as a small SVG for a README. */
export function renderBadge(report: Report): string {
  const { message, background } = badgeOf(report);
  const [left, right] = [widthOf(label), widthOf(message)];
  const textElement = (text: string, x: number, width: number) =>
    `<text x="${x + width / 2}" y="14" textLength="${width - 10}">${htmlText(text)}</text>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img"><title>${htmlText(`${label}: ${message}`)}</title><rect width="${left}" height="20" fill="#3a4149"/><rect x="${left}" width="${right}" height="20" fill="${xmlAttribute(background)}"/><g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${textElement(label, 0, left)}${textElement(message, left, right)}</g></svg>
`;
}

/** The same for https://shields.io/endpoint. */
export function renderBadgeEndpoint(report: Report): string {
  const { message, color } = badgeOf(report);
  return `${JSON.stringify({ schemaVersion: 1, label, message, color, isError: report.verdict === 'non-conformant' })}\n`;
}
