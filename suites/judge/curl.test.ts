import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { SentRequest } from '../types/exchange.ts';
import { curl } from './reproduce.ts';

const request = (more: Partial<SentRequest>): SentRequest => ({
  method: 'POST',
  url: 'http://gateway.test/v1/chat/completions',
  headers: {},
  body: null,
  ...more,
});

/** What a shell gives to curl: the command is run for real, with a function in place of the program. */
function argumentsOf(command: string): readonly string[] {
  const stub = `curl() { printf '%s\\0' "$@"; }`;
  const env = { PATH: process.env.PATH ?? '', GATEWAY_TOKEN_DEFAULT: 'secret $1 "x"', HOME: '/home/reader' };
  const printed = execFileSync('bash', ['-c', `${stub}\n${command}`], { env, encoding: 'utf8' });
  return printed.split('\0').slice(0, -1);
}

const valuesOf = (args: readonly string[], flag: string): readonly string[] =>
  args.filter((_, index) => args[index - 1] === flag);

describe('a curl command', () => {
  it('sends the request again as it was', () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const args = argumentsOf(curl(request({ headers, body: '{"model":"m"}' })));
    expect(args).toEqual([
      ...['-sS', '-i', '--compressed', '-X', 'POST', 'http://gateway.test/v1/chat/completions'],
      ...['-H', 'content-type: application/json', '-H', 'accept: application/json'],
      ...['--data-raw', '{"model":"m"}'],
    ]);
  });

  it('writes a sentence that follows itself once, and the shell repeats it', () => {
    const body = JSON.stringify({
      model: 'm',
      input: `Hi. ${"It's a 100 % $plain \\ sentence. ".repeat(60)}Which?`,
      n: 1,
    });
    const command = curl(request({ body }));
    expect(command.length).toBeLessThan(400);
    expect(valuesOf(argumentsOf(command), '--data-raw')).toEqual([body]);
    const [lines, few] = ['a long line of a body\n'.repeat(20), 'No. No. No. '];
    for (const kept of [lines, few]) {
      expect(curl(request({ body: kept }))).toContain(`--data-raw '${kept}'`);
      expect(valuesOf(argumentsOf(curl(request({ body: kept }))), '--data-raw')).toEqual([kept]);
    }
  });

  it('fills in the token from the environment, as it stands there', () => {
    const headers = {
      authorization: `Bearer \${GATEWAY_TOKEN_DEFAULT}`,
      'x-api-key': `\${GATEWAY_TOKEN_DEFAULT}`,
    };
    const command = curl(request({ headers }));
    expect(command).toContain(`-H "authorization: Bearer $GATEWAY_TOKEN_DEFAULT"`);
    expect(valuesOf(argumentsOf(command), '-H')).toEqual([
      'authorization: Bearer secret $1 "x"',
      'x-api-key: secret $1 "x"',
    ]);
  });

  it('sends a header that is empty', () => {
    expect(valuesOf(argumentsOf(curl(request({ headers: { 'x-api-key': '' } }))), '-H')).toEqual([
      'x-api-key;',
    ]);
  });

  it.each([
    ['less a character', `\${GATEWAY_TOKEN_DEFAULT%?}z`, 'secret $1 "xz'],
    [
      'less many, and the rest',
      `\${GATEWAY_TOKEN_DEFAULT%?????}_\${GATEWAY_TOKEN_DEFAULT#????????}`,
      'secret $_1 "x"',
    ],
    ['in the other case', `$(printf %s "\${GATEWAY_TOKEN_DEFAULT}" | tr a-zA-Z A-Za-z)`, 'SECRET $1 "X"'],
  ])('makes of the token in the environment the token %s', (_, shown, expected) => {
    const headers = { authorization: `Bearer ${shown}` };
    expect(valuesOf(argumentsOf(curl(request({ headers }))), '-H')).toEqual([
      `authorization: Bearer ${expected}`,
    ]);
  });

  it.each([
    `$(id)\${GATEWAY_TOKEN_DEFAULT}`,
    `\${GATEWAY_TOKEN_DEFAULT%$(id)}`,
    `$(printf %s "\${GATEWAY_TOKEN_DEFAULT}" | tr a-zA-Z A-Za-z; id)`,
    `$(printf %s "\${GATEWAY_TOKEN_DEFAULT}" | sh)`,
    `\${GATEWAY_TOKEN_DEFAULT:-$HOME}\${GATEWAY_TOKEN_DEFAULT}`,
  ])('runs nothing else: %s', (value) => {
    const [, header] = argumentsOf(curl(request({ headers: { x: value } }))).slice(-2);
    expect(header).toBe(`x: ${value.replaceAll(`\${GATEWAY_TOKEN_DEFAULT}`, 'secret $1 "x"')}`);
  });

  it.each([
    ['single quotes', `{"text":"it's 'quoted'"}`],
    ['dollars and backticks', `{"text":"$HOME \${HOME} $(id) \`id\`"}`],
    ['backslashes', '{"text":"a\\\\b\\n\\u0000"}'],
    ['line breaks and an exclamation mark', '{\n  "text": "hey!"\n}'],
    ['an at sign in front', '@/etc/passwd'],
    ['a token variable, which stays as it is in a body', `{"text":"\${GATEWAY_TOKEN_DEFAULT}"}`],
    ['other scripts', '{"text":"žluť 水獺 🦦"}'],
    ['JSON that breaks off', '{"model":"m","mess'],
    ['nothing', ''],
  ])('gives a body with %s to curl unchanged', (_, body) => {
    expect(valuesOf(argumentsOf(curl(request({ body }))), '--data-raw')).toEqual([body]);
  });

  it.each([
    [
      'beside no token',
      `it's "$HOME" \`id\` \\ \\\\ \\" \\$ $(id)`,
      `it's "$HOME" \`id\` \\ \\\\ \\" \\$ $(id)`,
    ],
    [
      'beside a token',
      `\${GATEWAY_TOKEN_DEFAULT} it's "$HOME" \`id\` \\ \\\\ \\" \\$ $(id) $`,
      `secret $1 "x" it's "$HOME" \`id\` \\ \\\\ \\" \\$ $(id) $`,
    ],
  ])('gives a header with quotes, dollars and backticks %s to curl unchanged', (_, value, expected) => {
    expect(valuesOf(argumentsOf(curl(request({ headers: { 'x-odd': value } }))), '-H')).toEqual([
      `x-odd: ${expected}`,
    ]);
  });

  it('leaves out a body that was not sent, and headers that curl sets by itself', () => {
    const headers = {
      host: 'gateway.test',
      connection: 'keep-alive',
      'content-length': '2',
      'accept-encoding': 'gzip',
      'User-Agent': 'x',
    };
    const args = argumentsOf(curl(request({ method: 'GET', headers })));
    expect(args).toEqual([
      '-sS',
      '-i',
      '--compressed',
      '-X',
      'GET',
      'http://gateway.test/v1/chat/completions',
    ]);
  });
});
