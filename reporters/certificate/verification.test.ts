import { describe, expect, test } from 'vitest';
import { outcomeOf, renderVerification, type Verification } from './verification.ts';

const step = { name: 'Verdicts', detail: 'judged again', problems: [] };
const base: Verification = {
  subject: 'Acme',
  covers: [['Covers', 'image generation only']],
  notices: [],
  notChecked: ['the weather'],
  certified: true,
  signed: 'valid',
  steps: [step],
};
const lastLine = (verification: Verification): string =>
  renderVerification(verification).split('\n').at(-1) ?? '';

describe('the outcome of a verification', () => {
  test('is refuted by one wrong thing, undecided by what changed with the suite, else verified', () => {
    const changed = { ...step, versionDifferences: ['a'] };
    expect(outcomeOf(base)).toBe('verified');
    expect(outcomeOf({ ...base, steps: [step, changed] })).toBe('undecided');
    expect(outcomeOf({ ...base, steps: [changed, { ...step, problems: ['b'] }] })).toBe('refuted');
  });

  test('says in its last line what was not there or not checked', () => {
    expect(lastLine(base)).toBe('Verified: certified, and signed with this key.');
    expect(lastLine({ ...base, signed: 'unsigned' })).toContain('UNSIGNED');
    expect(lastLine({ ...base, signed: 'unchecked' })).toContain('NOT CHECKED');
    expect(lastLine({ ...base, certified: false, signed: 'none' })).toContain('NOT CERTIFIED');
    expect(lastLine({ ...base, steps: [{ ...step, problems: ['a'] }] })).toBe('Not verified: 1 problem.');
  });

  test('is told step by step, each with a sign and what was found wrong or changed', () => {
    const text = renderVerification({
      ...base,
      steps: [
        { name: 'Files', detail: '4 files', problems: [] },
        { name: 'Signature', detail: 'no key', problems: [], unchecked: true },
        {
          name: 'Verdicts',
          detail: 'judged again',
          problems: [],
          versionDifferences: ['a is new', 'b is gone'],
        },
        {
          name: 'Report',
          detail: 'derived again',
          problems: ['c differs', 'd differs'],
          versionDifferences: ['e'],
        },
      ],
    });
    expect(text.split('\n')).toEqual([
      'Bundle of Acme',
      '  Covers       image generation only',
      '',
      '✓ Files        4 files',
      '– Signature    no key',
      '? Verdicts     judged again',
      '    ~ a is new',
      '    ~ b is gone',
      '✕ Report       derived again',
      '    - c differs',
      '    - d differs',
      '    ~ e',
      '– Not checked  the weather',
      '',
      'Not verified: 2 problems.',
    ]);
  });

  test('is undecided in so many words where only another suite sees it differently', () => {
    expect(lastLine({ ...base, steps: [{ ...step, versionDifferences: ['a'] }] })).toBe(
      'Not decided: another version of the suite judged, and this one can not make all of it again. Verify with that version.',
    );
  });

  test('tells twelve findings of a step and counts the rest', () => {
    const lines = (length: number): string[] =>
      renderVerification({
        ...base,
        steps: [{ ...step, problems: Array.from({ length }, (_, at) => `w${at}`) }],
      })
        .split('\n')
        .slice(14);
    expect(lines(12)).toEqual([
      '    - w10',
      '    - w11',
      '– Not checked  the weather',
      '',
      'Not verified: 12 problems.',
    ]);
    expect(lines(15)).toEqual([
      '    - w10',
      '    - w11',
      '    - and 3 more',
      '– Not checked  the weather',
      '',
      'Not verified: 15 problems.',
    ]);
  });

  test('lets no text of others steer the terminal, begin a line, or flood it', () => {
    const hostile = '::error::\u001b[2J\u0007\n##[command]\u202e';
    const problems = Array.from({ length: 5000 }, () => hostile);
    const text = renderVerification({
      ...base,
      subject: hostile,
      steps: [{ name: 'Files', detail: hostile, problems, versionDifferences: problems }],
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]|^\s*(::|##)/m);
    expect(text.split('\n').length).toBeLessThan(40);
  });
});
