import { catalogue, type CatalogueEntry } from '../spec/catalogue.ts';
import { groupBy } from '../spec/group-by.ts';
import { present } from '../spec/present.ts';
import { count } from '../spec/text.ts';
import type { packageInfo } from '../spec/package-root.ts';
import { type Requirement, requirements, statementsVersion } from '../spec/requirements.ts';
import { compareSections, sectionList, sectionTitle } from './sections.ts';

export const guidePath = 'docs/interface.md';

export const guideAnchor = (id: string): string => `${guidePath}#${id}`;

/** The guide of a version of the package: an address without a host, for there is none that holds for every version. */
export const guideUri = ({ name, version }: ReturnType<typeof packageInfo>): string =>
  `pkg:npm/${name}@${version}#${guidePath}`;

/** Signs that Markdown reads are text here; what stands in backquotes is as it is. */
const plain = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/[*_<>[\]|]/g, '\\$&')))
    .join('');

function statementLines({
  id,
  level,
  impact,
  sections,
  statement,
  reading,
  excluded,
  since,
  provisional,
}: Requirement): readonly string[] {
  const about = present([
    ...[level, impact && `impact ${impact}`, sectionList(sections)],
    since > 1 && `since version ${since}`,
    provisional && 'provisional',
  ]);
  return [
    `<a id="${id}"></a>**\`${id}\`** (${about.join(', ')})`,
    '',
    plain(statement),
    ...(reading ? ['', `*Reading held:* ${plain(reading)}`] : []),
    ...(excluded ? ['', `*Not judged:* ${plain(excluded)}`] : []),
    '',
  ];
}

const entryLines = ({ id, kind, readings, held, why }: CatalogueEntry): readonly string[] => [
  `<a id="${id}"></a>**\`${id}\`** (${kind})`,
  '',
  ...readings.map(
    ({ label, statement, sections }) => `- ${label} (${sectionList(sections)}): ${plain(statement)}`,
  ),
  '',
  `${held === undefined ? 'Neither is held' : `${held} is held`}: ${plain(why)}`,
  '',
];

/** Every statement and reading of the register by section, as `docs/interface.md` has them. */
export function interfaceGuide(): string {
  const bySection = [...groupBy(requirements(), ({ sections: [section = ''] }) => section)];
  bySection.sort(([one], [other]) => compareSections(one, other));
  return [
    '# The interface, statement by statement',
    '',
    'What the suite holds gateways to, in our words, by section of the interface; with the reading that is held where its',
    'text can be read in two ways. Reports and `explain` name these ids. Written by `npm run guide` of the register,',
    '`spec/requirements.yaml`, and the catalogue of readings, `spec/catalogue.yaml`; [glossary.md](glossary.md) says',
    `what levels and impacts are. Version ${statementsVersion()} of the statements.`,
    '',
    ...bySection.map(
      ([section, own]) =>
        `- [${section} ${sectionTitle(section)}](#section-${section}): ${count(own.length, 'statement')}`,
    ),
    '- [Readings](#readings)',
    '',
    ...bySection.flatMap(([section, own]) => [
      `## <a id="section-${section}"></a>${section} ${sectionTitle(section)}`,
      '',
      ...own.flatMap(statementLines),
    ]),
    '## <a id="readings"></a>Readings',
    '',
    'Places where the interface contradicts itself, or can be read in two ways.',
    '',
    ...catalogue().flatMap(entryLines),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}
