import { expect, test } from 'vitest';
import { groups } from '../../spec/vocabulary.ts';
import { knownPins } from './pins-file.ts';

test('a pin may name which groups serve a family whose model no other family has', () => {
  for (const group of groups)
    expect(knownPins().observation).toContain(`families.general.responses.${group}`);
});
