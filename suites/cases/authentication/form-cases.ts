import type { Protocol } from '../../../spec/vocabulary.ts';
import type { Refused } from '../../types/checks/requests.ts';
import { minimal } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { addObservation } from '../builder/observation.ts';
import { credentialFormId, inPlainId } from '../builder/request-ids.ts';
import { noCredential } from './credential-forms.ts';
import type { CredentialForm } from './credential-form.ts';
import type { CredentialSituation } from './credential-situations.ts';
import { streamedNearMiss } from './near-miss-forms.ts';

/** A form, and the situation that shows it; without one it is shown in the plain request. */
export interface ShownForm extends CredentialForm {
  readonly situation?: CredentialSituation | undefined;
}

/** In `smoke` the control that goes last has `stream`, and so has what it is the control of. */
const isShortest = ({ depth }: CaseBuilder, form: CredentialForm): boolean =>
  form.isShortest === true && depth.profile !== 'smoke';

/** Sent even where nothing was answered before: an answer to a wrong form explains why. */
export function sendForm(builder: CaseBuilder, protocol: Protocol, form: ShownForm): string {
  const { slug, credential = { form: 'right' }, version = 'declared', unspecified, unless, situation } = form;
  return builder.send(credentialFormId(protocol, slug), protocol, {
    ...(isShortest(builder, form) ? { json: minimal[protocol] } : shownIn(situation)),
    credential,
    version,
    expect: unspecified ? 'either' : 'refusal',
    when: unless === undefined ? [] : [{ kind: 'unanswered', all: [credentialFormId(protocol, unless)] }],
    ...(unspecified && builder.depth.profile !== 'full' ? whereRightFails(builder, protocol) : {}),
  });
}

/**
 * A form that may be answered is a generation to pay for. Short of `full` it is sent only where the documented one
 * is not answered, to tell whether that is for its form.
 */
const whereRightFails = (builder: CaseBuilder, protocol: Protocol) =>
  ({
    when: [{ kind: 'unanswered', all: [...builder.cells(protocol), builder.control(protocol)] }],
    billed: 0,
  }) as const;

/** What the interface does not say of a form. */
export function observedCase(builder: CaseBuilder, protocol: Protocol, form: CredentialForm): void {
  addObservation(builder, {
    id: `authentication.${protocol}.${form.slug}`,
    protocol,
    requirement: `${protocol}.${form.requirement}`,
    subject: `${protocol} given ${form.description}`,
    aspect: 'answer-or-refusal',
    probes: () => [sendForm(builder, protocol, form)],
  });
}

/** The failure behind an answer to what is taken for an invalid token: near-miss tokens are accepted, no token is not. */
export function explanation(protocol: Protocol, { asInvalid }: CredentialForm, idOf: (id: string) => string) {
  if (!asInvalid) return {};
  return {
    explainedBy: {
      answered: idOf(credentialFormId(protocol, streamedNearMiss)),
      refused: idOf(credentialFormId(protocol, noCredential)),
    },
  };
}

/**
 * What one situation alone shows is shown in the plain request, too, where that is refused with the right credential as
 * well: otherwise nothing would tell how the form is taken.
 */
function inPlain(builder: CaseBuilder, protocol: Protocol, form: ShownForm): Pick<Refused, 'instead'> {
  const { slug, credential = { form: 'right' }, version = 'declared', situation } = form;
  if (situation === undefined) return {};
  const probe = builder.send(inPlainId(credentialFormId(protocol, slug)), protocol, {
    credential,
    version,
    expect: 'refusal',
    when: [{ kind: 'refused', exchange: situation.control }],
  });
  return { instead: { probe, controls: builder.controls(protocol) } };
}

const shownIn = (situation: CredentialSituation | undefined) =>
  situation === undefined ? {} : { json: situation.body, callers: situation.callers };

/** The requests of discovery are the shortest, too. */
const controlsOf = (builder: CaseBuilder, protocol: Protocol, form: CredentialForm) => [
  ...new Set([...(isShortest(builder, form) ? builder.cells(protocol) : []), ...builder.controls(protocol)]),
];

/** A form that must be refused. */
export function refusedCase(builder: CaseBuilder, protocol: Protocol, form: ShownForm): void {
  const { situation } = form;
  const requirement = `${protocol}.${form.requirement}`;
  builder.add(
    {
      id: `authentication.${protocol}.${form.slug}`,
      title: `${protocol} refuses ${form.description}`,
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'refused',
      requirement,
      probe: sendForm(builder, protocol, form),
      controls: situation ? [situation.control] : controlsOf(builder, protocol, form),
      after: builder.after(protocol),
      rule: form.description,
      ...(situation ? { controlMayBeRefused: true } : {}),
      ...inPlain(builder, protocol, form),
      ...explanation(protocol, form, (id) => id),
    }),
  );
}
