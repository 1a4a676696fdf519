import picocolors from 'picocolors';
import { protocolFacts } from '../spec/protocols.ts';
import { count, inParentheses } from '../spec/text.ts';
import type { Target } from '../fixtures/target/target.ts';
import type { EvidenceView } from '../suites/checks/evidence-view.ts';
import { showsToken } from '../suites/facts/replies.ts';
import { modelSent } from '../suites/reading/reply-words.ts';
import type { EndpointFact } from '../suites/facts/endpoints.ts';
import type { DeclarationFacts } from '../suites/facts/facts.ts';
import type { Knowledge } from '../suites/types/declared.ts';
import type { ReportCause } from '../suites/types/cause.ts';
import { terminalLine } from './escape.ts';
import { commandLines, type Layout, wrap } from './document/terminal.ts';
import { type PlaceOf, placesOf } from './causes.ts';

/** What a target was asked about its declaration, and what it shows. */
export interface CheckedDeclaration {
  readonly view: EvidenceView;
  readonly facts: DeclarationFacts;
  readonly endpoints: readonly EndpointFact[];
  /** What is declared wrong, or can't be told to be right. */
  readonly causes: readonly ReportCause[];
  readonly requests: number;
  readonly billed: number;
}

type Tone = 'good' | 'bad' | 'open';

/** What is known of something declared, in a word and in a few. */
const knowledgeWords: Readonly<Record<Knowledge, readonly [Tone, word: string, more: string]>> = {
  accepted: ['good', 'accepted', ''],
  known: ['good', 'known', 'refused, in other words than an invented one'],
  unknown: ['bad', 'refused', 'the target does not know it: a mistake of the config'],
  alike: ['open', 'unknown', 'refused as an invented one is, and as all else is there'],
  'not-compared': ['open', 'unknown', 'no reply that tells'],
};

const endpointWords: Readonly<Record<EndpointFact['state'], readonly [Tone, word: string, more: string]>> = {
  answers: ['good', 'accepted', ''],
  refuses: ['bad', 'refused', 'no valid request is answered'],
  silent: ['open', 'unknown', 'no reply'],
};

/** Of an endpoint that was asked for nothing but what the config has wrong. */
const onlyMistaken: typeof endpointWords.refuses = [
  'open',
  'unknown',
  'every request to it has what the config has wrong',
];

interface Row {
  readonly name: string;
  readonly words: readonly [Tone, word: string, more: string];
  readonly status: number | undefined;
}

function unaskedRows([first, ...others]: readonly string[]): readonly Row[] {
  if (first === undefined) return [];
  const name = others.length > 0 ? `${first} and ${others.length} more` : first;
  return [{ name, words: ['open', 'not asked', 'a run asks'], status: undefined }];
}

type DeclaredFact = DeclarationFacts['tokens' | 'models'][number];

const tokenKeys = ({ names }: DeclarationFacts['tokens'][number]): readonly string[] =>
  names.map((name) => `tokens.${name}`);

/** Whether an exchange was sent with a token or a model that is declared wrong. */
function hasMistake({ facts, causes, view }: CheckedDeclaration, id: string): boolean {
  const { exchange } = view.state(id);
  if (exchange === undefined) return false;
  const wrong = new Set(causes.flatMap(({ configKeys = [] }) => configKeys));
  const isWrong = (keys: readonly string[]): boolean => keys.some((key) => wrong.has(key));
  return (
    facts.tokens.some(
      (fact) => isWrong(tokenKeys(fact)) && showsToken(exchange.request.headers, fact.variable),
    ) || facts.models.some(({ keys, name }) => isWrong(keys) && name === modelSent(exchange))
  );
}

function rowsOf(checked: CheckedDeclaration): readonly Row[] {
  const { facts, endpoints, view } = checked;
  const shown = (exchanges: readonly string[]): number | undefined =>
    exchanges.map((id) => view.state(id).exchange?.response?.status).find((status) => status !== undefined);
  const sent = new Set(view.exchanges().map(modelSent));
  const declared = (keys: readonly string[], { knowledge, exchanges }: DeclaredFact): Row => ({
    name: keys.join(', '),
    words: knowledgeWords[knowledge],
    status: shown(exchanges),
  });
  return [
    ...facts.tokens.map((fact) => declared(tokenKeys(fact), fact)),
    ...facts.models.filter(({ name }) => sent.has(name)).map((fact) => declared(fact.keys, fact)),
    ...unaskedRows(facts.models.flatMap(({ name, keys }) => (sent.has(name) ? [] : keys))),
    ...endpoints.map(({ protocol, state, status, exchanges }) => ({
      name: `POST ${protocolFacts[protocol].path}`,
      words:
        state === 'refuses' && exchanges.every((id) => hasMistake(checked, id))
          ? onlyMistaken
          : endpointWords[state],
      status,
    })),
  ];
}

const signs: Readonly<Record<Tone, string>> = { good: '✓', bad: '✕', open: '?' };

function tableLines({ colours }: Layout, rows: readonly Row[]): readonly string[] {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const ink = { good: colours.green, bad: colours.red, open: colours.yellow };
  return rows.map(({ name, words: [tone, word, more], status }) => {
    const told = [more, status && `HTTP ${status}`].filter(Boolean);
    const line = `${name.padEnd(width)}  ${word}${inParentheses(told.join('; '))}`;
    return `${ink[tone](signs[tone])} ${terminalLine(line)}`;
  });
}

const mistakeLines = (layout: Layout, causes: readonly ReportCause[], placeOf: PlaceOf): readonly string[] =>
  causes.flatMap(({ summary, configKeys = [], reproduce }) => {
    const places = placesOf(configKeys, placeOf).map((text) => `${text}.`);
    return [
      ...wrap(layout, '✕ ', [summary, ...places].join(' ')),
      ...(reproduce === undefined ? [] : commandLines(reproduce)),
      '',
    ];
  });

/** The whole on one screen: mistakes first. */
export function renderDeclaration(
  checked: CheckedDeclaration,
  target: Pick<Target, 'name' | 'baseUrl'>,
  placeOf: PlaceOf,
  { colour, width }: { readonly colour: boolean; readonly width: number },
): string {
  const layout: Layout = { colours: picocolors.createColors(colour), width };
  const { requests, billed } = checked;
  return [
    terminalLine(`${target.name} at ${target.baseUrl}`),
    '',
    ...mistakeLines(layout, checked.causes, placeOf),
    ...tableLines(layout, rowsOf(checked)),
    '',
    `${count(requests, 'request')}, ${count(billed, 'billed generation')}. Nothing was judged: run does that.`,
  ].join('\n');
}
