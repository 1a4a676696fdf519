import { UsageError } from '../../fixtures/target/errors.ts';
import { present } from '../../spec/present.ts';
import { fullTarget } from '../../fixtures/target/full-target.ts';
import { guidePath } from '../../reporters/interface-guide.ts';
import { impactMeaning } from '../../reporters/impact.ts';
import { extension, withExtension } from '../../spec/extension.ts';
import { type CatalogueEntry, catalogue } from '../../spec/catalogue.ts';
import { packageFile } from '../../spec/package-root.ts';
import { isOwn, type Requirement, requirements } from '../../spec/requirements.ts';
import { wrapText, count, shorten } from '../../spec/text.ts';
import { yamlLibrary } from '../../spec/yaml-library.ts';
import { explanationOf, readsIn } from '../../suites/checks/registry.ts';
import type { Case } from '../../suites/types/case.ts';
import { type Depth, fullDepth, ownProfiles, profiles } from '../../suites/types/profile.ts';
import { rowsAsking } from '../../suites/cases/probes/asked.ts';
import { everything, planRun } from '../../suites/plan/plan.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { extensionOf } from '../run/own-options.ts';
import type { RunOptions } from '../options/run-options.ts';
import { requirementOf, namesIn } from '../options/options.ts';
import { print } from '../output/terminal.ts';
import { impacts, levels } from '../../spec/vocabulary.ts';
import { sectionNumbers } from '../../reporters/sections.ts';
import { levelMeaning } from '../../reporters/wording.ts';

/** What a list of requirements is limited to, as commander hands it over. */
export type ListOptions = Readonly<Partial<Record<'section' | 'level' | 'impact', readonly string[]>>>;

/** Checks the filters; of a section those below it pass, too. Throws UsageError for an unknown section, level or impact. */
export const filtersOf = ({ section, level, impact }: ListOptions) => ({
  sections: namesIn('--section', section, sectionNumbers),
  levels: namesIn('--level', level, levels),
  impacts: namesIn('--impact', impact, impacts),
});

const isIn = (section: string, wanted: string): boolean =>
  section === wanted || section.startsWith(`${wanted}.`);

/** The requirements that pass every filter; one that names nothing lets all pass. */
export const filtered = (rows: readonly Requirement[], filters: ReturnType<typeof filtersOf>) =>
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

/** Text broken at spaces, each line behind an indent. */
const wrap = (text: string, indent: string): string =>
  wrapText(text.trim().replace(/\s+/g, ' '), 96 - indent.length)
    .map((line) => indent + line)
    .join('\n');

function judging(cases: readonly Case[]): string[] {
  const kinds = [...new Set(cases.map(({ check }) => check.kind))];
  return [
    'How it is judged:',
    ...kinds.map((kind) => wrap(explanationOf(kind), '  ')),
    '',
    `Cases (${cases.length}, for a target that offers everything):`,
    ...cases.map(({ id, suite, title }) => `  ${id}  [${suite}]\n${wrap(title, '      ')}`),
  ];
}

const asking = (id: string): string[] =>
  rowsAsking(id).flatMap(({ file, row }) => [
    '',
    `Asked by ${file}:`,
    yamlLibrary().stringify([row], { lineWidth: 94 }).trimEnd().replace(/^/gm, '  '),
  ]);

const catalogued = ({ id, kind, readings, held, why }: CatalogueEntry): string[] => [
  '',
  `${kind === 'contradiction' ? 'Contradiction' : 'Ambiguity'} of the interface that it rests on: ${id}`,
  ...readings.map(({ label, statement, sections }) =>
    wrap(`${label} (${sections.join(', ')}): ${statement}`, '  '),
  ),
  wrap(`${held === undefined ? 'Neither is held' : `Held: ${held}`}. ${why}`, '  '),
];

/** `explain`: a requirement and how it is judged, or the list of those that pass the filters and have all words. */
export const explainCommand = (
  words: readonly string[],
  options: ListOptions & Pick<RunOptions, 'extend'>,
): ExitCode => withExtension(extensionOf(options), () => explained(words, options));

function explained(words: readonly string[], options: ListOptions): ExitCode {
  const filters = filtersOf(options);
  const [id = ''] = words;
  // Behind the kind of a cause stands the requirement that it is about.
  const row = requirements().find((each) => words.length === 1 && each.id === id.slice(id.indexOf(':') + 1));
  if (row) {
    if (Object.values(filters).some((names) => names.length > 0))
      throw new UsageError(
        `--section, --level and --impact filter the list: leave them out, or leave out ${id}`,
      );
    return explainRequirement(row);
  }
  const having = havingAll(words);
  const found = having.length > 0 ? having : ofReport(words.join(' '));
  print(requirementList(filtered(found, filters), process.stdout.columns ?? 100));
  return exitCodes.conformant;
}

/** What a run adds to the id of a request that it sends again, or with something left out. */
const added = /[.~][^.~]+$/;

/** Those of the planned ids that a request may have been made of, the nearest first. */
const plannedOf = (id: string): readonly string[] =>
  id === '' ? [] : [id, ...(added.test(id) ? plannedOf(id.replace(added, '')) : [])];

/** What a case judges, or the cases that read an exchange. Throws UsageError for an unknown id, with what may be meant. */
function ofReport(id: string): readonly Requirement[] {
  const plan = planRun(fullTarget, { seed: 1, selection: everything, ...fullDepth });
  const sent = new Set(plan.requests.map((each) => each.id));
  const request = plannedOf(id).find((each) => sent.has(each));
  const cases = plan.cases.filter(
    (each) => each.id === id || (request !== undefined && readsIn(each.check, plan).includes(request)),
  );
  const judged = new Set(cases.flatMap((each) => each.requirements));
  return judged.size > 0 ? requirements().filter((each) => judged.has(each.id)) : [requirementOf(id)];
}

/** Ids write `max_tokens` as `max-tokens`. */
const plainly = (text: string): string => text.toLowerCase().replaceAll('_', '-');

/** Those whose id, statement or reading has all of these words. */
const havingAll = (words: readonly string[]): readonly Requirement[] =>
  requirements().filter(({ id, statement, reading = '' }) => {
    const text = plainly(`${id} ${statement} ${reading}`);
    return words.every((word) => text.includes(plainly(word)));
  });

/** The plan that asks for a requirement is that of the interface, or of the extension that states it. */
function extended(id: string): Pick<Depth, 'extension'> {
  const own = extension();
  return own !== undefined && isOwn(id) ? { extension: own } : {};
}

function explainRequirement(row: Requirement): ExitCode {
  const asked = { seed: 1, selection: everything, ...extended(row.id) };
  const { cases: all } = planRun(fullTarget, { ...asked, ...fullDepth });
  const judges = (each: Case): boolean => each.requirements.includes(row.id);
  const cases = all.filter(judges);
  const askedIn = (isOwn(row.id) ? ownProfiles : profiles).filter((profile) =>
    planRun(fullTarget, { ...asked, profile, skipCostly: false }).cases.some(judges),
  );
  print(
    present([
      row.id,
      '',
      wrap(row.statement, '  '),
      '',
      `Section  ${row.sections.join(', ')}`,
      `Level    ${row.level}: ${levelMeaning[row.level]}`,
      row.impact && `Impact   ${row.impact}: ${impactMeaning(row.impact, row.level)}`,
      !row.excluded && `Profiles ${askedIn.join(', ')}`,
      row.conflict && `Conflict ${row.conflict}, reading ${row.label}`,
      !isOwn(row.id) &&
        `Since    version ${row.since} of the statements${row.provisional ? ': provisional, judged and not counted' : ''}`,
      !isOwn(row.id) && `Guide    ${packageFile(guidePath)}#${row.id}`,
      ...(row.reading ? ['', 'Reading held:', wrap(row.reading, '  ')] : []),
      ...catalogue()
        .filter(({ requirements }) => requirements.includes(row.id))
        .flatMap(catalogued),
      '',
      ...(row.excluded ? ['Not judged:', wrap(row.excluded, '  ')] : judging(cases)),
      ...asking(row.id),
    ]).join('\n'),
  );
  return exitCodes.conformant;
}
