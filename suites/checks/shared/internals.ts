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

const addresses = /\bhttps?:\/\/([\w.-]+(?::\d+)?)/g;

/** Characters of a path or a host that are shown. */
const longest = 60;

/**
 * What an error reply tells of the insides of a gateway, in words; empty where nothing is seen.
 * @param host of the target itself
 */
export function internalsIn(text: string, host: string): readonly string[] {
  const [, path] = paths.exec(text) ?? [];
  const hosts = new Set(
    [...text.matchAll(addresses)].flatMap(([, other]) => (other && other !== host ? [other] : [])),
  );
  return [
    ...(traces.some((trace) => trace.test(text)) ? ['a stack trace'] : []),
    ...(path === undefined ? [] : [`the path ${path.slice(0, longest)}`]),
    ...[...hosts].slice(0, 3).map((other) => `the address of ${other.slice(0, longest)}`),
  ];
}
