import { protocolFacts } from '../../../spec/protocols.ts';
import type { Protocol, TextProtocol } from '../../../spec/vocabulary.ts';
import type { Combination, Setting } from '../../model/combination.ts';
import type { Template } from '../../model/plan.ts';
import { manyScripts, minimal, repeatText, shortInstruction, turn } from '../builder/bodies.ts';
import type { Wording } from '../builder/wordings.ts';
import { lowLimit } from './limited-rows.ts';
import { settingOfLevel } from './text-factors.ts';
import { has, type TextRow } from './text-rows.ts';

/** What a row says in an attempt. */
export interface RowTexts {
  readonly wording: Wording;
  readonly nonce: string;
  /** The nonce as it stands where the row has other scripts. */
  readonly scripted: string;
  /** A text that is longer than the bound of a row that has one. */
  readonly longText: string;
  /** The exchange that a row with an earlier response follows. */
  readonly previous?: string;
}

const highLimit = 512;

const padding = 'Plain words fill this sentence so that the prompt is long enough. '.repeat(64);
/** More than 4 kB before a question. */
const longPreface = `The sentences after this one are sample text, up to the last one. ${padding.trim()}`;

const greetings = [turn('user', 'Hi'), turn('assistant', 'Hi')];

/** Turns in which neither the first ones alone hold the nonce, nor the last five. */
function history({ place }: TextRow, { wording, nonce }: RowTexts): readonly Template[] {
  const between = [...greetings, ...greetings];
  if (place === 'user')
    return [...greetings, turn('user', wording.statement(nonce)), turn('assistant', 'OK.'), ...between];
  return place === 'assistant'
    ? [
        turn('user', `Pick a ${wording.topic} and tell me.`),
        turn('assistant', wording.statement(nonce)),
        ...between,
      ]
    : greetings;
}

function systemSetting(protocol: TextProtocol, row: TextRow, { wording, nonce }: RowTexts): Setting {
  const text = row.place === 'system' ? wording.statement(nonce) : shortInstruction;
  if (protocol === 'chat')
    return {
      factor: 'system',
      description: 'a turn of role system',
      requirements: ['chat.param.messages.accepted'],
      turns: [turn('system', text)],
    };
  const name = protocol === 'messages' ? 'system' : 'instructions';
  return {
    factor: name,
    description: `\`${name}\``,
    requirements: [`${protocol}.param.${name}.accepted`],
    fields: { [name]: text },
  };
}

/** A parameter with a value. */
export const valueSetting = (protocol: Protocol, name: string, value: Template): Setting => ({
  factor: name,
  description: `${name} = ${JSON.stringify(value)}`,
  requirements: [`${protocol}.param.${name.replaceAll('_', '-')}.accepted`],
  fields: { [name]: value },
});

/** The settings of a row, in the order in which their turns stand. */
function settingsOf(protocol: TextProtocol, row: TextRow, texts: RowTexts): readonly Setting[] {
  const { levels, place } = row;
  const { nonce, scripted, wording, previous } = texts;
  const values = Object.values(levels).flatMap((level) => settingOfLevel(level) ?? []);
  const when = (factor: string, make: () => Setting): readonly Setting[] =>
    has(row, factor) ? [make()] : [];
  const prompt = `${protocol}.param.${protocolFacts[protocol].content}.accepted`;
  const scripts = place === 'limit' ? { preface: manyScripts } : { replaces: { text: nonce, by: scripted } };
  return [
    valueSetting(protocol, 'stream', has(row, 'stream')),
    ...values.map(({ name, value }) => valueSetting(protocol, name, value)),
    ...when('limit', () => valueSetting(protocol, 'max_tokens', place === 'limit' ? lowLimit : highLimit)),
    ...(has(row, 'system') || has(row, 'instructions') ? [systemSetting(protocol, row, texts)] : []),
    ...when('history', () => ({
      factor: 'history',
      description: 'earlier turns',
      // Of the roles of Messages only `user` is shown (4.2).
      requirements: protocol === 'chat' ? [prompt] : [],
      turns: history(row, texts),
    })),
    ...when('list', () => ({
      factor: 'list',
      description: '`input` as a list',
      // The shape of its elements is not shown (4.1).
      requirements: [],
      isListed: true,
      turns: place === 'element' ? [turn('user', wording.statement(nonce))] : [],
    })),
    ...when('previous', () => ({
      factor: 'previous_response_id',
      description: '`previous_response_id`',
      requirements: ['responses.param.previous-response-id.accepted'],
      fields: { previous_response_id: { $: 'reply', exchange: previous ?? '', pointer: '/id' } },
    })),
    ...when('scripts', () => ({
      factor: 'scripts',
      description: 'a prompt in other scripts',
      requirements: [prompt],
      ...scripts,
    })),
    // How much a model takes is not shown (8.4).
    ...when('length', () => ({
      factor: 'length',
      description: 'a prompt of more than 4 kB',
      requirements: [],
      preface: longPreface,
    })),
  ];
}

/** The last message of a row. */
function questionOf({ place }: TextRow, { wording, nonce, longText }: RowTexts): string {
  const { statement, question } = wording;
  if (place === 'limit') return repeatText(longText);
  if (place === 'root') return `${statement(nonce)} Reply with the word OK.`;
  return place === 'inline' ? `${statement(nonce)} ${question}` : question;
}

/** What the request of a row is made of. */
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
