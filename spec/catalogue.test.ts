import { describe, expect, it } from 'vitest';
import { catalogue, checkCatalogue } from './catalogue.ts';
import { requirements } from './requirements.ts';

const headings = new Set(requirements().flatMap(({ sections }) => sections));

describe('the catalogue', () => {
  it('has an entry for every reading of the register', () => {
    const resting = new Set(catalogue().flatMap((entry) => entry.requirements));
    const missing = requirements().filter(({ id, reading }) => reading !== undefined && !resting.has(id));
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  it('has both readings of every conflict of the register', () => {
    const readings = catalogue().flatMap((entry) => entry.readings.map((one) => one.requirement));
    const conflicting = requirements().filter(({ level }) => level === 'conflicting');
    expect(conflicting.map(({ id }) => id).filter((id) => !readings.includes(id))).toEqual([]);
    for (const { label, conflict, id } of conflicting) {
      const entry = catalogue().find(({ seen }) => seen && 'conflict' in seen && seen.conflict === conflict);
      expect(entry?.id).toBe(conflict);
      expect(entry?.readings.find((one) => one.label === label)?.requirement).toBe(id);
    }
  });

  it('has contradictions and ambiguities, each reading with headings of the interface', () => {
    expect(new Set(catalogue().map(({ kind }) => kind))).toEqual(new Set(['contradiction', 'ambiguity']));
    for (const { id, readings } of catalogue()) {
      for (const { sections, statement } of readings) {
        expect(
          sections.filter((section) => !headings.has(section)),
          id,
        ).toEqual([]);
        expect(statement, id).toMatch(/^\S.*\.$/s);
      }
      expect(readings[0].statement, id).not.toBe(readings[1].statement);
    }
  });

  it('says why in sentences, and holds a contradiction or an ambiguity open only where both readings are observed', () => {
    for (const { why } of catalogue()) expect(why).toMatch(/^\S.*\.$/s);
    const levelOf = new Map(requirements().map(({ id, level }) => [id, level]));
    const open = catalogue().filter(({ held }) => held === undefined);
    for (const entry of open)
      for (const id of entry.requirements)
        expect(['unspecified', 'conflicting'], `${entry.id}: ${id}`).toContain(levelOf.get(id));
  });
});

describe('checking a catalogue', () => {
  const readings = {
    A: { sections: ['1'], statement: 'It is so.' },
    B: { sections: ['2.1'], statement: 'It is not so.' },
  };
  const entry = { id: 'a', kind: 'ambiguity', readings, why: 'Because.', requirements: ['chat.result.id'] };

  it('takes an entry with every key, and gives its readings their labels', () => {
    const seen = { requirements: ['chat.result.id'], pass: 'A', fail: 'B' };
    expect(checkCatalogue([{ ...entry, held: 'A', seen }])).toEqual([
      {
        ...entry,
        held: 'A',
        seen,
        readings: [
          { label: 'A', ...readings.A },
          { label: 'B', ...readings.B },
        ],
      },
    ]);
  });

  it.each([
    ['a mapping for a list', {}, 'the catalogue is not a list'],
    ['an entry that is text', ['a'], 'entry 1: id is not a text'],
    ['an unknown key', [{ ...entry, becauze: 1 }], 'entry 1 (a): unknown key becauze'],
    ['a missing reason', [{ ...entry, why: undefined }], 'entry 1 (a): why is not a text'],
    [
      'a kind that is none',
      [{ ...entry, kind: 'gap' }],
      'entry 1 (a): kind is none of contradiction, ambiguity',
    ],
    ['one reading', [{ ...entry, readings: { A: readings.A } }], 'entry 1 (a): readings: B is missing'],
    ['a held reading that is none', [{ ...entry, held: 'C' }], 'entry 1 (a): held is none of A, B'],
    ['an unknown requirement', [{ ...entry, requirements: ['x.y'] }], 'no requirement is called x.y'],
    ['no requirement', [{ ...entry, requirements: [] }], 'entry 1 (a): requirements is not a list of texts'],
    ['a repeated id', [entry, entry], 'a stands twice'],
    [
      'a sign that does not rest on it',
      [{ ...entry, seen: { requirements: ['chat.result.object'], pass: 'A' } }],
      'chat.result.object does not rest on the entry',
    ],
    [
      'replies as a sign of what has a verdict',
      [{ ...entry, seen: { requirements: ['chat.result.id'], answered: 'A', refused: 'B' } }],
      'chat.result.id has a verdict',
    ],
    [
      'a verdict as a sign of what is only observed',
      [{ ...entry, requirements: ['errors.status'], seen: { requirements: ['errors.status'], pass: 'A' } }],
      'errors.status is only observed',
    ],
  ])('throws on %s', (_, value, message) => {
    expect(() => checkCatalogue(value)).toThrow(message);
  });
});
