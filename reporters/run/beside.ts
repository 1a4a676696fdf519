import { shorten } from '../../spec/text.ts';
import type { InteropClient } from '../../suites/types/interop.ts';
import type { Report, ReportPins } from '../../suites/types/report.ts';
import type { BaselineOutcome } from '../baseline/apply.ts';
import { baselineHeadline, entryGroups } from '../baseline/view.ts';
import { coversLines } from '../certificate/covers.ts';
import { badge, type Block, code, type Inline, quiet } from '../document/blocks.ts';
import {
  clientName,
  clientSays,
  clientTone,
  interopHeadline,
  resultName,
  resultSection,
  resultsText,
} from '../interop.ts';
import { pinName, pinnedIn, pinPlace, pinsHeadline, unobservedText } from '../pins/view.ts';
import type { Context } from './context.ts';
import { firstLinks } from './exchange.ts';

/** What stands beside a judged run: baseline, pins, official clients, a certificate. */

const [longest, mostLines] = [400, 100];

/** What the baseline makes of the run: what is new, expired, stale or unmatched, and what was expected. */
export function baselineSection(outcome: BaselineOutcome): Block {
  const groups = entryGroups(outcome).map(
    ({ tone, title, lines }): Block => ({
      kind: 'list',
      tone,
      title,
      items: lines.map((line) => shorten(line, longest)),
      most: mostLines,
    }),
  );
  return {
    kind: 'section',
    id: 'part-baseline',
    name: 'Expected failures',
    title: 'Expected failures',
    tone: outcome.ok ? 'pass' : 'fail',
    blocks: [
      { kind: 'paragraph', text: [`Baseline: ${baselineHeadline(outcome)}`] },
      { ...quiet('A baseline changes the exit code of a run and never a verdict.'), from: 'page' },
      ...groups,
    ],
  };
}

/** What a file of pins says of the run: what changed, with both values and exchanges, and what was not seen. */
export function pinsSection(context: Context, pins: ReportPins): Block {
  const { changed, unobserved } = pins;
  const cut = (text: string): string => shorten(text, longest);
  const rows = changed.map((pin) => ({
    cells: [
      { of: cut(pinName(pin)) },
      { of: [code(cut(pin.pinned)), pinnedIn(pin) !== '' && ` (${pinnedIn(pin)})`] },
      { of: [code(cut(pin.observed)), ' (', firstLinks(context, pin.exchanges, 3), ')'] },
      { of: code(pinPlace(pins, pin)) },
    ],
  }));
  const heads = ['What', 'Pinned', 'Now', 'Pin'];
  return {
    kind: 'section',
    id: 'part-pins',
    name: 'Pinned behaviour',
    title: 'Pinned behaviour',
    tone: changed.length > 0 ? 'fail' : 'pass',
    blocks: [
      { kind: 'paragraph', text: cut(pinsHeadline(pins)) },
      { ...quiet('Pins change the exit code of a run and never a verdict.'), from: 'page' },
      ...(rows.length === 0
        ? []
        : [{ kind: 'table', label: 'Pinned behaviour that changed', look: 'rows', heads, rows } as const]),
      ...(unobserved.length === 0
        ? []
        : [
            {
              kind: 'list',
              tone: 'inconclusive',
              title: 'Could not be observed',
              items: unobserved.map((pin) => cut(`${pinName(pin)}: ${unobservedText(pin)}`)),
            } as const,
          ]),
    ],
  };
}

function clientItem(one: InteropClient): Inline {
  const tone = clientTone(one);
  const failures = one.results
    .filter(({ ok }) => !ok)
    .map(
      (each) => `${resultName(each)} (section ${resultSection(each)}): ${shorten(each.error ?? '', longest)}`,
    );
  const told = [...(one.notRun === undefined ? [] : [one.notRun]), ...one.notes].map((text) =>
    shorten(text, longest),
  );
  const results = resultsText(one);
  return [
    badge(tone, `${clientSays[tone]} ${clientName(one)}`),
    ` at `,
    code(shorten(one.baseUrl, longest)),
    results !== '' && `: ${results}`,
    ...[...failures, ...told].map((text): Inline => ['. ', text]),
  ];
}

/** What official clients met, each with its failures in the client's own words. */
export const interopSection = (clients: readonly InteropClient[]): Block => ({
  kind: 'section',
  id: 'part-interop',
  name: 'Official clients',
  title: 'Official clients (no verdict depends on them)',
  blocks: [
    {
      ...quiet(
        `${interopHeadline} Their requests are not among the recorded exchanges, and not in the counts of the run.`,
      ),
      from: 'summary',
    },
    ...clients.map((one): Block => ({ kind: 'list', items: [clientItem(one)] })),
  ],
});

/** The certificate that lies beside a page. */
export interface CertificateMark {
  /** Of the key that signed it; null where it is unsigned. */
  readonly keyid: string | null;
}

/** What the certificate of this report covers and what not; a page can be changed, so it says how to check that. */
export const certificateSection = (report: Report, { keyid }: CertificateMark): Block => ({
  kind: 'section',
  from: 'page',
  id: 'part-certificate',
  name: 'Certificate',
  title: 'Certificate',
  blocks: [
    { kind: 'facts', broad: true, facts: coversLines(report, keyid ?? 'none: the certificate is unsigned') },
    quiet(
      'The certificate is certificate.json beside this page. The page alone proves nothing: check the folder by the command above.',
    ),
  ],
});
