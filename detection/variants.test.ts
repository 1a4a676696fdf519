import { describe, expect, test } from 'vitest';
import { variants } from '../fixtures/variants/index.ts';
import { lockVariants } from '../fixtures/variants/locks.ts';
import type { SuiteName } from '../suites/model/report.ts';
import { variantRow } from './matrix.ts';

const patience = 120_000;

/** Those that lock out mostly wait: they are judged apart, all at once. */
const others = variants.filter((variant) => !lockVariants.includes(variant));
/** Begun last, one that waits much would be waited for. */
const waitsMuch = ({ id }: { readonly id: string }): boolean => /^(reasoning|refusal|transient)\./.test(id);
const slowFirst = [...others.filter(waitsMuch), ...others.filter((variant) => !waitsMuch(variant))];

/** What differs in the form of answers alone is not asked for every refusal: `npm run detection` asks for all. */
const isFormOnly = ({ id }: { readonly id: string }): boolean =>
  /^(events|fragments|framing|result|shape|text|transport)\./.test(id);
const withAnswers: readonly SuiteName[] = ['families', 'results', 'streams', 'context'];

describe('a conformant gateway', () => {
  test.concurrent.each(slowFirst)(
    '$id is accepted',
    async (variant) => {
      const selected = isFormOnly(variant) ? { suites: withAnswers } : {};
      const { verdict, blamed, open } = await variantRow(variant, { selected });
      expect({ verdict, blamed, open }).toEqual({ verdict: 'conformant', blamed: [], open: [] });
    },
    patience,
  );
});
