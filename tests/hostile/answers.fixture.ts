import { brotliCompressSync, createGzip, gzipSync } from 'node:zlib';
import { type Asked, drip, forever, reply } from './server.fixture.ts';

export type Answer = (asked: Asked) => void;

const ok = 'HTTP/1.1 200 OK\r\n';
const json = 'content-type: application/json\r\n';
const sse = `${ok}content-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n`;
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const write =
  (text: string | Buffer): Answer =>
  ({ socket }) =>
    void socket.write(text);
const end =
  (text: string | Buffer): Answer =>
  ({ socket }) =>
    void socket.end(text);

/** One chat completion that is all it should be. */
export const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'm-large',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
};
const delta = (content: string): string =>
  `data: ${JSON.stringify({ ...completion, object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] })}\n\n`;
const megabyte = 'a'.repeat(1 << 20);

/** Never comes to an end, in one way or another. */
export const endless: Readonly<Record<string, Answer>> = {
  'no answer': () => undefined,
  'headers and then nothing': write(`${ok}${json}content-length: 100\r\n\r\n`),
  'half a body and then nothing': write(`${ok}${json}content-length: 100\r\n\r\n{"choices":[`),
  'headers that drip': ({ socket }) => {
    socket.write(ok);
    drip(socket, 50, (place) => `x-${place}: y\r\n`);
  },
  'a body that drips': ({ socket }) => {
    socket.write(`${ok}${json}content-length: 1000000\r\n\r\n`);
    drip(socket, 20, () => ' ');
  },
  '1xx for ever': ({ socket }) => drip(socket, 1, () => 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)),
  '103 with headers for ever': ({ socket }) =>
    forever(socket, `HTTP/1.1 103 Early Hints\r\nlink: <${'a'.repeat(1000)}>\r\n\r\n`.repeat(20)),
  'events that drip': ({ socket }) => {
    socket.write(sse);
    drip(socket, 20, () => chunk(delta('a ')));
  },
};

const pieces: Readonly<Record<string, string>> = {
  'a body without end': megabyte,
  'chunks without end': chunk(megabyte),
  'events without end': chunk(delta('more ').repeat(2000)),
  'one event line without end': chunk(megabyte),
  'comments without end': chunk(': ping\n\n'.repeat(50_000)),
};
const heads: Readonly<Record<string, string>> = {
  'a body without end': `${ok}${json}\r\n`,
  'chunks without end': `${ok}${json}transfer-encoding: chunked\r\n\r\n`,
  'events without end': sse,
  'one event line without end': `${sse}${chunk('data: {"choices":[{"delta":{"content":"')}`,
  'comments without end': sse,
};

let bombs: Readonly<Record<string, Buffer>> | undefined;
const bomb = (coding: string): Buffer => {
  const zeros = Buffer.alloc(64 << 20);
  bombs ??= { gzip: gzipSync(zeros), br: brotliCompressSync(zeros, { params: { 1: 5 } }) };
  return bombs[coding] ?? Buffer.alloc(0);
};

/** More than anybody wants: each passes the bound of a body. */
export const floods: Readonly<Record<string, Answer>> = {
  ...Object.fromEntries(
    Object.entries(pieces).map(([name, piece]): [string, Answer] => [
      name,
      ({ socket }) => {
        socket.write(heads[name] ?? '');
        forever(socket, piece);
      },
    ]),
  ),
  'a gzip bomb': (asked) => reply(asked, 200, { 'content-encoding': 'gzip' }, bomb('gzip')),
  'a brotli bomb': (asked) => reply(asked, 200, { 'content-encoding': 'br' }, bomb('br')),
  'gzip without end': ({ socket }) => {
    socket.write(`${ok}${json}content-encoding: gzip\r\n\r\n`);
    const zip = createGzip();
    zip.pipe(socket);
    zip.on('error', () => undefined);
    const zeros = Buffer.alloc(1 << 20);
    const pump = (): void => {
      while (!socket.destroyed && zip.write(zeros));
      if (!socket.destroyed) zip.once('drain', pump);
    };
    pump();
  },
  '100,000 headers': write(`${ok}${'x-a: b\r\n'.repeat(100_000)}content-length: 2\r\n\r\n{}`),
  'a header of 10 MB': write(`${ok}x-a: ${'a'.repeat(10_000_000)}\r\ncontent-length: 2\r\n\r\n{}`),
  'a status line of 1 MB': write(`HTTP/1.1 200 ${megabyte}\r\ncontent-length: 2\r\n\r\n{}`),
  'trailers without end': ({ socket }) => {
    socket.write(`${ok}${json}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`);
    forever(socket, `x-a: ${'a'.repeat(1000)}\r\n`);
  },
  'a chunk extension without end': ({ socket }) => {
    socket.write(`${ok}${json}transfer-encoding: chunked\r\n\r\n2;`);
    forever(socket, 'a'.repeat(10_000));
  },
};

/** Not HTTP, or HTTP that contradicts itself. */
export const garbled: Readonly<Record<string, Answer>> = {
  'nothing and a close': end(''),
  'HTTP/0.9': end('<html>hello</html>'),
  SSH: end('SSH-2.0-OpenSSH_9.6\r\n'),
  binary: end(Buffer.from([...Array(2048).keys()].map((at) => at % 256))),
  'HTTP/2 preface': end('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  'HTTP/9.9': end(`HTTP/9.9 200 OK\r\ncontent-length: 2\r\n\r\n{}`),
  'status 99999': end(`HTTP/1.1 99999 OK\r\ncontent-length: 2\r\n\r\n{}`),
  'status 999': end(`HTTP/1.1 999 OK\r\ncontent-length: 2\r\n\r\n{}`),
  'status 000': end(`HTTP/1.1 000 OK\r\ncontent-length: 2\r\n\r\n{}`),
  'content-length too long': end(`${ok}${json}content-length: 100\r\n\r\n{}`),
  'content-length too short': end(`${ok}${json}content-length: 1\r\n\r\n{"a":1}`),
  'content-length negative': end(`${ok}${json}content-length: -1\r\n\r\n{}`),
  'content-length huge': end(`${ok}${json}content-length: 99999999999999999999\r\n\r\n{}`),
  'content-length twice': end(`${ok}${json}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`),
  'content-length and chunked': end(
    `${ok}${json}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ),
  'chunk size garbage': end(`${ok}${json}transfer-encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n`),
  'chunk size huge': end(`${ok}${json}transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}\r\n`),
  'NUL in a header': end(`${ok}x-a: a\0b\r\ncontent-length: 2\r\n\r\n{}`),
  'header without colon': end(`${ok}nonsense\r\ncontent-length: 2\r\n\r\n{}`),
  'bare LF': end('HTTP/1.1 200 OK\ncontent-length: 2\n\n{}'),
  'folded header': end(`${ok}x-a: a\r\n b\r\ncontent-length: 2\r\n\r\n{}`),
  'switching protocols': end(
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
  ),
  'two replies': write(`${ok}content-length: 2\r\n\r\n{}${ok}content-length: 2\r\n\r\n{}`),
  '204 with a body': end('HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n{}'),
  'gzip that is none': (asked) => reply(asked, 200, { 'content-encoding': 'gzip' }, 'no gzip at all'),
  'gzip cut short': (asked) =>
    reply(asked, 200, { 'content-encoding': 'gzip' }, gzipSync(megabyte).subarray(0, 300)),
  'gzip with a tail': (asked) =>
    reply(asked, 200, { 'content-encoding': 'gzip' }, Buffer.concat([gzipSync('{}'), Buffer.from('tail')])),
  'brotli that is none': (asked) => reply(asked, 200, { 'content-encoding': 'br' }, 'no brotli at all'),
  'a coding nobody knows': (asked) => reply(asked, 200, { 'content-encoding': 'zstd, x, gzip' }, '{}'),
  reset: ({ socket }) => void socket.resetAndDestroy(),
  'reset in the head': ({ socket }) => {
    socket.write(`${ok}x-a:`, () => socket.resetAndDestroy());
  },
  'reset in the body': ({ socket }) => {
    socket.write(`${ok}${json}content-length: 100\r\n\r\n{"choices`, () =>
      setTimeout(() => socket.resetAndDestroy(), 5),
    );
  },
};

const deep = 100_000;
const nested = `${'['.repeat(deep)}${']'.repeat(deep)}`;
const nestedObjects = `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`;
const many = `[${'{},'.repeat(999_999)}{}]`;
const evil =
  '</script><img src=x onerror=alert(1)>\u001b[2J\u001b]0;pwned\u0007\u202eevil\u202c\r\n]]>-->&lt;`|[x](javascript:alert(1))\u0000\ud800\u2028@everyone {{7*7}}';
const inAll = (text: string) => ({
  ...completion,
  id: text,
  object: text,
  model: text,
  error: { message: text, type: text, code: text, [text]: text },
  choices: [{ index: 0, message: { role: text, content: text }, finish_reason: text, [text]: text }],
  data: [{ url: text, b64_json: text }],
  output: [{ type: text, content: [{ type: 'output_text', text }] }],
  content: [{ type: text, text }],
  [text]: text,
});
const of = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}, status = 200): Answer => {
  return (asked) => reply(asked, status, headers, body);
};

/** HTTP as it should be, and inside it what should not be. */
export const bodies: Readonly<Record<string, Answer>> = {
  'nested arrays': of(nested),
  'nested objects': of(nestedObjects),
  'nested choices': of(`{"choices":${nested}}`),
  'nested events': of(`data: ${nested}\n\ndata: ${nestedObjects}\n\n`, {
    'content-type': 'text/event-stream',
  }),
  'a million choices': of(`{"object":"chat.completion","choices":${many}}`),
  'a million data': of(`{"created":1,"data":${many}}`),
  'a million outputs': of(`{"object":"response","output":${many}}`),
  'a million content blocks': of(`{"type":"message","content":${many}}`),
  'a million usage fields': of(
    `{"object":"chat.completion","usage":{${[...Array(200_000).keys()].map((at) => `"k${at}_tokens":${at}`).join()}}}`,
  ),
  'huge numbers': of(
    '{"object":"chat.completion","created":1e999,"id":1,"choices":[{"index":-1e400,"message":{"role":"assistant","content":"x"}}],"usage":{"prompt_tokens":1e308,"completion_tokens":1e308,"total_tokens":123456789012345678901234567890}}',
  ),
  'a number of 1 MB': of(`{"object":"chat.completion","created":${'9'.repeat(1 << 20)},"choices":[]}`),
  'the same key twice': of(
    '{"choices":[],"choices":[{"message":{"role":"assistant","content":"x"}}],"id":"a","id":"b"}',
  ),
  __proto__: of(
    '{"__proto__":{"choices":[{"message":{"content":"x"}}],"polluted":true},"constructor":{"prototype":{"polluted":true}},"hasOwnProperty":1,"toString":1,"valueOf":1,"toJSON":1,"length":-1,"then":1}',
  ),
  NaN: of('{"choices":[{"index":NaN,"message":{"content":Infinity}}],"created":-Infinity}'),
  'lone surrogates': of(
    '{"id":"\\ud800","object":"chat.completion","model":"\\udc00\\ud800","choices":[{"index":0,"message":{"role":"assistant","content":"\\ud83d"},"finish_reason":"\\udfff"}]}',
  ),
  'not UTF-8': of(
    Buffer.concat([
      Buffer.from('{"choices":[{"message":{"content":"'),
      Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80]),
      Buffer.from('"}}]}'),
    ]),
  ),
  NUL: of(`{"choices":[{"message":{"content":"a\0b"}}]}\0\0\0`),
  'a BOM': of(`\ufeff${JSON.stringify(completion)}`),
  'UTF-16': of(Buffer.from(`\ufeff${JSON.stringify(completion)}`, 'utf16le'), {
    'content-type': 'application/json; charset=utf-16',
  }),
  'markup in all': of(JSON.stringify(inAll(evil))),
  'markup in an error': of(JSON.stringify({ error: { message: evil, type: evil, code: evil } }), {}, 400),
  'markup in text': of(evil, { 'content-type': `text/html; ${'<b>'}` }, 418),
  'markup in events': of(
    `event: ${evil.replace(/[\r\n]/g, '')}\ndata: ${JSON.stringify(inAll(evil))}\n\ndata: ${evil.replace(/[\r\n]/g, '')}\n\n`,
    { 'content-type': 'text/event-stream' },
  ),
  'markup in headers': of('{}', {
    'content-type': '</script><img src=x onerror=alert(1)> |`[x](y)',
    '<img/src=x>': 'x',
    'x-a': '\u00e9\u0080\u009b2J',
  }),
  'types turned over': of(
    '{"choices":{"0":{"message":[]}},"data":"x","output":{"length":5},"content":7,"usage":[],"error":[[]],"id":{},"created":"now","model":[null],"object":{}}',
  ),
  'null in all': of(
    '{"choices":[null,null],"data":[null],"output":[null],"content":[null],"usage":null,"error":null,"id":null}',
  ),
  'a text of 4 MB': of(
    JSON.stringify({
      ...completion,
      choices: [{ index: 0, message: { role: 'assistant', content: '<&"\'`'.repeat(700_000) } }],
    }),
  ),
  'quotes of 4 MB': of('"'.repeat(4 << 20)),
  'brackets of 4 MB': of('{'.repeat(4 << 20)),
  'line feeds of 4 MB': of('\n'.repeat(4 << 20)),
  'spaces of 4 MB': of(`${' '.repeat(4 << 20)}x`),
  'values of 4 MB': of('{}'.repeat(2 << 20)),
  'lines of 4 MB': of('{}\n'.repeat(1_400_000)),
  'glued data lines of 4 MB': of('data: {\n'.repeat(500_000)),
  'data lines of 4 MB': of('data: x\n\n'.repeat(450_000)),
  'escaped quotes of 4 MB': of(`{"a":"${'\\"'.repeat(2_000_000)}`),
  'event names of 4 MB': of(
    `event: ${'a'.repeat(4 << 20)}\ndata: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n`,
  ),
};

/** The same for everything that is asked. */
export const always: Readonly<Record<string, Answer>> = {
  HTML: of('<!doctype html><html><body>Welcome</body></html>', { 'content-type': 'text/html' }),
  '{}': of('{}'),
  '[]': of('[]'),
  nothing: of(''),
  null: of('null'),
  'a chat completion': of(JSON.stringify(completion)),
  'all results in one': of(
    JSON.stringify({
      ...completion,
      output_text: 'Hello.',
      type: 'message',
      role: 'assistant',
      stop_reason: 'end_turn',
      output: [
        {
          type: 'message',
          id: 'm',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello.' }],
        },
      ],
      content: [{ type: 'text', text: 'Hello.' }],
      data: [{ url: 'https://images.example/1.png' }],
    }),
  ),
  'the request': (asked) => reply(asked, 200, {}, asked.body),
  'the request and its headers': (asked) =>
    reply(
      asked,
      200,
      { 'x-head': encodeURIComponent(asked.head).slice(0, 1000) },
      `${asked.line}\n${asked.head}\n\n${asked.body}`,
    ),
  '401': of('{"error":{"message":"no"}}', {}, 401),
  '404': of('{"error":{"message":"not found"}}', {}, 404),
  '500': of('{"error":{"message":"oops"}}', {}, 500),
  '503': of('{"error":{"message":"busy"}}', {}, 503),
  '429': of('{"error":{"message":"busy"}}', {}, 429),
  '429, Retry-After 99999': of('{}', { 'retry-after': '99999' }, 429),
  '429, Retry-After -5': of('{}', { 'retry-after': '-5' }, 429),
  '429, Retry-After garbage': of('{}', { 'retry-after': '\u00ffsoon; 1e999' }, 429),
  '429, Retry-After 1e9 digits': of('{}', { 'retry-after': '9'.repeat(400) }, 429),
  '429, Retry-After 0': of('{}', { 'retry-after': '0' }, 429),
  '429, Retry-After far date': of('{}', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, 429),
  'a redirect to itself': (asked) => reply(asked, 307, { location: asked.path }, ''),
  'set-cookie': of('{}', { 'set-cookie': 'session=1; Path=/' }),
};
