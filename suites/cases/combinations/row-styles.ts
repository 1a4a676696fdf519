import type { Protocol, TextProtocol } from '../../../spec/vocabulary.ts';
import type { Setting } from '../../types/combination.ts';
import type { Template } from '../../types/template.ts';
import { shortInstruction, turn } from '../builder/bodies.ts';
import type { Levels } from './covering-array.ts';
import { absent } from './text-factors.ts';

/** What a client says of itself and of its request, besides what the interface asks for. */
export interface Client {
  readonly description: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The official clients of a protocol, as they name themselves. */
const officialClients = (protocol: Protocol): readonly Client[] => {
  const maker = protocol === 'messages' ? 'Anthropic' : 'OpenAI';
  const stainless = (lang: string, runtime: string): Readonly<Record<string, string>> => ({
    'x-stainless-lang': lang,
    'x-stainless-package-version': '1.0.0',
    'x-stainless-runtime': runtime,
    'x-stainless-retry-count': '0',
  });
  return [
    {
      description: 'the headers of the official client for Python',
      headers: { 'user-agent': `${maker}/Python 1.0.0`, ...stainless('python', 'CPython') },
    },
    {
      description: 'the headers of the official client for JavaScript',
      headers: { 'user-agent': `${maker}/JS 1.0.0`, ...stainless('js', 'node') },
    },
  ];
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

/** Turns besides those of a row, and where they stand: before its system turn, behind it, or behind earlier turns. */
interface Shape {
  readonly description: string;
  readonly at: 'front' | 'start' | 'end';
  readonly turns: readonly Template[];
  /** Better in a row with this factor. */
  readonly beside?: 'system' | 'history';
}

const exchange = [turn('user', 'Hi'), turn('assistant', 'Hi')];

const usersInARow: Shape = {
  description: 'two user turns in a row',
  at: 'end',
  turns: [turn('user', 'Hi')],
};

const noShapes: Readonly<Record<string, Shape>> = {};

/** Shapes of a conversation: turns of the roles that are shown, in whatever order and number (4.2, 4.3). */
const shapes: Readonly<Record<TextProtocol, Readonly<Record<string, Shape>>>> = {
  responses: noShapes,
  messages: { 'users in a row': usersInARow },
  chat: {
    'several system turns': {
      description: 'several system turns',
      at: 'front',
      turns: [turn('system', shortInstruction)],
      beside: 'system',
    },
    'late system turn': {
      description: 'a system turn behind other turns',
      at: 'end',
      turns: [...exchange, turn('system', shortInstruction)],
    },
    'assistant first': {
      description: 'a conversation that the assistant begins',
      at: 'start',
      turns: [turn('assistant', 'Hi')],
    },
    'users in a row': usersInARow,
    'empty assistant turn': {
      description: 'a turn of the assistant without text',
      at: 'end',
      turns: [turn('user', 'Hi'), turn('assistant', '')],
    },
  },
};

/** The styles of a row: a client, and what else it has. */
export interface Styles {
  readonly client?: Client;
  readonly shape?: string;
  /** Its system prompt has more than 4 kB. */
  readonly isLong?: true;
}

const isWith = (levels: Levels, factor: string): boolean => (levels[factor] ?? absent) !== absent;
const isWithSystem = (levels: Levels): boolean => isWith(levels, 'system') || isWith(levels, 'instructions');
const suits = (levels: Levels, { beside }: Shape): boolean =>
  beside === undefined ? !isWith(levels, 'history') : isWith(levels, beside);

/**
 * Gives each row a client, each shape of the protocol a row of its own, and one row a long system prompt: what rows are
 * sent anyway shows, so that it costs nothing.
 * @param mayHaveShape a row whose nonce or bound is not in the way
 */
export function styled<Row extends { readonly levels: Levels }>(
  protocol: TextProtocol,
  rows: readonly Row[],
  { seed, mayHaveShape }: { readonly seed: number; readonly mayHaveShape: (row: Row) => boolean },
): readonly (Row & { readonly styles: Styles })[] {
  const clients = clientsOf(protocol);
  const taken = new Map<Row, string>();
  for (const [name, shape] of Object.entries(shapes[protocol])) {
    const free = rows.filter((row) => mayHaveShape(row) && !taken.has(row));
    const chosen = free.find(({ levels }) => suits(levels, shape)) ?? free[0];
    if (chosen) taken.set(chosen, name);
  }
  const long = rows.find(
    (row) => mayHaveShape(row) && isWithSystem(row.levels) && !isWith(row.levels, 'length'),
  );
  return rows.map((row, at) => {
    const client = clients[(at + seed) % clients.length];
    const shape = taken.get(row);
    return {
      ...row,
      styles: {
        ...(client ? { client } : {}),
        ...(shape ? { shape } : {}),
        ...(row === long ? { isLong: true as const } : {}),
      },
    };
  });
}

/** Settings that a row has besides what it is for: no other request is planned for them. */
export const isStyle = ({ factor }: Setting): boolean =>
  ['client', 'shape', 'system length'].includes(factor);

/** The setting of the client of a row; none where it has none. */
export const clientSetting = ({ client }: Styles): readonly Setting[] =>
  client === undefined
    ? []
    : [
        {
          factor: 'client',
          description: client.description,
          requirements: ['service.availability'],
          isOfPrompt: true,
          headers: client.headers,
        },
      ];

/** The setting of the shape of a row, where its turns stand there. */
export function shapeSetting(
  protocol: TextProtocol,
  { shape: name }: Styles,
  at: Shape['at'],
): readonly Setting[] {
  const shape = name === undefined ? undefined : shapes[protocol][name];
  if (shape === undefined || shape.at !== at) return [];
  return [
    {
      factor: 'shape',
      description: shape.description,
      requirements: [`${protocol}.param.messages.accepted`],
      isOfPrompt: true,
      turns: shape.turns,
    },
  ];
}
