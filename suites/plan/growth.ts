import { configError } from '../../fixtures/target/errors.ts';
import { type Extension, type Place, withExtension } from '../../spec/extension.ts';
import { parameters } from '../../spec/openapi.ts';
import { placeOf } from '../../spec/own-rows.ts';
import { isTextProtocol, type Protocol, protocols } from '../../spec/vocabulary.ts';
import { edges, textFactors } from '../cases/combinations/text-factors.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { countOf } from './plan-counts.ts';

/** How many times as long as the plan of the interface both plans together may be. */
const mostGrowth = 10;

const measures = ['requests', 'generations'] as const;
type Size = Readonly<Record<(typeof measures)[number], number>>;

/** What a part of an extension asks for, at least. */
type Part = Size & { readonly place: Place | undefined };

/** Each value of an added parameter stands beside each level of every other factor. */
function ofParameters(protocol: Protocol): readonly Part[] {
  const [known, others] = withExtension(undefined, () => [
    new Set(parameters(protocol).map(({ name }) => name)),
    isTextProtocol(protocol) ? Object.values(textFactors(protocol, 1)) : [],
  ]);
  const levels = Math.max(1, ...others.map(({ length }) => length));
  return parameters(protocol)
    .filter(({ name }) => !known.has(name))
    .map((parameter) => {
      const asked = edges(parameter).length * levels;
      const place = placeOf({ id: '', about: { protocol, parameter: parameter.name } });
      return { place, requests: asked, generations: asked };
    });
}

const ofStatements = ({ statements, places }: Extension): readonly Part[] =>
  statements.flatMap(({ id, probes = [] }) =>
    probes.map(({ protocols: of = protocols, values = [null], situations, expect }) => {
      const further = situations && 'each' in situations ? situations.each : 0;
      const asked = of.length * values.length * (1 + further);
      return { place: places[id], requests: asked, generations: expect === 'accepted' ? asked : 0 };
    }),
  );

/** What a further path asks: what is asked of the one that has its shape. */
const ofPaths = ({ paths }: Extension, known: readonly PlannedRequest[]): readonly Part[] =>
  paths.map(({ shape, place }) => ({ place, ...sizeOf(known.filter(({ protocol }) => protocol === shape)) }));

const sizeOf = (requests: readonly PlannedRequest[]): Size => ({
  requests: requests.length,
  generations: countOf(requests).billed,
});

/**
 * @param planned of the extension; where it is not made yet, what it asks for at least counts: one far too long takes all memory
 * @throws UsageError where it is too long beside `known`, the requests of the plan of the interface
 */
export function ensureBounded(
  extension: Extension,
  known: readonly PlannedRequest[],
  planned?: readonly PlannedRequest[],
): void {
  const parts = withExtension(extension, () => protocols.flatMap(ofParameters)).concat(
    ofStatements(extension),
    ofPaths(extension, known),
  );
  const ofInterface = sizeOf(known);
  for (const measure of measures) {
    const least = parts.reduce((sum, part) => sum + part[measure], 0);
    const asked = planned === undefined ? least : sizeOf(planned)[measure];
    if (asked <= (mostGrowth - 1) * ofInterface[measure]) continue;
    const [largest] = parts.toSorted((one, other) => other[measure] - one[measure]);
    throw configError(
      largest?.place ?? { file: extension.files[0]?.name ?? 'an extension', line: 0 },
      `asks for most of ${asked} ${measure}${planned ? '' : ' or more'}, beside the ${ofInterface[measure]} of the interface: an extension that makes the plan grow beyond ten times is refused`,
      'state fewer values or situations, or the rest in a file that is run by itself',
    );
  }
}
