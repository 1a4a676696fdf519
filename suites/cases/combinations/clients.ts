import type { Protocol } from '../../../spec/vocabulary.ts';

/** What a client says of itself and of its request, besides what the interface asks for. */
export interface Client {
  readonly description: string;
  readonly headers: Readonly<Record<string, string>>;
}

const officialClients = (protocol: Protocol): readonly Client[] => {
  const maker = protocol === 'messages' ? 'Anthropic' : 'OpenAI';
  const stainless = (lang: string, runtime: string): Readonly<Record<string, string>> => ({
    'x-stainless-lang': lang,
    'x-stainless-package-version': '1.0.0',
    'x-stainless-runtime': runtime,
    'x-stainless-retry-count': '0',
  });
  return [
    {
      description: 'the headers of the official client for Python',
      headers: { 'user-agent': `${maker}/Python 1.0.0`, ...stainless('python', 'CPython') },
    },
    {
      description: 'the headers of the official client for JavaScript',
      headers: { 'user-agent': `${maker}/JS 1.0.0`, ...stainless('js', 'node') },
    },
  ];
};

/** Each stands in one row at least: a header of HTTP changes nothing of what is asked. */
export const clientsOf = (protocol: Protocol): readonly Client[] => [
  {
    description: 'a content type that names its charset',
    headers: { 'content-type': 'application/json; charset=utf-8' },
  },
  ...officialClients(protocol),
  { description: 'Accept-Encoding: gzip', headers: { 'accept-encoding': 'gzip' } },
  { description: 'the user agent of a library', headers: { 'user-agent': 'python-requests/2.32.3' } },
  { description: 'no name of a client', headers: { 'user-agent': '' } },
  { description: 'Accept-Encoding: identity', headers: { 'accept-encoding': 'identity' } },
  { description: 'the user agent of a command', headers: { 'user-agent': 'curl/8.5.0' } },
  { description: 'Connection: close', headers: { connection: 'close' } },
];
