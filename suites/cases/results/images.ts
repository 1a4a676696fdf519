import type { CaseBuilder, NewCase } from '../builder/case-builder.ts';
import { imageCounts, type PlannedImageRow } from '../combinations/image-rows.ts';
import { rowsShowing } from '../combinations/rows-showing.ts';
import { sendParameterValue } from '../probes/valid-requests.ts';

const rowsWithCount = (builder: CaseBuilder, count: number | undefined): readonly PlannedImageRow[] =>
  builder.imageRows().filter(({ values }) => values.n === count);

/** Requests for so many images: those with other values, and in their stead the plain one. */
const images = (builder: CaseBuilder, count: number): readonly string[] => {
  const combinations = rowsWithCount(builder, count).map(({ id }) => id);
  const single = { billed: count, combinations };
  return [...combinations, sendParameterValue(builder, 'images', { name: 'n', slug: 'n' }, count, single)];
};

/** Images in one layout: in the rows, and in their stead the plain request, planned with the parameters, too. */
export function imageLayouts(builder: CaseBuilder, layout: 'url' | 'b64_json'): readonly string[] {
  const combinations = rowsShowing(builder, 'images', { name: 'response_format', value: layout });
  const parameter = { name: 'response_format', slug: 'response-format' };
  return [...combinations, sendParameterValue(builder, 'images', parameter, layout, { combinations })];
}

/** As many images as were asked for, and links where those were asked for (2.6, 4.4). */
export function imageCases(builder: CaseBuilder): void {
  for (const count of imageCounts()) {
    const requirement = 'images.result.data.count';
    add(builder, {
      id: `results.images.count.${count}`,
      title: `images returns ${count} for n = ${count}`,
      requirements: [requirement],
      check: () => ({ kind: 'image-count', requirement, probes: images(builder, count), count }),
    });
  }
  add(builder, {
    id: 'results.images.count.left-out',
    title: 'images returns an image where n is left out',
    requirements: ['images.result.data.count'],
    check: () => ({
      kind: 'image-count',
      requirement: 'images.result.data.count',
      probes: [builder.control('images'), ...rowsWithCount(builder, undefined).map(({ id }) => id)],
    }),
  });
  const requirement = 'images.result.data.url';
  add(builder, {
    id: 'results.images.url',
    title: 'images returns a url for each image where response_format is url',
    requirements: [requirement],
    check: () => ({ kind: 'image-url', requirement, probes: imageLayouts(builder, 'url') }),
  });
}

interface ImageCase extends NewCase {
  readonly check: Parameters<CaseBuilder['add']>[2];
}

const add = (builder: CaseBuilder, { check, ...entry }: ImageCase): void =>
  builder.add(entry, 'images', check);
