import type { CaseBuilder, NewCase } from '../builder/case-builder.ts';
import { imageCounts } from '../combinations/image-rows.ts';
import { requestsWith } from '../probes/valid-requests.ts';

export const imageLayouts = (builder: CaseBuilder, layout: 'url' | 'b64_json'): readonly string[] =>
  requestsWith(builder, 'images', { slug: 'response-format' }, layout);

/** As many images as were asked for, and links where those were asked for (2.6, 4.4). */
export function imageCases(builder: CaseBuilder): void {
  for (const count of imageCounts()) {
    const requirement = 'images.result.data.count';
    add(builder, {
      id: `results.images.count.${count}`,
      title: `images returns ${count} for n = ${count}`,
      requirements: [requirement],
      check: () => ({
        kind: 'image-count',
        requirement,
        probes: requestsWith(builder, 'images', { slug: 'n' }, count),
        count,
      }),
    });
  }
  add(builder, {
    id: 'results.images.count.left-out',
    title: 'images returns an image where n is left out',
    requirements: ['images.result.data.count'],
    check: () => ({
      kind: 'image-count',
      requirement: 'images.result.data.count',
      probes: [
        builder.control('images'),
        ...builder
          .imageRows()
          .filter(({ values }) => values.n === undefined)
          .map(({ id }) => id),
      ],
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
