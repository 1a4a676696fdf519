import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { packageFile } from '../../spec/package-root.ts';
import { completion } from './answers.fixture.ts';
import { formsOf, leaksIn } from './leaks.fixture.ts';
import { filesIn, hangingMs, judging, secrets, sweep } from './process.fixture.ts';
import { expectSafe } from './safe.fixture.ts';
import { type Asked, hostile, reply } from './server.fixture.ts';

vi.setConfig({ testTimeout: hangingMs + 30_000 });
afterEach(sweep);

/** The key in every encoding, where JSON, headers and text can hold it. */
function echo(asked: Asked, status: number): void {
  const key = asked.credential || secrets[0] || '';
  // A whole base64 of it, where the forms to look for are only the part that is always the same.
  const whole = [0, 1, 2].flatMap((shift) =>
    (['base64', 'base64url'] as const).map((kind) =>
      Buffer.from(`${'x'.repeat(shift)}${key}:y`).toString(kind),
    ),
  );
  const others = [...formsOf(key)].filter(([name]) => !name.startsWith('base64'));
  const written = others.map(([name, form]) =>
    name.startsWith('json') ? `"${form}"` : JSON.stringify(form),
  );
  const members = [...whole.map((form) => `"${form}"`), ...written].map(
    (form, place) => `"m${place}":${form}`,
  );
  const basic = Buffer.from(`user:${key}`).toString('base64');
  const body = `{"error":{"message":"bad key ${key}","type":"${key}","${key}":1},"choices":[{"index":0,"finish_reason":"${key}","message":{"role":"${key}","content":"you sent ${key}"}}],"model":"${key}","id":"${basic}","data":[{"url":"https://x.example/?k=${encodeURIComponent(key)}&b=${basic}"}],"output_text":"${key}",${members.join()}}`;
  const headers = {
    'content-type': `application/json; key=${key}`,
    'www-authenticate': `Bearer realm="${key}", basic="${basic}"`,
    location: `https://x.example/${encodeURIComponent(key)}`,
    [`x-${key}`]: Buffer.from(key).toString('hex'),
    'retry-hint': key.split('').join('\u00ad'),
  };
  reply(asked, status, headers, body);
}

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

/** The key letter by letter: only the joined text of a finding holds it. */
function spell(asked: Asked): void {
  const chunk = { ...completion, object: 'chat.completion.chunk' };
  const letters = [...asked.credential];
  const events = asked.path.includes('responses')
    ? letters.map((letter) => event({ type: 'response.output_text.delta', delta: letter }))
    : asked.path.includes('messages')
      ? letters.map((letter) =>
          event({ type: 'content_block_delta', delta: { type: 'text_delta', text: letter } }),
        )
      : letters.map((letter) => event({ ...chunk, choices: [{ index: 0, delta: { content: letter } }] }));
  reply(
    asked,
    200,
    { 'content-type': 'text/event-stream' },
    `event: ${asked.credential}\n${events.join('')}`,
  );
}

test('the leak scan of these tests sees a secret in each of its forms', () => {
  for (const [name, form] of formsOf('sk-abc_DEF+123/456'))
    expect(leaksIn(`<${form}>`, ['sk-abc_DEF+123/456']), name).not.toEqual([]);
});

test.each([
  ['in a refusal', (asked: Asked) => echo(asked, 401)],
  ['in a result', (asked: Asked) => echo(asked, 200)],
  [
    'letter by letter in a stream, else in an error',
    (asked: Asked) => (asked.body.includes('"stream":true') ? spell(asked) : echo(asked, 500)),
  ],
  ['letter by letter in every reply', spell],
  [
    'as text, with the whole request',
    (asked: Asked) =>
      reply(
        asked,
        400,
        { 'content-type': 'text/plain' },
        `${asked.line}\n${asked.head}\n${asked.credential}`,
      ),
  ],
  [
    'in UTF-16',
    (asked: Asked) => reply(asked, 403, {}, Buffer.from(`\ufeff{"error":"${asked.credential}"}`, 'utf16le')),
  ],
])('a key that is echoed %s is nowhere in what the suite writes', async (_name, answer) => {
  const target = await hostile(answer);
  const judged = await judging(target.url, ['--timeout', '2'], hangingMs).finally(target.close);
  expectSafe(judged, [1, 3]);
});

/** A key at every place where a line of a finding may be cut, and none of it readable however it is cut. */
const nearTheCut = (asked: Asked): void => {
  const far = 'x'.repeat(120 + (asked.place % 50));
  const body = { error: { message: `${far}${asked.credential}`, code: asked.place } };
  reply(asked, 400, {}, JSON.stringify(body));
};

/** The key in pieces over parts of a document, and a stream that breaks off inside of it. */
const inPieces = (asked: Asked): void => {
  const parts = asked.credential.match(/.{1,5}/g) ?? [];
  if (!asked.body.includes('"stream":true')) {
    const content = parts.map((text) => ({ type: 'text', text }));
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
    reply(asked, 200, {}, JSON.stringify({ ...completion, choices, content, output: [{ content }] }));
    return;
  }
  const events = parts.slice(0, -1).map((text) => event({ type: 'response.output_text.delta', delta: text }));
  reply(asked, 200, { 'content-type': 'text/event-stream' }, events.join(''));
};

/** Every piece of what is random in a key that is long enough to be of use, in a text and in its joined strings. */
function piecesIn(text: string): string[] {
  const joined = [...text.matchAll(/"(?:delta|text|content)": ?"([^"]*)"/g)]
    .map(([, value]) => value)
    .join('');
  return secrets
    .map((secret) => secret.slice(-16))
    .flatMap((random) => [...Array(9).keys()].map((at) => random.slice(at, at + 8)))
    .filter((piece) => text.includes(piece) || joined.includes(piece));
}

test.each([
  ['letter by letter', spell],
  ['near the end of what a finding shows', nearTheCut],
  ['in pieces', inPieces],
])('a key that comes %s is in no finding, and judging again brings none back', async (_name, answer) => {
  const target = await hostile(answer);
  const judged = await judging(target.url, ['--timeout', '2'], hangingMs).finally(target.close);
  const before = expectSafe(judged, [1, 3]);
  const again = join(judged.dir, '..', 'again');
  const bin = packageFile('cli/bin.mjs');
  const second = spawnSync(process.execPath, [bin, 'judge', judged.dir, '--out', again], {
    encoding: 'utf8',
  });
  expect([second.status, second.stderr]).toEqual([judged.code, '']);
  expect(second.stdout).not.toContain('differs');
  for (const [path, bytes] of [...filesIn(judged.dir), ...filesIn(again)])
    expect(piecesIn(bytes.toString('utf8')), path).toEqual([]);
  expect(piecesIn(judged.stdout + second.stdout)).toEqual([]);
  // One that refuses everything in the same words can't be told from a wrong base address.
  expect(before.summary.fail + before.summary.inconclusive).toBeGreaterThan(0);
});
