import { type TextProtocol, textProtocols } from '../../../spec/vocabulary.ts';
import type { NonceQuestion } from '../../types/checks/check.ts';
import { type Combination, combinedBody, headersOf } from '../../types/combination.ts';
import type { Caller, Condition } from '../../types/plan.ts';
import type { RequestBuilder } from '../builder/request-builder.ts';
import {
  type Attempt,
  attempts,
  lastOf,
  laterAttempts,
  notRecalled,
  type Place,
  wordings,
  wordingsAt,
} from '../builder/attempts.ts';
import { contextControlId, inlineId, rowAttemptId, rowId } from '../../types/request-ids.ts';
import { combinationOf, type Given, recalledAs, type RowTexts, written } from './row-settings.ts';
import { has, isAt, placesOf, type TextRow, textRows, unfolded } from './text-rows.ts';
import { createHash } from 'node:crypto';
import { textFactors } from './text-factors.ts';
import { everyCombination, type Levels } from './covering-array.ts';

export type PlannedRow = ReturnType<typeof planRow>;

function callersOf(builder: RequestBuilder, protocol: TextProtocol, { levels }: TextRow): readonly Caller[] {
  const callers = builder.callers(protocol);
  const first = Number(levels.caller ?? 0);
  return [...callers.slice(first), ...callers.slice(0, first)];
}

interface RowContext {
  readonly builder: RequestBuilder;
  readonly protocol: TextProtocol;
  /** The response that one with `previous_response_id` follows. */
  readonly previous: string | undefined;
}

interface RowAttempt {
  readonly id: string;
  readonly given: RowTexts['given'];
  readonly isFirst?: boolean;
  readonly billed: number;
  readonly when: readonly Condition[];
}

/** Places whose rows ask for nothing, or for what stands in another request. */
const notAsked: readonly Place[] = ['root', 'limit', 'chain', 'told-element', 'element-before'];

/** Plans the request of a row in the words of an attempt, and gives what it is made of. */
export function sendRow(context: RowContext, row: TextRow, attempt: RowAttempt): Combination {
  const { builder, protocol, previous } = context;
  const { id, given, isFirst = false, billed, when } = attempt;
  const { longText } = builder.data;
  const texts = { given, isFirst, longText, ...(previous ? { previous } : {}) };
  const combination = combinationOf(protocol, row, texts);
  const headers = headersOf(combination.settings);
  const isChained = has(row, 'previous') && previous !== undefined;
  const says = Object.entries(given).flatMap(([place, { nonce }]) =>
    notAsked.includes(place as Place) ? [] : written(row, nonce),
  );
  builder.send(id, protocol, {
    json: combinedBody(combination, combination.settings),
    callers: callersOf(builder, protocol, row),
    billed,
    combination,
    ...(says.length > 0 ? { says } : {}),
    ...(headers ? { headers } : {}),
    when: [...when, ...(isChained ? [{ kind: 'answered', any: [previous] } as const] : [])],
  });
  return combination;
}

export const questionIn = (
  exchange: string,
  { wording: { topic, question }, nonce }: Given,
  row: TextRow,
) => ({ exchange, nonce: recalledAs(row, nonce), topic, question });

/** Asks again for what a row has in one place, for that alone. */
const askAgain =
  (context: RowContext, row: TextRow, id: string, place: Place) =>
  ({ wording, nonce, number, overrides: { billed = 0, when } }: Attempt): NonceQuestion => {
    const given = { wording, nonce };
    const again = rowAttemptId(`${id}.${place}`, number);
    sendRow(context, row, { id: again, given: { [place]: given }, billed, when });
    return questionIn(again, given, row);
  };

/** `earlier`: what earlier requests were given that this one asks for. Throws where the id is taken. */
function planRow(
  context: RowContext,
  row: TextRow,
  { inline, earlier }: { readonly inline: readonly NonceQuestion[]; readonly earlier: RowTexts['given'] },
) {
  const { builder, protocol } = context;
  const id = rowId(protocol, row.number);
  const places = row.places.filter((place) => place !== 'limit');
  const entries = places.map((place): [Place, Given] => {
    const [wording] = wordingsAt(place);
    return [place, earlier[place] ?? { wording, nonce: builder.data.nonce() }];
  });
  const given: RowTexts['given'] = Object.fromEntries(entries);
  const first = { id, given, isFirst: true, billed: 1, when: [builder.served(protocol)] };
  const combination = sendRow(context, row, first);
  // Each attempt but the first asks for one nonce alone; its controls have that in the question, unless it stands there anyway.
  const askFor = ([place, of]: [Place, Given]) => {
    const asked = attempts(builder, protocol, askAgain(context, row, id, place), {
      controls: inline,
      wordings: wordingsAt(place),
      first: { ...questionIn(id, of, row), question: combination.question },
    });
    const none: readonly NonceQuestion[] = [];
    if (place === 'inline') return { place, attempts: asked, controls: none };
    const inQuestion = { wording: of.wording, nonce: builder.data.nonce() };
    const control = contextControlId(`${id}.${place}`);
    const when = [builder.served(protocol), notRecalled(lastOf(asked))];
    sendRow(context, row, { id: control, given: { inline: inQuestion }, billed: 0, when });
    return { place, attempts: asked, controls: [questionIn(control, inQuestion, row)] };
  };
  return {
    ...row,
    id,
    stream: has(row, 'stream'),
    /** The row whose response it follows; undefined where it follows none. */
    previous: has(row, 'previous') ? context.previous : undefined,
    combination,
    given,
    questions: entries.filter(([place]) => !notAsked.includes(place)).map(askFor),
  };
}

export interface PlannedRows {
  readonly rows: readonly PlannedRow[];
  /** Questions with the nonce in them, without anything else: what refusals of the words are told by. */
  readonly inline: readonly NonceQuestion[];
}

const isLink = (row: Pick<TextRow, 'levels' | 'places'>) => isAt(row, 'root') || has(row, 'previous');

export function planRows(builder: RequestBuilder, protocol: TextProtocol): PlannedRows {
  const callers = builder.callers(protocol).length;
  if (callers === 0) return { rows: [], inline: [] };
  const rows = textRows(protocol, callers, builder.seed);
  const inline = wordings.map(({ topic, question }, at): NonceQuestion => {
    const exchange = inlineId(protocol, at + 1);
    return { exchange, nonce: builder.data.nonce(), topic, question };
  });
  const planned: PlannedRow[] = [];
  for (const row of rows) {
    const before = planned.findLast(({ stream, ...other }) => !stream && isLink(other));
    const root = planned.find((other) => isAt(other, 'root'))?.given.root;
    const element = before?.given['told-element'];
    const earlier = { ...(root ? { chain: root } : {}), ...(element ? { 'element-before': element } : {}) };
    planned.push(planRow({ builder, protocol, previous: before?.id }, row, { inline, earlier }));
  }
  return {
    rows: planned.map((row) => {
      // Further attempts are due where other rows with a nonce in the same place are recalled: the model may have
      // forgotten (principle 9).
      const context = { builder, protocol, previous: row.previous };
      const questions = row.questions.map((asked) => {
        const { place, attempts: made } = asked;
        const others = planned
          .filter(({ id }) => id !== row.id)
          .flatMap((other) => other.questions.filter((each) => each.place === place))
          .map(({ attempts: [{ exchange, nonce }] }) => ({ exchange, nonce }));
        if (place === 'inline' || others.length === 0) return asked;
        const whenAfter = (before: NonceQuestion): readonly Condition[] => [
          builder.served(protocol),
          { kind: 'recalled', any: others },
          notRecalled(before, inline),
        ];
        const ask = askAgain(context, row, row.id, place);
        return { ...asked, attempts: laterAttempts(builder, ask, made, wordingsAt(place), whenAfter) };
      });
      return { ...row, questions };
    }),
    inline,
  };
}

/** Of so many combinations every second one is valid, from the first; the others are wrong in one thing. */
export const validOf = (combinations: number): number => Math.ceil(combinations / 2);

/** A choice that only the seed and what is chosen for tell. */
export const drawn = (seed: number, what: string): string =>
  createHash('sha256').update(`${seed} ${what}`).digest('hex');

/** The most nonces that a valid combination takes: three places, each asked for three times and with a control. */
const mostNonces = 12;

export const exploredNonces = (combinations: number): number => mostNonces * validOf(combinations);

/** The same for rows that ask for the same: what is absent is left out, and the first caller is. */
const keyOf = (levels: Levels): string =>
  JSON.stringify(
    Object.entries(levels)
      .filter(([name, level]) => has({ levels }, name) && !(name === 'caller' && level === '0'))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );

/** Whether a combination has anything that is stated to be accepted: who calls and how long a prompt is are not. */
const isJudged = (levels: Levels): boolean =>
  Object.keys(levels).some((name) => name !== 'caller' && name !== 'length' && has({ levels }, name));

/** The combinations that the covering array lacks, in the order that the seed gives them. */
function furtherLevels(builder: RequestBuilder, protocol: TextProtocol, rows: readonly PlannedRow[]) {
  const known = new Set(rows.map(({ levels }) => keyOf(levels)));
  const factors = Object.entries(textFactors(protocol, builder.callers(protocol).length));
  const every = everyCombination(factors).map((levels) =>
    protocol === 'responses' ? unfolded(levels) : levels,
  );
  const order = (levels: Levels): string => drawn(builder.seed, `${protocol} ${keyOf(levels)}`);
  const further = every.filter((levels) => !known.has(keyOf(levels)) && isJudged(levels));
  const places = new Map(further.map((levels) => [levels, order(levels)]));
  return further.toSorted((one, other) => ((places.get(one) ?? '') < (places.get(other) ?? '') ? -1 : 1));
}

/** Plans the random combinations of a text protocol behind its covering array; where all are drawn, it begins again. */
export function planExplored(builder: RequestBuilder, protocol: TextProtocol, { rows, inline }: PlannedRows) {
  // How many valid combinations of a protocol are explored: the protocols take turns.
  const asked = textProtocols.filter((each) => builder.callers(each).length > 0);
  const turn = asked.indexOf(protocol);
  const valid = validOf(builder.depth.explore ?? 0);
  const share = turn < 0 ? 0 : Math.ceil(Math.max(0, valid - turn) / asked.length);
  if (share === 0) return [];
  const levels = furtherLevels(builder, protocol, rows);
  const previous = rows.find((row) => isAt(row, 'root'))?.id;
  return Array.from({ length: share }, (_, at) => {
    const each = levels[at % levels.length] ?? {};
    const row = { levels: each, declined: at % 2 === 0, places: placesOf(each) };
    const number = rows.length + at + 1;
    return planRow({ builder, protocol, previous }, { number, ...row }, { inline, earlier: {} });
  });
}
