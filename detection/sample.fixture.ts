import { protocols } from '../spec/vocabulary.ts';
import { type Fault, faults } from '../fixtures/faults/index.ts';
import { variants } from '../fixtures/variants/index.ts';
import { lockVariants } from '../fixtures/variants/locks.ts';
import { transientFaultVariants } from '../fixtures/variants/transient-faults.ts';
import type { Variant } from '../fixtures/variants/variant.ts';

/** A requirement without its protocol: what holds for each protocol stands once in the register. */
const statementOf = (requirement: string): string =>
  requirement.replace(new RegExp(`^(?:${protocols.join('|')})\\.`), '');

/** Every sixth of the faults that break a statement which none before them breaks: the others are tested with all else. */
export function sampledFaults(): readonly Fault[] {
  const broken = new Set<string>();
  const ofStatements = faults.filter(({ breaks, anyOf }) => {
    if (anyOf) return false;
    const statements = breaks.map(statementOf);
    const isNew = statements.some((statement) => !broken.has(statement));
    for (const statement of statements) broken.add(statement);
    return isNew;
  });
  return ofStatements.filter((_, at) => at % 6 === 4);
}

/** Conformant gateways; those that lock out mostly wait, and are judged all at once elsewhere. */
const unlocked = variants.filter((variant) => !lockVariants.includes(variant));

/** One conformant gateway of so many is in the sample; neighbours are of one kind. */
const everyOf = 60;

/** Without those of transient faults, whose runs wait for up to a minute. */
export const sampledVariants = (): readonly Variant[] =>
  unlocked
    .filter((variant) => !transientFaultVariants.includes(variant))
    .filter((_, at) => at % everyOf === 0);

/** What the sample leaves out. */
export const otherFaults = (): readonly Fault[] => {
  const sampled = new Set(sampledFaults());
  return faults.filter((fault) => !sampled.has(fault));
};

export const otherVariants = (): readonly Variant[] => {
  const sampled = new Set(sampledVariants());
  return unlocked.filter((variant) => !sampled.has(variant));
};
