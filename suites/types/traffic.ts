import type { SetAside } from './report.ts';

export type { SetAside, TrafficCounts } from './report.ts';

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
] as const satisfies readonly SetAside[];
