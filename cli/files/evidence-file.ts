import type { RunMeta } from '../../suites/types/run.ts';
import fs from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../fixtures/target/errors.ts';
import { type Target, tokenNames } from '../../fixtures/target/target.ts';
import { type Evidence, type Exchange, type Unsent, isExchange } from '../../suites/types/exchange.ts';
import { type Depth, type Repetition, depthIn } from '../../suites/types/profile.ts';
import type { TrafficCounts } from '../../suites/types/traffic.ts';
import type { Report } from '../../suites/types/report.ts';
import { otherFolderHint, withWriteErrors } from './folder.ts';
import { withExtension } from '../../spec/extension.ts';
import { suiteName } from '../../reporters/certificate/differences.ts';
import { isSameSuite } from '../../reporters/report-queries.ts';
import { suiteInfo } from '../../spec/requirements.ts';
import { runId } from '../../suites/judge/judge-run.ts';

/** Format of the evidence that this suite writes and judges. */
export const evidenceVersion = 3;

/** First line of the evidence: all that judging needs besides the exchanges. */
export interface EvidenceHeader extends Depth, Pick<RunMeta, 'runId' | 'startedAt' | 'selection' | 'parts'> {
  readonly kind: 'header';
  readonly schemaVersion: typeof evidenceVersion;
  readonly suite: Report['suite'];
  readonly target: Omit<Target, 'tokens'> & {
    /** Token name to the environment variable that holds it; never a value. */
    readonly tokens: Readonly<Record<string, string>>;
  };
  readonly seed: number;
  /** Which of several runs of the same plan it is; absent where one was asked for. */
  readonly repeat?: Repetition;
}

export interface EvidenceEnd {
  readonly kind: 'end';
  readonly finishedAt: string;
  readonly partial: boolean;
}

export interface EvidenceTraffic {
  readonly kind: 'traffic';
  readonly finishedAt: string;
  readonly traffic: TrafficCounts;
}

const longestPart = 1 << 20;

/** A line with its line break, in parts: megabytes at once would be copied twice. No character is cut in two. */
function* parts(line: string): Generator<string> {
  let start = 0;
  while (line.length - start > longestPart) {
    const isPair = line.codePointAt(start + longestPart - 1) !== line.charCodeAt(start + longestPart - 1);
    const end = start + longestPart - (isPair ? 1 : 0);
    yield line.slice(start, end);
    start = end;
  }
  yield `${line.slice(start)}\n`;
}

export const evidenceIn = (dir: string): string => join(dir, 'evidence.jsonl');

/** Who recorded evidence, where that is another suite than this one. */
export function otherSuite({ suite }: EvidenceHeader): string | undefined {
  const own = suiteInfo();
  const names = `${suiteName(suite)}, and this is ${suiteName(own)}`;
  return isSameSuite(suite, own) ? undefined : `was recorded by the suite ${names}`;
}

export const hasEvidence = (dir: string): boolean => fs.existsSync(evidenceIn(dir));

/** Opens evidence and writes how it begins, whole or not at all. `clean` takes secrets out of a line. */
export function openEvidence(
  file: string,
  { header, earlier }: { readonly header: EvidenceHeader; readonly earlier?: Evidence | undefined },
  clean: (line: string) => string,
) {
  const draft = `${file}.tmp`;
  const descriptor = withWriteErrors(file, () => fs.openSync(draft, 'w'));
  // At once, not through a stream: a killed run leaves what it had.
  const line = (value: object): void => {
    const text = clean(JSON.stringify(value));
    withWriteErrors(file, () => {
      for (const part of parts(text)) fs.writeSync(descriptor, part);
    });
  };
  const write = (entry: Exchange | Unsent): void =>
    line({ kind: isExchange(entry) ? 'exchange' : 'unsent', ...entry });
  const ensureSame = (written: number): void => {
    if (fs.statSync(file, { throwIfNoEntry: false })?.ino !== written)
      throw new UsageError(`${file}: another run is writing to this folder; ${otherFolderHint}`);
  };
  line(header);
  for (const entry of earlier?.values() ?? []) write(entry);
  withWriteErrors(file, () => {
    fs.fsyncSync(descriptor);
    fs.renameSync(draft, file);
  });
  return {
    write,
    /** Throws UsageError where the file is no longer the one that was written. */
    end: (finishedAt: string, partial: boolean): void => {
      line({ kind: 'end', finishedAt, partial } satisfies EvidenceEnd);
      const written = fs.fstatSync(descriptor).ino;
      fs.closeSync(descriptor);
      ensureSame(written);
    },
    /** What live traffic came to so far: the last such line stands for an end. Throws as `end` does. */
    traffic: (finishedAt: string, traffic: TrafficCounts): void => {
      line({ kind: 'traffic', finishedAt, traffic } satisfies EvidenceTraffic);
      ensureSame(fs.fstatSync(descriptor).ino);
    },
    /** Ends evidence that has no end line. */
    close: (): void => fs.closeSync(descriptor),
  };
}
export type EvidenceLog = Pick<ReturnType<typeof openEvidence>, 'write' | 'end'>;

export const shownTarget = (target: Target): EvidenceHeader['target'] => ({
  ...target,
  tokens: Object.fromEntries(
    Object.entries(target.tokens)
      .filter(([name]) => tokenNames().some((known) => known === name))
      .map(([name, { variable }]) => [name, variable]),
  ),
});

/** The first line of the evidence of what begins now, or began at a time. */
export const headerOf = (
  target: Target,
  settings: Pick<EvidenceHeader, 'seed' | 'selection' | 'repeat'> & Depth,
  startedAt = new Date().toISOString(),
): EvidenceHeader => ({
  kind: 'header',
  schemaVersion: evidenceVersion,
  suite: suiteInfo(),
  runId: runId(settings.seed, startedAt, target.baseUrl),
  target: withExtension(settings.extension, () => shownTarget(target)),
  seed: settings.seed,
  selection: settings.selection,
  ...depthIn(settings),
  ...(settings.repeat === undefined ? {} : { repeat: settings.repeat }),
  startedAt,
});
