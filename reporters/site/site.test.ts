import { describe, expect, test } from 'vitest';
import type { Report } from '../../suites/types/report.ts';
import { smallReport, withRow } from '../small.fixture.ts';
import { verdicts } from '../wording.ts';
import { letterOf, siteData, changesOf, nameOf, seriesOf, type SiteRun } from './runs.ts';
import { renderSite } from './page.ts';
import { fiftyRuns, runOf } from './site.fixture.ts';

const small = smallReport();
const ids = (runs: readonly SiteRun[]): readonly string[] => runs.map(({ folder }) => folder);

test('runs of one name or one address are one gateway, newest first', () => {
  const runs = [
    runOf(small, ['Acme 1', 'acme', 1]),
    runOf(small, ['Other', 'other', 4]),
    runOf(small, ['Acme 2', 'acme', 2]),
    runOf(small, ['Acme 2', 'acme-moved', 3]),
  ];
  expect(seriesOf(runs).map(ids)).toEqual([['run-4'], ['run-3', 'run-2', 'run-1']]);
});

test('a run that shares a name with one gateway and an address with another makes them one', () => {
  const runs = [runOf(small, ['A', 'a', 3]), runOf(small, ['B', 'b', 2]), runOf(small, ['A', 'b', 1])];
  expect(seriesOf(runs).map(ids)).toEqual([['run-3', 'run-2', 'run-1']]);
});

test('own statements of a gateway are apart from what it does of the interface, and are named', () => {
  const extension = { version: 1, digest: 'sha256:0', files: [] };
  const own = { ...small, scope: { ...small.scope, extension } } as unknown as Report;
  const runs = [runOf(small, ['Acme', 'acme', 1]), runOf(own, ['Acme', 'acme', 2])];
  expect(seriesOf(runs).map(ids)).toEqual([['run-2'], ['run-1']]);
  expect(runs.map(nameOf)).toEqual(['Acme', 'Acme, own statements']);
});

describe('what changed since the run before', () => {
  test('is verdicts, and behaviour that stays the same in an unchanged target', () => {
    const later = withRow(small, 'chat.result.id', { verdict: 'fail' });
    const observations = small.observations.map((one, at) =>
      at === 0 ? { ...one, value: '403' } : { ...one, value: `${one.value}, 12:00`, stable: one.value },
    );
    const { verdicts: changed, behaviours, isComparable } = changesOf(small, { ...later, observations });
    expect(changed.map(({ id, kind }) => [id, kind])).toEqual([['chat.result.id', 'regression']]);
    expect(behaviours.map(({ id, before, after }) => [id, before, after])).toEqual([
      ['observation.status', '401', '403'],
    ]);
    expect(isComparable).toBe(true);
  });

  test('leads to the contradictions of the report where another reading is followed', () => {
    const conflicts = small.conflicts.map((one) => ({ ...one, follows: 'B' as const }));
    expect(changesOf(small, { ...small, conflicts }).behaviours).toMatchObject([
      { anchor: 'part-conflicts', before: 'A', after: 'B' },
    ]);
  });

  test('says where it may come from the suite', () => {
    const suite = { ...small.suite, version: '9' };
    expect(changesOf(small, { ...small, suite }).isComparable).toBe(false);
  });
});

describe('the data of the index', () => {
  test('gives each verdict a letter of its own', () => {
    expect(new Set(verdicts.map(letterOf)).size).toBe(verdicts.length);
  });

  test('has each text once, and of each run letters and places', () => {
    const fewer: Report = {
      ...small,
      requirements: small.requirements.slice(0, 2),
      observations: [{ ...small.observations[1], value: '401' } as Report['observations'][number]],
    };
    const { runs, requirements, values } = siteData([
      runOf(small, ['A', 'a', 1]),
      runOf(fewer, ['B', 'b', 2]),
    ]);
    expect(requirements).toHaveLength(8);
    expect(runs.map((run) => run.verdicts)).toEqual(['pfiiuocc', 'pf------']);
    expect(values).toEqual(['401', 'server-sent events']);
    expect(runs.map(({ seen }) => seen)).toEqual([
      [0, 1],
      [-1, 0],
    ]);
    expect(runs[1]?.page).toBe('runs/run-2/report.html');
  });
});

test('fifty runs are a page that opens at once: small, and without a text for each run and requirement', () => {
  const runs = fiftyRuns();
  const page = renderSite(runs);
  expect(Buffer.byteLength(page)).toBeLessThan(600_000);
  expect(JSON.stringify(siteData(runs)).length).toBeLessThan(100_000);
});
