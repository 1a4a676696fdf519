import { describe, expect, test } from 'vitest';
import type { FreshRow } from './fresh.ts';
import type { Measured } from './measured.ts';
import { measuredFigures, renderMeasured } from './render-measured.ts';

const row = (id: string, more: Partial<FreshRow>): FreshRow => ({
  id,
  title: id,
  area: 'texts',
  effect: 'text-doubled',
  condition: 'streamed',
  dimension: 'request',
  caught: true,
  blamedOther: false,
  endless: false,
  collateral: [],
  untrue: [],
  met: 5,
  ...more,
});
const measured: Measured = {
  seed: 7,
  faulty: [
    row('found', {}),
    row('found-with-more', { collateral: ['chat.endpoint'] }),
    row('not-found', { caught: false, condition: 'long', met: 0 }),
    row('found-as-other', { caught: false, blamedOther: true, collateral: ['chat.context.system'], met: 2 }),
  ],
  conformant: [
    { id: 'a + b', title: '', verdict: 'conformant', blamed: [], open: [], untrue: [] },
    { id: 'c + d', title: '', verdict: 'inconclusive', blamed: [], open: ['chat.endpoint'], untrue: [] },
  ],
  power: [
    { effect: 'chat drops', share: 1, caught: true },
    { effect: 'chat drops', share: 10, caught: false },
  ],
};

describe('a measurement', () => {
  test('counts as caught only what is failed for what is broken', () => {
    const [recall, exact, other, missed, conformant, repeat] = measuredFigures(measured);
    expect(recall).toMatch(/2 of 4 .* 50 %/);
    expect(exact).toContain('1 of the 2');
    expect(other).toContain('1 further');
    expect(missed).toMatch(/2 missed, 1 are met by no request of a run, 1 by one or two, 0 by more/);
    expect(conformant).toMatch(/0 of 2 .* 1 are not decided/);
    expect(repeat).toContain('--seed 7 --fresh 4');
  });

  test('shows what was missed, by condition too, and what is not decided', () => {
    const page = renderMeasured(measured);
    expect(page).toContain('| `long` | 0 | 1 | 0 % |');
    expect(page).toContain('| `not-found` | not-found | 0 | nothing failed |');
    expect(page).toContain('| `found-as-other` | found-as-other | 2 | fails `chat.context.system` |');
    expect(page).not.toContain('| `found` |');
    expect(page).toContain('| c + d | inconclusive | `chat.endpoint` |');
    expect(page).toMatch(/\| chat drops \| 1 of 1 \|.*\| 0 of 1 \|/);
  });
});
