import type { Damage } from '../types/plan.ts';

/** Of a text without blanks between its values: the last blank is in a string. */
function withLineFeed(text: string): string {
  const at = text.lastIndexOf(' ');
  return `${text.slice(0, at)}\n${text.slice(at + 1)}`;
}

const damages: Readonly<Record<Damage, (text: string) => string>> = {
  // Whoever completes it finds every parameter there.
  cut: (text) => text.slice(0, -1),
  empty: () => '',
  'trailing-comma': (text) => text.replace(/\}$/, ',}'),
  comment: (text) => text.replace(/^\{/, '{/* a request */'),
  twice: (text) => `${text}\n${text}`,
  'line-feed': withLineFeed,
  'not-a-number': (text) => text.replace(/-?[\d.]+\}$/, 'NaN}'),
  'single-quotes': (text) =>
    text.replace(/"((?:[^"\\]|\\.)*)"/g, (_, inside: string) => `'${inside.replaceAll("'", "\\'")}'`),
  'bare-names': (text) => text.replace(/"(\w+)":/g, '$1:'),
};

/**
 * Makes of a JSON object something that is not JSON (section 4).
 *
 * @param text the object as `JSON.stringify` writes it, with a blank in a string; for `not-a-number` its last value is a number
 */
export const damagedJson = (text: string, damage: Damage): string => damages[damage](text);
