import { describe, expect, test } from 'vitest';
import { faults } from '../../fixtures/faults/index.ts';
import { twoModelsEach } from '../../fixtures/faults/further-models.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { validateReport } from '../../reporters/schema/validate.ts';
import type { Report } from '../../suites/types/report.ts';
import { blamed, detect, type Subject } from '../detect.ts';

const patience = 60_000;
const conformant: Subject = { id: 'two', title: 'two models each', hooks: {}, console: twoModelsEach };
const fault = (id: string): Subject => faults.find((one) => one.id === id) ?? conformant;

/** Requirements that general models are judged by, and those whose requests tell that a model is not known. */
const some = {
  requirements: [
    'chat.param.model.unknown',
    'responses.param.model.unknown',
    'chat.auth.invalid',
    'responses.auth.invalid',
    'family.general.chat',
    'family.general.responses',
    'chat.result.id',
    'chat.stream.text',
  ],
};

const renamed =
  (general: readonly string[]) =>
  (target: Target): Target => ({
    ...target,
    models: { ...target.models, general: general[0] ?? '' },
    furtherModels: { ...target.furtherModels, general: general.slice(1) },
  });

const causeOf = ({ causes = [] }: Report, kind: string) => causes.find((cause) => cause.kind === kind);

describe('a model behind the first of its family', () => {
  test(
    'has rows of its own in the matrix, and cases that name it',
    async () => {
      const report = await detect(conformant, { selected: some });
      expect(validateReport(report)).toEqual([]);
      const rows = report.matrix.filter(({ model }) => model === 'g-large-2');
      expect(rows.map(({ protocol, stream, observed }) => [protocol, stream, observed])).toEqual([
        ['responses', false, 'served'],
        ['responses', true, 'served'],
        ['chat', false, 'served'],
        ['chat', true, 'served'],
      ]);
      const cases = report.cases.filter(({ model }) => model?.name === 'g-large-2');
      expect(cases.length).toBeGreaterThan(0);
      for (const { title, verdict } of cases) {
        expect(title).toContain('g-large-2');
        expect(verdict).toBe('pass');
      }
      expect(report.scope.furtherModels?.general).toEqual(['g-large-2']);
    },
    patience,
  );

  test(
    'is named by what fails with it alone, and by its cause',
    async () => {
      const report = await detect(fault('further-model.field.missing'), { selected: some });
      expect(blamed(report)).toEqual(['chat.result.id']);
      const row = report.requirements.find(({ id }) => id === 'chat.result.id');
      expect(row?.reason).toMatch(/^model (g|m)-large-2: /);
      const cause = causeOf(report, 'result-field-broken');
      expect(cause?.models?.toSorted()).toEqual(['g-large-2', 'm-image-2', 'm-large-2']);
      expect(cause?.summary).toMatch(/Only with models .*g-large-2/);
    },
    patience,
  );

  test(
    'that the target does not know fails nothing, and its place in the list is named',
    async () => {
      const report = await detect(conformant, {
        selected: some,
        keepGoing: true,
        declared: renamed(['g-large', 'g-typo', 'g-large-2', 'g-other-typo']),
      });
      expect(blamed(report)).toEqual([]);
      expect(causeOf(report, 'model-not-known')?.configKeys).toEqual([
        'models.general[1]',
        'models.general[3]',
      ]);
      expect(report.verdict).toBe('inconclusive');
      const known = report.cases.filter(({ model }) => model?.name === 'g-large-2');
      expect(new Set(known.map(({ verdict }) => verdict))).toEqual(new Set(['pass']));
    },
    patience,
  );

  test(
    'is judged where the first of its family is not known',
    async () => {
      const report = await detect(conformant, {
        selected: some,
        keepGoing: true,
        declared: renamed(['g-typo', 'g-large-2']),
      });
      expect(blamed(report)).toEqual([]);
      expect(causeOf(report, 'model-not-known')?.configKeys).toEqual(['models.general[0]']);
      const known = report.cases.filter(({ model }) => model?.name === 'g-large-2');
      expect(new Set(known.map(({ verdict }) => verdict))).toEqual(new Set(['pass']));
    },
    patience,
  );
});
