import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { NoncePlacement, NonceQuestion } from '../../types/checks/check.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import {
  type Attempt,
  type AttemptOptions,
  attempts,
  type NonEmpty,
  type Place,
  type Wording,
  wordingsAt,
} from '../builder/attempts.ts';
import { type Body, plain, shortInstruction, turn } from '../builder/bodies.ts';
import { attemptId, chainId, contextId } from '../../types/request-ids.ts';
import { type PlannedRow, questionIn, sendRow } from '../combinations/row-requests.ts';
import type { Given } from '../combinations/row-settings.ts';
import { present } from '../combinations/text-factors.ts';
import { has, isAt, type TextRow } from '../combinations/text-rows.ts';
import type { ContextOf } from '../../types/text-situations.ts';
import { askAlongChain, askForElement, askForReply } from './chains.ts';
import { inputElement, inputShapes } from '../observations/observations.ts';

/** Two messages of the user as `input`, in each shape of its elements: none is shown, so that any may be refused. */
function inputForms(builder: CaseBuilder, ofRows: readonly NonceQuestion[]) {
  const protocol = 'responses';
  const { inline: controls } = builder.rows(protocol);
  const bodyWith =
    (shape: (typeof inputShapes)[number]): NonceBody =>
    (nonce, { statement, question }) => ({
      ...plain.responses,
      input: [inputElement[shape](statement(nonce)), inputElement[shape](question)],
    });
  const forms: (readonly NonceQuestion[])[] = [];
  for (const shape of inputShapes) {
    const questions = [...ofRows, ...forms.flat()].map(({ exchange, nonce }) => ({ exchange, nonce }));
    const when = [{ kind: 'nowhere-recalled', questions } as const];
    const id = `${contextId(protocol, 'input')}.${shape}`;
    forms.push(ask(builder, { protocol, id, body: bodyWith(shape) }, { controls, when }));
  }
  return forms;
}

const greeting = turn('user', 'Hi');

const usersOnly: NonceBody = (nonce, { statement, question }) => ({
  ...plain.messages,
  messages: [greeting, turn('user', statement(nonce)), greeting, greeting, greeting, turn('user', question)],
});

/** In place of a history that is refused for its turns of the assistant, and not for its words. */
function userTurnsOnly(
  builder: CaseBuilder,
  [refused]: NonEmpty<NonceQuestion>,
  controls: readonly NonceQuestion[],
): readonly NonceQuestion[] {
  const [control] = controls;
  const answered = control ? [{ kind: 'answered', any: [control.exchange] } as const] : [];
  const when = [{ kind: 'refused', exchange: refused.exchange } as const, ...answered];
  const question = { protocol: 'messages', id: contextId('messages', 'users'), body: usersOnly } as const;
  return ask(builder, question, { controls, when });
}

type NonceBody = (nonce: string, wording: Wording) => Body;

/** A question to be asked, in up to as many attempts as there are wordings. */
interface QuestionToAsk {
  readonly protocol: TextProtocol;
  /** Id of its requests, without the number of the attempt. */
  readonly id: string;
  readonly body: NonceBody;
}

const ask = (builder: CaseBuilder, { protocol, id, body }: QuestionToAsk, options: AttemptOptions = {}) =>
  attempts(
    builder,
    protocol,
    ({ wording, nonce, number, overrides }) => ({
      exchange: builder.send(attemptId(id, number), protocol, { json: body(nonce, wording), ...overrides }),
      nonce,
      topic: wording.topic,
      question: wording.question,
    }),
    options,
  );

/** What context reaches a model by. */
export interface ContextSource {
  readonly protocol: TextProtocol;
  readonly slug: string;
  /** Behind the protocol. */
  readonly description: string;
  /** Where replies are compared that ask for a word from there. */
  readonly compared?: ContextOf;
  place(builder: CaseBuilder): readonly NoncePlacement[];
}

/** Where a nonce stands, behind "what stands"; in a turn of a shape that is told by the shape. */
const placeWords: Readonly<Partial<Record<Place, string>>> = {
  system: 'in the system prompt',
  first: 'in one of the first turns of the user',
  user: 'in an earlier turn of the user',
  assistant: 'in an earlier turn of the assistant',
  element: 'in the first of two elements of input',
  chain: 'several responses earlier in the chain',
};

const whereOf = (place: Place, styles: PlannedRow['styles'] = {}): string =>
  placeWords[place] ?? `in a conversation with ${styles.shape?.description}`;

const rowsAt = (builder: CaseBuilder, protocol: TextProtocol, place: Place): readonly PlannedRow[] =>
  [...builder.rows(protocol).rows, ...builder.explored(protocol)].filter(({ questions }) =>
    questions.some((each) => each.place === place),
  );

const attemptsAt = ({ questions }: PlannedRow, place: Place): readonly NonceQuestion[] =>
  questions.find((each) => each.place === place)?.attempts ?? [];

/** Every row that has its nonce there; one that is refused is judged as a combination, and not here. */
const placementsOf = (rows: readonly PlannedRow[], place: Place): readonly NoncePlacement[] =>
  rows.flatMap((row) =>
    row.questions
      .filter((question) => question.place === place)
      .map(({ attempts: probes, controls }) => ({
        where: whereOf(place, row.styles),
        probes,
        controls,
        mayBeRefused: true,
      })),
  );

const rowPlacements = (builder: CaseBuilder, protocol: TextProtocol, places: readonly Place[]) =>
  places.flatMap((place) => placementsOf(rowsAt(builder, protocol, place), place));

/** The rows that have their nonce in one place, and where none of them is answered a request with that factor alone. */
function placements(builder: CaseBuilder, protocol: TextProtocol, place: Place, factor: string) {
  const rows = rowsAt(builder, protocol, place);
  const row: TextRow = { number: 0, declined: true, levels: { [factor]: present }, places: [place] };
  const { inline: controls } = builder.rows(protocol);
  const insteadOf = rows.map(({ id }) => id);
  const send = ({ wording, nonce, number, overrides: { billed = 0, when } }: Attempt): NonceQuestion => {
    const given = { wording, nonce };
    const id = attemptId(contextId(protocol, place), number);
    const context = { builder, protocol, previous: undefined };
    sendRow(context, row, { id, given: { [place]: given }, billed, when });
    return questionIn(id, given, row);
  };
  const probes = attempts(builder, protocol, send, {
    controls,
    wordings: wordingsAt(place),
    when: [{ kind: 'unanswered', all: insteadOf }],
  });
  const isOfUsers = protocol === 'messages' && place === 'user';
  const fallback = isOfUsers ? { fallback: { probes: userTurnsOnly(builder, probes, controls) } } : {};
  return [...placementsOf(rows, place), { where: whereOf(place), probes, ...fallback, insteadOf }];
}

const systemSource = (protocol: TextProtocol, slug: string, description: string): ContextSource => ({
  protocol,
  slug,
  description,
  compared: 'system',
  place: (builder) => [
    ...placements(builder, protocol, 'system', slug),
    ...rowPlacements(builder, protocol, ['other-system']),
  ],
});

const historySource = (protocol: 'messages' | 'chat'): ContextSource => ({
  protocol,
  slug: 'history',
  description: 'passes the turns that are sent again to the model',
  compared: 'history',
  place: (builder) => [
    ...placements(builder, protocol, 'user', 'history'),
    ...rowPlacements(builder, protocol, ['first', 'assistant', 'turn']),
  ],
});

const inputSource: ContextSource = {
  protocol: 'responses',
  slug: 'input',
  description: 'passes every element of an input array to the model',
  place: (builder) => {
    const asked = rowsAt(builder, 'responses', 'element').flatMap((row) => attemptsAt(row, 'element'));
    const otherForms = inputForms(builder, asked);
    const own = rowPlacements(builder, 'responses', ['element', 'turn']);
    return own.map((placement) => ({ ...placement, otherForms }));
  },
};
const chainSource: ContextSource = {
  protocol: 'responses',
  slug: 'chain',
  description: 'carries the turns of an earlier response',
  place(builder) {
    const { rows, inline } = builder.rows('responses');
    const last = rows.findLast((row) => isAt(row, 'chain'));
    const given = last?.given.chain;
    const said = unstreamedSystem(builder);
    const [listed] = rowsAt(builder, 'responses', 'element')
      .filter(({ stream }) => !stream)
      .flatMap((row) => attemptsAt(row, 'element').slice(0, 1));
    const element = last?.given['element-before'];
    if (last === undefined || given === undefined) return [];
    const { question } = last.combination;
    const ofLast = ({ nonce, wording: { topic } }: Given): NonceQuestion => {
      const { id: exchange } = last;
      return { exchange, nonce, topic, question };
    };
    const first = ofLast(given);
    const extraFields = { instructions: shortInstruction, stream: true };
    const asked = askAlongChain(builder, { controls: inline, first, id: chainId('again'), extraFields });
    const when = [{ kind: 'unanswered', all: [last.id] }] as const;
    const fallback = askAlongChain(builder, { controls: inline, id: chainId('plain'), when });
    return [
      { where: whereOf('chain'), ...asked, fallback },
      ...(said ? [askForReply(builder, said, inline)] : []),
      ...(element && listed
        ? [askForElement(builder, { first: ofLast(element), restsOn: listed, extraFields })]
        : []),
    ];
  },
};

/** A reply without a stream that has a nonce of its instructions, which stands in no message. */
export const unstreamedSystem = (builder: CaseBuilder): NonceQuestion | undefined =>
  rowsAt(builder, 'responses', 'system')
    .filter((row) => !row.stream && !has(row, 'previous'))
    .flatMap((row) => attemptsAt(row, 'system').slice(0, 1))[0];

/** Every source of context (4.1 to 4.3). */
export const contextSources: readonly ContextSource[] = [
  systemSource('responses', 'instructions', 'passes the instructions to the model'),
  inputSource,
  systemSource('messages', 'system', 'passes the system prompt to the model'),
  historySource('messages'),
  systemSource('chat', 'system', 'passes a message of role system to the model'),
  historySource('chat'),
  chainSource,
];
