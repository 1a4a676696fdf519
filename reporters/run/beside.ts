import { shorten, count } from '../../spec/text.ts';
import type { InteropClient, InteropAsked, InteropResult } from '../../suites/types/interop.ts';
import type { Report, ReportPins, Verdict } from '../../suites/types/report.ts';
import type { BaselineOutcome } from '../baseline/apply.ts';
import { baselineHeadline, entryGroups } from '../baseline/view.ts';
import { coversLines } from '../certificate/covers.ts';
import {
  badge,
  code,
  pageLink,
  paragraph,
  list,
  quiet,
  row,
  section,
  table,
  link,
} from '../document/blocks.ts';
import type { Block, Inline } from '../document/blocks.ts';
import { pinName, pinnedIn, pinPlace, pinsHeadline, unobservedText } from '../pins/view.ts';
import type { Context } from './context.ts';
import { firstLinks } from './exchange.ts';
import { groupBy } from '../../spec/group-by.ts';
import type { AskedAgain } from '../../suites/types/profile.ts';
import { againOf, verdictSign } from '../wording.ts';
import { protocolFacts } from '../../spec/protocols.ts';

const askedWords: Readonly<Record<InteropAsked, string>> = {
  answer: '',
  stream: ' stream',
  'invalid-token': ' invalid token',
  'spent-token': ' spent limit',
  'unknown-model': ' unknown model',
};

/** `chat stream`: what was asked for, in few words. */
const resultName = ({ protocol, asked }: InteropResult): string => `${protocol}${askedWords[asked]}`;

/** `openai 6.49.0`, or its name alone where it is not installed. */
export function clientName({ client, versions }: InteropClient): string {
  const [first, ...others] = Object.entries(versions);
  if (first === undefined) return client;
  const rest = others.map(([name, version]) => ` with ${name} ${version}`).join('');
  return `${first[0]} ${first[1]}${rest}`;
}

const isError = ({ asked }: InteropResult): boolean => asked !== 'answer' && asked !== 'stream';

const signed = (name: string, ok: boolean): string => `${name} ${verdictSign[ok ? 'pass' : 'fail']}`;

/** `chat ✓, chat stream ✓, chat errors ✓`: errors of an endpoint are one where the client told all of them apart. */
export function resultsText({ results }: InteropClient): string {
  const words = results.flatMap((one, at) => {
    if (!isError(one)) return [signed(resultName(one), one.ok)];
    const errors = results.filter((other) => isError(other) && other.protocol === one.protocol);
    if (errors.some(({ ok }) => !ok)) return [signed(resultName(one), one.ok)];
    return results.indexOf(errors[0] ?? one) === at ? [signed(`${one.protocol} errors`, true)] : [];
  });
  return words.join(', ');
}

/** Whether a client got all that it asked for, some of it not, or was not tried. */
function clientTone({ results }: InteropClient): 'pass' | 'fail' | 'untested' {
  if (results.length === 0) return 'untested';
  return results.every(({ ok }) => ok) ? 'pass' : 'fail';
}

/** `works with`, or where it does not. */
const clientSays: Readonly<Record<ReturnType<typeof clientTone>, string>> = {
  pass: 'works with',
  fail: 'fails in part with',
  untested: 'not tried with',
};

/** Where an endpoint of a failed result stands in the interface. */
const resultSection = ({ protocol }: InteropResult): string => protocolFacts[protocol].section;

type Before = AskedAgain['requirements'][number]['verdict'];

/** What became of a requirement that was asked again: in capitals as a heading, with the verdict that it has now. */
function outcomeOf(
  before: Before,
  now: Verdict | undefined,
  { isPartial, isRepeated }: { readonly isPartial: boolean; readonly isRepeated: boolean },
): readonly [words: string, tone: Verdict] {
  if (now === 'fail') return [before === 'fail' ? 'STILL FAILING' : 'FAILS NOW', 'fail'];
  // What was not asked yet may still fail.
  if (now === 'pass' && isPartial) return ['PASSES SO FAR', 'inconclusive'];
  // Where nothing was mended, nothing is fixed.
  if (now === 'pass') return [before === 'fail' && !isRepeated ? 'FIXED' : 'PASSES NOW', 'pass'];
  return [before === 'fail' ? 'UNDECIDED NOW' : 'STILL UNDECIDED', 'inconclusive'];
}

/** What became of each requirement of an earlier run that was asked again; false where the run asked anew. */
export function againSection({ scope, run, requirements }: Report): Block | false {
  const { again } = scope;
  if (again === undefined) return false;
  const now = new Map(requirements.map(({ id, verdict }) => [id, verdict]));
  const how = { isPartial: run.partial, isRepeated: again.repeated === true };
  const told = again.requirements.map(({ id, verdict }) => {
    const [words, tone] = outcomeOf(verdict, now.get(id), how);
    return { id, words, tone };
  });
  const groups = [...groupBy(told, ({ words }) => words).values()];
  const sums = groups.flatMap(([first, ...rest]) => (first ? [`${rest.length + 1} ${first.words}`] : []));
  const title = `Asked again: ${count(told.length, 'requirement')} of ${againOf(again)}: ${sums.join(', ')}`;
  const isGood = told.every(({ tone }) => tone === 'pass');
  return section(
    ['part-again', 'Asked again', title],
    groups.flatMap((rows) => {
      const [first] = rows;
      if (first === undefined) return [];
      const items = rows.map(({ id }) => link(id, code(id)));
      return [list(items, { title: first.words, tone: first.tone })];
    }),
    { tone: isGood ? 'pass' : 'fail' },
  );
}

/** What stands beside a judged run: baseline, pins, official clients, a certificate. */

const [longest, mostLines] = [400, 100];

const cut = (text: string): string => shorten(text, longest);

/** What the baseline makes of the run: what is new, expired, stale or unmatched, and what was expected. */
export const baselineSection = (outcome: BaselineOutcome): Block =>
  section(
    ['part-baseline', 'Expected failures', 'Expected failures'],
    [
      paragraph(`Baseline: ${baselineHeadline(outcome)}`),
      { ...quiet('A baseline changes the exit code of a run and never a verdict.'), from: 'page' },
      ...entryGroups(outcome).map(({ tone, title, lines }) =>
        list(lines.map(cut), { tone, title, most: mostLines }),
      ),
    ],
    { tone: outcome.ok ? 'pass' : 'fail' },
  );

/** What a file of pins says of the run: what changed, with both values and exchanges, and what was not seen. */
export function pinsSection(context: Context, pins: ReportPins): Block {
  const { changed, unobserved } = pins;
  const rows = changed.map((pin) =>
    row(
      cut(pinName(pin)),
      [code(cut(pin.pinned)), pinnedIn(pin) !== '' && ` (${pinnedIn(pin)})`],
      [code(cut(pin.observed)), ' (', firstLinks(context, pin.exchanges, 3), ')'],
      code(pinPlace(pins, pin)),
    ),
  );
  const open = unobserved.map((pin) => cut(`${pinName(pin)}: ${unobservedText(pin)}`));
  const heads = ['What', 'Pinned', 'Now', 'Pin'];
  return section(
    ['part-pins', 'Pinned behaviour', 'Pinned behaviour'],
    [
      paragraph(cut(pinsHeadline(pins))),
      { ...quiet('Pins change the exit code of a run and never a verdict.'), from: 'page' },
      rows.length > 0 && table(['Pinned behaviour that changed', 'rows'], heads, rows),
      open.length > 0 && list(open, { tone: 'inconclusive', title: 'Could not be observed' }),
    ],
    { tone: changed.length > 0 ? 'fail' : 'pass' },
  );
}

function clientItem(one: InteropClient): Inline {
  const tone = clientTone(one);
  const failures = one.results
    .filter(({ ok }) => !ok)
    .map((each) => `${resultName(each)} (section ${resultSection(each)}): ${cut(each.error ?? '')}`);
  const told = [...(one.notRun === undefined ? [] : [one.notRun]), ...one.notes].map(cut);
  const results = resultsText(one);
  return [
    badge(tone, `${clientSays[tone]} ${clientName(one)}`),
    ` at `,
    code(cut(one.baseUrl)),
    results !== '' && `: ${results}`,
    ...[...failures, ...told].map((text): Inline => ['. ', text]),
  ];
}

/** What official clients met, each with its failures in the client's own words. */
export const interopSection = (clients: readonly InteropClient[]): Block =>
  section(
    ['part-interop', 'Official clients', 'Official clients (no verdict depends on them)'],
    [
      {
        ...quiet(
          'What official clients met. No verdict depends on it: verdicts rest on the recorded exchanges alone. Their requests are not among the recorded exchanges, and not in the counts of the run.',
        ),
        from: 'summary',
      },
      ...clients.map((one) => list([clientItem(one)])),
    ],
  );

export interface CertificateMark {
  /** Of the key that signed it; null where it is unsigned. */
  readonly keyid: string | null;
}

/** Where what the target states itself is judged, which this page says nothing of. */
export const ownSection = (folders: readonly string[]): Block =>
  section(
    ['part-own', 'Own statements', 'Own statements'],
    [
      paragraph('What the target states beyond the interface is judged apart, with verdicts of its own:'),
      list(folders.map((folder) => pageLink(`${folder}/report.html`, `${folder}/report.html`))),
    ],
    { from: 'page' },
  );

/** What the certificate of this report covers and what not; a page can be changed, so it says how to check that. */
export const certificateSection = (report: Report, { keyid }: CertificateMark): Block =>
  section(
    ['part-certificate', 'Certificate', 'Certificate'],
    [
      {
        kind: 'facts',
        broad: true,
        facts: coversLines(report, keyid ?? 'none: the certificate is unsigned'),
      },
      quiet(
        'The certificate is certificate.json beside this page. The page alone proves nothing: check the folder by the command above.',
      ),
    ],
    { from: 'page' },
  );
