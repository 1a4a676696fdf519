import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parameters } from './openapi.ts';
import {
  requirement,
  requirements,
  requirementsDigest,
  statementsVersion,
  writtenOut,
} from './requirements.ts';
import { jsonSchema } from './schema-set.ts';
import { type Impact, isGatingLevel, protocols } from './vocabulary.ts';

/** The headings of the interface, in its order. */
const headings = [
  ...['1', '2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '3', '4', '4.1', '4.2', '4.3', '4.4', '4.5'],
  ...['5', '6', '7', '8', '9'],
];

const row = { id: 'a.b', sections: ['1'], level: 'stated', impact: 'client', statement: 'It is so.' };

describe('the register', () => {
  it('has a row for every heading of sections 1 to 9, and names no other heading', () => {
    const named = new Set(requirements().flatMap((entry) => entry.sections));
    expect([...named].sort()).toEqual([...headings].sort());
  });

  it('lists the most specific heading first', () => {
    for (const { id, sections } of requirements()) {
      const parents = sections.filter((section) => section.startsWith(`${sections[0]}.`));
      expect(parents, id).toEqual([]);
      expect(new Set(sections).size, id).toBe(sections.length);
    }
  });

  it('has rows only for parameters that exist', () => {
    for (const { id } of requirements()) {
      const [protocol, area, slug] = id.split('.');
      if (area !== 'param' || slug === 'unknown-parameter' || slug === 'temperature-with-top-p') continue;
      const known = protocols.find((name) => name === protocol);
      const slugs = known === undefined ? [] : parameters(known).map((parameter) => parameter.slug);
      expect(slugs, id).toContain(slug);
    }
  });

  it('pairs both readings of every conflict', () => {
    const labels = new Map<string, string[]>();
    for (const { conflict, label } of requirements()) {
      if (conflict !== undefined) labels.set(conflict, [...(labels.get(conflict) ?? []), String(label)]);
    }
    expect([...labels]).toEqual([['family-conversational-chat', ['A', 'B']]]);
  });

  it('says statement, reading and reason each as a sentence', () => {
    for (const { id, statement, reading, excluded } of requirements()) {
      for (const sentence of [statement, reading, excluded]) {
        if (sentence !== undefined) expect(sentence, id).toMatch(/^[^\s].*\.$/);
      }
    }
  });

  it.each<[string, Impact, RegExp]>([
    ['results, streams and context', 'client', /^[a-z]+\.(result|stream|context)\./],
    ['parameters that are taken', 'client', /\.param\.[a-z-]+\.(accepted|optional|limit|default)$/],
    ['endpoints', 'client', /^[a-z]+\.endpoint$/],
    ['a missing and an invalid token', 'credential', /\.auth\.(missing|invalid)$/],
    ['values that are refused', 'lenient', /\.param\.[a-z-]+\.(required|type|range|allowed|unknown)$/],
    ['bodies that are refused', 'lenient', /\.body\.(json|object)$/],
  ])('has one impact for all rows of a kind: %s', (_, impact, kind) => {
    const rows = requirements().filter(({ id, level }) => isGatingLevel(level) && kind.test(id));
    expect(rows.length).toBeGreaterThan(3);
    expect(new Set(rows.map((entry) => entry.impact))).toEqual(new Set([impact]));
  });

  it('gives a row by its id and throws where there is none', () => {
    expect(requirement('chat.param.temperature.range')).toMatchObject({
      level: 'derived',
      sections: ['4.3', '8'],
    });
    expect(() => requirement('chat.param.temprature.range')).toThrow(
      'there is no requirement chat.param.temprature.range',
    );
  });

  it('has a stable digest', () => {
    expect(requirementsDigest()).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

describe('rows that stand for several', () => {
  it('are written out for every protocol that has what they ask for', () => {
    const rows = [
      { id: '{protocol}.a', sections: ['{section}', '4'], statement: '{Endpoint} at {path}.' },
      { id: '{protocol}.b', where: { knows: 'version' }, sections: ['5'], statement: 'Of {endpoint}.' },
    ];
    const made = writtenOut([{ each: 'protocol', rows }, row]);
    expect(made).toHaveLength(protocols.length + 2);
    expect(made).toEqual(
      expect.arrayContaining([
        row,
        {
          id: 'chat.a',
          sections: ['4.3', '4'],
          statement: 'The Chat Completions endpoint at /v1/chat/completions.',
          about: { protocol: 'chat' },
        },
        {
          id: 'messages.b',
          sections: ['5'],
          statement: 'Of the Messages endpoint.',
          about: { protocol: 'messages' },
        },
      ]),
    );
  });

  it('are written out for every parameter, the first one of an id that fits', () => {
    const rows = [
      {
        id: '{protocol}.{slug}',
        where: { name: ['top_p', 'n'] },
        sections: ['{sections}'],
        statement: '{inside}',
      },
      { id: '{protocol}.{slug}', sections: ['1'], statement: '{types}' },
    ];
    expect(writtenOut([{ each: 'parameter', rows }])).toEqual(
      expect.arrayContaining([
        {
          id: 'chat.top-p',
          sections: ['4.3', '8'],
          statement: 'from 0 to 1, both bounds included,',
          about: { protocol: 'chat', parameter: 'top_p' },
        },
        {
          id: 'responses.input',
          sections: ['1'],
          statement: 'a string or an array',
          about: { protocol: 'responses', parameter: 'input' },
        },
      ]),
    );
  });
});

const isRegister = new Ajv2020({ allowUnionTypes: true }).compile(
  jsonSchema('spec/requirements.schema.json'),
);

describe('the JSON Schema of the register', () => {
  it('takes the register, in which no id stands twice and only what is new in its version is provisional', () => {
    expect(isRegister(requirements()), JSON.stringify(isRegister.errors)).toBe(true);
    expect(new Set(requirements().map(({ id }) => id)).size).toBe(requirements().length);
    const version = statementsVersion();
    for (const { id, since, provisional = false } of requirements()) {
      expect(since, id).toBeLessThanOrEqual(version);
      expect(provisional, id).toBe(version > 1 && since === version);
    }
  });

  it.each([
    ['an unknown key', { ...row, sektion: 1 }],
    ['an empty statement', { ...row, statement: ' ' }],
    ['a level that is none', { ...row, level: 'maybe' }],
    ['sections that are numbers', { ...row, sections: [4.1] }],
    ['an id with capitals', { ...row, id: 'A.b' }],
    ['a conflict without its level', { ...row, conflict: 'c', label: 'A' }],
    ['a derived row without an impact', { ...row, level: 'derived', impact: undefined }],
    ['an unspecified row with an impact', { ...row, level: 'unspecified' }],
    ['a version that is none', { ...row, since: 0 }],
  ])('refuses %s', (_, wrong) => {
    expect(isRegister([row])).toBe(true);
    expect(isRegister(JSON.parse(JSON.stringify([wrong])))).toBe(false);
  });
});
