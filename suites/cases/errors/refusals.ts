import { protocolFacts } from '../../../spec/protocols.ts';
import { isTextProtocol, type Protocol } from '../../../spec/vocabulary.ts';
import type { Template } from '../../types/template.ts';
import { asking, plain } from '../builder/bodies.ts';
import { isOutOfRange } from '../probes/asked.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import {
  inSituationId,
  invalidTokenId,
  malformedBodyId,
  missingParameterId,
  rateLimitedId,
  wrongValueId,
} from '../../types/request-ids.ts';

/** Valid in other words, and of another length: what a reply repeats of a request is not the same twice. */
export const otherBody = (protocol: Protocol): Template =>
  isTextProtocol(protocol)
    ? asking(protocol, 'Name one colour, please, and nothing else.')
    : { ...plain[protocol], prompt: 'Two small squares' };

/** The requests of forms of a credential that are planned, in situations, too. */
const plannedWith = ({ requests }: CaseBuilder, forms: readonly string[]): readonly string[] =>
  [...requests.keys()].filter((id) =>
    forms.some((form) => id === form || id.startsWith(inSituationId(form, ''))),
  );

/** Refusals of one invalid token, in the plain request and in situations. */
export const strangerErrors = (builder: CaseBuilder, protocol: Protocol): readonly string[] =>
  plannedWith(builder, [invalidTokenId(protocol, 'first')]);

/** Refusals of all invalid tokens that look like issued ones. */
export const authenticationErrors = (builder: CaseBuilder, protocol: Protocol): readonly string[] => {
  const forms = builder.asked('authentication', protocol).flat();
  const ids = forms.filter(({ given }) => given.looksIssued).map(({ id }) => id);
  return plannedWith(builder, ids);
};

/** Refusals for an unknown and for a missing model, with a valid token, and one with the model that others name. */
export const generalErrors = (protocol: Protocol): readonly string[] => [
  wrongValueId(protocol, 'model', 'unknown', 'unknown'),
  missingParameterId(protocol, 'model'),
  // A reply that repeats a model tells no class.
  missingParameterId(protocol, protocolFacts[protocol].content),
];

/** A general error that names no model and no token: a client that gets that of an invalid token is misled. */
export const bodyErrors = (protocol: Protocol): readonly string[] => [malformedBodyId(protocol, 'cut')];

/** What a parameter beyond its range gets: a general error that is judged by one check of the gateway alone. */
export const rangeErrors = (
  { asked }: CaseBuilder,
  protocol: Protocol,
): readonly { readonly parameter: string; readonly probes: readonly string[] }[] =>
  asked('parameters', protocol)
    .map((values) => values.filter((one) => isOutOfRange(one) && !one.plainer))
    .flatMap((values) => {
      const [first] = values;
      return first ? [{ parameter: first.parameter.name, probes: values.map(({ id }) => id) }] : [];
    });

/** Refusals of a token whose limit is spent. */
export const rateLimitErrors = (protocol: Protocol): readonly string[] => [
  rateLimitedId(protocol, 1),
  rateLimitedId(protocol, 2),
];
