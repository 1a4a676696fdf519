import { parameters } from '../../../spec/openapi.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import { type Combination, combinedBody, headersOf } from '../../types/combination.ts';
import type { Template } from '../../types/template.ts';
import { costlyValues } from '../../types/profile.ts';
import { manyScripts, minimal } from '../builder/bodies.ts';
import type { RequestBuilder } from '../builder/request-builder.ts';
import { rowId } from '../../types/request-ids.ts';
import { valueSetting } from './row-settings.ts';
import { clientsOf, headerSettings, type Styles, signsSetting } from './row-styles.ts';
import { contentAccepted, edges, promptSetting } from './text-factors.ts';
import { everyCombination } from './covering-array.ts';
import { spreadLevels } from './spread-levels.ts';

/** One valid request for images: a value by the name of each parameter; `null` leaves it out. */
type ImageValues = Readonly<Record<string, Template>>;

const pairsOf = (levels: ImageValues): readonly string[] => {
  const entries = Object.entries(levels).map(([name, value]) => `${name}=${value}`);
  return entries.flatMap((one, at) => entries.slice(at + 1).map((other) => `${one} ${other}`));
};

const valuesOf = (levels: ImageValues): readonly string[] =>
  Object.entries(levels).flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));

type IsWanted = (name: string, value: Template) => boolean;

/** What each row asks for of `n`: the bounds and two, which is the fewest of several; images are not cheap. */
function counts(isWanted: IsWanted): readonly (number | null)[] {
  const [least = 1, most = 1] = parameters('images')
    .filter(({ name }) => name === 'n')
    .flatMap(edges)
    .map(Number);
  const asked = [most, 2, least].filter((count) => isWanted('n', count));
  return [...asked, null, null, ...(asked.includes(most) ? [] : [null])];
}

/** Requests that show each stated value once, and most pairs that so few images allow (4.4): each shows most of what is left. */
function imageValues(seed: number, isWanted: IsWanted): readonly ImageValues[] {
  const enumerated = parameters('images').filter(({ allowed }) => allowed !== undefined);
  const all = everyCombination(
    enumerated.map(({ name, allowed = [] }, at) => {
      const from = (seed + at) % allowed.length;
      const rotated = [...allowed.slice(from), ...allowed.slice(0, from)];
      return [name, [...rotated.filter((value) => isWanted(name, value)), null]];
    }),
  );
  const smallest: ImageValues = Object.fromEntries(
    [...enumerated.map(({ name }) => name), 'n'].map((name) => [name, null]),
  );
  const rows: ImageValues[] = [smallest];
  for (const n of counts(isWanted)) {
    const seen = new Set(rows.flatMap(valuesOf));
    const pairs = new Set(rows.flatMap(pairsOf));
    const gain = (row: ImageValues): number =>
      100 * valuesOf(row).filter((value) => !seen.has(value)).length +
      pairsOf(row).filter((pair) => !pairs.has(pair)).length;
    const candidates = all.map((row): ImageValues => ({ ...row, n }));
    rows.push(candidates.reduce((best, other) => (gain(other) > gain(best) ? other : best)));
  }
  return rows
    .slice(1)
    .map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)));
}

const isAffordable =
  ({ depth }: RequestBuilder): IsWanted =>
  (name, value) =>
    !depth.skipCostly || !costlyValues.some((costly) => costly.parameter === name && costly.value === value);

/** Few rows show what of a further factor: with another seed others do. */
const inTurn = (seed: number): readonly boolean[] => (seed % 2 === 0 ? [false, true] : [true, false]);

export function planImageRows(builder: RequestBuilder) {
  if (builder.callers('images').length === 0) return [];
  const { content } = protocolFacts.images;
  const { [content]: question, ...base } = minimal.images;
  const prompt = contentAccepted('images');
  const clients = clientsOf('images');
  const rows = imageValues(builder.seed, isAffordable(builder));
  const takesAny = spreadLevels(rows, { levels: inTurn(builder.seed) }, valuesOf);
  const hasSigns = spreadLevels(rows, { levels: inTurn(builder.seed) }, (row) => [
    ...valuesOf(row),
    `any ${takesAny.get(row)}`,
  ]);
  return rows.map((values, at) => {
    const client = clients[(at + builder.seed) % clients.length];
    const styles: Styles = {
      ...(client ? { client } : {}),
      ...(takesAny.get(values) ? { takesAny: true } : {}),
      ...(hasSigns.get(values) ? { hasSigns: true } : {}),
    };
    const settings = Object.entries(values).map(([name, value]) => valueSetting('images', name, value));
    const scripts = { preface: manyScripts };
    const combination: Combination = {
      base,
      content,
      isListed: false,
      question: String(question),
      settings: [
        ...headerSettings('images', styles),
        ...settings,
        ...(at % 2 === 1 ? [promptSetting('scripts', 'a prompt in other scripts', [prompt], scripts)] : []),
        ...signsSetting(prompt, styles),
      ],
    };
    const id = rowId('images', at + 1);
    const headers = headersOf(combination.settings);
    builder.send(id, 'images', {
      json: combinedBody(combination, combination.settings),
      billed: typeof values.n === 'number' ? values.n : 1,
      combination,
      ...(headers ? { headers } : {}),
    });
    return { id, values, combination };
  });
}

/** The bounds of `n`, and the fewest of several. */
export const imageCounts = (): readonly number[] => counts(() => true).filter((count) => count !== null);
