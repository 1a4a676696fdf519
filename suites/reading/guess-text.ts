import { isObject } from '../../spec/json.ts';
import { isText } from './json.ts';
import type { StreamEvent } from './stream.ts';
import type { TextIncrement } from './timing.ts';

// The event types of a Messages stream are not shown (6.1): text may stand anywhere in them.

/** The text of a stream whose events are of no known shape. */
export interface Guess {
  readonly pieces: readonly TextIncrement[];
  /** Several events add to it, and nothing suggests that it explains a refusal. */
  readonly sure: boolean;
}

interface Leaf {
  readonly event: StreamEvent;
  /** Kind of event and path, array indexes included. */
  readonly slot: string;
  /** The same without the indexes. */
  readonly place: string;
  readonly name: string;
  readonly text: string;
}

const mostDeep = 12;
/** Of one event. */
const mostLeaves = 60;
const mostStrings = 40_000;
const mostPlaces = 2000;

/** Members whose own strings are no text of the reply, whatever they say. */
const never =
  /^(?:type|event|kind|op|object|role|author|model|name|id|uuid|status|state|phase|stage|path|version|locale|lang|language|created.*|updated.*|time.*|date|ts|stop_sequence|signature|fingerprint|system_fingerprint|obfuscation|padding|partial_json|arguments|provider|service_tier|region|url|mime_?type|encoding|format|seq|sequence|cursor|hash|nonce)$|(?:_id|Id|_at|At|_reason|Reason)$/;

/** Members in which nothing is text of the reply. */
const closed =
  /^(?:errors?|error_.*|usage|billing|headers|metadata|meta|debug|logprobs|thinking|thoughts?|reasoning.*)$/;

/** Members that usually hold text; they go before others. */
const usual =
  /^(?:text|content|token|delta|chunk|fragment|completion|generated_text|output_text|answer|output|response)$/;

/** Members that may as well tell why something was refused. */
const explaining =
  /^(?:message|msg|reason|detail|details|description|title|notice|hint|warning|code|why|info)$/;

/** Events that bring something else. */
const quiet = /^(?:ping|heart|keep|error)|think|reason/i;

/** Whether an event is an array whose first string says what follows, as the name of a member would. */
const isLabelled = (data: unknown): data is readonly [string, ...unknown[]] =>
  Array.isArray(data) && data.length > 1 && isText(data[0]) && usual.test(data[0]);

const kindOf = ({ data, name }: StreamEvent): string => {
  if (isLabelled(data)) return data[0];
  const own = isObject(data) ? [data.type, data.event, data.kind].find(isText) : undefined;
  return own ?? name ?? '';
};

/** The strings of an event that may be text, in their order. */
function leavesOf(event: StreamEvent): readonly Leaf[] {
  const kind = kindOf(event);
  const leaves: Leaf[] = [];
  if (quiet.test(kind)) return leaves;
  const walk = (value: unknown, at: Pick<Leaf, 'slot' | 'place' | 'name'>, depth: number): void => {
    if (leaves.length >= mostLeaves || depth > mostDeep) return;
    const { slot, place, name } = at;
    if (isText(value)) {
      if (!never.test(name)) leaves.push({ event, ...at, text: value });
    } else if (Array.isArray(value)) {
      for (const [i, inner] of value.entries()) {
        if (leaves.length >= mostLeaves) return;
        walk(inner, { slot: `${slot}/${i}`, place: `${place}/*`, name }, depth + 1);
      }
    } else if (isObject(value)) {
      for (const [member, inner] of Object.entries(value)) {
        if (closed.test(member)) continue;
        walk(inner, { slot: `${slot}/${member}`, place: `${place}/${member}`, name: member }, depth + 1);
      }
    }
  };
  const { data } = event;
  walk(isLabelled(data) ? data.slice(1) : data, { slot: kind, place: kind, name: '' }, 0);
  return leaves;
}

function grouped(leaves: readonly Leaf[], by: 'slot' | 'place'): readonly (readonly Leaf[])[] {
  const groups = new Map<string, Leaf[]>();
  for (const leaf of leaves) {
    const group = groups.get(leaf[by]);
    if (group) group.push(leaf);
    else if (groups.size < mostPlaces) groups.set(leaf[by], [leaf]);
  }
  return [...groups.values()];
}

const number = /^[\d\s.:+TZ-]+$/;
const digest = /^[0-9a-f-]{16,}$/i;

/** Whether what stands in one slot varies as text does: no label, no clock, no identifier. */
function varies(leaves: readonly Leaf[]): boolean {
  const values = new Set(leaves.map(({ text }) => text));
  if (leaves.length > 1 && values.size === 1) return false;
  if (leaves.length > 5 && values.size === 2) return false;
  return ![number, digest].some((pattern) => [...values].every((value) => pattern.test(value)));
}

/** Without a last piece that says once more all of several before it. */
export function withoutSummary(pieces: readonly TextIncrement[]): readonly TextIncrement[] {
  const others = pieces.slice(0, -1);
  const repeats = others.length > 1 && pieces.at(-1)?.text === others.map(({ text }) => text).join('');
  return repeats ? others : pieces;
}

/** What each event adds: all that it says, or where each repeats the one before it and goes on, what is new. */
function piecesOf(leaves: readonly Leaf[]): readonly TextIncrement[] {
  const texts = new Map<StreamEvent, string>();
  for (const { event, text } of leaves) texts.set(event, (texts.get(event) ?? '') + text);
  const whole = [...texts].map(([{ index, atMs }, text]) => ({ index, atMs, text }));
  const before = (i: number): string => whole[i - 1]?.text ?? '';
  const grows = whole.length > 2 && whole.every(({ text }, i) => text.startsWith(before(i)));
  if (grows) {
    return whole
      .map((piece, i) => ({ ...piece, text: piece.text.slice(before(i).length) }))
      .filter(({ text }) => text !== '');
  }
  return withoutSummary(whole);
}

/** Better ones first: several pieces, then a usual name, then the longer text. */
function worth(leaves: readonly Leaf[], pieces: readonly TextIncrement[]): readonly number[] {
  const name = leaves[0]?.name ?? '';
  const named = explaining.test(name) ? 0 : usual.test(name) ? 2 : 1;
  return [Math.min(pieces.length, 2), named, pieces.reduce((sum, { text }) => sum + text.length, 0)];
}

const isMore = (one: readonly number[], other: readonly number[]): boolean => {
  const at = one.findIndex((value, i) => value !== other[i]);
  return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0);
};

/** Where the text of events of unknown shape most likely stands; null where no string of theirs may be it. */
export function guessText(events: readonly StreamEvent[]): Guess | null {
  const found: Leaf[] = [];
  for (const event of events) {
    if (found.length >= mostStrings) break;
    found.push(...leavesOf(event));
  }
  const leaves = grouped(found, 'slot').filter(varies).flat();
  leaves.sort((one, other) => one.event.index - other.event.index);
  let best: { readonly guess: Guess; readonly worth: readonly number[] } | null = null;
  for (const group of grouped(leaves, 'place')) {
    const pieces = piecesOf(group);
    const value = worth(group, pieces);
    const sure = pieces.length > 1 && value[1] !== 0;
    if (best === null || isMore(value, best.worth)) best = { guess: { pieces, sure }, worth: value };
  }
  return best?.guess ?? null;
}

export const mayHoldText = (events: readonly StreamEvent[]): boolean =>
  events.some((event) => leavesOf(event).length > 0);
