import { isUtf8 } from 'node:buffer';

/** What a JSON text may come to, whoever wrote it. */
export interface JsonBounds {
  /** Arrays and objects inside each other. */
  readonly depth: number;
  /** Bytes of one string. */
  readonly string: number;
  /** Bytes of memory that its values take, as `weight` counts them. */
  readonly weight: number;
}

/** Why a text is refused, and where. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  readonly problem: string;
  /** From 1; 0 for the whole. */
  readonly line: number;
  /** The names that lead there; empty at the top. */
  readonly key: string;

  constructor(problem: string, line: number, key: string) {
    super(`${line === 0 ? '' : `line ${line}: `}${key === '' ? '' : `${key}: `}${problem}`);
    this.problem = problem;
    this.line = line;
    this.key = key;
  }
}

/** What V8 takes for a value besides the bytes of a string; measured on arrays of empty objects. */
const valueWeight = 64;

/** An object or array that is not closed yet. */
interface Frame {
  readonly names: Set<string>;
  /** The name or the number of the member that is read. */
  at: string | number;
}

const [tab, blank, quote, comma, minus, colon, backslash] = [9, 32, 34, 44, 45, 58, 92];
const [zero, nine, openList, closeList, openObject, closeObject] = [48, 57, 91, 93, 123, 125];
/** Where UTF-8 begins what Latin-1 does not have: V8 then takes two bytes for each character. */
const firstWide = 0xc4;

const isBlank = (byte: number | undefined): boolean => byte !== undefined && byte <= blank && byte >= tab;
const isNumeric = (byte: number | undefined): boolean =>
  byte !== undefined &&
  ((byte >= zero && byte <= nine) || byte === minus || '.+eE'.includes(String.fromCharCode(byte)));

/** Looks at the bytes of a text before anything is made of them. */
class Scan {
  readonly bytes: Buffer;
  readonly bounds: JsonBounds;
  readonly frames: Frame[] = [];
  weight = 0;
  at = 0;

  constructor(bytes: Buffer, bounds: JsonBounds) {
    this.bytes = bytes;
    this.bounds = bounds;
  }

  refuse(problem: string): never {
    const line = this.bytes.toString('latin1', 0, this.at).split('\n').length;
    // A name may be as long as a string.
    const key = this.frames
      .map(({ at }) => String(at).slice(0, 80))
      .slice(0, 8)
      .join('/');
    throw new JsonError(problem, line, key);
  }

  add(weight: number): void {
    this.weight += weight;
    if (this.weight > this.bounds.weight)
      this.refuse(`takes more than ${this.bounds.weight} bytes of memory`);
  }

  /** Goes behind a string, and gives the place of its first quote. */
  string(): number {
    const { bytes } = this;
    const start = this.at;
    let isWide = false;
    let end = start + 1;
    for (; end < bytes.length && bytes[end] !== quote; end += 1) {
      const byte = bytes[end] as number;
      if (byte === backslash) end += 1;
      else if (byte >= firstWide) isWide = true;
    }
    const length = end - start - 1;
    if (length > this.bounds.string) this.refuse(`holds a text of more than ${this.bounds.string} bytes`);
    this.add(valueWeight + (isWide ? 2 * length : length));
    this.at = end + 1;
    return start;
  }

  /** A string; the name of a member where a colon follows. */
  stringOrName(): void {
    const start = this.string();
    const end = this.at;
    while (isBlank(this.bytes[this.at])) this.at += 1;
    const frame = this.frames.at(-1);
    if (this.bytes[this.at] !== colon || frame === undefined) return;
    const raw = this.bytes.toString('utf8', start, end);
    // Two spellings of one name are one name.
    const name = raw.includes('\\') ? nameOf(raw) : raw.slice(1, -1);
    frame.at = name;
    if (name === '__proto__') this.refuse('is a name that no file of this suite has');
    if (frame.names.has(name)) this.refuse('stands twice');
    frame.names.add(name);
  }

  number(): void {
    const start = this.at;
    while (isNumeric(this.bytes[this.at])) this.at += 1;
    this.add(valueWeight);
    if (!Number.isFinite(Number(this.bytes.toString('latin1', start, this.at))))
      this.refuse('is no finite number');
  }

  open(): void {
    this.frames.push({ names: new Set(), at: 0 });
    if (this.frames.length > this.bounds.depth) this.refuse(`is nested more than ${this.bounds.depth} deep`);
    this.add(valueWeight);
    this.at += 1;
  }

  /** Goes over the whole text; what is no JSON is left to the parser. */
  run(): number {
    for (const { bytes } = this; this.at < bytes.length; ) {
      const byte = bytes[this.at] as number;
      if (byte === quote) this.stringOrName();
      else if (byte === minus || (byte >= zero && byte <= nine)) this.number();
      else if (byte === openList || byte === openObject) this.open();
      else {
        if (byte === closeList || byte === closeObject) this.frames.pop();
        const frame = this.frames.at(-1);
        if (byte === comma && typeof frame?.at === 'number') frame.at += 1;
        this.at += 1;
      }
    }
    return this.weight;
  }
}

function nameOf(raw: string): string {
  try {
    return String(JSON.parse(raw));
  } catch {
    return raw;
  }
}

/** A JSON value, its text, and what it takes of memory. */
export interface StrictJson {
  readonly value: unknown;
  readonly text: string;
  readonly weight: number;
}

/** What a JSON text would take of memory, without making anything of it. Throws JsonError where it passes a bound. */
export const weightOf = (bytes: Buffer, bounds: JsonBounds): number => new Scan(bytes, bounds).run();

/**
 * Reads a JSON text that every reader reads alike: JSON.parse takes the last of two names, infinity for 1e999 and all memory.
 * @throws JsonError where it is not UTF-8, has a name twice or one that changes an object, or passes a bound
 */
export function strictJson(bytes: Buffer, bounds: JsonBounds): StrictJson {
  if (!isUtf8(bytes)) throw new JsonError('is not UTF-8', 0, '');
  const weight = weightOf(bytes, bounds);
  const text = bytes.toString('utf8');
  try {
    return { value: JSON.parse(text) as unknown, text, weight };
  } catch {
    throw new JsonError('is not JSON', 0, '');
  }
}
