import { plain } from '../builder/bodies.ts';
import type { CaseBuilder, NewCase } from '../builder/case-builder.ts';
import { imageLinksId } from '../builder/request-ids.ts';
import { sendParameterValue } from '../parameters/parameter-value.ts';
import { value } from '../parameters/values.ts';

const images = (builder: CaseBuilder, count: number): string =>
  sendParameterValue(builder, 'images', { name: 'n', slug: 'n' }, { ...value(count), billed: count });

/** Two images as links. */
const imageLinks = (builder: CaseBuilder): string =>
  builder.send(imageLinksId, 'images', {
    json: { ...plain.images, n: 2, response_format: 'url' },
    billed: 2,
  });

/** An image in one layout, with the number of images left to the target: planned with the parameters, too. */
export const sendResponseFormat = (builder: CaseBuilder, layout: 'url' | 'b64_json'): string =>
  sendParameterValue(builder, 'images', { name: 'response_format', slug: 'response-format' }, value(layout));

/** As many images as were asked for, and links where those were asked for (2.6, 4.4). */
export function imageCases(builder: CaseBuilder): void {
  for (const count of [1, 2, 10]) {
    countCase(builder, {
      id: `results.images.count.${count}`,
      title: `images returns ${count} for n = ${count}`,
      count,
      probe: () => images(builder, count),
    });
  }
  countCase(builder, {
    id: 'results.images.count.urls',
    title: 'images returns 2 for n = 2 where response_format is url',
    count: 2,
    probe: () => imageLinks(builder),
  });
  const title = 'images returns a url for each image where response_format is url';
  linkCase(builder, { id: 'results.images.url', title, probe: () => imageLinks(builder) });
  linkCase(builder, {
    id: 'results.images.url.alone',
    title: `${title}, and n is left out`,
    probe: () => sendResponseFormat(builder, 'url'),
  });
}

interface ImageCase extends Pick<NewCase, 'id' | 'title'> {
  readonly probe: () => string;
}

function countCase(
  builder: CaseBuilder,
  { id, title, probe, count }: ImageCase & { readonly count: number },
): void {
  const requirement = 'images.result.data.count';
  builder.add({ id, title, requirements: [requirement] }, 'images', () => ({
    kind: 'image-count',
    requirement,
    probe: probe(),
    count,
  }));
}

function linkCase(builder: CaseBuilder, { id, title, probe }: ImageCase): void {
  const requirement = 'images.result.data.url';
  builder.add({ id, title, requirements: [requirement] }, 'images', () => ({
    kind: 'image-url',
    requirement,
    probe: probe(),
  }));
}
