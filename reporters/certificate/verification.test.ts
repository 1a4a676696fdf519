import { describe, expect, test } from 'vitest';
import { outcomeOf, renderVerification, type Verification } from './verification.ts';

const step = { name: 'Verdicts', said: 'judged again', wrong: [] };
const base: Verification = { subject: 'Acme', certified: true, signed: 'valid', steps: [step] };
const lastLine = (verification: Verification): string =>
  renderVerification(verification).split('\n').at(-1) ?? '';

describe('the outcome of a verification', () => {
  test('is refuted by one wrong thing, undecided by what changed with the suite, else verified', () => {
    const changed = { ...step, changed: ['a'] };
    expect(outcomeOf(base)).toBe('verified');
    expect(outcomeOf({ ...base, steps: [step, changed] })).toBe('undecided');
    expect(outcomeOf({ ...base, steps: [changed, { ...step, wrong: ['b'] }] })).toBe('refuted');
  });

  test('says in its last line what was not there or not checked', () => {
    expect(lastLine(base)).toBe('Verified: certified, and signed with this key.');
    expect(lastLine({ ...base, signed: 'unsigned' })).toContain('UNSIGNED');
    expect(lastLine({ ...base, signed: 'unchecked' })).toContain('NOT CHECKED');
    expect(lastLine({ ...base, certified: false })).toContain('NOT CERTIFIED');
    expect(lastLine({ ...base, steps: [{ ...step, wrong: ['a'] }] })).toBe('Not verified: 1 disagreement.');
  });

  test('lets no text of others steer the terminal, begin a line, or flood it', () => {
    const hostile = '::error::\u001b[2J\u0007\n##[command]\u202e';
    const wrong = Array.from({ length: 5000 }, () => hostile);
    const text = renderVerification({
      ...base,
      subject: hostile,
      steps: [{ name: 'Files', said: hostile, wrong, changed: wrong }],
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]|^\s*(::|##)/m);
    expect(text.split('\n').length).toBeLessThan(40);
  });
});
