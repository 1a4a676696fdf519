import { textProtocols } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { burst } from './burst.ts';

/** The beginning of the long text, which stands in no other request. */
const firstSentence = (text: string): string => text.slice(0, text.indexOf('.'));

/** A reply belongs to its request (3). The last case of all: it looks for every word of the plan. */
export function ownContextCase(builder: CaseBuilder): void {
  const requirement = 'states.only-relation';
  const isDeclared = textProtocols.some((protocol) => builder.callers(protocol).length > 0);
  builder.add(
    {
      id: 'results.own-context',
      title: 'a reply shows nothing of another request that it is not chained to',
      requirements: [requirement],
    },
    isDeclared ? null : { undeclared: 'no text model that can be judged is declared' },
    () => {
      const together = burst(builder);
      return {
        kind: 'own-context',
        requirement,
        words: [...builder.data.drawn(), firstSentence(builder.data.longText)],
        ...(together.length > 0 ? { burst: together } : {}),
      };
    },
  );
}
