import { describe, expect, it } from 'vitest';
import { protocols } from '../../spec/vocabulary.ts';
import { plain } from '../cases/builder/bodies.ts';
import { type Damage, damages } from '../types/plan.ts';
import { damagedJson } from './prepare.ts';

const text = '{"model":"a b","n":{"text":"it\'s \\"so\\""},"x":0.5}';

describe('damage', () => {
  it.each<[Damage, string]>([
    ['cut', '{"model":"a b","n":{"text":"it\'s \\"so\\""},"x":0.5'],
    ['empty', ''],
    ['trailing-comma', '{"model":"a b","n":{"text":"it\'s \\"so\\""},"x":0.5,}'],
    ['comment', '{/* a request */"model":"a b","n":{"text":"it\'s \\"so\\""},"x":0.5}'],
    ['twice', `${text}\n${text}`],
    ['line-feed', '{"model":"a b","n":{"text":"it\'s\n\\"so\\""},"x":0.5}'],
    ['not-a-number', '{"model":"a b","n":{"text":"it\'s \\"so\\""},"x":NaN}'],
    ['single-quotes', "{'model':'a b','n':{'text':'it\\'s \\\"so\\\"'},'x':0.5}"],
    ['bare-names', '{model:"a b",n:{text:"it\'s \\"so\\""},x:0.5}'],
  ])('%s is done in one place, or to all of its kind', (damage, expected) => {
    expect(damagedJson(text, damage)).toBe(expected);
  });

  it.each(protocols)('leaves no JSON of a body of %s', (protocol) => {
    const body = JSON.stringify({ ...plain[protocol], model: 'some-model', last: 1 });
    for (const damage of damages) {
      expect(damagedJson(body, damage)).not.toBe(body);
      expect(() => JSON.parse(damagedJson(body, damage)), damage).toThrow(SyntaxError);
    }
  });
});
