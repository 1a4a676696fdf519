import { parameters } from '../../../spec/openapi.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import type { Damage } from '../../types/plan.ts';
import { type Body, plain } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { malformedBodyId } from '../builder/request-ids.ts';
import { refusedCase } from './refused-request.ts';

/** A body that is not JSON. */
interface MalformedBody {
  readonly damage: Damage;
  /** Behind "a body". */
  readonly description: string;
  /** The plain one, where left out. */
  readonly json?: Body;
}

/**
 * What some parsers take: those that see defaults in a body that is not there, those of scripts and of configuration
 * files, those that read one value and no further.
 */
const everywhere: readonly MalformedBody[] = [
  { damage: 'empty', description: 'that is empty' },
  { damage: 'trailing-comma', description: 'with a comma behind its last member' },
  { damage: 'comment', description: 'with a comment in it' },
  { damage: 'twice', description: 'that is two JSON texts, one behind the other' },
  { damage: 'line-feed', description: 'with a line feed in one of its strings' },
];

const bareNames: MalformedBody = { damage: 'bare-names', description: 'whose names have no quotes' };
const singleQuotes: MalformedBody = {
  damage: 'single-quotes',
  description: 'whose strings are in single quotes',
};

/** What hardly a parser takes that refuses all of the others is asked of every other endpoint. */
const somewhere: Readonly<Record<Protocol, MalformedBody>> = {
  responses: bareNames,
  messages: singleQuotes,
  chat: singleQuotes,
  images: bareNames,
};

/** NaN, which no comparison with a bound refuses, in place of the first number that has bounds. */
function notANumber(protocol: Protocol): readonly MalformedBody[] {
  const bounded = parameters(protocol).find(({ minimum }) => minimum !== undefined);
  if (bounded?.minimum === undefined) return [];
  const json = { ...plain[protocol], [bounded.name]: bounded.minimum };
  return [{ damage: 'not-a-number', description: `in which ${bounded.name} is NaN`, json }];
}

/** Bodies that are not JSON (section 4). Where one that is cut off is answered, the others show no more. */
export function malformedCases(builder: CaseBuilder, protocol: Protocol): void {
  const common = { requirement: `${protocol}.body.json`, reason: 'the body is not JSON' };
  const cut = malformedBodyId(protocol, 'cut');
  refusedCase(builder, protocol, {
    ...common,
    caseId: 'body.json',
    title: 'a body that is cut off in the middle of its JSON',
    requestId: cut,
    overrides: { damage: 'cut' },
  });
  for (const { damage, description, json } of [...everywhere, somewhere[protocol], ...notANumber(protocol)]) {
    refusedCase(builder, protocol, {
      ...common,
      caseId: `body.json.${damage}`,
      title: `a body ${description}`,
      requestId: malformedBodyId(protocol, damage),
      overrides: {
        ...(json ? { json } : {}),
        damage,
        when: [builder.served(protocol), { kind: 'unanswered', all: [cut] }],
      },
    });
  }
}
