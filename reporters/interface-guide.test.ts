import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { catalogue } from '../spec/catalogue.ts';
import { packageFile } from '../spec/package-root.ts';
import { requirements } from '../spec/requirements.ts';
import { guidePath, interfaceGuide } from './interface-guide.ts';

const guide = interfaceGuide();

it('the guide in the package is the one that the register gives; npm run guide writes it', () => {
  expect(readFileSync(packageFile(guidePath), 'utf8')).toBe(guide);
});

it('the guide has an anchor for every statement and every reading, once', () => {
  const anchors = [...guide.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id);
  expect(new Set(anchors).size).toBe(anchors.length);
  expect(anchors).toEqual(
    expect.arrayContaining([...requirements().map(({ id }) => id), ...catalogue().map(({ id }) => id)]),
  );
});

it('every link within the guide leads to an anchor', () => {
  for (const [, to] of guide.matchAll(/\]\(#([^)]+)\)/g)) expect(guide).toContain(`<a id="${to}">`);
});
