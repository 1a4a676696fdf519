import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { catalogue } from './catalogue.ts';
import { requirements } from './requirements.ts';
import { jsonSchema } from './schema-set.ts';
import { yamlDocument } from './yaml-document.ts';

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

const isCatalogue = new Ajv2020({ allErrors: true }).compile(jsonSchema('spec/catalogue.schema.json'));
const written = yamlDocument('spec/catalogue.yaml') as readonly object[];

describe('the JSON Schema of the catalogue', () => {
  it('takes the catalogue', () => {
    expect(isCatalogue(written), JSON.stringify(isCatalogue.errors)).toBe(true);
  });

  it.each([
    ['an unknown key', { becauze: 1 }],
    ['a kind that is none', { kind: 'gap' }],
    ['one reading', { readings: { A: { requirement: 'chat.result.id' } } }],
    ['a held reading that is none', { held: 'C' }],
    ['no requirement', { requirements: [] }],
    ['a sign of two kinds', { seen: { conflict: 'c', pass: 'A' } }],
  ])('refuses %s', (_, wrong) => {
    expect(isCatalogue([{ ...written[0], ...wrong }])).toBe(false);
  });
});

describe('what an entry names', () => {
  const levels = new Map(requirements().map(({ id, level }) => [id, level]));

  it('is in the register, and no id stands twice', () => {
    expect(new Set(catalogue().map(({ id }) => id)).size).toBe(catalogue().length);
    const named = catalogue().flatMap((entry) => entry.requirements);
    expect(named.filter((id) => !levels.has(id))).toEqual([]);
  });

  it('is seen by verdicts or by observations of what rests on it', () => {
    for (const { id, seen, requirements: resting } of catalogue()) {
      if (seen === undefined || 'conflict' in seen) continue;
      expect(resting, id).toEqual(expect.arrayContaining([...seen.requirements]));
      for (const each of seen.requirements)
        expect(levels.get(each) === 'unspecified', `${id}: ${each}`).toBe('answered' in seen);
    }
  });
});
