import { protocolFacts } from '../../../spec/protocols.ts';
import type { Protocol, TextProtocol } from '../../../spec/vocabulary.ts';
import type { Combination, Setting } from '../../types/combination.ts';
import type { Template } from '../../types/template.ts';
import { manyScripts, minimal, repeatText, shortInstruction, turn } from '../builder/bodies.ts';
import {
  questionForAll,
  questionInChain,
  shortReply,
  type Wording,
  type Place,
} from '../builder/attempts.ts';
import { highLimit } from '../../types/text-situations.ts';
import { type Shape, shapeSetting } from './conversations.ts';
import { headerSettings, longFactor, type LongPlace, signsSetting } from './row-styles.ts';
import { contentAccepted, promptSetting, settingOfLevel } from './text-factors.ts';
import { has, isAt, lowLimit, type TextRow } from './text-rows.ts';

export interface Given {
  readonly wording: Wording;
  readonly nonce: string;
}

export interface RowTexts {
  readonly given: Readonly<Partial<Record<Place, Given>>>;
  /** Whether it asks for everything at once, and not again for the one that is given. */
  readonly isFirst: boolean;
  /** A text that is longer than the bound of a row that has one. */
  readonly longText: string;
  /** The exchange that a row with an earlier response follows. */
  readonly previous?: string;
}

/** Behind a nonce where the row has other scripts: letters beyond ASCII. */
const scripted = (nonce: string): string => `${nonce}-größer-мир-数据-😀-ok`;
/** The same where its prompt has signs of markup and code. */
const signed = (nonce: string): string => `${nonce}&Tom<->"Ann"\\fog`;

/** What a row says and asks for in the place of a nonce. */
export const written = (row: TextRow, nonce: string): string => {
  const words = has(row, 'scripts') ? scripted(nonce) : nonce;
  return row.styles?.hasSigns ? words.replace(nonce, signed) : words;
};

/** What of a nonce must come back: with the letters beyond ASCII, which no model need write otherwise than it was given. */
export const recalledAs = (row: TextRow, nonce: string) =>
  has(row, 'scripts') ? written(row, nonce) : nonce;

const padding = 'Plain words fill this sentence so that the prompt is long enough. '.repeat(64);
/** More than 4 kB before a question. */
export const longPreface = `The sentences after this one are sample text, up to the last one. ${padding.trim()}`;

export const greetings = [turn('user', 'Hi'), turn('assistant', 'Hi')];

const stated = ({ wording, nonce }: Given): string => wording.statement(nonce);

/** What a long turn or element says where it is not asked for. */
const besides = 'Hi there.';

/** Neither the last ten turns hold a nonce, nor the first two unless asked for: a gateway may keep those. They are always as many. */
export const history = (
  { given: { first, user, assistant } }: Pick<RowTexts, 'given'>,
  isLong: boolean,
): readonly Template[] => [
  ...(first ? [turn('user', stated(first)), turn('assistant', 'OK.')] : greetings),
  ...(user || isLong ? [turn('user', user ? stated(user) : besides), turn('assistant', 'OK.')] : greetings),
  ...(assistant
    ? [turn('user', `Pick a ${assistant.wording.topic} and tell me.`), turn('assistant', stated(assistant))]
    : greetings),
  ...Array.from({ length: 5 }, () => greetings).flat(),
];

const systemText = ({ given: { system } }: RowTexts): string => (system ? stated(system) : shortInstruction);

const longTextOf: Readonly<Record<LongPlace, { text: (texts: RowTexts) => string; words: string }>> = {
  system: { text: systemText, words: 'a system prompt' },
  history: { text: ({ given: { user } }) => (user ? stated(user) : besides), words: 'an earlier turn' },
  list: {
    text: (texts) => {
      const element = elementOf(texts);
      return element ? stated(element) : besides;
    },
    words: 'an element of `input`',
  },
};

const elementOf = ({ given }: RowTexts): Given | undefined => given.element ?? given['told-element'];

/** How much a model takes is not shown (8.4). */
function longSetting(place: LongPlace, texts: RowTexts, restsOn: string): Setting {
  const text = longTextOf[place].text(texts);
  const description = `${longTextOf[place].words} of more than 4 kB`;
  const replaces = [{ text, by: `${longPreface} ${text}` }];
  return { factor: longFactor(place), restsOn, description, requirements: [], isOfPrompt: true, replaces };
}

function systemSetting(protocol: TextProtocol, texts: RowTexts): Setting {
  const text = systemText(texts);
  if (protocol === 'chat')
    return promptSetting('system', 'a turn of role system', [contentAccepted(protocol)], {
      turns: [turn('system', text)],
    });
  const name = protocol === 'messages' ? 'system' : 'instructions';
  return { ...valueSetting(protocol, name, text), description: `\`${name}\`` };
}

export const valueSetting = (protocol: Protocol, name: string, value: Template): Setting => ({
  factor: name,
  description: `${name} = ${JSON.stringify(value)}`,
  requirements: [`${protocol}.param.${name.replaceAll('_', '-')}.accepted`],
  fields: { [name]: value },
});

const streamSetting = (protocol: TextProtocol, row: TextRow): readonly Setting[] => {
  const stream = has(row, 'stream');
  return stream || row.declined ? [valueSetting(protocol, 'stream', stream)] : [];
};

/** The settings of a row, in the order in which their turns stand. */
function settingsOf(protocol: TextProtocol, row: TextRow, texts: RowTexts): readonly Setting[] {
  const { levels, styles = {} } = row;
  const { given, previous } = texts;
  const { shape } = styles;
  const inShape = shape && given[shape.place];
  const shapeAt = (at: Shape['at']) => shapeSetting(protocol, shape, at, inShape && stated(inShape));
  const values = Object.values(levels).flatMap((level) => settingOfLevel(level) ?? []);
  const when = (factor: string, make: () => Setting): readonly Setting[] =>
    has(row, factor) ? [make()] : [];
  const isLong = (place: LongPlace): boolean => styles.long?.includes(place) ?? false;
  const withLong = (place: LongPlace, setting: Setting): readonly Setting[] =>
    isLong(place) ? [setting, longSetting(place, texts, setting.factor)] : [setting];
  const prompt = contentAccepted(protocol);
  const nonces = Object.values(given).map(({ nonce }) => nonce);
  const scripts = {
    preface: manyScripts,
    replaces: nonces.map((nonce) => ({ text: nonce, by: scripted(nonce) })),
  };
  return [
    ...headerSettings(protocol, styles),
    ...streamSetting(protocol, row),
    ...values.map(({ name, value }) => valueSetting(protocol, name, value)),
    ...when('limit', () =>
      valueSetting(protocol, 'max_tokens', isAt(row, 'limit') ? lowLimit(protocol, row) : highLimit),
    ),
    ...shapeAt('front'),
    ...(has(row, 'system') || has(row, 'instructions')
      ? withLong('system', systemSetting(protocol, texts))
      : []),
    ...shapeAt('start'),
    ...when('history', () =>
      promptSetting('history', 'earlier turns', [prompt], {
        // Of the roles of Messages only `user` is shown (4.2).
        ...(protocol === 'messages' ? { mayBeRefused: true } : {}),
        turns: history(texts, isLong('history')),
      }),
    ).flatMap((setting) => withLong('history', setting)),
    ...when('list', () => ({
      factor: 'list',
      description: '`input` as a list',
      requirements: [prompt],
      // The shape of its elements is not shown (4.1).
      mayBeRefused: true,
      isListed: true,
      turns: elementOf(texts) || isLong('list') ? [turn('user', longTextOf.list.text(texts))] : [],
    })).flatMap((setting) => withLong('list', setting)),
    ...shapeAt('end'),
    ...when('previous', () => ({
      ...valueSetting(protocol, 'previous_response_id', {
        $: 'reply',
        exchange: previous ?? '',
        pointer: '/id',
      }),
      description: '`previous_response_id`',
    })),
    ...when('scripts', () => promptSetting('scripts', 'a prompt in other scripts', [prompt], scripts)),
    ...signsSetting(
      prompt,
      styles,
      nonces.map((nonce) => ({ text: nonce, by: signed(nonce) })),
    ),
    // How much a model takes is not shown (8.4).
    ...when('length', () =>
      promptSetting('length', 'a prompt of more than 4 kB', [], { preface: longPreface }),
    ),
  ];
}

function questionOf(row: TextRow, { given, longText, isFirst }: RowTexts): string {
  if (isAt(row, 'limit')) return repeatText(longText);
  if (given.root) return `${stated(given.root)} ${shortReply}`;
  // It must not be said before it is asked for.
  if (given['told-element']) return shortReply;
  const [only] = Object.values(given);
  const isBetween = has(row, 'previous') && !isAt(row, 'chain');
  const every = isBetween ? questionInChain : questionForAll;
  const question = isFirst || only === undefined ? every : only.wording.question;
  return given.inline ? `${stated(given.inline)} ${question}` : question;
}

export function combinationOf(protocol: TextProtocol, row: TextRow, texts: RowTexts): Combination {
  const { content } = protocolFacts[protocol];
  const { [content]: _, ...base } = minimal[protocol];
  return {
    base,
    content,
    isListed: protocol !== 'responses',
    question: questionOf(row, texts),
    settings: settingsOf(protocol, row, texts),
  };
}
