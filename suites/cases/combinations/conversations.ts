import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { Setting } from '../../types/combination.ts';
import type { Template } from '../../types/template.ts';
import { shortInstruction, turn } from '../builder/bodies.ts';
import { contentAccepted, isWith, promptSetting } from './text-factors.ts';
import type { Levels } from './covering-array.ts';

/** Turns besides those of a row, and where they stand: before its system turn, behind it, or behind earlier turns. */
export interface Shape {
  readonly description: string;
  readonly at: 'front' | 'start' | 'end';
  /** With what one of them says. */
  readonly turns: (words: string) => readonly Template[];
  readonly place: 'turn' | 'other-system';
  /** A factor that its row has; without one a row without earlier turns, where it stands apart from many. */
  readonly beside?: string;
  /** Its elements or a role of its turns are not shown: refused by itself it breaks nothing. */
  readonly mayBeRefused?: true;
}

const shape = (
  description: string,
  at: Shape['at'],
  turns: Shape['turns'],
  more: Partial<Shape> = {},
): Shape => ({ description, at, turns, place: 'turn', ...more });

const exchange = [turn('user', 'Hi'), turn('assistant', 'Hi')];
const usersInARow = shape('two user turns in a row', 'end', (words) => [turn('user', words)]);
const oneExchange = shape('one earlier exchange', 'start', (words) => [
  turn('user', 'Hi'),
  turn('assistant', words),
]);
const manyTurns = (words: string): readonly Template[] => {
  const two = [...exchange, ...exchange];
  return [...two, turn('user', words), turn('assistant', 'OK.'), ...two];
};
const ofSystem = { place: 'other-system' } as const;

/** Shapes of a conversation: turns of the roles that are shown, in whatever order and number (4.1 to 4.3). */
export const shapesOf: Readonly<Record<TextProtocol, readonly Shape[]>> = {
  responses: [shape('ten more turns in a list', 'end', manyTurns, { beside: 'list', mayBeRefused: true })],
  // Of the roles of Messages only `user` is shown (4.2).
  messages: [usersInARow, { ...oneExchange, mayBeRefused: true }],
  chat: [
    shape('several system turns', 'front', (words) => [turn('system', words)], {
      ...ofSystem,
      beside: 'system',
    }),
    shape(
      'a system turn behind other turns',
      'end',
      (words) => [...exchange, turn('system', words)],
      ofSystem,
    ),
    shape('a turn of the assistant at its beginning', 'start', (words) => [turn('assistant', words)]),
    usersInARow,
    shape('a turn of the assistant without text', 'end', (words) => [
      turn('user', words),
      turn('assistant', ''),
    ]),
    oneExchange,
  ],
};

const suits = (levels: Levels, { beside }: Shape): boolean =>
  beside === undefined ? !isWith(levels, 'history') : isWith(levels, beside) && !isWith(levels, 'previous');

/** Rows that other turns would spoil, streamed and not: a system prompt before one turn, and earlier turns as they are. */
function plainRows<Row extends { readonly levels: Levels }>(rows: readonly Row[]): readonly Row[] {
  const isPlain: readonly ((levels: Levels) => boolean)[] = [
    (levels) => isWith(levels, 'system') && !isWith(levels, 'history'),
    (levels) => isWith(levels, 'history'),
  ];
  return isPlain.flatMap((is) =>
    [true, false].flatMap((isStream) =>
      rows.filter(({ levels }) => is(levels) && isWith(levels, 'stream') === isStream).slice(-1),
    ),
  );
}

/** A row of its own for each shape of the protocol, as far as there are rows. */
export function shapesIn<Row extends { readonly levels: Levels }>(
  protocol: TextProtocol,
  rows: readonly Row[],
): ReadonlyMap<Row, Shape> {
  const taken = new Map<Row, Shape>();
  const kept = plainRows(rows);
  for (const shape of shapesOf[protocol]) {
    const free = rows.filter((row) => !taken.has(row));
    // Turns of the system alone leave a single turn what it is.
    const unkept = shape.at === 'front' ? free : free.filter((row) => !kept.includes(row));
    const other = protocol === 'responses' ? undefined : (unkept[0] ?? free[0]);
    const chosen = unkept.find(({ levels }) => suits(levels, shape)) ?? other;
    if (chosen) taken.set(chosen, shape);
  }
  return taken;
}

/** What a shape says where it is not asked for anything. */
const unasked: Readonly<Record<Shape['place'], string>> = { turn: 'Hi', 'other-system': shortInstruction };

/** The setting of the shape of a row, where its turns stand there. */
export function shapeSetting(
  protocol: TextProtocol,
  shape: Shape | undefined,
  at: Shape['at'],
  words: string | undefined,
): readonly Setting[] {
  if (shape?.at !== at) return [];
  const { description, mayBeRefused, place, turns } = shape;
  const setting = promptSetting('shape', description, [contentAccepted(protocol)], {
    ...(mayBeRefused ? { mayBeRefused } : {}),
    turns: turns(words ?? unasked[place]),
  });
  return [setting];
}
