import { describe, expect, test } from 'vitest';
import type { Pin } from '../../fixtures/pins/pins.ts';
import type { Report, ReportPins } from '../../suites/types/report.ts';
import { renderAnnotations } from '../annotations.ts';
import { renderHtml, renderMarkdown, renderSummary } from '../run/document.ts';
import { renderJunit } from '../junit.ts';
import { hostile } from '../sample.wire.fixture.ts';
import { smallReport } from '../small.fixture.ts';
import { validateReport } from '../schema/validate.ts';
import { applyPins, behavioursOf, planPins } from './behaviours.ts';
import { terminalOf } from '../document/printed.fixture.ts';
import { pinsSection } from '../run/beside.ts';
import { contextOf } from '../run/context.ts';

const status = 'observation.status';
const conflict = 'conflict.conversational-on-chat';
const pin = (kind: Pin['kind'], id: string, value: string, over: Partial<Pin> = {}): Pin => ({
  kind,
  id,
  value,
  line: 2,
  ...over,
});
const held = (report: Report, ...pins: readonly Pin[]) => applyPins(report, { file: 'p.yaml', pins });
const report = smallReport();

/** The small report with what it observed changed. */
const observing = (change: object): Report => ({
  ...report,
  observations: report.observations.map((one) => (one.id === status ? { ...one, ...change } : one)),
});

describe('pins compared with a report', () => {
  test('hold where the values are the same, of every kind', () => {
    const pins = [
      pin('observation', status, '401'),
      pin('cell', 'general/chat/default', 'served'),
      pin('cell', 'general/chat/coding-tool', 'refused'),
      pin('conflict', conflict, 'A'),
    ];
    expect(held(report, ...pins)).toEqual({ file: 'p.yaml', kept: 4, changed: [], unobserved: [] });
  });

  test('say both values and both exchanges where one changed', () => {
    const { changed } = held(report, pin('observation', status, '403', { run: 'run-0', exchange: 'old' }));
    expect(changed).toEqual([
      {
        kind: 'observation',
        id: status,
        line: 2,
        subject: 'Status of a refused token',
        pinned: '403',
        observed: '401',
        run: 'run-0',
        exchange: 'old',
        exchanges: ['two'],
      },
    ]);
  });

  test('fail nothing where the run does not show it, and say why', () => {
    const { changed, unobserved } = held(
      report,
      pin('observation', 'refusal', '401'),
      pin('observation', 'no.such.case', '401'),
      pin('cell', 'conversational/responses/default', 'refused'),
      pin('cell', 'image/images/default', 'served'),
    );
    expect(changed).toEqual([]);
    expect(unobserved.map(({ id, why }) => [id, why])).toEqual([
      ['refusal', 'not-shown'],
      ['no.such.case', 'not-asked'],
      ['conversational/responses/default', 'not-shown'],
      ['image/images/default', 'not-asked'],
    ]);
  });

  test('compare what is stable of a value, and nothing where nothing is', () => {
    const pages = observing({ value: 'a page, 7f3a', stable: 'a page' });
    expect(held(pages, pin('observation', status, 'a page')).kept).toBe(1);
    expect(held(observing({ stable: null }), pin('observation', status, '401')).unobserved).toHaveLength(1);
  });

  test('do not take a refusal for a change where its protocol serves nothing', () => {
    const matrix = report.matrix.map((cell) => ({ ...cell, observed: 'refused' as const }));
    const refusing = { ...report, matrix };
    expect(held(refusing, pin('cell', 'general/chat/default', 'served'))).toMatchObject({
      changed: [],
      unobserved: [{ why: 'not-shown' }],
    });
  });
});

describe('an update of pins', () => {
  const none = { suites: [], requirements: [], families: [], groups: [] };
  const ids = (kind: Pin['kind']) =>
    new Set(behavioursOf(report).flatMap((one) => (one.kind === kind ? [one.id] : [])));
  const known = { observation: ids('observation'), cell: ids('cell'), conflict: ids('conflict') };
  const update = (pins: readonly Pin[], selection: object = {}, from = report) =>
    planPins(from, { file: 'p.yaml', pins }, { selection: { ...none, ...selection }, known });

  test('of a new file takes all that is shown, a thing once, with the run and the exchange', () => {
    const { change, add } = update([]);
    expect(change.size).toBe(0);
    expect(add.map(({ kind, id, value }) => [kind, id, value])).toEqual([
      ['observation', status, '401'],
      ['observation', 'observation.framing', 'server-sent events'],
      ['cell', 'general/chat/default', 'served'],
      ['cell', 'general/chat/default/stream', 'refused'],
      ['cell', 'general/chat/coding-tool', 'refused'],
      ['conflict', conflict, 'A'],
    ]);
    expect(add[0]).toMatchObject({ run: 'run-1', exchange: 'two' });
  });

  test('of a file that has pins changes their values and adds only what is selected', () => {
    const pins = [pin('observation', status, '403'), pin('conflict', conflict, 'A')];
    const { change, add } = update(pins);
    expect([...change].map(([at, { value }]) => [at, value])).toEqual([[0, '401']]);
    expect(add).toEqual([]);
    const selected = update(pins, { groups: ['coding-tool'] });
    expect(selected.change.size).toBe(0);
    expect(selected.add.map(({ id }) => id)).toEqual(['general/chat/coding-tool']);
    const byRequirement = update(pins, { requirements: ['chat.stream.framing'] });
    expect(byRequirement.add.map(({ id }) => id)).toEqual(['observation.framing']);
  });

  test('pins nothing that varies from run to run, nor what this version does not know', () => {
    expect(update([], {}, observing({ stable: null })).add.map(({ id }) => id)).not.toContain(status);
    const strange = { ...report.observations[0], id: 'of.another.version' };
    const other = { ...report, observations: [strange] } as Report;
    expect(update([], {}, other).add.map(({ kind }) => kind)).not.toContain('observation');
  });
});

describe('a report with pins', () => {
  const pins = held(
    report,
    pin('observation', status, hostile, { run: hostile, exchange: hostile, line: 7 }),
    pin('observation', 'no.such.case', hostile, { line: 9 }),
    pin('conflict', conflict, 'A'),
  );
  const pinned: Report = { ...report, pins: { ...pins, file: `${hostile}.yaml` } };

  test('is what the schema says', () => {
    expect(validateReport(pinned)).toEqual([]);
    expect(validateReport({ ...pinned, pins: { ...pins, more: 1 } })).not.toEqual([]);
  });

  test('shows them on a terminal with both values and exchanges', () => {
    const plain = held(
      report,
      pin('observation', status, '403', { run: 'run-0', exchange: 'old', line: 7 }),
      pin('cell', 'image/images/default', 'served'),
    );
    const own = (pins: ReportPins) => terminalOf(pinsSection(contextOf(report), pins));
    expect(own(plain)).toEqual([
      '✕ Pinned behaviour',
      '  2 pins of p.yaml: 1 changed, 0 as before, 1 could not be observed.',
      `  Status of a refused token (${status})`,
      '    pinned 403 (old, run run-0), now 401 (two), pin p.yaml:7',
      '  ? Could not be observed (1)',
      '    whether image/images/default is served (cell image/images/default): could not be observed: it',
      '    was not asked for in this run; pinned: served',
      '',
    ]);
    expect(own(held(report, pin('conflict', conflict, 'A')))).toEqual([
      '✓ Pinned behaviour',
      '  1 pin of p.yaml: 1 as before.',
      '',
    ]);
    const summary = renderSummary(pinned, { colour: false });
    expect(summary).toContain('✕ Pinned behaviour\n  3 pins of');
    expect(summary).not.toContain('\u001b');
  });

  test('shows them in JUnit as a suite: changed fails, not observed is skipped', () => {
    const xml = renderJunit(pinned);
    expect(xml).toContain('<testsuite name="pins" tests="3" failures="1" errors="0" skipped="1"');
    expect(xml).not.toContain('<script>');
    expect(renderJunit(report)).not.toContain('pins');
  });

  test('shows what changed as an annotation at the line of the pin', () => {
    const [line = ''] = renderAnnotations(pinned)
      .split('\n')
      .filter((one) => one.includes('Pinned behaviour changed'));
    expect(line).toMatch(/^::error file=.*,line=7,title=Pinned behaviour changed::/);
    expect(line).toContain('%0Anow: 401');
  });

  test('shows them in Markdown and HTML, escaped, in a section of their own', () => {
    expect(renderMarkdown(pinned)).toContain('## ✕ Pinned behaviour');
    const page = renderHtml(pinned);
    expect(page).toContain('id="part-pins"');
    expect(page).toContain('href="#x%3Atwo"');
    expect(page).not.toContain('<img');
    expect(renderHtml(report)).not.toContain('part-pins');
  });
});
