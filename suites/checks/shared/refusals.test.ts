import { describe, expect, it } from 'vitest';
import { answered, refused, unsent, viewOf } from '../evidence.fixture.ts';
import { isRefused } from './refusals.ts';

const saying = (id: string, text: string) => answered(id, 'chat', text);

describe('a request that was not sent', () => {
  it('takes what hangs on either of two for refused only where both are', () => {
    const when = (...any: readonly string[]) => ({ when: [{ kind: 'answered', any }] }) as const;
    const view = viewOf('chat', [refused('a'), refused('b'), unsent('lost')], {
      both: when('a', 'b'),
      one: when('a', 'lost'),
      none: when(),
      lost: {},
    });
    expect(['both', 'one', 'none'].map((id) => isRefused(view, id))).toEqual([true, false, false]);
  });

  it('takes what hangs on a refused request for refused', () => {
    const when = (id: string) => ({ when: [{ kind: 'answered', any: [id] }] }) as const;
    const view = viewOf('chat', [refused('tell'), saying('told', 'OK'), unsent('cut')], {
      ask: when('between'),
      between: when('tell'),
      other: when('told'),
      cut: {},
    });
    expect(['tell', 'between', 'ask'].map((id) => isRefused(view, id))).toEqual([true, true, true]);
    expect(['told', 'other', 'cut', 'none'].map((id) => isRefused(view, id))).toEqual(
      Array.from({ length: 4 }, () => false),
    );
  });
});
