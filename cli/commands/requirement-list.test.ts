import { describe, expect, test } from 'vitest';
import { type Requirement, requirements } from '../../spec/requirements.ts';
import { call, words } from '../command.fixture.ts';
import { filtered, filtersOf, type ListOptions, requirementList } from './explain.ts';

const row = (id: string, change: Partial<Requirement> = {}): Requirement => ({
  id,
  sections: ['4.2', '8'],
  level: 'stated',
  impact: 'client',
  statement: 'It is so, and it stays so.',
  since: 1,
  ...change,
});

const { impact: _, ...rest } = row('chat.c');
const rows: readonly Requirement[] = [
  row('chat.a'),
  row('auth.b.longer', { sections: ['5'], level: 'derived', impact: 'credential' }),
  { ...rest, sections: ['4'], level: 'unspecified', statement: 'Not shown.' },
];

const listed = (options: ListOptions): string[] => filtered(rows, filtersOf(options)).map(({ id }) => id);

describe('the list of requirements', () => {
  test('has a line for each, by area, with statements cut to the width', () => {
    expect(requirementList(rows, 46).split('\n')).toEqual([
      'chat (2)',
      '  chat.a  stated       client  It is so, and…',
      '  chat.c  unspecified          Not shown.',
      '',
      'auth (1)',
      '  auth.b.longer  derived  credential  It is…',
      '',
      '3 requirements. `explain REQUIREMENT` tells what one says and how it is judged.',
    ]);
  });

  test('is never cut where there is no room for a statement: ids can be copied', () => {
    expect(requirementList([row('chat.a')], 5).split('\n')[1]).toBe('  chat.a  stated  client  …');
  });

  test.each<[ListOptions, readonly string[]]>([
    [{}, ['chat.a', 'auth.b.longer', 'chat.c']],
    [{ section: ['4.2'] }, ['chat.a']],
    [{ section: ['4'] }, ['chat.a', 'chat.c']],
    [{ section: ['8', '5'] }, ['chat.a', 'auth.b.longer']],
    [{ level: ['derived', 'unspecified'] }, ['auth.b.longer', 'chat.c']],
    [{ impact: ['client'] }, ['chat.a']],
    [{ impact: ['client', 'credential'], section: ['5'] }, ['auth.b.longer']],
    [{ impact: ['lenient'] }, []],
  ])('of %j', (options, ids) => {
    expect(listed(options)).toEqual(ids);
  });

  test('says so where nothing is left', () => {
    expect(requirementList([], 80)).toBe('No requirement passes all of these filters.');
  });
});

describe('explain with words', () => {
  test.each([
    [['max_tokens'], 'chat.param.max-tokens.limit'],
    [['usage', 'integer'], 'chat.result.usage.total-tokens'],
    [['families.general.responses.default.stream'], 'family.general.responses'],
  ])('%j lists what has all of them, or what a case judges', async (words, id) => {
    const { code, stdout } = await call(['explain', ...words]);
    expect(code).toBe(0);
    expect(stdout).toContain(id);
  });

  test('takes the id of a cause for that of its requirement', async () => {
    const { code, stdout } = await call(['explain', 'result-field-broken:chat.result.id']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^chat\.result\.id\n/);
  });

  test('says what may be meant where nothing has them', async () => {
    const { code, stderr } = await call(['explain', 'max_tokns']);
    expect(code).toBe(2);
    expect(stderr).toContain('unknown requirement "max_tokns"');
  });
});

describe('explain without a requirement', () => {
  test('lists all of them', async () => {
    const { code, stdout } = await call(['explain']);
    expect(code).toBe(0);
    for (const { id } of requirements()) expect(stdout).toContain(`  ${id} `);
  });

  test('lists what passes all filters, each on a line of 100 columns where there is no terminal', async () => {
    const { code, stdout } = await call(words('explain --impact credential --level stated --section 5'));
    expect(code).toBe(0);
    const lines = stdout.split('\n').filter((line) => line.startsWith('  '));
    expect(lines.length).toBeGreaterThan(4);
    for (const line of lines) expect(line).toMatch(/^ {2}\S+ +stated {2}credential {2}\S/);
    expect(Math.max(...lines.map((line) => line.length))).toBe(100);
  });

  test.each<[readonly string[], string]>([
    [['--section', '4.9'], '--section: unknown value "4.9"; allowed are 1, 2, 2.1, '],
    [
      ['--level', 'statd'],
      '--level: unknown value "statd"; allowed are stated, derived, unspecified, conflicting',
    ],
    [['--impact', ''], '--impact: unknown value ""; allowed are credential, client, lenient'],
    [
      ['chat.result.id', '--impact', 'client'],
      '--section, --level and --impact filter the list: leave them out, or leave out chat.result.id',
    ],
  ])('refuses %j with exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await call(['explain', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`gateway-conformance: ${message}`);
  });
});
