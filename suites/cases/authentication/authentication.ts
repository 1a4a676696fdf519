import { shownVersion } from '../../../spec/protocols.ts';
import { type Protocol, protocols } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { streamFeature } from '../combinations/situations.ts';
import { credentialFormId, invalidTokenId, rateLimitedId } from '../../types/request-ids.ts';
import { type CredentialSituation, credentialSituations } from './credential-situations.ts';
import { isShown, observedCase, refusedCase, sendForm, type ShownForm, furtherCases } from './form-cases.ts';

/** All of section 5, on each endpoint. */
export function authenticationCases(builder: CaseBuilder): void {
  const seen: Seen = new Map();
  for (const protocol of protocols) {
    const situations = credentialSituations(builder, protocol);
    // The forms of an endpoint, each in the situation that adds most to what is shown already: no further login is refused for it.
    const all = [...situations.needed, ...situations.others];
    const gain = (form: ShownForm, situation: CredentialSituation): number =>
      shownBy(form, situation).reduce((sum, [what, weight]) => sum + weight / 10 ** (seen.get(what) ?? 0), 0);
    const forms = builder
      .asked('authentication', protocol)
      .flat()
      .map((form) => {
        if (!isShown(form, 'situation') || all.length === 0) return form;
        const situation = all.reduce((best, other) => (gain(form, other) > gain(form, best) ? other : best));
        for (const [what] of shownBy(form, situation)) seen.set(what, (seen.get(what) ?? 0) + 1);
        return { ...form, situation };
      });
    acceptedCases(builder, protocol, forms);
    // The documented credential is accepted on every request: a refusal that a repeat does not get is a failure.
    builder.add({
      id: `authentication.${protocol}.every-request`,
      title: `${protocol} accepts the documented credential on every request`,
      requirement: `${protocol}.auth.accepted`,
      check: () => ({
        kind: 'steady',
        protocol,
        probes: [builder.control(protocol)],
        invalid: [invalidTokenId(protocol, 'first'), invalidTokenId(protocol, 'second')],
        limited: builder.scope.rateLimited ? [rateLimitedId(protocol, 1)] : [],
      }),
    });
    for (const form of forms) {
      if (form.expect === 'observed') observedCase(builder, form);
      else refusedCase(builder, form);
    }
    furtherCases(builder, forms, situations);
  }
}

/** How often each was shown so far, of this endpoint and of those before it. */
type Seen = Map<string, number>;

/** What a form shows in a situation: first its requirement for each model, then itself with a stream, without, and with none named. */
const shownBy = (
  { protocol, requirement, given }: ShownForm,
  { features, allFeatures, body, callers }: CredentialSituation,
): readonly (readonly [what: string, weight: number])[] => [
  [`${requirement} ${callers[0]?.family}`, 1000],
  [`${given.as} ${streamFeature(body)}`, 100],
  ...features.map((feature) => [`${requirement} ${feature}`, 10] as const),
  ...allFeatures.flatMap((feature) => [
    [`${protocol} any form ${feature}`, 2] as const,
    [`${given.as} ${feature}`, 1] as const,
  ]),
];

/** Refused in the documented form and answered in another: only then is the form what is wrong. */
function acceptedCases(builder: CaseBuilder, protocol: Protocol, forms: readonly ShownForm[]): void {
  const usual = () => [...builder.cells(protocol), builder.control(protocol)];
  const add = (part: 'credential' | 'version', aspect: string, of: string, own?: () => string): void => {
    const others = forms.filter(({ change = {} }) => part in change);
    if (others.length === 0) return;
    builder.add({
      id: `authentication.${protocol}.${aspect}`,
      title: `${protocol} accepts ${of}`,
      requirement: `${protocol}.auth.${aspect}`,
      check: () => ({
        kind: 'served',
        probes: own ? [own()] : usual(),
        prerequisites: [...(own ? usual() : []), ...others.map((form) => sendForm(builder, form))],
      }),
    });
  };
  const isOther = builder.scope.declaresOtherVersion === true;
  const shown = isOther ? () => sendShownVersion(builder) : undefined;
  add('credential', 'accepted', 'the documented credential');
  add('version', 'version.shown-value', `the version ${shownVersion}`, shown);
}

/** The value that the interface shows, where the target declares another one. */
const sendShownVersion = (builder: CaseBuilder): string =>
  builder.send(credentialFormId('messages', 'version.shown'), 'messages', {
    version: { value: shownVersion },
    when: [],
  });
