import { groupBy } from '../../../spec/group-by.ts';
import { present } from '../../../spec/present.ts';
import type { Protocol, TextProtocol } from '../../../spec/vocabulary.ts';
import type { Setting } from '../../types/combination.ts';
import { type Shape, shapesIn } from './conversations.ts';
import { absent, isWith, promptSetting } from './text-factors.ts';
import type { Levels } from './covering-array.ts';
import { spreadLevels } from './spread-levels.ts';

/** What a client says of itself and of its request, besides what the interface asks for. */
export interface Client {
  readonly description: string;
  readonly headers: Readonly<Record<string, string>>;
}

const officialClients = (protocol: Protocol): readonly Client[] => {
  const maker = protocol === 'messages' ? 'Anthropic' : 'OpenAI';
  const client = (language: string, as: string, lang: string, runtime: string): Client => ({
    description: `the headers of the official client for ${language}`,
    headers: {
      'user-agent': `${maker}/${as} 1.0.0`,
      'x-stainless-lang': lang,
      'x-stainless-package-version': '1.0.0',
      'x-stainless-runtime': runtime,
      'x-stainless-retry-count': '0',
    },
  });
  return [client('Python', 'Python', 'python', 'CPython'), client('JavaScript', 'JS', 'js', 'node')];
};

/** Each stands in one row at least: a header of HTTP changes nothing of what is asked. */
export const clientsOf = (protocol: Protocol): readonly Client[] => [
  {
    description: 'a content type that names its charset',
    headers: { 'content-type': 'application/json; charset=utf-8' },
  },
  ...officialClients(protocol),
  { description: 'Accept-Encoding: gzip', headers: { 'accept-encoding': 'gzip' } },
  { description: 'the user agent of a library', headers: { 'user-agent': 'python-requests/2.32.3' } },
  { description: 'no name of a client', headers: { 'user-agent': '' } },
  { description: 'Accept-Encoding: identity', headers: { 'accept-encoding': 'identity' } },
  { description: 'the user agent of a command', headers: { 'user-agent': 'curl/8.5.0' } },
  { description: 'Connection: close', headers: { connection: 'close' } },
];

/** Texts besides the question that may be long: the system prompt, an earlier turn, another element of a list. */
export type LongPlace = 'system' | 'history' | 'list';

export const longFactor = (place: LongPlace): string => `long ${place}`;

/** What of a row costs nothing and stands beside all else. */
export interface Styles {
  readonly client?: Client;
  readonly shape?: Shape;
  /** What of its texts has more than 4 kB. */
  readonly long?: readonly LongPlace[];
  /** Its client takes a reply of any type. */
  readonly takesAny?: true;
  /** Its prompt has signs that mean something to a page, a shell or a string. */
  readonly hasSigns?: true;
  /** Another row has the same `Idempotency-Key`, and asks for something else. */
  readonly sharesKey?: true;
}

const isWithPlace = (levels: Levels, place: LongPlace): boolean =>
  isWith(levels, place) || (place === 'system' && isWith(levels, 'instructions'));

/** What a row has, and whether it is a stream: what a further factor is to stand beside. */
export const featuresOf = ({ levels }: { readonly levels: Levels }): readonly string[] => [
  ...Object.entries(levels).flatMap(([factor, level]) => (level === absent ? [] : [`${factor} ${level}`])),
  `stream ${isWith(levels, 'stream')}`,
];

/** A stream and another row of a caller that share a key: neither is a link of a chain, which others need. */
function withOneKey<Row extends { readonly levels: Levels }>(rows: readonly Row[]): readonly Row[] {
  const free = rows.filter(({ levels }) => !isWith(levels, 'previous'));
  const pairs = free
    .filter(({ levels }) => isWith(levels, 'stream'))
    .flatMap((stream) => {
      const other = free.findLast(
        ({ levels }) => !isWith(levels, 'stream') && (levels.caller ?? '0') === (stream.levels.caller ?? '0'),
      );
      return other ? [[stream, other]] : [];
    });
  return pairs[0] ?? [];
}

const longPlaces: readonly LongPlace[] = ['system', 'history', 'list'];

/** More long texts than so many in one prompt are more than some models take (8.4). */
const mostLong = 2;

/** Which rows have a long text where: one of each caller, streamed and not, and first the one whose prompt is the shortest. */
function longTexts<Row extends { readonly levels: Levels }>(
  rows: readonly Row[],
): ReadonlyMap<Row, readonly LongPlace[]> {
  const taken = new Map<Row, readonly LongPlace[]>();
  const longIn = (row: Row): number => (taken.get(row)?.length ?? 0) + (isWith(row.levels, 'length') ? 1 : 0);
  for (const place of longPlaces) {
    const own = rows
      .filter((row) => isWithPlace(row.levels, place) && longIn(row) < mostLong)
      .sort((one, other) => longIn(one) - longIn(other));
    const kinds = groupBy(own, ({ levels }) => `${levels.caller ?? '0'} ${isWith(levels, 'stream')}`);
    for (const [row] of kinds.values()) if (row) taken.set(row, [...(taken.get(row) ?? []), place]);
  }
  return taken;
}

/** How the rows of an array are given what costs nothing. */
interface Styling<Row> {
  readonly seed: number;
  /** Whether its nonce or bound is not in the way of further turns. */
  readonly mayHaveShape: (row: Row) => boolean;
  /** Whether others follow its response, or nothing stands for it: it has no header that may be refused. */
  readonly mustBeTaken: (row: Row) => boolean;
}

/** Gives rows a client, a level of each further factor, a shape, and a few a long text: they are sent anyway. */
export function styled<Row extends { readonly levels: Levels; readonly places: readonly string[] }>(
  protocol: TextProtocol,
  rows: readonly Row[],
  { seed, mayHaveShape, mustBeTaken }: Styling<Row>,
): readonly (Row & { readonly styles: Styles })[] {
  const clients = clientsOf(protocol);
  const shapes = shapesIn(protocol, rows.filter(mayHaveShape));
  const longIn = longTexts(rows.filter(mayHaveShape));
  const takesAny = spreadLevels(
    rows,
    { levels: [true, false], mayHave: (row, isAny) => !(isAny && mustBeTaken(row)) },
    (row) => [...featuresOf(row), ...row.places],
  );
  const hasSigns = spreadLevels(
    rows,
    // The prompt of a row that tests a bound is long enough without: a model may refuse a longer one (8.4).
    { levels: [false, true], mayHave: (row, signs) => !signs || mayHaveShape(row) },
    (row) => [...featuresOf(row), `any ${takesAny.get(row)}`],
  );
  const sharing = withOneKey(rows.filter((row) => !mustBeTaken(row)));
  return rows.map((row, at) => {
    const client = clients[(at + seed) % clients.length];
    const [shape, long = []] = [shapes.get(row), longIn.get(row)];
    return {
      ...row,
      styles: {
        ...(client ? { client } : {}),
        ...(shape ? { shape } : {}),
        ...(long.length > 0 ? { long } : {}),
        ...(takesAny.get(row) ? { takesAny: true as const } : {}),
        ...(hasSigns.get(row) ? { hasSigns: true as const } : {}),
        ...(sharing.includes(row) ? { sharesKey: true as const } : {}),
      },
    };
  });
}

/** Settings that a row has besides what it is for: no other request is planned for them. */
const styles: readonly string[] = [
  ...['client', 'accept', 'idempotency key', 'shape', 'signs'],
  ...longPlaces.map(longFactor),
];
export const isStyle = ({ factor }: Setting): boolean => styles.includes(factor);

/** Neither what is sent to such a client is shown, nor what a key is good for: refused by itself it breaks nothing. */
const ofHeaders = (factor: string, description: string, headers: Record<string, string>): Setting => ({
  factor,
  description,
  requirements: [],
  mayBeRefused: true,
  isOfPrompt: true,
  headers,
});

export const headerSettings = (protocol: Protocol, { client, takesAny, sharesKey }: Styles) => {
  const key = { 'idempotency-key': `one-key-of-${protocol}` };
  return present([
    client &&
      promptSetting('client', client.description, ['service.availability'], { headers: client.headers }),
    takesAny && ofHeaders('accept', 'Accept: */*', { accept: '*/*' }),
    sharesKey && ofHeaders('idempotency key', 'an Idempotency-Key that another request has', key),
  ]);
};

/** Before what is asked: signs that mean something to a page, a shell, a string or a stream of events. */
const manySigns = 'Tom & Ann wrote <b>"5 > 4"</b>, {x: \'y\'}, C:\\\\temp and data: [DONE].';

/** The setting of a prompt with signs; none where the row has none. */
export const signsSetting = (
  requirement: string,
  { hasSigns }: Styles,
  replaces: NonNullable<Setting['replaces']> = [],
): readonly Setting[] => {
  const changes = { preface: manySigns, ...(replaces.length > 0 ? { replaces } : {}) };
  const setting = promptSetting('signs', 'a prompt with signs of markup and code', [requirement], changes);
  return hasSigns ? [setting] : [];
};
