import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from '../../../spec/package-root.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import { families, groups, protocols } from '../../../spec/vocabulary.ts';
import { isMaskable } from './maskable.ts';

const schemas = [
  'reporters/schema/report.schema.json',
  'reporters/schema/evidence.schema.json',
  'spec/openapi.yaml',
];

/** Names of members and fixed values that a JSON Schema lists. */
function namesIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(key === 'properties' ? Object.keys(value as object) : []),
    ...(key === 'enum' || key === 'const' ? [value].flat().map(String) : []),
    ...namesIn(value),
  ]);
}

it.each(schemas)('no name or value of %s is masked', (file) => {
  const names = namesIn(parse(readFileSync(packageFile(file), 'utf8')));
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => !name.includes(' ') && isMaskable(name))).toEqual([]);
});

it('no name of the interface is masked', () => {
  const names = [
    ...families,
    ...groups,
    ...protocols,
    ...protocols.map((protocol) => protocolFacts[protocol].path),
  ];
  expect(names.filter((name) => !name.includes(' ') && isMaskable(name))).toEqual([]);
});

it.each(['requirements', 'catalogue'])('no word of spec/%s.yaml is masked', (name) => {
  const text = readFileSync(packageFile(`spec/${name}.yaml`), 'utf8');
  expect([...new Set(text.match(/[A-Za-z]{4,}/g))].filter(isMaskable)).toEqual([]);
});

it.each(['sk-test', 'my-key', 'default-token', 'xyzzy', 'sk-a', 'Tr0ub4dor', '12345678'])(
  '%s is masked',
  (token) => {
    expect(isMaskable(token)).toBe(true);
  },
);

it.each(['abc', '{"a":1', '2026', 'beef12', 'true', 'Default', 'third-party-client', 'chat.completion'])(
  '%s is not masked',
  (token) => {
    expect(isMaskable(token)).toBe(false);
  },
);
