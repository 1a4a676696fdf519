import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Target } from '../../fixtures/target/target.ts';
import { nearMisses } from '../types/plan.ts';
import { curl } from '../judge/reproduce.ts';
import { nearMissToken, nearTokens } from './near-miss-token.ts';
import { redactorOf } from './execute-plan.ts';

const tokensOf = (...values: readonly string[]): Target['tokens'] => {
  const names = ['default', 'coding-tool', 'third-party-client', 'rate-limited'] as const;
  return Object.fromEntries(values.map((value, at) => [names[at], { value, variable: `TOKEN_${at}` }]));
};
const only = (value: string) => ({ tokens: tokensOf(value) });
const of = (value: string, how: (typeof nearMisses)[number], among: Pick<Target, 'tokens'> = only(value)) =>
  nearMissToken({ value, variable: 'TOKEN_0' }, how, among)?.value;

const token = 'sk-bench-D7xQpLm2vR9tKc4WnZs8YhFa3UjE6bGo';

describe('a near-miss token', () => {
  it.each([
    ['last', 'sk-bench-D7xQpLm2vR9tKc4WnZs8YhFa3UjE6bGb'],
    ['middle', 'sk-bench-D7xQpLm2vR9tBc4WnZs8YhFa3UjE6bGo'],
    ['shorter', 'sk-bench-D7xQpLm2vR9tKc4WnZs8YhFa3UjE6bG'],
    ['case', 'SK-BENCH-d7XqPlM2Vr9TkC4wNzS8yHfA3uJe6BgO'],
    ['unprefixed', 'bench-D7xQpLm2vR9tKc4WnZs8YhFa3UjE6bGo'],
    ['wildcard', 'sk-bench-D7xQpLm2vR9t%c4WnZs8YhFa3UjE6bGo'],
  ] as const)('is changed in one thing: %s', (how, expected) => {
    expect(of(token, how)).toBe(expected);
  });

  it.each([
    ['hexadecimal digits', 'ab12cd34ef56ab12', /^[0-9a-f]+$/],
    ['capitals and digits', 'AB12CD34EF56QRST', /^[0-9A-Z]+$/],
    ['digits', '1234567812345677', /^\d+$/],
  ])('is of %s where the token is', (_, value, alphabet) => {
    for (const how of ['last', 'middle', 'shorter'] as const) {
      expect(of(value, how)).toMatch(alphabet);
      expect(of(value, how)).not.toBe(value);
    }
    expect(of(value, 'case')).toBe(undefined);
  });

  it.each([
    ['sk_live_4f9a7c', 'live_4f9a7c'],
    ['4f9a7c21d0', 'f9a7c21d0'],
    ['verylongprefix-4f9a7c21', 'erylongprefix-4f9a7c21'],
    ['a-prefix-1234567', 'prefix-1234567'],
    ['-4f9a7c21d0', '4f9a7c21d0'],
  ])('without its beginning is more than half of the token: %s', (value, expected) => {
    expect(of(value, 'unprefixed')).toBe(expected);
  });

  it.each(['sk-12345', '12345678', 'x-default'])('is none that could not be masked: %s', (value) => {
    expect(of(value, 'unprefixed')).toBe(undefined);
  });

  it('without its beginning is never another token of the target', () => {
    const tokens = tokensOf('sk-4f9a7c21d0', '4f9a7c21d0');
    expect(of('sk-4f9a7c21d0', 'unprefixed', { tokens })).toBe('k-4f9a7c21d0');
  });

  it('stands for other bytes where the token is base64', () => {
    for (let length = 8; length < 72; length += 1) {
      const bytes = createHash('sha512').update(`${length}`).digest().subarray(0, length);
      for (const form of ['base64', 'base64url'] as const) {
        const value = bytes.toString(form);
        for (const how of nearMisses) {
          const other = of(value, how);
          expect(Buffer.from(other ?? '', form).equals(bytes), `${how} of ${value}`).toBe(false);
        }
      }
    }
  });

  it('is never another token of the target', () => {
    const tokens = tokensOf('secret-key-7a', 'secret-key-77', 'secret-key-7', 'secret-k73-7a');
    const values = Object.values(tokens).map(({ value }) => value);
    for (const how of ['last', 'middle', 'shorter'] as const) {
      const value = of('secret-key-7a', how, { tokens });
      expect(value).toBeDefined();
      expect(values).not.toContain(value);
    }
  });

  it('is none where the token leaves no room for one', () => {
    expect(of('a', 'shorter')).toBe(undefined);
    expect(of('--', 'last')).toBe(undefined);
    expect(of('Aa', 'case', { tokens: tokensOf('Aa', 'aA') })).toBe(undefined);
  });

  it.each([token, 'eyJh.bGci_OiJ-.Zm9v==', 'a$b`c"d\\e Zz9', 'K'])(
    'is what a shell makes of the variable: %s',
    (value) => {
      for (const how of nearMisses) {
        const made = nearMissToken({ value, variable: 'TOKEN_0' }, how, only(value));
        if (made === undefined) continue;
        const headers = { authorization: `Bearer ${made.shown}` };
        const command = curl({ method: 'POST', url: 'http://gateway.test', headers, body: null });
        const stub = `curl() { printf '%s\\0' "$@"; }\n${command}`;
        const env = { PATH: process.env.PATH ?? '', TOKEN_0: value };
        const printed = execFileSync('sh', ['-c', stub], { env, encoding: 'utf8' });
        expect(printed.split('\0')).toContain(`authorization: Bearer ${made.value}`);
        expect(command).not.toContain(value.length > 1 ? value.slice(0, 4) : '\0');
      }
    },
  );
});

describe('what is near a token', () => {
  const target: Target = {
    name: 'Sample',
    baseUrl: 'http://gateway.test',
    versionHeader: { name: 'acme-version', value: '2023-06-01' },
    models: {},
    tokens: tokensOf(
      token,
      'demo-coding-tool-2b8e6f04a1d793c5',
      'T3mRzGk8oQ6aYvXc1NpEw5BtLu0DjSh7',
      'spent-0f3b9c2e7d51a846',
    ),
  };
  const redactor = redactorOf(target);
  const near = nearTokens(target);

  it('is made of each token', () => {
    expect(near.map(({ label }) => label)).toEqual([
      ...Array.from({ length: 6 }, () => 'default'),
      ...Array.from({ length: 5 }, () => 'coding-tool'),
      ...Array.from({ length: 6 }, () => 'third-party-client'),
      ...Array.from({ length: 5 }, () => 'rate-limited'),
    ]);
  });

  it.each([
    ['as it is', (text: string) => text],
    ['in hex', (text: string) => Buffer.from(text).toString('hex')],
    ['in base64', (text: string) => Buffer.from(`x${text}`).toString('base64')],
    ['in UTF-16', (text: string) => Buffer.from(text, 'utf16le').toString('latin1')],
    ['in a URL', (text: string) => text.replace(/./g, (char) => `%${char.charCodeAt(0).toString(16)}`)],
    [
      'in JSON',
      (text: string) =>
        text.replace(/./g, (char) => `\\u00${char.charCodeAt(0).toString(16).padStart(2, '0')}`),
    ],
  ])('is masked %s', (_, encode) => {
    for (const { value, label } of near) {
      const text = `{"message":"${encode(value)}"}`;
      expect(redactor.leaks(text)).toContain(label);
      const masked = redactor.bytes(Buffer.from(text)).toString();
      expect(redactor.leaks(masked)).toEqual([]);
      expect(redactor.text(text)).toContain(`[redacted:${label}]`);
      expect(redactor.text(text)).not.toContain(encode(value).slice(6, -4));
    }
  });

  it('leaves the tokens their names, and says of none that it is not looked for', () => {
    for (const [label, { value }] of Object.entries(target.tokens))
      expect(redactor.text(`a ${value} b`)).toBe(`a [redacted:${label}] b`);
    expect(redactor.open).toEqual([]);
    expect(redactorOf({ ...target, tokens: tokensOf('chats') }).open).toEqual([]);
  });
});
