import type { Catalogue, Words } from './words.ts';

const nothingToTest = (message: string): Words => ({ message, expected: 'something to test it with' });

/** Why there was nothing to test a requirement with. */
export const untestedWords = {
  /** `why`: what the target does not declare. */
  undeclared: ({ why }: { readonly why: string }) => nothingToTest(why),
  'token-unalterable': () => nothingToTest('the token can’t be altered so'),
  'not-needed': () => nothingToTest('not needed: what it would stand in for is answered'),
  'no-control-declared': () => nothingToTest('refused, and the target declares no control that would not be'),
  'controls-unspecified': () =>
    nothingToTest('refused, as is every control: whether they are answered is unspecified'),
  /** `exchange`: the answer that explains this one. */
  'answer-explained': ({ exchange }: { readonly exchange: string }) =>
    nothingToTest(`answered, as is ${exchange}`),
  /** `part`: a request that asks for a part of the same. */
  'part-unanswered': ({ part }: { readonly part: string }) =>
    nothingToTest(`not sent, and ${part} is not answered`),
  'part-refused': ({ part }: { readonly part: string }) =>
    nothingToTest(`refused, as is ${part}, which asks for a part of the same`),
  'only-form-refused': () => nothingToTest('refused, in the only form that it is asked in'),
  'no-single-text-part': () => nothingToTest('no reply came with `output_text` and its text in one part'),
} satisfies Catalogue;
