import { parameters } from '../../../spec/openapi.ts';
import { isHole, type Template } from '../../types/template.ts';

/** Pixels of a size such as 256x256. */
const pixels = (size: string): number => size.split('x').reduce((product, side) => product * Number(side), 1);

/** The allowed size with the fewest pixels (4.4); undefined where the document lists none. */
export function smallestSize(): string | undefined {
  const { allowed = [] } = parameters('images').find(({ name }) => name === 'size') ?? {};
  return [...allowed].sort((one, other) => pixels(one) - pixels(other))[0];
}

/** A request for images that asks for the smallest ones, where it asks for no size of its own. */
export function withSmallestImage(json: Template): Template {
  const size = smallestSize();
  if (typeof json !== 'object' || json === null || Array.isArray(json) || isHole(json)) return json;
  return size === undefined || 'size' in json ? json : { ...json, size };
}
