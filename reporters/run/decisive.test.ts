import { expect, test } from 'vitest';
import { noExpectedFailures } from '../baseline/expected-failures.ts';
import { causedReport } from '../causes.fixture.ts';
import type { Block } from '../document/blocks.ts';
import { linesOf, markupOf } from '../document/printed.fixture.ts';
import { emptyReport } from '../empty-report.fixture.ts';
import { smallReport } from '../small.fixture.ts';
import { decisiveSection } from './cause-cards.ts';
import { contextOf } from './context.ts';

const section = (report = smallReport(), known = noExpectedFailures): Block =>
  decisiveSection(contextOf(report), known, () => undefined);
const opened = (block: Block): string[] =>
  [...markupOf(block).matchAll(/<details class="req [^"]*" id="([^"]*)"[^>]* open>/g)].map(
    ([, id = '']) => id,
  );

test('what failed stands first, then what keeps the run from a verdict; the first one is open', () => {
  const ids = [...markupOf(section()).matchAll(/<details class="req \w+" id="([^"]*)"/g)].map(([, id]) => id);
  expect(ids).toEqual(['chat.result.usage.total-tokens', 'chat.param.temperature.range']);
  expect(opened(section())).toEqual(['chat.result.usage.total-tokens']);
});

test('a failure that a baseline expects says so', () => {
  const requirements = new Map([['chat.result.usage.total-tokens', 'ticket 12']]);
  expect(linesOf(section(smallReport(), { ...noExpectedFailures, requirements }))).toContain(
    'Expected failure: ticket 12',
  );
});

test('nothing is told where nothing failed and nothing that gates is open', () => {
  const nonGating = smallReport().requirements.filter(
    ({ nonGating: kind, verdict }) => kind ?? verdict === 'pass',
  );
  expect(linesOf(section({ ...emptyReport(), requirements: nonGating }))).toEqual([
    'What decided the verdict',
    'Nothing failed, and no inconclusive requirement gates.',
  ]);
});

test('each failure stands under its cause alone, whose command is not repeated with it', () => {
  const markup = markupOf(section(causedReport()));
  expect(markup.match(/id="chat\.result\.usage\.total-tokens"/g)).toHaveLength(1);
  expect(markup.indexOf('class="cause fail"')).toBeLessThan(
    markup.indexOf('id="chat.result.usage.total-tokens"'),
  );
  expect(opened(section(causedReport()))).toHaveLength(1);
});
