import { protocolFacts } from '../../../spec/protocols.ts';
import type { TextProtocol } from '../../../spec/vocabulary.ts';
import { numberMark } from '../../types/numbered.ts';
import type { ContextOf } from '../../types/text-situations.ts';
import { asOrder, codeName, label, questionFor, questionForAll, wordingsAt } from '../builder/attempts.ts';
import { turn } from '../builder/bodies.ts';
import { declaredCallers } from '../builder/callers.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { greetings, history } from '../combinations/row-settings.ts';
import { type Compared, comparedRequests, withSystem } from '../results/intact.ts';

/** Words of the long text; the first has a number that differs each time, so that no cache answers for the model. */
const wordsOf = ({ data }: CaseBuilder): readonly string[] =>
  data.longText
    .toUpperCase()
    .split(' ')
    .map((word, at) => (at === 0 ? `${word}-${numberMark}` : word));

/** A model that keeps its system prompt to itself may do so on one endpoint, where its role is another; orders it obeys. */
function inSystem(builder: CaseBuilder, protocol: TextProtocol): readonly Compared[] {
  const [word = ''] = wordsOf(builder);
  const { question } = codeName;
  const order = asOrder(codeName).statement(word);
  return [
    {
      texts: [word],
      question,
      within: 'word-in-system',
      change: (body) => withSystem(body, order, question, protocol),
    },
  ];
}

/** The system prompt before and behind other turns, which no other endpoint has. */
function inSystems(builder: CaseBuilder): readonly Compared[] {
  const [first = '', late = ''] = wordsOf(builder);
  const question = questionFor([codeName, label]);
  const messages = [
    turn('system', codeName.statement(first)),
    ...greetings,
    turn('system', label.statement(late)),
    turn('user', question),
  ];
  return [
    {
      texts: [first, late],
      question,
      within: 'words-in-systems',
      change: (body) => ({ ...body, messages }),
    },
  ];
}

/** The turns in which a row has a word, too. */
const places = ['first', 'user', 'assistant'] as const;

/** A word in each of these, and as many turns behind them as in a row. */
function inHistory(builder: CaseBuilder, protocol: TextProtocol): readonly Compared[] {
  const texts = wordsOf(builder).slice(0, places.length);
  const given = Object.fromEntries(
    places.map((place, at) => [place, { wording: wordingsAt(place)[0], nonce: texts[at] ?? '' }]),
  );
  const turns = [...history({ given }, false), turn('user', questionForAll)];
  return [
    {
      texts,
      question: questionForAll,
      within: 'words-in-history',
      change: (body) => ({ ...body, [protocolFacts[protocol].content]: turns }),
    },
  ];
}

/** The ids of requests for words that stand in a part of the context, of the callers that must be served. */
export const wordRequests = (builder: CaseBuilder, protocol: TextProtocol, source: ContextOf) =>
  comparedRequests(builder, protocol, {
    callers: declaredCallers(builder.scope, protocol),
    compared:
      source === 'history'
        ? inHistory(builder, protocol)
        : [...inSystem(builder, protocol), ...(protocol === 'chat' ? inSystems(builder) : [])],
  });
