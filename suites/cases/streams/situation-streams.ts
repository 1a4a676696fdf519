import type { CheckOf } from '../../types/checks/check.ts';
import { parameters } from '../../../spec/openapi.ts';
import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { SituationStreams } from '../../types/checks/replies.ts';
import { enoughStreams } from '../../checks/shared/arrival.ts';
import { combinedBody, describeSettings, type Setting } from '../../types/combination.ts';
import type { ArrivalControls } from '../../types/arrival-controls.ts';
import type { Condition } from '../../types/plan.ts';
import { repeatText } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { longInRowId } from '../../types/request-ids.ts';
import type { PlannedRow } from '../combinations/row-requests.ts';
import { withShortReply } from '../context/chains.ts';
import { lowLimit } from '../combinations/text-rows.ts';
import { valueSetting } from '../combinations/row-settings.ts';
import { highLimit } from '../../types/text-situations.ts';

/** The settings of a row, with a limit that the long text is below. */
const settingsOf = (protocol: TextProtocol, { combination }: PlannedRow): readonly Setting[] =>
  combination.settings.map((setting) =>
    setting.fields?.max_tokens === undefined ? setting : valueSetting(protocol, 'max_tokens', highLimit),
  );

/** The same with a limit that ends every reply, where the protocol has one. */
const shortened = (protocol: TextProtocol, row: PlannedRow): readonly Setting[] => [
  ...settingsOf(protocol, row),
  ...(parameters(protocol).some(({ name }) => name === 'max_tokens')
    ? [valueSetting(protocol, 'max_tokens', lowLimit(protocol, row))]
    : []),
];

const whereOf = (builder: CaseBuilder, protocol: TextProtocol, row: PlannedRow): string => {
  const family = builder.requests.get(row.id)?.callers[0]?.family ?? '';
  return `of a ${family} model with ${describeSettings(settingsOf(protocol, row))}`;
};

/** The long text in the situation of a row, behind a short reply to one as long; again where the earlier look held back. */
function attemptsIn(
  builder: CaseBuilder,
  protocol: TextProtocol,
  { row, first }: { readonly row: PlannedRow; readonly first: readonly Condition[] },
  plain: ArrivalControls,
): Pick<SituationStreams, 'probes' | 'controls'> {
  const { id, combination, previous } = row;
  const { callers = [] } = builder.requests.get(id) ?? {};
  const follows = previous === undefined ? [] : [{ kind: 'answered', any: [previous] } as const];
  const ask = (as: number, question: string, settings: readonly Setting[], when: readonly Condition[]) =>
    builder.send(longInRowId(id, as), protocol, {
      json: combinedBody({ ...combination, question }, settings),
      callers,
      billed: 0,
      when: [builder.served(protocol), ...follows, ...when],
    });
  const { longText } = builder.data;
  const control = ask(0, withShortReply(longText), shortened(protocol, row), first);
  const controls = { ...plain, bounded: [control] };
  const probes: string[] = [];
  const long = [repeatText(longText), settingsOf(protocol, row)] as const;
  for (let attempt = 1; attempt <= enoughStreams; attempt += 1) {
    const again: readonly Condition[] =
      attempt === 1
        ? [...first, { kind: 'answered', any: [control] }]
        : [{ kind: 'stream-inconclusive', exchanges: [...probes], controls }];
    probes.push(ask(attempt, ...long, again));
  }
  return { probes, controls };
}

/**
 * Long streams in the situations of streamed rows, asked for where the few words of a row come at once, unlike those of other
 * rows. Once a situation is shown to hold its streams back, no other is asked about.
 */
export function situationStreams(
  builder: CaseBuilder,
  protocol: TextProtocol,
  { probes: [long = ''], controls }: Pick<CheckOf<'incremental'>, 'probes' | 'controls'>,
): readonly SituationStreams[] {
  const streamed = builder.rows(protocol).rows.filter(({ stream }) => stream);
  const isChained = ({ previous }: PlannedRow): boolean => previous !== undefined;
  const unchained = streamed.filter((row) => !isChained(row)).map(({ id }) => id);
  const lasts: string[] = [];
  // What is chained waits for requests that are timed, and is not timed itself.
  return streamed
    .toSorted((one, other) => Number(isChained(one)) - Number(isChained(other)))
    .map((row) => {
      const rows = [...new Set([...unchained, row.id])];
      const first: readonly Condition[] = [
        { kind: 'row-at-once', pace: { row: row.id, rows, long } },
        ...(lasts.length > 0 ? [{ kind: 'unanswered', all: [...lasts] } as const] : []),
      ];
      const attempts = attemptsIn(builder, protocol, { row, first }, controls);
      lasts.push(attempts.probes.at(-1) ?? '');
      return { where: whereOf(builder, protocol, row), isTimed: !isChained(row), ...attempts };
    });
}
