import { textProtocols } from '../../../spec/vocabulary.ts';
import { numbered, numberMark, timesIn } from '../../types/numbered.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { firstSentence } from '../builder/own-text.ts';
import { burst } from './burst.ts';

/** Rows that are sent in a run of this case alone. */
const mostRows = 4;

/** The beginnings of the long texts: each has a number that stands in no other request. */
const beginnings = ({ requests }: CaseBuilder): readonly string[] =>
  [...requests.values()].flatMap(({ says = [], body, isCompared }) =>
    isCompared
      ? []
      : says
          .filter((text) => text.includes(numberMark))
          .map((text) => firstSentence(numbered(text, timesIn(JSON.stringify(body?.json), [text])))),
  );

/** A reply belongs to its request (3). The last case of all: it looks for every word of the plan. */
export function ownContextCase(builder: CaseBuilder): void {
  const requirement = 'states.only-relation';
  const isDeclared = textProtocols.some((protocol) => builder.callers(protocol).length > 0);
  builder.add(
    {
      suite: 'results',
      id: 'results.own-context',
      title: 'a reply shows nothing of another request that it is not chained to',
      requirements: [requirement],
    },
    isDeclared ? null : { undeclared: 'no text model that can be judged is declared' },
    () => {
      const rows = textProtocols.flatMap((protocol) => builder.rows(protocol).rows.map(({ id }) => id));
      return {
        kind: 'own-context',
        requirement,
        probes: [...rows.slice(0, mostRows), ...burst(builder)],
        words: [
          ...builder.data.drawn(),
          firstSentence(builder.data.longText),
          ...new Set(beginnings(builder)),
        ],
      };
    },
  );
}
