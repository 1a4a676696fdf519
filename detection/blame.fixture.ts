import type { Fault } from '../fixtures/faults/index.ts';
import { textProtocols } from '../spec/vocabulary.ts';
import type { SuiteName } from '../suites/types/suite-names.ts';
import type { Variant } from '../fixtures/variants/variant.ts';
import { type FaultRow, faultRow, type VariantRow, variantRow } from './matrix.ts';

type Blame = Pick<FaultRow, 'caught' | 'collateral' | 'missed' | 'untrue'>;

/** That of a fault which is caught, blamed on what it breaks and on nothing else, and told without an untrue word. */
export const exactBlame: Blame = { caught: true, collateral: [], missed: [], untrue: [] };

async function blameOf(fault: Fault, requirements: readonly string[]): Promise<Blame> {
  const { caught, collateral, missed, untrue } = await faultRow(fault, { selected: { requirements } });
  return { caught, collateral, missed, untrue };
}

export const blameInWholeRun = (fault: Fault): Promise<Blame> => blameOf(fault, []);

/** Requirements that read the combinations of every endpoint. */
const readMuch = [
  ...textProtocols.map((protocol) => `${protocol}.output.intact`),
  'images.param.size.accepted',
];

/** What the clock shows is judged in a whole run: others do not wait, and would be in its timings. */
export const isTimed = ({ id }: Fault): boolean => id.includes('.incremental.');

/**
 * What a run of the requirements that a fault breaks says of it. What breaks in some requests only may be seen in none
 * of the few that its requirement needs.
 */
export async function blameFound(fault: Fault): Promise<Blame> {
  if (isTimed(fault)) return blameInWholeRun(fault);
  for (const requirements of [fault.breaks, [...fault.breaks, ...readMuch]]) {
    const blame = await blameOf(fault, requirements);
    if (blame.missed.length === 0) return blame;
  }
  return blameInWholeRun(fault);
}

/** What differs in the form of answers alone is not asked for every refusal: `npm run detection` asks for all. */
const isFormOnly = ({ id }: Variant): boolean =>
  /^(events|fragments|framing|result|shape|text|transport)\./.test(id);
const withAnswers: readonly SuiteName[] = ['families', 'results', 'streams', 'context'];

/** What a run says of a conformant gateway. */
type Acceptance = Pick<VariantRow, 'verdict' | 'blamed' | 'open' | 'untrue'>;

export const accepted: Acceptance = { verdict: 'conformant', blamed: [], open: [], untrue: [] };

async function judgedOnce(variant: Variant): Promise<Acceptance> {
  const selected = isFormOnly(variant) ? { suites: withAnswers } : {};
  const { verdict, blamed, open, untrue } = await variantRow(variant, { selected });
  return { verdict, blamed, open, untrue };
}

/**
 * A run that is not decided is no verdict, and is made once more: outages fall where they fall. A failed one is not.
 * @param note is given the run that was not decided
 */
export async function decidedRun<Run extends Pick<VariantRow, 'verdict'>>(
  run: () => Promise<Run>,
  note: (first: Run) => void,
): Promise<Run> {
  const first = await run();
  if (first.verdict !== 'inconclusive') return first;
  note(first);
  return run();
}

const undecided = new Map<string, readonly string[]>();

/** What was left open, by the variant whose first run was not decided. */
export const undecidedRuns: ReadonlyMap<string, readonly string[]> = undecided;

export const acceptanceOf = (variant: Variant): Promise<Acceptance> =>
  decidedRun(
    () => judgedOnce(variant),
    ({ open }) => undecided.set(variant.id, open),
  );

/** Those that wait much first: begun last, they would be waited for. */
export function slowFirst(variants: readonly Variant[]): readonly Variant[] {
  const waitsMuch = ({ id }: Variant): boolean => /^(rate-limit|reasoning|refusal|transient)\./.test(id);
  return [...variants.filter(waitsMuch), ...variants.filter((variant) => !waitsMuch(variant))];
}
