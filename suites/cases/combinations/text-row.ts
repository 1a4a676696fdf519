import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { Levels } from './covering-array.ts';
import type { Styles } from './row-styles.ts';
import { isWith } from './text-factors.ts';

/**
 * Where a row has a nonce that it asks for: in the system prompt, in the first turn, in a later one of the user or of the
 * assistant, in a turn or another system turn of its shape, in another element of a list, earlier in a chain, or in the
 * question itself. A `root` has one and asks for nothing, and so has a `told-element` of a list, for which the next response of
 * the chain asks as the `element-before`; a `limit` asks for a text that is longer than its bound.
 */
export type Place =
  | 'system'
  | 'first'
  | 'user'
  | 'assistant'
  | 'turn'
  | 'other-system'
  | 'element'
  | 'chain'
  | 'told-element'
  | 'element-before'
  | 'inline'
  | 'root'
  | 'limit';

/** One valid request of a covering array. */
export interface TextRow {
  /** From 1. */
  readonly number: number;
  /** Whether `stream` is false: left out it is to be that, too (4.1 to 4.3). */
  readonly declined: boolean;
  readonly levels: Levels;
  /** What of it costs nothing and stands beside all else: who asks, and further turns. */
  readonly styles?: Styles;
  /** At least one. */
  readonly places: readonly Place[];
}

export const has = ({ levels }: Pick<TextRow, 'levels'>, factor: string): boolean => isWith(levels, factor);

export const isAt = ({ places }: Pick<TextRow, 'places'>, place: Place): boolean => places.includes(place);

export const isStreamed = (levels: Levels): boolean => isWith(levels, 'stream');

/** Where a row has its nonces, by what it has; a bound is not tested with it. */
export function placesOf(levels: Levels): readonly Place[] {
  const is = (factor: string) => has({ levels }, factor);
  const found: readonly (Place | false)[] = [
    (is('system') || is('instructions')) && 'system',
    // A request asks for three nonces at most.
    is('history') && !is('system') && 'first',
    is('history') && 'user',
    is('history') && 'assistant',
    is('list') && 'element',
  ];
  const listed = found.filter((place) => place !== false);
  return listed.length > 0 ? listed : ['inline'];
}

/** Whether a row has a place for a nonce other than its question: what goes without one there is not asked for it. */
export const hasPlace = (levels: Levels): boolean => placesOf(levels)[0] !== 'inline';

/** Output tokens that a `limit` row allows: the fewest that chunks tell, more where words do, for whole chats an unusual number. */
export const lowLimit = (protocol: TextProtocol, { levels }: Pick<TextRow, 'levels'>): number => {
  const isStream = isStreamed(levels);
  if (protocol === 'chat') return isStream ? 1 : 5;
  return isStream ? 5 : 16;
};
