import { isDeepStrictEqual } from 'node:util';
import { protocolFacts } from '../../../spec/protocols.ts';
import { isTextProtocol, type Protocol, type TextProtocol } from '../../../spec/vocabulary.ts';
import type { Combination, Setting } from '../../types/combination.ts';
import type { Template } from '../../types/template.ts';
import { type Body, fractions } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import type { PlannedRow } from './row-requests.ts';
import { isAt } from './text-row.ts';

/** A value of a parameter, or `any` where it is an example. */
export interface ShownValue {
  readonly name: string;
  readonly value: Template | typeof anyValue;
}

export const anyValue = Symbol('any value');

export interface CombinationRow {
  readonly id: string;
  readonly combination: Combination;
}

export const combinationRows = (builder: CaseBuilder, protocol: Protocol): readonly CombinationRow[] =>
  isTextProtocol(protocol) ? builder.rows(protocol).rows : builder.imageRows();

export const rowsWhere = (
  builder: CaseBuilder,
  protocol: Protocol,
  matches: (setting: Setting) => boolean,
): readonly string[] =>
  combinationRows(builder, protocol)
    .filter(({ combination }) => combination.settings.some(matches))
    .map(({ id }) => id);

/** Ids of the rows that have a value of a parameter; of what is asked, those in other scripts. */
export const rowsShowing = (
  builder: CaseBuilder,
  protocol: Protocol,
  { name, value }: ShownValue,
): readonly string[] => [
  ...rowsWhere(builder, protocol, ({ factor, fields = {} }) =>
    name === protocolFacts[protocol].content ? factor === 'scripts' : isShown(fields, { name, value }),
  ),
  ...longShowing(builder, protocol, { name, value }),
];

const isShown = (fields: Body, { name, value }: ShownValue): boolean =>
  name in fields && (value === anyValue || isDeepStrictEqual(fields[name], value));

/** The request for a long reply, where it has the value and no row does. */
const longShowing = (builder: CaseBuilder, protocol: Protocol, shown: ShownValue): readonly string[] =>
  isTextProtocol(protocol) && builder.callers(protocol).length > 0 && isShown(fractions[protocol], shown)
    ? [builder.long(protocol)]
    : [];

/** The rows whose reply ends at `max_tokens`. */
export const limitedRows = (builder: CaseBuilder, protocol: TextProtocol): readonly PlannedRow[] =>
  builder.rows(protocol).rows.filter((row) => isAt(row, 'limit'));
