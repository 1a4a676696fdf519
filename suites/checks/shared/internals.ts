/** Signs of a stack trace in the languages that gateways are written in. */
const traces = [
  /Traceback \(most recent call last\)/,
  /^\s*File "[^"\n]+", line \d+/m,
  /(?:^|\\n|\n)\s*at [^\n]{0,200}:\d+:\d+\)?/,
  /\bgoroutine \d+ \[/,
  /\bat [\w$.]+\([\w$]+\.java:\d+\)/,
];

/** A path of a file system, by its first folder. */
const paths =
  /(?:^|[\s"'(=])((?:\/(?:app|etc|home|opt|root|srv|tmp|usr|var|workspace)\/|[A-Z]:\\{1,2}\w)[\w.\\/-]*)/;

/** A host behind a scheme, behind the words of a failed look-up, or as a number with a port. */
const addresses =
  /\bhttps?:\/\/([\w.-]+(?::\d+)?)|\b(?:ENOTFOUND|EAI_AGAIN|lookup) ([\w-]+\.[\w.-]*\w)|\b(\d{1,3}(?:\.\d{1,3}){3}:\d{2,5})\b/g;

/** Whether a model is named: by a name that is no mere word. */
const names = (text: string, model: string): boolean =>
  /[\d/:._-]/.test(model) && text.split(/[^\w./:@-]+/).some((part) => part.replace(/[.:]+$/, '') === model);

/** Characters of a path or a host that are shown. */
const longest = 60;

/** What an error reply tells of the insides of a gateway, in words: of hosts but `host`, its own, and of `models` not asked for. */
export function internalsIn(text: string, host: string, models: readonly string[]): readonly string[] {
  const [, path] = paths.exec(text) ?? [];
  const hosts = new Set(
    [...text.matchAll(addresses)]
      .map(([, behindScheme, lookedUp, numbered]) => behindScheme ?? lookedUp ?? numbered)
      .flatMap((other) => (other && other !== host ? [other] : [])),
  );
  return [
    ...(traces.some((trace) => trace.test(text)) ? ['a stack trace'] : []),
    ...(path === undefined ? [] : [`the path ${path.slice(0, longest)}`]),
    ...[...hosts].slice(0, 3).map((other) => `the address of ${other.slice(0, longest)}`),
    ...models
      .filter((model) => names(text, model))
      .slice(0, 3)
      .map((model) => `the model ${model.slice(0, longest)}`),
  ];
}
