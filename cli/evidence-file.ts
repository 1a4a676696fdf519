import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { UsageError } from '../fixtures/target/errors.ts';
import type { Target, Token } from '../fixtures/target/target.ts';
import { validateEvidence } from '../reporters/schema/validate.ts';
import type { Evidence, Exchange, Unsent } from '../suites/model/exchange.ts';
import { isExchange } from '../suites/model/exchange.ts';
import type { Report } from '../suites/model/report.ts';
import type { Selection } from '../suites/model/run.ts';

/** First line of the evidence: all that judging needs beside the exchanges. */
export interface EvidenceHeader {
  readonly kind: 'header';
  readonly schemaVersion: 1;
  readonly suite: Report['suite'];
  readonly runId: string;
  readonly target: Omit<Target, 'tokens'> & {
    /** Token name to the environment variable that holds it; never a value. */
    readonly tokens: Readonly<Record<string, string>>;
  };
  readonly seed: number;
  readonly selection: Selection;
  readonly startedAt: string;
}

interface EvidenceEnd {
  readonly kind: 'end';
  readonly finishedAt: string;
  readonly partial: boolean;
}

/** Evidence as it is written: line by line, while the run goes. */
export interface EvidenceLog {
  readonly write: (entry: Exchange | Unsent) => void;
  readonly end: (finishedAt: string, partial: boolean) => void;
}

/**
 * Opens the evidence of a run and writes its header.
 * @param clean takes secrets out of a line
 */
export function openEvidence(
  file: string,
  header: EvidenceHeader,
  clean: (line: string) => string,
): EvidenceLog {
  const descriptor = openSync(file, 'w');
  // At once, not through a stream: a killed run leaves what it had.
  const line = (value: object): void => void writeSync(descriptor, `${clean(JSON.stringify(value))}\n`);
  line(header);
  return {
    write: (entry) => line({ kind: isExchange(entry) ? 'exchange' : 'unsent', ...entry }),
    end: (finishedAt, partial) => {
      line({ kind: 'end', finishedAt, partial } satisfies EvidenceEnd);
      closeSync(descriptor);
    },
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
}

type Line = EvidenceHeader | EvidenceEnd | ({ readonly kind: 'exchange' | 'unsent' } & (Exchange | Unsent));

/** Bytes of evidence that are read at all, and characters of one line: an exchange is bounded far below. */
const [longestEvidence, longestLine] = [256_000_000, 64_000_000];

function readLines(file: string): Line[] {
  let text: string;
  try {
    const stat = statSync(file);
    if (!stat.isFile() || stat.size > longestEvidence)
      throw new UsageError(`${file}: is no file of at most ${longestEvidence} bytes; name an evidence.jsonl`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `${file}: can't be read (${(error as NodeJS.ErrnoException).code}); name an evidence.jsonl`,
    );
  }
  const lines = text.split('\n');
  // What follows the last line break is a line that a killed run did not finish.
  lines.pop();
  return lines.map((line, index) => {
    if (line.length > longestLine)
      throw new UsageError(`${file}:${index + 1}: is longer than ${longestLine} characters`);
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw new UsageError(
        `${file}:${index + 1}: not JSON; this is no evidence of this suite, or it was changed`,
      );
    }
    const [complaint] = validateEvidence(value);
    if (complaint) throw new UsageError(`${file}:${index + 1}: not a line of evidence (${complaint})`);
    return value as Line;
  });
}

/** A target to judge by: its secrets are gone, and judging needs none. */
function targetOf(header: EvidenceHeader): Target {
  const tokens = Object.entries(header.target.tokens).map(([name, variable]): [string, Token] => [
    name,
    { value: '', variable },
  ]);
  return { ...header.target, tokens: Object.fromEntries(tokens) };
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
  for (const [index, line] of rest.entries()) {
    const where = `${file}:${index + 2}`;
    if (end !== undefined || line.kind === 'header')
      throw new UsageError(
        `${where}: a line of kind ${line.kind} does not belong here; the evidence was changed`,
      );
    if (line.kind === 'end') {
      end = line;
      continue;
    }
    const { kind: _kind, ...entry } = line;
    if (evidence.has(entry.id))
      throw new UsageError(`${where}: ${entry.id} stands twice; the evidence was changed`);
    evidence.set(entry.id, entry);
  }
  const times = [...evidence.values()]
    .filter(isExchange)
    .map(({ timing }) => Date.parse(timing.startedAt) + timing.endMs);
  const last = times.length > 0 ? new Date(Math.max(...times)).toISOString() : header.startedAt;
  return {
    header,
    target: targetOf(header),
    evidence,
    finishedAt: end?.finishedAt ?? last,
    partial: end?.partial ?? true,
  };
}
