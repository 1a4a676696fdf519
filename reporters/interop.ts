import { protocolFacts } from '../spec/protocols.ts';
import type { InteropAsked, InteropClient, InteropResult } from '../suites/types/interop.ts';
import type { Report } from '../suites/types/report.ts';
import { markdownCode, markdownText } from './escape.ts';
import { cellText, type Part, table } from './markdown-parts.ts';
import { type Layout, verdictColours, wrap } from './terminal-layout.ts';
import { verdictSign } from './wording.ts';

/** What stands over the results wherever they are shown. */
export const interopHeadline =
  'What official clients met. No verdict depends on it: verdicts rest on the recorded exchanges alone.';

const askedWords: Readonly<Record<InteropAsked, string>> = {
  answer: '',
  stream: ' stream',
  'invalid-token': ' invalid token',
  'spent-token': ' spent limit',
  'unknown-model': ' unknown model',
};

/** `chat stream`: what was asked for, in few words. */
export const resultName = ({ protocol, asked }: InteropResult): string => `${protocol}${askedWords[asked]}`;

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
export function clientTone({ results }: InteropClient): 'pass' | 'fail' | 'untested' {
  if (results.length === 0) return 'untested';
  return results.every(({ ok }) => ok) ? 'pass' : 'fail';
}

/** `works with`, or where it does not. */
export const clientSays: Readonly<Record<ReturnType<typeof clientTone>, string>> = {
  pass: 'works with',
  fail: 'fails in part with',
  untested: 'not tried with',
};

/** Where an endpoint of a failed result stands in the interface. */
export const resultSection = ({ protocol }: InteropResult): string => protocolFacts[protocol].section;

const failed = ({ results }: InteropClient): readonly InteropResult[] => results.filter(({ ok }) => !ok);

/** The results for a terminal: a block of few lines, with each failure in the client's own words. */
export function interopLines(layout: Layout, { interop = [] }: Report): string[] {
  if (interop.length === 0) return [];
  const ink = verdictColours(layout.colours);
  const blocks = interop.flatMap((one) => {
    const tone = clientTone(one);
    const results = resultsText(one);
    const [head = '', ...rest] = wrap(
      layout,
      '  ',
      `${clientSays[tone]} ${clientName(one)}${results === '' ? '' : `: ${results}`}`,
    );
    return [
      `${ink[tone](verdictSign[tone])} ${head.trimStart()}`,
      ...rest,
      ...failed(one).flatMap((each) => wrap(layout, '    ', `${resultName(each)}: ${each.error}`)),
      ...[...(one.notRun === undefined ? [] : [one.notRun]), ...one.notes].flatMap((text) =>
        wrap(layout, '    ', text),
      ),
    ];
  });
  return [`${layout.colours.bold('Official clients')} (no verdict depends on them)`, ...blocks, ''];
}

/** The results as a part of the summary in Markdown; none where no client was asked for. */
export function interopPart({ interop = [] }: Report): Part[] {
  if (interop.length === 0) return [];
  const rows = interop.map((one) => [
    verdictSign[clientTone(one)],
    markdownText(clientName(one)),
    markdownCode(one.baseUrl),
    resultsText(one) || markdownText(cellText(one.notRun ?? '')),
  ]);
  const lines = interop.flatMap((one) => [
    ...failed(one).map(
      (each) =>
        `- ${markdownText(clientName(one))}, ${resultName(each)}: ${markdownText(cellText(each.error ?? ''))}`,
    ),
    ...one.notes.map((note) => `- ${markdownText(clientName(one))}: ${markdownText(cellText(note))}`),
  ]);
  const text = [
    '## Official clients',
    interopHeadline,
    table(['', 'Client', 'Base URL', 'Results'], rows),
    ...(lines.length > 0 ? [lines.join('\n')] : []),
  ].join('\n\n');
  return [{ name: 'the official clients', text }];
}
