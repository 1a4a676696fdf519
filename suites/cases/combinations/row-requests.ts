import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { NonceQuestion } from '../../checks/shared/nonces.ts';
import { type Combination, combinedBody } from '../../model/combination.ts';
import type { Caller, Condition } from '../../model/plan.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { asking } from '../builder/bodies.ts';
import { lastOf, type NonEmpty } from '../builder/non-empty.ts';
import { attempts } from '../builder/attempts.ts';
import { contextControlId, inlineId, rowAttemptId, rowId } from '../builder/request-ids.ts';
import { codeName, type Wording, wordings, wordingsAt } from '../builder/wordings.ts';
import { combinationOf } from './row-settings.ts';
import { has, type Place, type TextRow, textRows } from './text-rows.ts';

/** A row as it is planned. */
export interface PlannedRow extends TextRow {
  readonly id: string;
  readonly stream: boolean;
  readonly combination: Combination;
  /** Given in the first attempt. */
  readonly nonce: string;
  /** Attempts at its question; null where it asks for nothing, or for what stands in another request. */
  readonly questions: NonEmpty<NonceQuestion> | null;
  /** The same with the nonce in the question, sent where no attempt recalls; none where it stands there anyway. */
  readonly controls: readonly NonceQuestion[];
}

/** Letters beyond ASCII behind a nonce. */
const scripted = (nonce: string): string => `${nonce}-größer-мир-数据`;

/** The callers with the one of the row first. */
function callersOf(builder: CaseBuilder, protocol: TextProtocol, { levels }: TextRow): readonly Caller[] {
  const callers = builder.callers(protocol);
  const first = Number(levels.caller ?? 0);
  return [...callers.slice(first), ...callers.slice(0, first)];
}

/** What a row is planned with. */
interface RowContext {
  readonly builder: CaseBuilder;
  readonly protocol: TextProtocol;
  /** The response that one with `previous_response_id` follows. */
  readonly previous: string | undefined;
}

/** A row in the words of one attempt. */
interface RowAttempt {
  readonly id: string;
  readonly wording: Wording;
  readonly nonce: string;
  readonly billed: number;
  readonly when: readonly Condition[];
}

/** What the request of a row is made of, in the words of an attempt. */
function combinationIn(
  { builder, protocol, previous }: RowContext,
  row: TextRow,
  { wording, nonce }: Pick<RowAttempt, 'wording' | 'nonce'>,
): Combination {
  const { longText } = builder.data;
  const texts = { wording, nonce, scripted: scripted(nonce), longText, ...(previous ? { previous } : {}) };
  return combinationOf(protocol, row, texts);
}

/** Plans the request of a row in the words of an attempt. */
export function sendRow(context: RowContext, row: TextRow, attempt: RowAttempt): NonceQuestion {
  const { builder, protocol, previous } = context;
  const { id, wording, nonce, billed, when } = attempt;
  const combination = combinationIn(context, row, attempt);
  const isChained = has(row, 'previous') && previous !== undefined;
  builder.send(id, protocol, {
    json: combinedBody(combination, combination.settings),
    callers: callersOf(builder, protocol, row),
    billed,
    combination,
    when: [...when, ...(isChained ? [{ kind: 'answered', any: [previous] } as const] : [])],
  });
  const { topic, question } = wording;
  const letters = has(row, 'scripts') && row.place !== 'limit' ? { scripted: scripted(nonce) } : {};
  return { exchange: id, nonce, topic, question, ...letters };
}

/** The attempts at the question of a row. */
const askRow = (
  context: RowContext,
  row: TextRow,
  { id, inline }: { readonly id: string; readonly inline: readonly NonceQuestion[] },
): NonEmpty<NonceQuestion> =>
  attempts(
    context.builder,
    context.protocol,
    ({ wording, nonce, number, overrides: { billed = 1, when } }) =>
      sendRow(context, row, {
        id: number === 1 ? id : rowAttemptId(id, number),
        wording,
        nonce,
        billed,
        when,
      }),
    { controls: inline, wordings: wordingsAt(row.place) },
  );

/** Places whose rows ask for nothing, or for what stands in another request. */
const withoutNonce: readonly Place[] = ['root', 'limit', 'chain'];

function planRow(context: RowContext, row: TextRow, inline: readonly NonceQuestion[]): PlannedRow {
  const { builder, protocol } = context;
  const id = rowId(protocol, row.number);
  const when = [builder.served(protocol)];
  const planned = { ...row, id, stream: has(row, 'stream') };
  if (withoutNonce.includes(row.place)) {
    const attempt = { id, wording: codeName, nonce: builder.data.nonce(), billed: 1, when };
    const { nonce } = sendRow(context, row, attempt);
    return {
      ...planned,
      nonce,
      combination: combinationIn(context, row, attempt),
      questions: null,
      controls: [],
    };
  }
  const questions = askRow(context, row, { id, inline });
  const [{ nonce }] = questions;
  const [wording] = wordingsAt(row.place);
  const made = { ...planned, nonce, combination: combinationIn(context, row, { wording, nonce }), questions };
  if (row.place === 'inline') return { ...made, controls: [] };
  const last = lastOf(questions);
  const control = sendRow(
    context,
    { ...row, place: 'inline' },
    {
      id: contextControlId(id),
      wording: codeName,
      nonce: builder.data.nonce(),
      billed: 0,
      when: [
        ...when,
        { kind: 'not-recalled', exchange: last.exchange, nonce: last.nonce, control: last.exchange },
      ],
    },
  );
  return { ...made, controls: [control] };
}

/** The covering array of a text protocol as it is planned. */
export interface PlannedRows {
  readonly rows: readonly PlannedRow[];
  /** Questions with the nonce in them, without anything else: what refusals of the words are told by. */
  readonly inline: readonly NonceQuestion[];
}

/** The questions with the nonce in them, sent where a row is refused, or its nonce does not come back. */
function sendInline(builder: CaseBuilder, protocol: TextProtocol, { rows, inline }: PlannedRows): void {
  const any = rows.flatMap(({ id, questions }) =>
    questions ? [{ exchange: id, nonce: questions[0].nonce }] : [],
  );
  let before: NonceQuestion | undefined;
  for (const [at, { statement, question }] of wordings.entries()) {
    const asked = inline[at];
    if (asked === undefined) break;
    const { exchange, nonce } = asked;
    const again: readonly Condition[] = before
      ? [{ kind: 'not-recalled', exchange: before.exchange, nonce: before.nonce, control: before.exchange }]
      : [];
    builder.send(exchange, protocol, {
      json: asking(protocol, `${statement(nonce)} ${question}`),
      billed: 0,
      when: [builder.served(protocol), { kind: 'unrecalled', any }, ...again],
    });
    before = asked;
  }
}

/** Whether a later row may follow it. */
const isLink = (row: Pick<TextRow, 'levels' | 'place'>): boolean =>
  row.place === 'root' || has(row, 'previous');

/** Plans the covering array of a text protocol. */
export function planRows(builder: CaseBuilder, protocol: TextProtocol): PlannedRows {
  const callers = builder.callers(protocol).length;
  if (callers === 0) return { rows: [], inline: [] };
  const rows = textRows(protocol, callers, builder.seed);
  const inline = wordings.map(
    (wording, at): NonceQuestion => ({
      exchange: inlineId(protocol, at + 1),
      nonce: builder.data.nonce(),
      topic: wording.topic,
      question: wording.question,
    }),
  );
  const planned: PlannedRow[] = [];
  for (const row of rows) {
    const before = planned.findLast(({ stream, ...other }) => !stream && isLink(other));
    planned.push(planRow({ builder, protocol, previous: before?.id }, row, inline));
  }
  const made = { rows: planned, inline };
  sendInline(builder, protocol, made);
  return made;
}
