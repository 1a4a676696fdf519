/**
 * Why a request of live traffic, or its reply, is not judged.
 * `other-path`: no endpoint of the interface, or another method.
 * `outside-contract`: no JSON object, a required parameter missing, a wrong type, out of range, not an allowed value,
 * no JSON content type, or the credential or the version header not in the documented form.
 * `unspecified`: a parameter, a form of content or a combination that the interface leaves open.
 * `undeclared-model`: the config does not name the model.
 * `unsupported-cell`: the interface does not say that this model is served there.
 * `client-left`: the client hung up before the reply had ended, or the proxy was stopped.
 * `not-connected`: no connection to the gateway came about.
 * `too-large`, `other-coding`: a body passes the bounds, or is encoded in a way that is not read.
 * `not-recorded`: the room for evidence, for bodies under way or for credentials to be masked was full.
 */
export const setAsideReasons = [
  'other-path',
  'outside-contract',
  'unspecified',
  'undeclared-model',
  'unsupported-cell',
  'client-left',
  'not-connected',
  'too-large',
  'other-coding',
  'not-recorded',
] as const;
export type SetAside = (typeof setAsideReasons)[number];

/** What live traffic came to. */
export interface TrafficCounts {
  readonly passed: number;
  /** Of these, valid ones whose exchange was judged. */
  readonly judged: number;
  /** Judged exchanges that show something that fails. */
  readonly failing: number;
  /** Valid requests that were refused, or got a reply that proves nothing: no failure by itself. */
  readonly unanswered: number;
  /** Exchanges that are kept in the evidence; the others are only counted. */
  readonly kept: number;
  /** Requests that name an earlier response, by whether that response came through the proxy. */
  readonly chained: { readonly known: number; readonly unknown: number };
  /** What was not judged, by reason, and how much of it was answered with a result. */
  readonly setAside: readonly {
    readonly why: SetAside;
    readonly requests: number;
    readonly answered: number;
  }[];
  /** True once evidence is no longer recorded: its bound is reached. */
  readonly full: boolean;
}
