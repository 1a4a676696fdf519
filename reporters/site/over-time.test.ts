import { describe, expect, test } from 'vitest';
import { hostile } from '../sample.wire.fixture.ts';
import { smallReport, withRow } from '../small.fixture.ts';
import { parseXml } from '../well-formed.fixture.ts';
import { renderFeed } from './history-part.ts';
import { renderSite, requirementPages } from './page.ts';
import { requirementPage, seriesOf } from './runs.ts';
import { runOf } from './site.fixture.ts';

const small = smallReport();
const worse = withRow(small, 'chat.result.id', { verdict: 'fail', reason: 'It is a number.' });
const runs = [
  runOf(small, ['Acme 1', 'acme', 1]),
  runOf(worse, ['Acme 2', 'acme', 2]),
  runOf(small, [hostile, 'other', 3]),
];
const series = seriesOf(runs);

describe('the pages of requirements', () => {
  const pages = requirementPages(series);
  const page = pages.get('requirements/chat.result.id.html')?.() ?? '';

  test('are one for each that any run has', () => {
    expect([...pages.keys()]).toEqual(small.requirements.map(({ id }) => requirementPage(id)));
  });

  test('have the verdict of each run with why, and lead to it in the report', () => {
    expect(page).toContain('<a href="../runs/run-2/report.html#chat.result.id">');
    expect(page).toContain('<td>It is a number.</td>');
    expect(page.match(/<tr><th scope="row">/g)).toHaveLength(3);
    expect(page).toContain('<path class="fail"');
  });

  test('have a name that can not leave the folder, whatever the id is', () => {
    expect(requirementPage('../../x')).toMatch(/^requirements\/[0-9a-f]{16}\.html$/);
    expect(requirementPage('..')).toMatch(/^requirements\/[0-9a-f]{16}\.html$/);
  });

  test('show names of a target as text', () => expect(page).not.toContain('<script>'));
});

test('the feed tells what each run brought, the latest first, and is XML whatever the target is called', () => {
  const feed = renderFeed(series);
  expect(parseXml(feed).name).toBe('feed');
  expect([...feed.matchAll(/<title>(.*?)<\/title>/gs)].map(([, title]) => title).slice(2)).toEqual([
    'Acme 2: not conformant, 1 regression',
    'Acme 1: not conformant, first run here',
  ]);
  expect(feed).toContain('<updated>2026-01-03T00:00:00.000Z</updated><link href="runs/run-2/report.html"/>');
  expect(feed).toContain('✓ pass → ✕ Fail</content>');
});

test('the index begins with what changed last', () => {
  const index = renderSite(runs);
  const changed = '<a href="runs/run-2/report.html">Acme 2</a>: <details class="which"><summary>1 regression';
  expect(index.split('id="all-runs"')[0]).toContain(changed);
  expect(index).toContain('<figure class="strips">');
  expect(renderSite(runs.slice(0, 1))).toContain('No gateway has a run that differs from the run before.');
});
