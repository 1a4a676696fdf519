import { shownVersion } from '../../../spec/protocols.ts';
import { type Protocol, protocols } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { credentialFormId, invalidTokenId, rateLimitedId } from '../../types/request-ids.ts';
import { observedCase, refusedForm, sendForm } from './form-cases.ts';
import { formsInSituations, type ShownForm } from './form-situations.ts';

/** All of section 5, on each endpoint. */
export function authenticationCases(builder: CaseBuilder): void {
  const all = formsInSituations(builder);
  for (const protocol of protocols) {
    const forms = all.filter((form) => form.protocol === protocol);
    acceptedCases(builder, protocol, forms);
    everyRequestCase(builder, protocol);
    for (const form of forms) {
      if (form.expect === 'observed') observedCase(builder, form);
      else refusedForm(builder, form);
    }
  }
}

/** A part of the documented credential, and the forms that have another one in its place. */
interface AcceptedPart {
  readonly aspect: string;
  readonly description: string;
  readonly others: readonly ShownForm[];
  readonly probes: () => readonly string[];
}

/** Refused in the documented form and answered in another: only then is the form what is wrong. */
function acceptedCases(builder: CaseBuilder, protocol: Protocol, forms: readonly ShownForm[]): void {
  const usual = () => [...builder.cells(protocol), builder.control(protocol)];
  const isOther = builder.scope.declaresOtherVersion === true;
  const parts: readonly AcceptedPart[] = [
    {
      aspect: 'accepted',
      description: 'the documented credential',
      others: forms.filter(({ change = {} }) => 'credential' in change),
      probes: usual,
    },
    {
      aspect: 'version.shown-value',
      description: `the version ${shownVersion}`,
      others: forms.filter(({ change = {} }) => 'version' in change),
      probes: isOther ? () => [sendShownVersion(builder)] : usual,
    },
  ];
  for (const { aspect, description, others, probes } of parts) {
    if (others.length === 0) continue;
    const requirement = `${protocol}.auth.${aspect}`;
    builder.add(
      {
        suite: 'authentication',
        id: `authentication.${protocol}.${aspect}`,
        title: `${protocol} accepts ${description}`,
        requirements: [requirement],
      },
      protocol,
      () => ({
        kind: 'served',
        requirement,
        probes: probes(),
        prerequisites: [
          ...(probes === usual ? [] : usual()),
          ...others.map((form) => sendForm(builder, form)),
        ],
      }),
    );
  }
}

/** The value that the interface shows, where the target declares another one. */
const sendShownVersion = (builder: CaseBuilder): string =>
  builder.send(credentialFormId('messages', 'version.shown'), 'messages', {
    version: { value: shownVersion },
    when: [],
  });

/** The documented credential is accepted on every request: a refusal that a repeat does not get is a failure. */
function everyRequestCase(builder: CaseBuilder, protocol: Protocol): void {
  const requirement = `${protocol}.auth.accepted`;
  builder.add(
    {
      suite: 'authentication',
      id: `authentication.${protocol}.every-request`,
      title: `${protocol} accepts the documented credential on every request`,
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'steady',
      requirement,
      protocol,
      probes: [builder.control(protocol)],
      invalid: [invalidTokenId(protocol, 'first'), credentialFormId(protocol, 'near-miss.last')],
      limited: builder.scope.rateLimited ? [rateLimitedId(protocol, 1)] : [],
    }),
  );
}
