import type { Exchange } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import type { ReportFinding, NonGating } from '../model/report.ts';
import { endingWords, unclearWords } from '../model/words.ts';
import { beginning } from '../reading/excerpt.ts';
import type { State } from './evidence-view.ts';

export const pass = (requirement: string): Finding => ({ requirement, verdict: 'pass' });

export interface Contradiction {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly pointer?: string;
  readonly exchange?: string;
}

/** Only what a finding has is taken over: a violation of a schema says more. */
export const fail = (
  requirement: string,
  { message, expected, actual, pointer, exchange }: Contradiction,
): ReportFinding => ({
  requirement,
  verdict: 'fail',
  message,
  expected,
  actual,
  ...(pointer === undefined ? {} : { pointer }),
  ...(exchange === undefined ? {} : { exchange }),
});

/** Tried and not decided. `non-gating` where it hung on the model or on time, which does not gate. */
export const inconclusive = (
  requirement: string,
  message: string,
  actual = message,
  nonGating?: NonGating,
): ReportFinding => ({
  requirement,
  verdict: 'inconclusive',
  message,
  expected: 'evidence that decides it',
  actual,
  ...(nonGating ? { nonGating } : {}),
});

export const untested = (requirement: string, message: string): ReportFinding => ({
  requirement,
  verdict: 'untested',
  message,
  expected: 'something to test it with',
  actual: message,
});

const excerptLength = 160;

/** An id or other data so long that nothing else would be seen beside it. */
const longData = /[\w+/=.~:-]{72,}/g;

/** The beginning of a text on one line, with long data cut short. */
export function excerpt(text: string, length = excerptLength): string {
  // Not the whole text: it may be megabytes.
  const line = beginning(text, length * 8)
    .replace(longData, (data) => `${data.slice(0, 24)}…`)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > length ? `${line.slice(0, length)}…` : line;
}

/** What came back, in one line: status, content type, and how the body begins. */
export function describeReply(exchange: Exchange): string {
  const { response, ending } = exchange;
  if (response === null) return `no reply (${endingWords(ending)})`;
  const type = response.headers.find(([name]) => name === 'content-type')?.[1] ?? 'no content type';
  const { body } = response;
  const text = body.encoding === 'utf8' ? excerpt(body.text) : 'binary';
  const end = ending.kind === 'complete' ? '' : `, then ${endingWords(ending)}`;
  const location = response.status < 400 && response.headers.find(([name]) => name === 'location')?.[1];
  const status = `HTTP ${response.status}${location ? ` to ${excerpt(location)}` : ''}`;
  return `${status}, ${type}, ${body.bytes === 0 ? 'no body' : text}${end}`;
}

/** A state in one line. */
export const describeState = (state: State): string => {
  if (state.kind === 'unclear')
    return state.exchange
      ? `${unclearWords(state.why)}: ${describeReply(state.exchange)}`
      : unclearWords(state.why);
  return describeReply(state.exchange);
};

/** A JSON value as a finding shows it; what is not there is `nothing`. */
export const describeValue = (value: unknown): string =>
  value === undefined ? 'nothing' : excerpt(JSON.stringify(value) ?? String(value));
