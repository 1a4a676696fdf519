import type { CaseBuilder } from '../builder/case-builder.ts';
import { imageCounts } from '../combinations/image-rows.ts';
import { requestsWith } from '../probes/valid-requests.ts';

export const imageLayouts = (builder: CaseBuilder, layout: 'url' | 'b64_json'): readonly string[] =>
  requestsWith(builder, 'images', { slug: 'response-format' }, layout);

/** As many images as were asked for, and links where those were asked for (2.6, 4.4). */
export function imageCases(builder: CaseBuilder): void {
  const ofCount = 'images.result.data.count';
  for (const count of imageCounts())
    builder.addOne({
      id: `results.images.count.${count}`,
      title: `images returns ${count} for n = ${count}`,
      requirement: ofCount,
      needs: 'images',
      check: () => ({
        kind: 'image-count',
        probes: requestsWith(builder, 'images', { slug: 'n' }, count),
        count,
      }),
    });
  builder.addOne({
    id: 'results.images.count.left-out',
    title: 'images returns an image where n is left out',
    requirement: ofCount,
    needs: 'images',
    check: () => {
      const leftOut = builder.imageRows().filter(({ values }) => values.n === undefined);
      return { kind: 'image-count', probes: [builder.control('images'), ...leftOut.map(({ id }) => id)] };
    },
  });
  builder.addOne({
    id: 'results.images.url',
    title: 'images returns a url for each image where response_format is url',
    requirement: 'images.result.data.url',
    needs: 'images',
    check: () => ({ kind: 'image-url', probes: imageLayouts(builder, 'url') }),
  });
}
