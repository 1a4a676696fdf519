import type { TokenName } from '../fixtures/target/target.ts';
import { count, shorten } from '../spec/text.ts';
import type { AskedAgain } from '../suites/live-sample/ask-again.ts';
import { commandLines } from './document/terminal.ts';
import { terminalLine } from './escape.ts';
import { utcTime } from './wording.ts';

/** Exchanges of a report that were asked again, and where. */
export interface LiveSample {
  readonly reported: { readonly baseUrl: string; readonly at: string };
  readonly baseUrl: string;
  /** Exchanges of the report. */
  readonly of: number;
  readonly asked: readonly AskedAgain[];
  readonly seed: number;
  /** The environment variable of each token of the config. */
  readonly variables: Readonly<Partial<Record<TokenName, string>>>;
}

/** What was asked: answered in another way, not asked after all, and answered as before. */
const kindsOf = ({ asked }: LiveSample) => ({
  differing: asked.filter(({ changes }) => changes.length > 0),
  open: asked.filter(({ unasked }) => unasked !== undefined),
  same: asked.filter(({ changes, unasked }) => changes.length === 0 && unasked === undefined),
});

/** `same`, `different`, or `open`: something could not be asked, and nothing differs. */
export function outcomeOfSample(sample: LiveSample): 'same' | 'different' | 'open' {
  const { differing, open } = kindsOf(sample);
  if (differing.length > 0) return 'different';
  return open.length > 0 ? 'open' : 'same';
}

/** Characters of one line, and of a reply that is as it was. */
const [longest, longestSame] = [400, 90];

const line = (text: string): string => terminalLine(shorten(text, longest));

function changedLines({ id, before, now, changes, reproduce }: AskedAgain): string[] {
  const at = now.at === undefined ? '' : ` (${utcTime(now.at)})`;
  return [
    `✕ ${line(id)}`,
    ...changes.map(
      ({ what, before: was, now: is }) => `    ${line(`${what}: ${was} in the report, ${is} now`)}`,
    ),
    `    ${line(`report (${utcTime(before.at)}): ${before.reply}`)}`,
    `    ${line(`now${at}: ${now.reply}`)}`,
    ...(reproduce === undefined ? [] : commandLines(reproduce).map((each) => `  ${each}`)),
  ];
}

const ofToken = {
  'not-accepted': 'is not accepted',
  'not-answered': 'gets no answer',
  'not-limited': 'is not limited',
} as const;

/** The tokens that a reply may be owed to: that says nothing of the gateway. */
function tokenLines({ asked, baseUrl, variables }: LiveSample): string[] {
  const doubts = new Map(asked.flatMap(({ token }) => (token ? [[token.token, token] as const] : [])));
  return [...doubts.values()].map(
    ({ token, kind }) =>
      `The token ${token} (${variables[token] ?? 'not declared'}) ${ofToken[kind]} at ${baseUrl}: give the variable the token of that gateway, and ask again.`,
  );
}

function conclusion(sample: LiveSample): string[] {
  const { asked, of, baseUrl } = sample;
  const { differing, open } = kindsOf(sample);
  const these = `${asked.length} of ${count(of, 'exchange')}`;
  if (differing.length > 0)
    return [
      ...tokenLines(sample),
      `The gateway at ${baseUrl} does not answer as the report says it did: ${differing.length} of these ${asked.length} differ.`,
    ];
  if (open.length > 0)
    return [
      ...tokenLines(sample),
      `Not decided: ${open.length} of these ${these} could not be asked; none of the others differs.`,
    ];
  return [
    `The gateway at ${baseUrl} answers today as the report says it did, for these ${these}.`,
    'It does not prove that it answers the other requests so, nor that it would new ones: these requests are those of',
    'the report, and whoever has it knows them. Compared were answered or refused, status and class of a refusal,',
    'fields of a result and events of a stream; not texts, ids or times.',
  ];
}

/** What asking again found, for a terminal, plain text. */
export function renderLiveSample(sample: LiveSample): string {
  const { reported, baseUrl, seed } = sample;
  const { differing, open, same } = kindsOf(sample);
  return [
    '',
    line(`Asked again at ${baseUrl} (seed ${seed})`),
    ...(reported.baseUrl === baseUrl
      ? []
      : [line(`The report was made at another address, ${reported.baseUrl}.`)]),
    ...same.map(({ id, now }) => `✓ ${line(`${id}: ${shorten(now.reply, longestSame)}`)}`),
    ...open.map(({ id, unasked }) => `? ${line(`${id}: could not be asked: ${unasked}`)}`),
    ...differing.flatMap(changedLines),
    '',
    ...conclusion(sample).map(line),
  ].join('\n');
}
