import type { Report } from '../suites/model/report.ts';
import { detect, type Subject } from './detect.ts';

/** A gateway, what every run against it has to say, and how often it is asked. */
export interface Trial {
  readonly subject: Subject;
  readonly verdict: Report['verdict'];
  /** Requirements that must fail, and no others. */
  readonly breaks: readonly string[];
  /** Runs at each concurrency. */
  readonly repeats: number;
}

/** What one run said. */
export interface Run {
  readonly id: string;
  readonly concurrency: number;
  readonly verdict: Report['verdict'];
  readonly requirements: Report['requirements'];
}

/** A requirement of which not all runs against the same gateway say the same. */
export interface Flip {
  readonly requirement: string;
  /** Runs by verdict, such as `pass: 29, inconclusive (too-fast): 1`. */
  readonly said: string;
  /** Each verdict but the most frequent one: at which concurrency, and why. */
  readonly odd: readonly string[];
}

/** All runs against one gateway. */
export interface FairnessRow {
  readonly id: string;
  readonly runs: number;
  /** Runs that were planned and not made, since the time was up. */
  readonly missing: number;
  /** Runs with the verdict and the failures that the trial asks for. */
  readonly right: number;
  readonly flips: readonly Flip[];
}

export interface FairnessOptions {
  readonly concurrencies?: readonly number[];
  /** Runs under way at once: most of one is waiting. */
  readonly sideBySide?: number;
  /** Milliseconds; no run begins later. */
  readonly withinMs: number;
  readonly onRun?: (run: Run) => void;
}

/** Makes all runs of all trials, those that wait longest first. */
export async function fairness(
  trials: readonly Trial[],
  options: FairnessOptions,
): Promise<readonly FairnessRow[]> {
  const { concurrencies = [1, 8, 32], sideBySide = 6, withinMs, onRun = () => {} } = options;
  const latest = performance.now() + withinMs;
  const left = [...concurrencies]
    .sort((one, other) => one - other)
    .flatMap((concurrency) =>
      trials.flatMap((trial) => Array.from({ length: trial.repeats }, () => ({ trial, concurrency }))),
    );
  const made = new Map<Trial, Run[]>(trials.map((trial) => [trial, []]));
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      if (performance.now() > latest) continue;
      const { subject } = next.trial;
      const { verdict, requirements } = await detect(subject, { concurrency: next.concurrency });
      const run = { id: subject.id, concurrency: next.concurrency, verdict, requirements };
      made.get(next.trial)?.push(run);
      onRun(run);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, worker));
  return trials.map((trial) =>
    fairnessRow(trial, made.get(trial) ?? [], trial.repeats * concurrencies.length),
  );
}

/** Sums up the runs against one gateway. */
export function fairnessRow(trial: Trial, runs: readonly Run[], planned: number): FairnessRow {
  const isRight = (run: Run): boolean =>
    run.verdict === trial.verdict &&
    failed(run).sort().join() === [...trial.breaks].sort().join() &&
    (trial.verdict !== 'conformant' || run.requirements.some(({ verdict }) => verdict === 'pass'));
  return {
    id: trial.subject.id,
    runs: runs.length,
    missing: planned - runs.length,
    right: runs.filter(isRight).length,
    flips: flipsOf(runs),
  };
}

const failed = ({ requirements }: Run): string[] =>
  requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

/** Every requirement that the runs don't agree on; one that a run doesn't name counts as another verdict. */
export function flipsOf(runs: readonly Run[]): readonly Flip[] {
  const ids = [...new Set(runs.flatMap(({ requirements }) => requirements.map(({ id }) => id)))];
  const byId = runs.map((run) => ({ run, rows: new Map(run.requirements.map((row) => [row.id, row])) }));
  return ids.flatMap((id) => {
    const groups = new Map<string, string[]>();
    for (const { run, rows } of byId) {
      const row = rows.get(id);
      const said = row === undefined ? 'absent' : `${row.verdict}${row.soft ? ` (${row.soft})` : ''}`;
      groups.set(said, [
        ...(groups.get(said) ?? []),
        `${said} at ${run.concurrency}: ${row?.reason ?? 'no reason'}`,
      ]);
    }
    if (groups.size < 2) return [];
    const [, ...odd] = [...groups.values()].sort((one, other) => other.length - one.length);
    const said = [...groups].map(([verdict, those]) => `${verdict}: ${those.length}`).join(', ');
    return [{ requirement: id, said, odd: odd.flat() }];
  });
}

/** Every planned run was made, said what it must, and all agree. */
export const isFair = (row: FairnessRow): boolean =>
  row.runs > 0 && row.missing === 0 && row.right === row.runs && row.flips.length === 0;
