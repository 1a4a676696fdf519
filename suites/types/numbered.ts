import type { PlannedRequest } from './plan.ts';

/** Stands in a text that is asked for several times, for how often it was: a cache may answer what is the same. */
export const numberMark = '{number}';

const numberOf = (times: number): string => String(10_000 + times);

/** A text as it is asked for the so-manieth time. */
export const numbered = (text: string, times: number): string => text.replaceAll(numberMark, numberOf(times));

/** The same the other way round. */
export const unnumbered = (text: string, times: number): string =>
  text.replaceAll(numberOf(times), numberMark);

/** A request as it is sent for the so-manieth time. */
export const numberedRequest = (request: PlannedRequest, times: number): PlannedRequest =>
  request.isCompared && request.body
    ? { ...request, body: JSON.parse(numbered(JSON.stringify(request.body), times)) }
    : request;

/** How often a request was sent with an exchange, by its id. */
export const timesOf = (id: string): number => Number(/~(\d+)$/.exec(id)?.[1] ?? 1);
