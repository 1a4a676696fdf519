import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { goodBundle } from './bundle.fixture.ts';
import {
  additionAttacks,
  addressAttack,
  type Attack,
  evidenceAttacks,
  exchangeAttacks,
  headerAttacks,
  namedAttacks,
  otherSuiteAttacks,
  reportAttacks,
  statementAttacks,
  timeAttacks,
} from './content.fixture.ts';
import {
  certificateAttacks,
  folderAttacks,
  jsonAttacks,
  outsiderAttacks,
  renderingAttacks,
} from './structure.fixture.ts';

vi.setConfig({ testTimeout: 400_000 });

const good = await goodBundle();

/** Longest that one attack may take, in milliseconds. */
const longestMs = 10_000;

interface Attacked {
  readonly from?: 'whole' | 'bare';
  /** Whether whoever holds the key does it. */
  readonly sealed: boolean;
  /** What may come of it; a usage error, which names a file, always may. */
  readonly accepted?: readonly string[];
  readonly least: number;
}

/** Attacks that came to something else than they may, with what that is. */
function survivors(
  attacks: readonly Attack[],
  { from = 'bare', sealed, accepted = ['refuted'], least }: Attacked,
): readonly string[] {
  expect(attacks.length).toBeGreaterThanOrEqual(least);
  return attacks.flatMap(({ name, change }) => {
    const started = performance.now();
    const outcome = good.outcome(good.attacked(good[from], change, sealed));
    if (performance.now() - started > longestMs) return [`${name}: took longer than ${longestMs} ms`];
    const isUsageError = outcome.includes(': ');
    return isUsageError || accepted.includes(outcome) ? [] : [`${name}: ${outcome}`];
  });
}

test('the bundle that is attacked is verified, also without its renderings', () => {
  expect(good.outcome(good.whole)).toBe('verified');
  expect(good.outcome(good.bare)).toBe('verified');
});

describe('whoever holds no key', () => {
  test('changes no bit of any file', () => {
    expect(survivors(outsiderAttacks(good.whole), { from: 'whole', sealed: false, least: 30 })).toEqual([]);
  });

  test('changes nothing of the certificate', () => {
    const attacks = [...certificateAttacks, ...jsonAttacks(good.bare, 'certificate.json')];
    expect(survivors(attacks, { sealed: false, least: 29 })).toEqual([]);
  });
});

describe('whoever holds the key', () => {
  test('changes no class of fields of report.json', () => {
    expect(survivors(reportAttacks(good), { sealed: true, least: 150 })).toEqual([]);
  });

  test('adds nothing to the report that a run or a file beside it may give, and did not', () => {
    expect(survivors(additionAttacks, { sealed: true, least: 7 })).toEqual([]);
  });

  test('changes no class of fields of the evidence that the report shows', () => {
    expect(survivors(evidenceAttacks(good), { sealed: true, least: 40 })).toEqual([]);
  });

  test('gives no exchange that can not be, and none that was sent to another target', () => {
    expect(survivors([...exchangeAttacks, addressAttack], { sealed: true, least: 26 })).toEqual([]);
  });

  test('gives no run that can not be, and none of an address that no config can have', () => {
    expect(survivors([...headerAttacks, ...namedAttacks], { sealed: true, least: 15 })).toEqual([]);
  });

  test('gets nothing recorded past the claim that another suite judged, and nothing judged verified', () => {
    const { recorded, judged } = otherSuiteAttacks(good);
    expect(survivors(recorded, { sealed: true, least: 40 })).toEqual([]);
    expect(survivors(judged, { sealed: true, accepted: ['undecided'], least: 10 })).toEqual([]);
  });

  test('states nothing else than the report does', () => {
    expect(survivors(statementAttacks(good), { sealed: false, least: 20 })).toEqual([]);
  });

  test('gives no times that can not be', () => {
    expect(survivors(timeAttacks(good), { sealed: true, least: 6 })).toEqual([]);
  });

  test('writes no JSON that two readers read differently, or that costs much', () => {
    const files = ['evidence.jsonl', 'report.json', 'target.json', 'render-context.json', 'history.jsonl'];
    expect(
      survivors(
        files.flatMap((file) => jsonAttacks(good.bare, file)),
        { sealed: true, least: 90 },
      ),
    ).toEqual([]);
  });

  test('writes no test result that two readers read differently', () => {
    const [result = ''] = readdirSync(join(good.whole, 'allure-results'));
    const attacks = jsonAttacks(good.whole, `allure-results/${result}`);
    expect(survivors(attacks, { from: 'whole', sealed: true, least: 17 })).toEqual([]);
  });

  test('changes no byte of what people read', () => {
    expect(survivors(renderingAttacks(good.whole), { from: 'whole', sealed: true, least: 21 })).toEqual([]);
  });

  test('adds nothing to the folder, and takes nothing away', () => {
    expect(survivors(folderAttacks, { from: 'whole', sealed: true, least: 30 })).toEqual([]);
  });
});
