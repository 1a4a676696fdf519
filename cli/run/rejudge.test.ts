import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleReport } from '../../reporters/sample.fixture.ts';
import { validateReport } from '../../reporters/schema/validate.ts';
import { readReportFile } from './rejudge.ts';
import { testFolder } from '../folder.fixture.ts';

const folder = testFolder('rejudge');
const file = join(folder, 'report.json');

const { causes: _, ...withoutCauses } = sampleReport();

test('a report without causes is none by its schema', () => {
  expect(validateReport(withoutCauses)).toEqual(["/: must have required property 'causes'"]);
});

test('a report of an earlier version, which has no causes, is read as one that names none', () => {
  writeFileSync(file, JSON.stringify(withoutCauses));
  const { report, text } = readReportFile(file);
  expect(report.causes).toEqual([]);
  expect(text).toBe(readFileSync(file, 'utf8'));
});

test('a report of another format is refused by its number', () => {
  writeFileSync(file, JSON.stringify({ ...withoutCauses, schemaVersion: 2 }));
  expect(() => readReportFile(file)).toThrow('is a report of format 2, and this suite reads format 3');
});
