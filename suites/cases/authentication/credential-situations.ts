import { cellsWhere, type MatrixCell } from '../../../spec/matrix.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import type { Family, Protocol } from '../../../spec/vocabulary.ts';
import { describeSettings } from '../../types/combination.ts';
import type { Caller } from '../../types/plan.ts';
import type { Body } from '../builder/bodies.ts';
import type { CaseBuilder, Needs } from '../builder/case-builder.ts';
import { cellId, plainId } from '../../types/request-ids.ts';
import {
  manyImages,
  mostAddedFirst,
  type Situation,
  situationsFor,
  streamFeature,
} from '../combinations/situations.ts';
import { openCell } from '../families/cells.ts';

/** A valid request that is sent with a wrong credential, too: it is the control of that. */
export interface CredentialSituation {
  readonly control: string;
  readonly name: number | Family;
  /** Behind what is refused. */
  readonly description: string;
  readonly body: Body;
  readonly callers: readonly Caller[];
  readonly headers?: Readonly<Record<string, string>>;
  /** What it has: a gateway may look at a credential in one kind of request and not in another. */
  readonly features: readonly string[];
  /** The same with what of a row costs nothing. */
  readonly allFeatures: readonly string[];
}

/** With the id of the plain answer, whoever got it: what shows a wrong credential waits for no other request. */
export function behindDiscovery(protocol: Protocol, body: Body): Body {
  if (!('previous_response_id' in body)) return body;
  return { ...body, previous_response_id: { $: 'reply', exchange: plainId(protocol), pointer: '/id' } };
}

/** Of a number that it is given, of other values which: no gateway tells callers apart by how large a number is. */
const featuresOf = ({ settings, body }: Situation): readonly string[] => [
  ...settings.map(({ factor, description, fields = {} }) =>
    typeof fields[factor] === 'number' ? factor : description,
  ),
  streamFeature(body),
];

function ofRow(protocol: Protocol, situation: Situation): CredentialSituation {
  const { row, number, settings, body, overrides } = situation;
  const { callers = [], headers } = overrides;
  const [first] = callers;
  const features = [...featuresOf(situation), ...(first ? [first.family] : [])];
  return {
    control: row,
    name: number,
    description: `with ${describeSettings(settings)}`,
    body: behindDiscovery(protocol, body),
    callers,
    ...(headers ? { headers } : {}),
    features,
    allFeatures: [...new Set([...features, ...situation.features])],
  };
}

/** Models that no row calls, though the protocol must serve them (4.5). */
function otherFamilies(protocol: Protocol): readonly MatrixCell[] {
  const called: readonly string[] = protocolFacts[protocol].callers.families;
  return cellsWhere({ protocol, expectation: 'served', stream: false }).filter(
    ({ family }) => !called.includes(family),
  );
}

const named = ({ family }: MatrixCell) => ({ name: family, description: `for ${family} models` });

/** The smallest requests for them, where they are declared. */
const ofOtherFamilies = (builder: CaseBuilder, protocol: Protocol): readonly CredentialSituation[] =>
  otherFamilies(protocol).flatMap((cell) => {
    const { family, group } = cell;
    const control = cellId(cell, protocol);
    const json = builder.requests.get(control)?.body?.json;
    if (json === undefined) return [];
    const body = json as Body;
    const callers = [{ family, group }];
    const features = [streamFeature(body), family];
    return [{ ...named(cell), control, body, callers, features, allFeatures: features }];
  });

/** Valid requests to show a wrong credential in: those with a stream first. */
export interface CredentialSituations {
  /** So many that together with the shortest request they have all that any has. */
  readonly needed: readonly CredentialSituation[];
  readonly others: readonly CredentialSituation[];
  /** Those for models that the target does not declare. */
  readonly undeclared: readonly UndeclaredSituation[];
}

export interface UndeclaredSituation extends Pick<CredentialSituation, 'name' | 'description'> {
  readonly needs: Needs;
}

/** In an order in which few of them have all that any has: each may be the first of it. */
function fewestNeeded(all: readonly CredentialSituation[], knownBefore: readonly string[]) {
  const orders = all.map((first) => {
    const others = all.filter((each) => each !== first);
    const known = [...knownBefore, ...first.features];
    const behind = mostAddedFirst(others, ({ features }) => features, known);
    return [{ situation: first, added: first.features }, ...behind];
  });
  const needed = (order: (typeof orders)[number]): number =>
    order.filter(({ added }) => added.length > 0).length;
  return orders.reduce((one, other) => (needed(other) < needed(one) ? other : one), orders[0] ?? []);
}

/** None in `smoke`: there a wrong credential is shown in the plain request alone. */
export function credentialSituations(builder: CaseBuilder, protocol: Protocol): CredentialSituations {
  if (builder.depth.profile === 'smoke') return { needed: [], others: [], undeclared: [] };
  const rows = situationsFor(builder, protocol, '')
    .filter(({ body }) => !(Number(body.n) >= manyImages))
    .map((situation) => ofRow(protocol, situation));
  const families = rows.length > 0 ? ofOtherFamilies(builder, protocol) : [];
  const [shortest] = builder.callers(protocol);
  const known = [streamFeature({}), ...(shortest ? [shortest.family] : [])];
  const placed = fewestNeeded([...rows, ...families], known);
  const those = (isNeeded: boolean) =>
    placed
      .filter(({ added }) => added.length > 0 === isNeeded)
      .map(({ situation }) => situation)
      .sort((one, other) => Number(isStreamed(other)) - Number(isStreamed(one)));
  return {
    needed: those(true),
    others: those(false),
    undeclared: otherFamilies(protocol)
      .filter(({ family }) => !families.some(({ name }) => name === family))
      .map((cell) => ({ ...named(cell), needs: openCell(builder.scope, cell) ?? protocol })),
  };
}

export const isStreamed = ({ body }: CredentialSituation): boolean => body.stream === true;

/** What of a request a situation gives: of its headers those that it has besides. */
export const shownIn = (situation: CredentialSituation | undefined) =>
  situation === undefined
    ? {}
    : {
        json: situation.body,
        callers: situation.callers,
        ...(situation.headers ? { headers: situation.headers } : {}),
      };
