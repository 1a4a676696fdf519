import { present } from '../../spec/present.ts';
import { count } from '../../spec/text.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { type Family, families, groups, protocols } from '../../spec/vocabulary.ts';
import type { Report } from '../../suites/types/report.ts';
import { coverage } from '../report-queries.ts';
import { without } from '../scope-limits.ts';
import { depthText, utcTime } from '../wording.ts';

/** A family as a thing that a certificate covers. */
const familyName: Readonly<Record<Family, string>> = {
  general: 'general models',
  conversational: 'conversational models',
  multimodal: 'multimodal models',
  image: 'image generation',
  'chat-image': 'images through chat',
};

/** What somebody types to check a report folder. */
const howToCheck = 'gateway-conformance verify DIR --key KEY.pub.pem';

/** The endpoints that nothing is declared for, and that are there. */
const offeredIn = ({ requirements }: Report): readonly string[] =>
  protocols
    .filter((protocol) =>
      requirements.some(({ id, code }) => id === `${protocol}.endpoint` && code === 'offered-undeclared'),
    )
    .map((protocol) => `POST ${protocolFacts[protocol].path}`);

function leftOut(report: Report, open: number): string {
  const { scope } = report;
  const offered = offeredIn(report);
  const parts = present([
    ...without(families, scope.families).map((family) => familyName[family]),
    ...without(groups, scope.groups).map((group) => `the group ${group}`),
    !scope.rateLimited && 'rate limits',
  ]);
  const rows = open > 0 && `${count(open, 'requirement')}, which report.json names`;
  const all = [parts.join(', '), rows].filter(Boolean).join(': ') || 'nothing that can be judged over HTTP';
  return offered.length === 0 ? all : `${all}; offered but not declared: ${offered.join(', ')}`;
}

function familyText({ scope }: Report): string {
  const asked = families.filter((family) => scope.families.includes(family));
  if (asked.length === families.length) return 'all model families';
  return asked.length === 0 ? 'no model family' : `${asked.map((one) => familyName[one]).join(', ')} only`;
}

/** What a certificate says of a report at first sight. */
export function coversOf(report: Report) {
  const { judged, total } = coverage(report);
  const { groups: asked } = report.scope;
  const { parts, repeat } = report.run;
  const ids = parts ?? repeat?.runs.map(({ id }) => id);
  const merged = ids === undefined ? '' : `; ${parts ? 'merged of' : 'repeated,'} the runs ${ids.join(', ')}`;
  return {
    covers: `${judged} of ${count(total, 'requirement')}, ${familyText(report)}; groups: ${asked.join(', ') || 'none'}; ${depthText(report.scope)}${merged}`,
    doesNotCover: leftOut(report, total - judged),
    howToCheck,
  };
}

/** The same as lines with a label each, with the day and the key. */
export function coversLines(report: Report, key: string) {
  const { covers, doesNotCover } = coversOf(report);
  return [
    ['Covers', covers],
    ['Not covered', doesNotCover],
    ['Judged', `${utcTime(report.run.finishedAt)}, run ${report.run.id}`],
    ['Key', key],
    ['To check it', howToCheck],
  ] as const;
}
