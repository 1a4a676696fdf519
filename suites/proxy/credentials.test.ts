import { expect, it } from 'vitest';
import { createCredentials } from './credentials.ts';

const token = { value: 'token-of-the-config-1', variable: 'GATEWAY_TOKEN_DEFAULT' };
const credentials = () => createCredentials({ tokens: { default: token } }, Buffer.alloc(32));

it.each([
  ['Authorization', 'Bearer token-of-the-config-1', `Bearer \${GATEWAY_TOKEN_DEFAULT}`],
  ['X-API-Key', 'token-of-the-config-1', `\${GATEWAY_TOKEN_DEFAULT}`],
  ['Content-Type', 'application/json', 'application/json'],
  ['Idempotency-Key', 'retry-1', 'retry-1'],
])('%s: %s is recorded as %s', (name, value, shown) => {
  expect(credentials().headers([name, value], 'request')).toEqual([[name.toLowerCase(), shown]]);
});

it('an unknown token has one label, which another salt changes, and is masked where it is repeated', () => {
  const known = credentials();
  const shown = (from: typeof known) =>
    from.headers(['authorization', 'Bearer sk-unknown-4711'], 'request')[0]?.[1];
  expect(shown(known)).toMatch(/^Bearer \$\{CLIENT_TOKEN_[0-9A-F]{10}\}$/);
  expect(shown(known)).toBe(shown(credentials()));
  expect(shown(known)).not.toBe(shown(createCredentials({ tokens: {} })));
  expect(known.redactor().text('you sent sk-unknown-4711')).toMatch(/^you sent \[redacted:CLIENT_TOKEN_/);
});

it('a password of Basic is masked by itself, too', () => {
  const known = credentials();
  known.headers(
    ['authorization', `Basic ${Buffer.from('joe:hunter2-of-joe').toString('base64')}`],
    'request',
  );
  expect(known.redactor().text('hunter2-of-joe')).not.toContain('hunter2');
});

it('a query shows no key, and keeps what is none', () => {
  expect(credentials().path('/v1/x?api_key=abcd%2Fef&api-version=3')).toMatch(
    /^\/v1\/x\?api_key=\$\{CLIENT_TOKEN_\w+\}&api-version=3$/,
  );
});

it('a cookie that a reply sets takes no room, and is not recorded', () => {
  const known = credentials();
  const [first] = known.headers(['Set-Cookie', 'sid=abcdefgh-0815; Path=/'], 'reply');
  expect(first?.[1]).toMatch(/^sid=\$\{CLIENT_TOKEN_\w+\}; Path=\/$/);
  expect(known.redactor().text('abcdefgh-0815')).toBe('abcdefgh-0815');
});

it('with too many tokens it says that a further one is not searched for', () => {
  const known = credentials();
  const use = (number: number) => known.headers(['x-api-key', `client-token-${number}`], 'request');
  for (let number = 0; number < 200; number += 1) use(number);
  expect(known.unmasked()).toBe(0);
  use(7);
  expect(known.unmasked()).toBe(0);
  use(200);
  expect(known.unmasked()).toBe(1);
});
