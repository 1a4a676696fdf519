import { expect, test } from 'vitest';
import { createRedactor } from '../../suites/wire/redaction/redact.ts';
import { openTokensTexts } from './planned-run.ts';

test('a run names the tokens that stay readable, each time or in some forms, and says nothing of longer ones', () => {
  const texts = (...values: readonly string[]) =>
    openTokensTexts(createRedactor(values.map((value, at) => ({ value, label: `group-${at}` }))));
  expect(texts('chat', 'sk-1234')).toEqual([
    'tokens.group-0: too short or too common a word to be masked where the target repeats it',
    'tokens.group-1: shorter than 8 characters, so it may stay readable where the target repeats it beside other bytes of a list or of a long text of base64; a longer token is masked there, too',
  ]);
  expect(texts('demo-default-7f3a91c2d4e85b60')).toEqual([]);
});
