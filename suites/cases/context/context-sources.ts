import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { NoncePlacement } from '../../checks/recall.ts';
import type { NonceQuestion } from '../../checks/shared/nonces.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { attempts } from '../builder/attempts.ts';
import type { NonEmpty } from '../builder/non-empty.ts';
import { attemptId, contextId } from '../builder/request-ids.ts';
import { codeName, wordingsAt } from '../builder/wordings.ts';
import { type PlannedRow, sendRow } from '../combinations/row-requests.ts';
import { present } from '../combinations/text-factors.ts';
import type { Place, TextRow } from '../combinations/text-rows.ts';
import { askAlongChain, askForReply } from './chains.ts';
import { inputForms } from './input-array.ts';
import { userTurnsOnly } from './user-turns.ts';

/** What context reaches a model by. */
export interface ContextSource {
  readonly protocol: TextProtocol;
  readonly slug: string;
  /** Behind the protocol. */
  readonly description: string;
  /** Where its nonces stand. */
  place(builder: CaseBuilder): readonly NoncePlacement[];
}

/** Where a nonce stands, behind "what stands". */
const placeWords: Readonly<Record<Place, string>> = {
  system: 'in the system prompt',
  user: 'in an earlier turn of the user',
  assistant: 'in an earlier turn of the assistant',
  element: 'in the first of two elements of input',
  chain: 'several responses earlier in the chain',
  inline: 'in the question',
  root: 'in the first response',
  limit: 'nowhere',
};

/** The questions of the rows of a protocol. */
export const rowQuestions = (builder: CaseBuilder, protocol: TextProtocol): readonly NonceQuestion[] =>
  builder.rows(protocol).rows.flatMap(({ questions }) => questions ?? []);

const rowsAt = (builder: CaseBuilder, protocol: TextProtocol, place: Place): readonly PlannedRow[] =>
  builder.rows(protocol).rows.filter((row) => row.place === place && row.questions !== null);

const whereOf = ({ place, combination }: PlannedRow): string =>
  `${placeWords[place]} (${combination.settings.map(({ description }) => description).join(', ')})`;

/** Every row that has its nonce there; one that is refused is judged as a combination, and not here. */
const placementsOf = (rows: readonly PlannedRow[]): readonly NoncePlacement[] =>
  rows.map((row) => ({
    where: whereOf(row),
    probes: row.questions ?? [],
    controls: row.controls,
    mayBeRefused: true,
  }));

/** The same in a request that has nothing else, where no row that has its nonce there is answered. */
function plainPlacement(
  builder: CaseBuilder,
  protocol: TextProtocol,
  {
    place,
    factor,
    rows,
  }: { readonly place: Place; readonly factor: string; readonly rows: readonly PlannedRow[] },
): NoncePlacement {
  const row: TextRow = { number: 0, levels: { [factor]: present }, place };
  const id = contextId(protocol, place);
  const { inline } = builder.rows(protocol);
  const probes: NonEmpty<NonceQuestion> = attempts(
    builder,
    protocol,
    ({ wording, nonce, number, overrides: { billed = 0, when } }) =>
      sendRow({ builder, protocol, previous: undefined }, row, {
        id: attemptId(id, number),
        wording,
        nonce,
        billed,
        when,
      }),
    {
      controls: inline,
      wordings: wordingsAt(place),
      when: [{ kind: 'unanswered', all: rows.map((each) => each.id) }],
    },
  );
  const insteadOf = rows.map((each) => each.id);
  const fallback =
    protocol === 'messages' && place === 'user'
      ? { fallbackProbes: userTurnsOnly(builder, probes, inline) }
      : {};
  return { where: placeWords[place], probes, ...fallback, insteadOf };
}

/** The rows that have their nonce in one place, and the plain request in their stead. */
function placements(
  builder: CaseBuilder,
  protocol: TextProtocol,
  place: Place,
  factor: string,
): readonly NoncePlacement[] {
  const rows = rowsAt(builder, protocol, place);
  return [...placementsOf(rows), plainPlacement(builder, protocol, { place, factor, rows })];
}

const systemSource = (protocol: TextProtocol, slug: string, description: string): ContextSource => ({
  protocol,
  slug,
  description,
  place: (builder) => placements(builder, protocol, 'system', slug),
});

const historySource = (protocol: 'messages' | 'chat'): ContextSource => ({
  protocol,
  slug: 'history',
  description: 'passes the turns that are sent again to the model',
  place: (builder) => [
    ...placements(builder, protocol, 'user', 'history'),
    ...placementsOf(rowsAt(builder, protocol, 'assistant')),
  ],
});

const inputSource: ContextSource = {
  protocol: 'responses',
  slug: 'input',
  description: 'passes every element of an input array to the model',
  place: (builder) => {
    const rows = rowsAt(builder, 'responses', 'element');
    const otherForms = inputForms(builder, rows);
    return placementsOf(rows).map((placement) => ({ ...placement, otherForms }));
  },
};

const chainSource: ContextSource = {
  protocol: 'responses',
  slug: 'chain',
  description: 'carries the turns of an earlier response',
  place(builder) {
    const { rows, inline } = builder.rows('responses');
    const [root, last] = [
      rows.find(({ place }) => place === 'root'),
      rows.findLast(({ place }) => place === 'chain'),
    ];
    const said = rowsAt(builder, 'responses', 'system').find(({ stream }) => !stream)?.questions?.[0];
    if (root === undefined || last === undefined) return [];
    const { topic, question } = codeName;
    const first = { exchange: last.id, nonce: root.nonce, topic, question };
    const probes = askAlongChain(builder, { controls: inline, first });
    return [
      { where: whereOf(last), probes, fallbackProbes: probes.slice(1) },
      ...(said ? [askForReply(builder, said, inline)] : []),
    ];
  },
};

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
