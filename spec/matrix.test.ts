import { describe, expect, it } from 'vitest';
import { cells, expand, type MatrixRule, matrix } from './matrix.ts';
import { requirement, requirements } from './requirements.ts';
import type { Cell, Family, Protocol } from './vocabulary.ts';

const key = ({ family, protocol, group, stream }: Cell) => `${family} ${protocol} ${group} ${stream}`;

const every: MatrixRule = {
  expectation: 'unspecified',
  why: 'Nothing is said.',
  requirements: ['errors.status'],
};

/** Expectations by family and protocol of the groups default, coding-tool and third-party-client. */
const expected: Readonly<Record<Family, Readonly<Record<Protocol, string>>>> = {
  general: { responses: 'S S S', messages: 'u u u', chat: 's u u', images: 'u u u' },
  conversational: { responses: 'r r r', messages: 'r r s', chat: 'c r r', images: 'u u u' },
  multimodal: { responses: 'r r r', messages: 'u u u', chat: 's u u', images: 'u u u' },
  image: { responses: 'u u u', messages: 'u u u', chat: 'u u u', images: 'S S S' },
  'chat-image': { responses: 'r r r', messages: 'u u u', chat: 's u u', images: 'u u u' },
};

const row = (family: Family, protocol: Protocol, stream: boolean): string =>
  matrix()
    .filter((cell) => cell.family === family && cell.protocol === protocol && cell.stream === stream)
    .map((cell) => (cell.anyGroup ? 'S' : cell.expectation.slice(0, 1)))
    .join(' ');

describe('the support matrix', () => {
  it('covers each cell exactly once', () => {
    expect(matrix()).toHaveLength(5 * (3 * 3 * 2 + 3));
    expect(new Set(matrix().map(key)).size).toBe(matrix().length);
    expect(matrix().map(key)).toEqual(cells().map(key));
  });

  it('knows no stream of image generation', () => {
    expect(cells().filter((cell) => cell.protocol === 'images' && cell.stream)).toEqual([]);
  });

  it.each(Object.keys(expected) as Family[])('expects of %s what the interface says', (family) => {
    const protocolsOf = Object.keys(expected[family]) as Protocol[];
    expect(
      Object.fromEntries(protocolsOf.map((protocol) => [protocol, row(family, protocol, false)])),
    ).toEqual(expected[family]);
  });

  it('expects of a stream what it expects without, but for image models in chat', () => {
    for (const cell of matrix().filter((candidate) => candidate.stream)) {
      const plain = matrix().find((other) => key(other) === key({ ...cell, stream: false }));
      const image = cell.family === 'chat-image' && cell.protocol === 'chat';
      expect(cell.expectation, key(cell)).toBe(image ? 'unspecified' : plain?.expectation);
    }
  });

  it('rests every cell on rows of the register that a case can judge', () => {
    for (const cell of matrix()) {
      expect(cell.requirements.length, key(cell)).toBeGreaterThan(0);
      for (const id of cell.requirements) expect(requirement(id).excluded, id).toBeUndefined();
    }
  });

  it('rests each cell on rows whose level fits its expectation', () => {
    for (const { expectation, requirements: ids, ...cell } of matrix()) {
      const levels = ids.map((id) => requirement(id).level);
      const needed = {
        served: ['stated'],
        refused: ['stated', 'derived'],
        conflict: ['conflicting'],
        unspecified: ['unspecified'],
      };
      expect(needed[expectation], key(cell)).toContain(levels[0]);
    }
  });

  it('uses every family row of the register', () => {
    const used = new Set(matrix().flatMap((cell) => cell.requirements));
    const idle = requirements().filter((entry) => entry.id.startsWith('family.') && !used.has(entry.id));
    expect(idle.map((entry) => entry.id)).toEqual([]);
  });
});

describe('expanding rules', () => {
  it('takes the first rule that matches', () => {
    const first: MatrixRule = {
      ...every,
      family: ['image', 'general'],
      stream: true,
      expectation: 'refused',
    };
    const refused = expand([first, every]).filter((cell) => cell.expectation === 'refused');
    expect(refused).toHaveLength(2 * 9);
    expect(refused.every((cell) => cell.stream)).toBe(true);
  });

  it('throws on a cell without a rule', () => {
    expect(() => expand([{ ...every, family: 'general' }])).toThrow('no rule for');
  });

  it('throws on a rule that no cell is left for', () => {
    expect(() => expand([every, { ...every, family: 'image' }])).toThrow('no cell is left for the rule');
  });
});
