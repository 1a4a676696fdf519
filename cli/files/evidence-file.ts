import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../fixtures/target/errors.ts';
import type { Target, Token } from '../../fixtures/target/target.ts';
import { validateEvidence } from '../../reporters/schema/validate.ts';
import type { Evidence, Exchange, Unsent } from '../../suites/types/exchange.ts';
import { isExchange } from '../../suites/types/exchange.ts';
import type { Depth, Repetition } from '../../suites/types/profile.ts';
import type { TrafficCounts } from '../../suites/types/traffic.ts';
import type { Report } from '../../suites/types/report.ts';
import type { Selection } from '../../suites/types/run.ts';
import { otherFolderHint, withWriteErrors } from './folder.ts';

/** Format of the evidence that this suite writes and judges. */
export const evidenceVersion = 3;

/** First line of the evidence: all that judging needs besides the exchanges. */
export interface EvidenceHeader extends Depth {
  readonly kind: 'header';
  readonly schemaVersion: typeof evidenceVersion;
  readonly suite: Report['suite'];
  readonly runId: string;
  readonly target: Omit<Target, 'tokens'> & {
    /** Token name to the environment variable that holds it; never a value. */
    readonly tokens: Readonly<Record<string, string>>;
  };
  readonly seed: number;
  readonly selection: Selection;
  /** Which of several runs of the same plan it is; absent where one was asked for. */
  readonly repeat?: Repetition;
  readonly startedAt: string;
}

interface EvidenceEnd {
  readonly kind: 'end';
  readonly finishedAt: string;
  readonly partial: boolean;
}

interface EvidenceTraffic {
  readonly kind: 'traffic';
  readonly finishedAt: string;
  readonly traffic: TrafficCounts;
}

/** Evidence as it is written: line by line, while the run goes. */
export interface EvidenceLog {
  readonly write: (entry: Exchange | Unsent) => void;
  /** Throws UsageError where the file is no longer the one that was written. */
  readonly end: (finishedAt: string, partial: boolean) => void;
}

/** What evidence of live traffic has in place of an end. */
interface TrafficLog {
  /** What live traffic came to so far: the last such line stands for an end. Throws as `end` does. */
  readonly traffic: (finishedAt: string, traffic: TrafficCounts) => void;
  /** Ends evidence that has no end line. */
  readonly close: () => void;
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

/** The evidence of a DIR. */
export const evidenceIn = (dir: string): string => join(dir, 'evidence.jsonl');

/** Whether a run left evidence in DIR. */
export const hasEvidence = (dir: string): boolean => existsSync(evidenceIn(dir));

/** How the evidence of a run begins. */
export interface EvidenceStart {
  readonly header: EvidenceHeader;
  /** What an earlier part of the run recorded, in that order. */
  readonly earlier?: Evidence;
}

/**
 * Opens the evidence of a run, or of the rest of one, and writes how it begins: on the disk, whole or not at all,
 * before anything is sent.
 * @param clean takes secrets out of a line
 */
export function openEvidence(
  file: string,
  { header, earlier }: EvidenceStart,
  clean: (line: string) => string,
): EvidenceLog & TrafficLog {
  const draft = `${file}.tmp`;
  const descriptor = withWriteErrors(file, () => openSync(draft, 'w'));
  // At once, not through a stream: a killed run leaves what it had.
  const line = (value: object): void => {
    const text = clean(JSON.stringify(value));
    withWriteErrors(file, () => {
      for (const part of parts(text)) writeSync(descriptor, part);
    });
  };
  const write = (entry: Exchange | Unsent): void =>
    line({ kind: isExchange(entry) ? 'exchange' : 'unsent', ...entry });
  const ensureSame = (written: number): void => {
    if (statSync(file, { throwIfNoEntry: false })?.ino !== written)
      throw new UsageError(`${file}: another run is writing to this folder; ${otherFolderHint}`);
  };
  line(header);
  for (const entry of earlier?.values() ?? []) write(entry);
  withWriteErrors(file, () => {
    fsyncSync(descriptor);
    renameSync(draft, file);
  });
  return {
    write,
    end: (finishedAt, partial) => {
      line({ kind: 'end', finishedAt, partial } satisfies EvidenceEnd);
      const written = fstatSync(descriptor).ino;
      closeSync(descriptor);
      ensureSame(written);
    },
    traffic: (finishedAt, traffic) => {
      line({ kind: 'traffic', finishedAt, traffic } satisfies EvidenceTraffic);
      ensureSame(fstatSync(descriptor).ino);
    },
    close: () => closeSync(descriptor),
  };
}

/** Evidence as it is read back. */
export interface RecordedRun {
  readonly header: EvidenceHeader;
  readonly target: Target;
  readonly evidence: Evidence;
  readonly finishedAt: string;
  /** The run was stopped, or killed before it could say so. */
  readonly partial: boolean;
  /** What live traffic came to; absent where the suite sent the requests. */
  readonly traffic?: TrafficCounts;
}

type Line =
  | EvidenceHeader
  | EvidenceEnd
  | EvidenceTraffic
  | ({ readonly kind: 'exchange' | 'unsent' } & (Exchange | Unsent));

/** Bytes of evidence that are read at all, and of one line: an exchange is bounded far below. */
const [longestEvidence, longestLine] = [256_000_000, 64_000_000];

/** The file in pieces: never the whole of it in memory. */
function* pieces(file: string): Generator<Buffer> {
  const stat = statSync(file);
  if (!stat.isFile() || stat.size > longestEvidence)
    throw new UsageError(`${file}: is no file of at most ${longestEvidence} bytes; name an evidence.jsonl`);
  const descriptor = openSync(file, 'r');
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(1_000_000);
      const length = readSync(descriptor, piece);
      if (length === 0) return;
      yield piece.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Its lines. What follows the last line break is none: a killed run did not finish it. */
function* lineTexts(file: string): Generator<string> {
  let parts: Buffer[] = [];
  let length = 0;
  let number = 1;
  for (const piece of pieces(file)) {
    let start = 0;
    for (let end = piece.indexOf(0x0a); end >= 0; end = piece.indexOf(0x0a, start)) {
      yield Buffer.concat([...parts, piece.subarray(start, end)]).toString('utf8');
      [parts, length, start] = [[], 0, end + 1];
      number += 1;
    }
    parts.push(piece.subarray(start));
    length += piece.length - start;
    if (length > longestLine)
      throw new UsageError(`${file}:${number}: is longer than ${longestLine} bytes; it was changed`);
  }
}

function parsed(file: string, number: number, line: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new UsageError(`${file}:${number}: not JSON; this is no evidence of this suite, or it was changed`);
  }
  const { kind, schemaVersion } = (value ?? {}) as { kind?: unknown; schemaVersion?: unknown };
  if (kind === 'header' && typeof schemaVersion === 'number' && schemaVersion !== evidenceVersion) {
    throw new UsageError(
      `${file}: is evidence of format ${schemaVersion}, and this suite judges format ${evidenceVersion}; judge it with the version of the suite that recorded it, or run again`,
    );
  }
  const [complaint] = validateEvidence(value);
  if (complaint) throw new UsageError(`${file}:${number}: not a line of evidence (${complaint})`);
  return value as Line;
}

function readLines(file: string): Line[] {
  try {
    const lines: Line[] = [];
    for (const text of lineTexts(file)) lines.push(parsed(file, lines.length + 1, text));
    return lines;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `${file}: can't be read (${(error as NodeJS.ErrnoException).code}); name an evidence.jsonl`,
    );
  }
}

/** A target as the header shows it. */
export const shownTarget = (target: Target): EvidenceHeader['target'] => ({
  ...target,
  tokens: Object.fromEntries(Object.entries(target.tokens).map(([name, { variable }]) => [name, variable])),
});

/** A target to judge by: its secrets are gone, and judging needs none. */
function targetOf(header: EvidenceHeader): Target {
  const tokens = Object.entries(header.target.tokens).map(([name, variable]): [string, Token] => [
    name,
    { value: '', variable },
  ]);
  return { ...header.target, tokens: Object.fromEntries(tokens) };
}

/** When the last exchange ended; undefined where there is none, or none at a time that a date can have. */
function lastTime(evidence: Evidence): string | undefined {
  let last = Number.NEGATIVE_INFINITY;
  for (const entry of evidence.values()) {
    if (!isExchange(entry)) continue;
    const ended = new Date(Date.parse(entry.timing.startedAt) + entry.timing.endMs).getTime();
    if (ended > last) last = ended;
  }
  return Number.isFinite(last) ? new Date(last).toISOString() : undefined;
}

/**
 * Reads the evidence of a run.
 * @throws UsageError where it is not evidence, with the line
 */
export function readEvidence(file: string): RecordedRun {
  const [header, ...rest] = readLines(file);
  if (header?.kind !== 'header') throw new UsageError(`${file}: does not begin with the header of a run`);
  const evidence = new Map<string, Exchange | Unsent>();
  let end: EvidenceEnd | undefined;
  let traffic: EvidenceTraffic | undefined;
  for (const [index, line] of rest.entries()) {
    const where = `${file}:${index + 2}`;
    const isOfOther = line.kind === 'traffic' && header.source === undefined;
    if (end !== undefined || line.kind === 'header' || isOfOther)
      throw new UsageError(
        `${where}: a line of kind ${line.kind} does not belong here; the evidence was changed`,
      );
    if (line.kind === 'end') {
      end = line;
      continue;
    }
    if (line.kind === 'traffic') {
      traffic = line;
      continue;
    }
    const { kind: _kind, ...entry } = line;
    if (evidence.has(entry.id))
      throw new UsageError(`${where}: ${entry.id} appears twice; the evidence was changed`);
    evidence.set(entry.id, entry);
  }
  const last = lastTime(evidence) ?? header.startedAt;
  return {
    header,
    target: targetOf(header),
    evidence,
    finishedAt: end?.finishedAt ?? traffic?.finishedAt ?? last,
    partial: end?.partial ?? rest.at(-1)?.kind !== 'traffic',
    ...(traffic === undefined ? {} : { traffic: traffic.traffic }),
  };
}
