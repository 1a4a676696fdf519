import { shownVersion } from '../../../spec/protocols.ts';
import { isTextProtocol, type Protocol, protocols } from '../../../spec/vocabulary.ts';
import { minimal } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { credentialFormId, invalidTokenId, rateLimitedId, streamedId } from '../builder/request-ids.ts';
import { type Situation, situationsForCredentials, situationsWith } from '../combinations/situations.ts';
import { type CredentialForm, credentialForms, noCredential } from './credential-forms.ts';
import { streamedNearMiss } from './near-miss-forms.ts';

/** All of section 5, on each endpoint. */
export function authenticationCases(builder: CaseBuilder): void {
  for (const protocol of protocols) {
    const forms = inRows(builder, protocol);
    acceptedCases(builder, protocol, forms);
    everyRequestCase(builder, protocol);
    for (const form of forms) {
      if (form.unspecified) observedCase(builder, protocol, form);
      else refusedCase(builder, protocol, form);
    }
    const streams = situationsWith(builder, protocol, true);
    for (const [at, form] of forms.filter(({ streamed }) => streamed).entries())
      streamedCase(builder, { protocol, form, situation: streams[at % streams.length] });
  }
}

/** A form, and the row that shows it; without one it is shown in the plain request. */
interface ShownForm extends CredentialForm {
  readonly situation?: Situation | undefined;
}

/** The forms of an endpoint, those that a row shows spread over the rows. */
function inRows(builder: CaseBuilder, protocol: Protocol): readonly ShownForm[] {
  const rows = situationsForCredentials(builder, protocol);
  let taken = 0;
  return credentialForms(builder, protocol).map((form) => {
    if (!form.inRow || rows.length === 0) return form;
    taken += 1;
    return { ...form, situation: rows[(taken - 1) % rows.length] };
  });
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
      others: forms.filter((form) => form.credential),
      probes: usual,
    },
    {
      aspect: 'version.shown-value',
      description: `the version ${shownVersion}`,
      others: forms.filter((form) => form.version),
      probes: isOther ? () => [sendShownVersion(builder)] : usual,
    },
  ];
  for (const { aspect, description, others, probes } of parts) {
    if (others.length === 0) continue;
    const requirement = `${protocol}.auth.${aspect}`;
    builder.add(
      {
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
          ...others.map((form) => send(builder, protocol, form)),
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
      invalid: [invalidTokenId(protocol, 'first'), invalidTokenId(protocol, 'second')],
      limited: builder.scope.rateLimited ? [rateLimitedId(protocol, 1)] : [],
    }),
  );
}

/** Sent even where nothing was answered before: an answer to a wrong form explains why. */
function send(builder: CaseBuilder, protocol: Protocol, form: ShownForm): string {
  const { slug, credential = { form: 'right' }, version = 'declared', unspecified, unless, situation } = form;
  return builder.send(credentialFormId(protocol, slug), protocol, {
    ...(form.isShortest ? { json: minimal[protocol] } : shownIn(situation)),
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

function observedCase(builder: CaseBuilder, protocol: Protocol, form: CredentialForm): void {
  const requirement = `${protocol}.${form.requirement}`;
  const subject = `${protocol} given ${form.description}`;
  builder.add(
    {
      id: `authentication.${protocol}.${form.slug}`,
      title: subject,
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'observe',
      requirement,
      subject,
      aspect: 'answer-or-refusal',
      protocol,
      probes: [send(builder, protocol, form)],
    }),
  );
}

/** The failure behind an answer to what is taken for an invalid token: near-miss tokens are accepted, no token is not. */
function explanation(protocol: Protocol, { asInvalid }: CredentialForm, idOf: (id: string) => string) {
  if (!asInvalid) return {};
  return {
    explainedBy: {
      answered: idOf(credentialFormId(protocol, streamedNearMiss)),
      refused: idOf(credentialFormId(protocol, noCredential)),
    },
  };
}

const shownIn = (situation: Situation | undefined) =>
  situation === undefined ? {} : { json: situation.body, callers: situation.overrides.callers ?? [] };

/** The requests of discovery are the shortest, too. */
const controlsOf = (builder: CaseBuilder, protocol: Protocol, { isShortest }: CredentialForm) => [
  ...new Set([...(isShortest ? builder.cells(protocol) : []), ...builder.controls(protocol)]),
];

function refusedCase(builder: CaseBuilder, protocol: Protocol, form: ShownForm): void {
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
      probe: send(builder, protocol, form),
      controls: situation ? [situation.row] : controlsOf(builder, protocol, form),
      after: builder.after(protocol),
      rule: form.description,
      ...(situation ? { controlMayBeRefused: true } : {}),
      ...explanation(protocol, form, (id) => id),
    }),
  );
}

interface StreamedForm {
  readonly protocol: Protocol;
  readonly form: CredentialForm;
  /** The row with a stream that shows it. */
  readonly situation: Situation | undefined;
}

/** The same with a stream asked for. What is refused because it is streamed says nothing of the credential. */
function streamedCase(builder: CaseBuilder, { protocol, form, situation }: StreamedForm): void {
  const isDeclared = builder.callers(protocol).length > 0;
  if (situation === undefined && (isDeclared || !isTextProtocol(protocol))) return;
  const { slug, description, credential = { form: 'right' }, version = 'declared' } = form;
  const requirement = `${protocol}.${form.requirement}`;
  builder.add(
    {
      id: `authentication.${protocol}.${slug}.streamed`,
      title: `${protocol} refuses ${description} where a stream is asked for`,
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'refused',
      requirement,
      probe: builder.send(streamedId(credentialFormId(protocol, slug)), protocol, {
        callers: situation?.overrides.callers ?? [],
        json: situation?.body ?? null,
        credential,
        version,
        expect: 'refusal',
        when: [],
      }),
      controls: situation ? [situation.row] : [],
      after: builder.after(protocol),
      rule: description,
      controlMayBeRefused: true,
      ...explanation(protocol, form, streamedId),
    }),
  );
}
