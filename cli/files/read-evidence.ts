import { statSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { UsageError } from '../../fixtures/target/errors.ts';
import { readBaseUrl, type Target } from '../../fixtures/target/target.ts';
import { pieceBytes, pieces, withJsonErrors, withReadErrors } from '../../fixtures/files/bounded.ts';
import { once } from '../../spec/once.ts';
import { type JsonBounds, type StrictJson, strictJson, weightOf } from '../../spec/strict-json.ts';
import { mostReadBytes, readingBytes } from '../../suites/reading/reply-reading.ts';
import { validateEvidence } from '../../reporters/schema/validate.ts';
import { type Evidence, type Exchange, type Unsent, isExchange } from '../../suites/types/exchange.ts';
import type { TrafficCounts } from '../../suites/types/traffic.ts';
import { longestHeader } from './repeated-folder.ts';
import { evidenceVersion } from './evidence-file.ts';
import type { EvidenceEnd, EvidenceHeader, EvidenceTraffic } from './evidence-file.ts';

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

/** Bytes of evidence that are read, and of one line; what many short lines take of memory is bounded by itself. */
const [longestEvidence, longestLine] = [256_000_000, 48_000_000];

const nameOne = 'name an evidence.jsonl';
const lineBounds: JsonBounds = { depth: 64, string: longestLine, weight: mostReadBytes };

/** Called with each line as it is read, and its number from 1. */
export type InspectLine = (line: StrictJson, number: number) => void;

const wayOut = 'this is no evidence of this suite, or it was changed';

/** Bytes put one after another, in memory that is used again: of megabytes each copy would stay for a while. */
function createStore() {
  const store = Buffer.alloc(longestLine + pieceBytes);
  let length = 0;
  const add = (piece: Buffer): void => {
    length += piece.copy(store, length);
  };
  const take = (): Buffer => {
    const taken = store.subarray(0, length);
    length = 0;
    return taken;
  };
  return { add, take, length: () => length };
}
type Store = ReturnType<typeof createStore>;

/** The lines of a file, each until the next is asked for; what follows the last line break stays in the store. */
function* lineBytes(file: string, line: Store): Generator<Buffer> {
  let number = 1;
  line.take();
  for (const piece of pieces(file, longestEvidence)) {
    let start = 0;
    for (let end = piece.indexOf(0x0a); end >= 0; end = piece.indexOf(0x0a, start)) {
      line.add(piece.subarray(start, end));
      start = end + 1;
      yield line.take();
      number += 1;
    }
    line.add(piece.subarray(start));
    const longest = number === 1 ? longestHeader : longestLine;
    if (line.length() > longest)
      throw new UsageError(`${file}:${number}: is longer than ${longest} bytes; it was changed`);
  }
}

function checkedLine(file: string, number: number, value: unknown): Line {
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

/** Does what reads a line, with each of them. */
function* eachLine<T extends { readonly weight: number }>(
  file: string,
  store: Store,
  read: (line: Buffer, bounds: JsonBounds, number: number) => T,
): Generator<T> {
  let number = 0;
  let left = mostReadBytes;
  for (const bytes of lineBytes(file, store)) {
    number += 1;
    const done = withJsonErrors({ file, line: number }, () => read(bytes, lineBounds, number), wayOut);
    left -= done.weight;
    if (left < 0)
      throw new UsageError(
        `${file}:${number}: takes more than ${mostReadBytes} bytes of memory with what stands before it, and no more is read`,
      );
    yield done;
  }
}

/** What the bodies of a line take once more where they are read, in bytes of memory. */
function bodyWeight(line: Line): number {
  if (line.kind !== 'exchange' || !isExchange(line)) return 0;
  const replies = [line, ...line.attempts].flatMap(({ response }) => response ?? []);
  return replies.reduce((sum, { body }) => sum + readingBytes(body), 0);
}

/** Bytes of a line of which the copies that reading makes are not left to stand. */
const longLine = 1_000_000;

/** What takes memory that nobody holds any more: V8 alone lets it stand until the heap has grown by a fifth. */
const collector = once((): (() => void) => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
});

/** Parses and checks each line, once it is known that all of them may be held. */
function* linesOf(file: string, store: Store, inspect?: InspectLine): Generator<Line> {
  const weighed = eachLine(file, store, (line, bounds) => ({ weight: weightOf(line, bounds) }));
  while (weighed.next().done !== true);
  const checked = eachLine(file, store, (bytes, bounds, number) => {
    const read = strictJson(bytes, bounds);
    inspect?.(read, number);
    const line = checkedLine(file, number, read.value);
    return { line, weight: read.weight + bodyWeight(line), isLong: bytes.length > longLine };
  });
  for (const { line, isLong } of checked) {
    if (isLong) collector()();
    yield line;
  }
}

/** A target to judge by: its secrets are gone, and judging needs none. */
function targetOf(header: EvidenceHeader): Target {
  const tokens = Object.entries(header.target.tokens).map(([name, variable]) => [
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

interface Reading {
  header?: EvidenceHeader;
  readonly evidence: Map<string, Exchange | Unsent>;
  end?: EvidenceEnd;
  traffic?: EvidenceTraffic;
  /** Whether the counts of live traffic stand last, in place of an end. */
  endsWithTraffic: boolean;
}

/** Whether an exchange is one that was recorded before, with further attempts. */
const goesOn = (before: Exchange | Unsent, entry: Exchange | Unsent): boolean =>
  isExchange(before) &&
  isExchange(entry) &&
  entry.attempts.length > before.attempts.length &&
  before.attempts.every(({ startedAt }, at) => startedAt === entry.attempts[at]?.startedAt);

/** Takes a line over. Throws UsageError where it does not belong where it stands. */
function take(reading: Reading, line: Line, changed: (what: string) => UsageError): void {
  const { header, evidence } = reading;
  const isOfOther = line.kind === 'traffic' && header?.source === undefined;
  if (reading.end !== undefined || (line.kind === 'header' && header !== undefined) || isOfOther)
    throw changed(`a line of kind ${line.kind} does not belong here`);
  reading.endsWithTraffic = line.kind === 'traffic';
  if (line.kind === 'header') reading.header = line;
  else if (line.kind === 'end') reading.end = line;
  else if (line.kind === 'traffic') reading.traffic = line;
  else {
    const { kind: _kind, ...entry } = line;
    const before = evidence.get(entry.id);
    if (before !== undefined && !goesOn(before, entry)) throw changed(`${entry.id} appears twice`);
    evidence.set(entry.id, entry);
  }
}

/** Reads the evidence of a run. Throws UsageError where it is not evidence, with the line. */
export function readEvidence(file: string, inspect?: InspectLine): RecordedRun {
  const reading: Reading = { evidence: new Map(), endsWithTraffic: false };
  const isFile = withReadErrors(file, () => statSync(file).isFile(), nameOne);
  if (!isFile) throw new UsageError(`${file}: is no file; ${nameOne}`);
  const headless = (): UsageError => new UsageError(`${file}: does not begin with the header of a run`);
  const store = createStore();
  let number = 1;
  const changed = (what: string): UsageError =>
    new UsageError(`${file}:${number}: ${what}; the evidence was changed`);
  withReadErrors(
    file,
    () => {
      for (const line of linesOf(file, store, inspect)) {
        if (number === 1 && line.kind !== 'header') throw headless();
        take(reading, line, changed);
        number += 1;
      }
    },
    nameOne,
  );
  // A killed run did not finish what follows the last line break.
  if (store.length() > 0) {
    if (reading.end !== undefined) throw changed('something follows the last line');
    reading.endsWithTraffic = false;
  }
  const { header, evidence, end, traffic, endsWithTraffic } = reading;
  if (header === undefined) throw headless();
  const address = readBaseUrl(header.target.baseUrl);
  if (!('url' in address) || address.url !== header.target.baseUrl)
    throw new UsageError(`${file}:1: target/baseUrl is no address that a run is made at; it was changed`);
  const last = lastTime(evidence) ?? header.startedAt;
  return {
    header,
    target: targetOf(header),
    evidence,
    finishedAt: end?.finishedAt ?? traffic?.finishedAt ?? last,
    partial: end?.partial ?? !endsWithTraffic,
    ...(traffic === undefined ? {} : { traffic: traffic.traffic }),
  };
}
