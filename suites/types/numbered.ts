import { inJson } from '../../spec/json.ts';
import type { PlannedRequest } from './plan.ts';

/** Stands in a text that is asked for several times, for how often it was: a cache may answer what is the same. */
export const numberMark = '{number}';

const numberOfNone = 10_000;
const numberOf = (times: number): string => String(numberOfNone + times);

/** A text as it is asked for the so-manieth time. */
export const numbered = (text: string, times: number): string => text.replaceAll(numberMark, numberOf(times));

export const unnumbered = (text: string, times: number): string =>
  text.replaceAll(numberOf(times), numberMark);

export const numberedRequest = (request: PlannedRequest, times: number): PlannedRequest =>
  request.isCompared && request.body
    ? { ...request, body: JSON.parse(numbered(JSON.stringify(request.body), times)) }
    : request;

/** How often a request for these texts was sent with this one, as its body says; 1 where the texts have no number. */
export function timesIn(body: string, texts: readonly string[]): number {
  for (const text of texts.filter((each) => each.includes(numberMark))) {
    const [before = '', behind = ''] = text.split(numberMark).map(inJson);
    const at = body.indexOf(before);
    const number = at < 0 ? null : /^\d+/.exec(body.slice(at + before.length));
    if (number && body.startsWith(behind, at + before.length + number[0].length))
      return Number(number[0]) - numberOfNone;
  }
  return 1;
}
