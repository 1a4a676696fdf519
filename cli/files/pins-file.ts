import { type KnownIds, parsePins, type Pins, readPinsText } from '../../fixtures/pins/pins.ts';
import { fullTarget } from '../../fixtures/target/full-target.ts';
import { knownIds } from '../../reporters/pins/behaviours.ts';
import { once } from '../../spec/once.ts';
import { fullDepth } from '../../suites/types/profile.ts';
import { everything } from '../../suites/plan/plan.ts';
import { planRun } from '../../suites/plan/plan-run.ts';

export interface PinsText {
  readonly file: string;
  readonly text: string;
}

/** Everything that a pin may name: what a full run against a target that declares everything may observe. */
export const knownPins: () => KnownIds = once(() => {
  const { cases } = planRun(fullTarget, { seed: 0, selection: everything, ...fullDepth });
  return knownIds(cases.flatMap(({ id, check }) => (check.kind === 'observe' ? [id] : [])));
});

/** The pins of a text. Throws UsageError where it is none, or names what is not known. */
export const pinsIn = ({ file, text }: PinsText): Pins => parsePins(file, text, knownPins());

/**
 * Reads a file of pins.
 * @throws UsageError where it can't be read, or names what is not known: with file and line
 */
export function readPins(file: string): PinsText {
  const read = { file, text: readPinsText(file) };
  pinsIn(read);
  return read;
}
