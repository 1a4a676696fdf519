import { isDeepStrictEqual } from 'node:util';
import { isTextProtocol } from '../../../spec/vocabulary.ts';
import type { Condition } from '../../types/plan.ts';
import { inPlainId, inSituationId } from '../../types/request-ids.ts';
import type { Refused } from '../../types/checks/requests.ts';
import { plain } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { type Chooser, cheapSituations, chosen, type Situation } from '../combinations/situations.ts';
import { type Asked, changed } from './asked.ts';
import { controlsOf } from './controls.ts';
import { addRefused, overridesOf } from './refused-probe.ts';

/** What must be refused: in the plain request where no situation stands for it, and in each of these situations. */
export function refusedCases(builder: CaseBuilder, asked: Asked, { own, further }: Shown): void {
  if (own) ownSituation(builder, asked, own);
  else plainCase(builder, asked);
  for (const found of further) refusedInSituation(builder, asked, found);
}

/** In which situations a value is shown: one in place of the plain request, and others. */
export interface Shown {
  readonly own?: Situation | undefined;
  readonly further: readonly Situation[];
}

const nowhere: Shown = { further: [] };

/** What a probe shows: of its requirement above all, of its value, and of its protocol. */
const shownBy = ({ id, requirement, protocol }: Asked) =>
  [
    [requirement, 100],
    [id, 3],
    [protocol, 1],
  ] as const;

/**
 * The situations of each value of a probe, which together have as much as can be of what requests may have: so many
 * for each value; or one for each, for the first ones beside the plain request and for the others in its place.
 */
export function inSituations(
  builder: CaseBuilder,
  values: readonly Asked[],
  choose: Chooser,
): readonly Shown[] {
  return values.map((asked, at) => {
    const { situations: wanted, protocol } = asked;
    if (wanted === undefined) return nowhere;
    // What a row has besides what is wrong may be nothing: that is the plain request once more.
    const plainly = changed(asked, plain[protocol]);
    const from = cheapSituations(builder, protocol, wrongIn(asked)).filter(
      ({ body }) => !isDeepStrictEqual(changed(asked, body), plainly),
    );
    const count = 'each' in wanted ? wanted.each : 1;
    const found = chosen(choose, shownBy(asked), { from, count });
    return 'each' in wanted || at < wanted.spread ? { further: found } : { own: found[0], further: [] };
  });
}

/** The parameter that a probe makes wrong; none where the whole body is. */
export const wrongIn = ({ change: { set = {}, without } = {} }: Asked): string =>
  without ?? Object.keys(set)[0] ?? '';

/**
 * What is wrong with a request for images is asked only while nothing that breaks the same requirement was answered:
 * one answer shows the failure, and each is billed as many texts are.
 */
function unlessShown({ cases }: CaseBuilder, { protocol, requirement }: Asked): readonly Condition[] {
  if (isTextProtocol(protocol)) return [];
  const before = cases.flatMap(({ check }) =>
    check.kind === 'refused' && check.requirement === requirement ? check.probe : [],
  );
  return before.length === 0 ? [] : [{ kind: 'unanswered', all: before }];
}

const unlessPlainer = ({ plainer }: Asked): readonly Condition[] =>
  plainer === undefined ? [] : [{ kind: 'unanswered', all: [plainer] }];

/** What is wrong in the plain request. */
function plainCase(builder: CaseBuilder, asked: Asked): void {
  const { protocol, given } = asked;
  const when: readonly Condition[] = [
    given.always ? { kind: 'recorded', all: builder.cells(protocol) } : builder.served(protocol),
    ...unlessPlainer(asked),
    ...unlessShown(builder, asked),
  ];
  addRefused(builder, asked, {
    request: { json: changed(asked, plain[protocol]), when },
    controls: () => controlsOf(builder, asked),
    more: () => (asked.control === 'a stream' ? { controlMayBeRefused: true } : {}),
  });
}

const requestIn = (asked: Asked, { body, overrides }: Situation, when: readonly Condition[]) => ({
  ...overrides,
  json: changed(asked, body),
  when: [...(overrides.when ?? []), ...when],
});

/** Where the situation itself is refused, the plain request shows it. */
function inPlain(builder: CaseBuilder, asked: Asked, { row }: Situation): Pick<Refused, 'instead'> {
  const probe = builder.send(inPlainId(asked.id), asked.protocol, {
    ...overridesOf(asked),
    json: changed(asked, plain[asked.protocol]),
    expect: 'refusal',
    when: [{ kind: 'refused', exchange: row }],
  });
  return { instead: { probe, controls: controlsOf(builder, asked) } };
}

/** In a situation in place of the plain request. */
function ownSituation(builder: CaseBuilder, asked: Asked, situation: Situation): void {
  const when = [...unlessPlainer(asked), ...unlessShown(builder, asked)];
  addRefused(builder, asked, {
    request: requestIn(asked, situation, when),
    controls: () => [situation.row],
    words: situation.words,
    more: () => ({ controlMayBeRefused: true, ...inPlain(builder, asked, situation) }),
  });
}

/** The same in a situation, of which that is the control. */
export function refusedInSituation(builder: CaseBuilder, asked: Asked, situation: Situation): void {
  addRefused(builder, asked, {
    request: requestIn(asked, situation, unlessShown(builder, asked)),
    controls: () => [situation.row],
    idOf: (id) => inSituationId(id, situation.name),
    words: situation.words,
    more: () => ({ controlMayBeRefused: true }),
  });
}
