import { protocolFacts } from '../../spec/protocols.ts';
import { count } from '../../spec/text.ts';
import type { Report } from '../../suites/types/report.ts';
import { casesText, cellWords, type ModelTable, modelTables } from '../models.ts';
import { familyWord } from '../wording.ts';
import { badge, type Block, code, quiet, table } from '../document/blocks.ts';

/** The most models of a family that have a row; the worst come first. */
const mostRows = 32;

function modelTable({ family, columns, rows }: ModelTable): Block {
  const title = `${familyWord[family]}: ${count(rows.length, 'model')} behind the first`;
  const rest = rows.length - mostRows;
  const heads = columns.map(
    ({ protocol, group, stream }) =>
      `${protocolFacts[protocol].title}, ${group ?? 'any group'}${stream ? ', stream' : ''}`,
  );
  const lines = rows.slice(0, mostRows).map(({ name, cells, counts, verdict }) => {
    const seen = cells.map(cellWords);
    return {
      cells: [
        { of: code(name) },
        ...seen.map((one) => ({ tone: one.tone, of: badge(one.tone, one.seen) })),
        { tone: verdict, of: badge(verdict, casesText(counts)) },
      ],
    };
  });
  const blocks = [
    table([title, 'rows'], ['Model', ...heads, 'Cases'], lines, { rowHeads: true }),
    rest > 0 && quiet(`${count(rest, 'more model')} in report.json.`),
  ];
  const open = rows.some(({ verdict }) => verdict !== 'pass');
  return { kind: 'fold', from: 'page', summary: title, open, blocks };
}

/** The models behind the first of each family: a table for each family. */
export function modelBlocks(report: Report): readonly Block[] {
  const tables = modelTables(report);
  if (tables.length === 0) return [];
  const about =
    'The matrix shows the first model of each family. The others are judged by where they must be served or refused, their results, their streams and a few refusals; what they passed, with its exchanges, is in report.json.';
  return [{ ...quiet(about), from: 'page' }, ...tables.map(modelTable)];
}

/** What a page has room for: no cases that models behind the first have passed, and no exchanges of these alone. */
export function withoutPassedModels(report: Report): Report {
  const isShort = (outcome: Report['cases'][number]): boolean =>
    outcome.model !== undefined && outcome.findings.every(({ verdict }) => verdict === 'untested');
  const hidden = new Set(report.cases.filter(isShort).map(({ id }) => id));
  if (hidden.size === 0) return report;
  const kept = report.cases.filter(({ id }) => !hidden.has(id));
  const shown = new Set(kept.flatMap(({ exchanges }) => exchanges));
  const left = new Set(report.cases.filter(isShort).flatMap(({ exchanges }) => exchanges));
  return {
    ...report,
    cases: kept,
    requirements: report.requirements.map((row) => ({
      ...row,
      cases: row.cases.filter((id) => !hidden.has(id)),
    })),
    exchanges: report.exchanges.filter(({ id }) => !left.has(id) || shown.has(id)),
  };
}
