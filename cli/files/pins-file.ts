import { interfaceKey, type KnownIds, parsePins, type Pins, readPinsText } from '../../fixtures/pins/pins.ts';
import { fullTarget } from '../../fixtures/target/full-target.ts';
import { knownIds } from '../../reporters/pins/behaviours.ts';
import { extension, oncePerExtension, withExtension } from '../../spec/extension.ts';
import { partOf } from '../../spec/part.ts';
import { fullDepth } from '../../suites/types/profile.ts';
import { everything, planRun } from '../../suites/plan/plan.ts';

export interface PinsText {
  readonly file: string;
  readonly text: string;
}

/** All that a pin may name: what a full run may observe, of the interface or of an extension in force. */
export const knownPins: () => KnownIds = oncePerExtension(() => {
  const own = extension();
  const depth = { ...fullDepth, ...(own ? { extension: own } : {}) };
  const { cases } = planRun(fullTarget, { seed: 0, selection: everything, ...depth });
  return knownIds(cases.flatMap(({ id, check }) => (check.kind === 'observe' ? [id] : [])));
});

/** What may be pinned in the list of a key; of an extension that is not in force nobody knows. */
function knownOf(key: string): KnownIds | undefined {
  if (key === interfaceKey) return withExtension(undefined, knownPins);
  const own = extension();
  return own !== undefined && partOf(own) === key ? knownPins() : undefined;
}

/** The pins of a text: of a part, or of the interface. Throws UsageError where it is none, or names what is not known. */
export const pinsIn = ({ file, text }: PinsText, part?: string): Pins => parsePins(file, text, knownOf, part);

/** Reads a file of pins. Throws UsageError where it can't be read, or names what is not known: with file and line. */
export function readPins(file: string): PinsText {
  const read = { file, text: readPinsText(file) };
  pinsIn(read);
  return read;
}
