import { numberMark } from '../../types/numbered.ts';
import type { RequestBuilder } from './request-builder.ts';

/** A text to repeat, as its request has it, and as it is compared with others of which only the number differs. */
export interface OwnText {
  readonly text: string;
  readonly says: readonly [string];
}

/** The long text with room for a number amid it. */
export const markedText = ({ data }: Pick<RequestBuilder, 'data'>): string =>
  data.longText.replace('. ', ` ${numberMark}. `);

/** A number of five digits. */
const digits = /\d{5}$/;

/**
 * The long text with a random number amid it, which no other text has: a reply that was kept for another one shows
 * (principle 13), though both are as long, begin alike and differ in digits alone.
 */
export function ownText(builder: Pick<RequestBuilder, 'data'>): OwnText {
  const marked = markedText(builder);
  const [number = ''] = digits.exec(builder.data.nonce()) ?? [];
  return { text: marked.replace(numberMark, number), says: [marked] };
}

/** Its first sentence, which holds the number. */
export const firstSentence = (text: string): string => text.slice(0, text.indexOf('.'));
