import { count, shorten } from '../../spec/text.ts';
import type { Requirement } from '../../spec/requirements.ts';
import { impacts, levels } from '../../spec/vocabulary.ts';
import { sectionNumbers } from '../../reporters/sections.ts';
import { namesIn } from './options.ts';

/** What a list of requirements is limited to, as commander hands it over. */
export interface ListOptions {
  readonly section?: readonly string[];
  readonly level?: readonly string[];
  readonly impact?: readonly string[];
}

/** Checks the filters; of a section those below it pass, too. Throws UsageError for an unknown section, level or impact. */
export const filtersOf = ({ section, level, impact }: ListOptions) => ({
  sections: namesIn('--section', section, sectionNumbers),
  levels: namesIn('--level', level, levels),
  impacts: namesIn('--impact', impact, impacts),
});

const isIn = (section: string, wanted: string): boolean =>
  section === wanted || section.startsWith(`${wanted}.`);

/** The requirements that pass every filter; one that names nothing lets all pass. */
export const filtered = (
  rows: readonly Requirement[],
  filters: ReturnType<typeof filtersOf>,
): readonly Requirement[] =>
  rows.filter(
    ({ sections, level, impact }) =>
      (filters.sections.length === 0 ||
        filters.sections.some((wanted) => sections.some((section) => isIn(section, wanted)))) &&
      (filters.levels.length === 0 || filters.levels.includes(level)) &&
      (filters.impacts.length === 0 || (impact !== undefined && filters.impacts.includes(impact))),
  );

/** The first word of an id, such as `chat`. */
const areaOf = ({ id }: Requirement): string => id.split('.')[0] ?? id;

function areaLines(area: string, rows: readonly Requirement[], width: number): readonly string[] {
  const columns = rows.map(({ id, level, impact = '' }) => [id, level, impact]);
  const widths = [0, 1, 2].map((at) => Math.max(...columns.map((words) => words[at]?.length ?? 0)));
  const lines = rows.map(({ statement }, row) => {
    const padded = (columns[row] ?? []).map((word, at) => `  ${word.padEnd(widths[at] ?? 0)}`);
    const head = `${padded.join('')}  `;
    // The ellipsis of what is cut takes a column.
    const room = Math.max(0, width - head.length);
    return head + (statement.length > room ? shorten(statement, Math.max(0, room - 1)) : statement);
  });
  return [`${area} (${rows.length})`, ...lines, ''];
}

/** Requirements by area, a line each: id, level, impact and statement, which is cut to the `width` of the terminal. */
export function requirementList(rows: readonly Requirement[], width: number): string {
  if (rows.length === 0) return 'No requirement passes all of these filters.';
  const areas = [...new Set(rows.map(areaOf))];
  return [
    ...areas.flatMap((area) =>
      areaLines(
        area,
        rows.filter((row) => areaOf(row) === area),
        width,
      ),
    ),
    `${count(rows.length, 'requirement')}. \`explain REQUIREMENT\` tells what one says and how it is judged.`,
  ].join('\n');
}
