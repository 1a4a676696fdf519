import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../types/exchange.ts';
import { features, tellsApart } from './refusal-features.ts';
import { refused, replied, silent, type Written } from '../evidence.fixture.ts';

const code = (status: number, value: unknown, more: object = {}): Written => ({
  status,
  json: { error: { code: value }, ...more },
});

describe('the features of a refusal', () => {
  const of = (written: Written): Exchange => replied('a', written);

  it('are its status and each plain value of its body', () => {
    const json = { error: { code: 'bad', tags: ['x', null], id: 7 }, created: 1 };
    expect([...features(of({ status: 400, json }))]).toEqual([
      ['status', '400'],
      ['/error/code', '"bad"'],
      ['/error/tags/0', '"x"'],
      ['/error/tags/1', 'null'],
    ]);
  });

  it('are bounded, however deep and wide the body', () => {
    const deep = Array.from({ length: 50 }).reduce<unknown>((inner) => ({ inner }), 'end');
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, index]));
    expect(features(of({ json: deep })).size).toBe(1);
    expect(features(of({ json: wide })).size).toBeLessThan(300);
  });

  it.each([
    ['as a Bearer token', { authorization: 'Bearer sk-0123456789' }],
    ['as an API key', { 'x-api-key': 'sk-0123456789' }],
  ])('leave out a credential that was sent %s and is repeated, as it is or masked', (_, headers) => {
    const saying = (message: string): Exchange => {
      const exchange = refused('a', 400, { message });
      return { ...exchange, request: { ...exchange.request, headers } };
    };
    const seen = (message: string) => features(saying(message)).get('/message');
    expect(seen('bad key sk-0123456789, sk-0123456789')).toBe('"bad key , "');
    expect(seen('bad key *************')).toBe('"bad key "');
    expect(seen('**bad** key')).toBe('"**bad** key"');
  });

  it('keep a text that only happens to hold a short credential', () => {
    const exchange = refused('a', 400, { message: 'no key' });
    const sent = { ...exchange, request: { ...exchange.request, headers: { authorization: 'Bearer key' } } };
    expect(features(sent).get('/message')).toBe('"no key"');
    expect(features(exchange).get('/message')).toBe('"no key"');
  });

  it('are none where no reply came', () => {
    expect(features(silent('a', { kind: 'timeout', afterMs: 100 })).size).toBe(0);
  });

  it('name the first that tells two classes apart', () => {
    expect(tellsApart([of(code(400, 'key'))], [of(code(400, 'model'))])).toBe('/error/code');
    expect(tellsApart([of(code(400, 'key'))], [of(code(400, 'key'))])).toBeUndefined();
  });
});
