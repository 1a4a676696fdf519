import { shownVersion } from '../../../spec/protocols.ts';
import { isTextProtocol, type Protocol, protocols } from '../../../spec/vocabulary.ts';
import { minimal } from '../builder/bodies.ts';
import type { CaseBuilder, Needs } from '../builder/case-builder.ts';
import {
  credentialFormId,
  inSituationId,
  invalidTokenId,
  rateLimitedId,
  streamedId,
} from '../builder/request-ids.ts';
import { type CredentialForm, credentialForms, noCredential } from './credential-forms.ts';
import {
  type CredentialSituation,
  type CredentialSituations,
  credentialSituations,
  isStreamed,
  type UndeclaredSituation,
} from './credential-situations.ts';
import { streamedNearMiss } from './near-miss-forms.ts';

/** All of section 5, on each endpoint. */
export function authenticationCases(builder: CaseBuilder): void {
  for (const protocol of protocols) {
    const situations = credentialSituations(builder, protocol);
    const forms = inSituations(builder, protocol, situations);
    acceptedCases(builder, protocol, forms);
    everyRequestCase(builder, protocol);
    for (const form of forms) {
      if (form.unspecified) observedCase(builder, protocol, form);
      else refusedCase(builder, protocol, form);
    }
    furtherCases(builder, protocol, { forms, situations });
  }
}

/** A form, and the situation that shows it; without one it is shown in the plain request. */
interface ShownForm extends CredentialForm {
  readonly situation?: CredentialSituation | undefined;
}

/** The forms of an endpoint, those that a situation shows spread over the situations. */
function inSituations(
  builder: CaseBuilder,
  protocol: Protocol,
  { needed, others }: CredentialSituations,
): readonly ShownForm[] {
  const all = [...needed, ...others];
  const streams = all.filter(isStreamed);
  const taken = { situation: 0, stream: 0 };
  return credentialForms(builder, protocol).map((form) => {
    const from = form.in === 'stream' ? streams : all;
    if (form.in === undefined || from.length === 0) return form;
    taken[form.in] += 1;
    return { ...form, situation: from[(taken[form.in] - 1) % from.length] };
  });
}

/** What is shown in the plain request and in others: as a stream, or wherever it may be looked at otherwise. */
function furtherCases(
  builder: CaseBuilder,
  protocol: Protocol,
  { forms, situations }: { readonly forms: readonly ShownForm[]; readonly situations: CredentialSituations },
): void {
  const { needed, others, undeclared } = situations;
  const streams = [...needed, ...others].filter(isStreamed);
  for (const form of forms.filter(({ everywhere }) => everywhere)) {
    const [stream] = streams;
    streamedCase(builder, { protocol, form, situation: stream });
    for (const situation of needed.filter((each) => each !== stream))
      inSituationCase(builder, { protocol, form, situation }, { ...situation, needs: protocol });
    for (const lacking of undeclared)
      inSituationCase(builder, { protocol, form, situation: undefined }, lacking);
  }
  for (const [at, form] of forms.filter(({ streamed }) => streamed).entries())
    streamedCase(builder, { protocol, form, situation: streams[at % streams.length] });
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

/** In `smoke` the control that goes last has `stream`, and so has what it is the control of. */
const isShortest = ({ depth }: CaseBuilder, form: CredentialForm): boolean =>
  form.isShortest === true && depth.profile !== 'smoke';

/** Sent even where nothing was answered before: an answer to a wrong form explains why. */
function send(builder: CaseBuilder, protocol: Protocol, form: ShownForm): string {
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

const shownIn = (situation: CredentialSituation | undefined) =>
  situation === undefined ? {} : { json: situation.body, callers: situation.callers };

/** The requests of discovery are the shortest, too. */
const controlsOf = (builder: CaseBuilder, protocol: Protocol, form: CredentialForm) => [
  ...new Set([...(isShortest(builder, form) ? builder.cells(protocol) : []), ...builder.controls(protocol)]),
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
      controls: situation ? [situation.control] : controlsOf(builder, protocol, form),
      after: builder.after(protocol),
      rule: form.description,
      ...(situation ? { controlMayBeRefused: true } : {}),
      ...explanation(protocol, form, (id) => id),
    }),
  );
}

interface FurtherForm {
  readonly protocol: Protocol;
  readonly form: CredentialForm;
  /** What shows it; undefined where that is not declared. */
  readonly situation: CredentialSituation | undefined;
}

/** How a further request with a form is called. */
interface FurtherNames {
  /** In the title, behind what is refused. */
  readonly words: string;
  readonly idOf: (id: string) => string;
  readonly needs: Needs;
}

/** The same with a stream asked for. What is refused because it is streamed says nothing of the credential. */
function streamedCase(builder: CaseBuilder, further: FurtherForm): void {
  const { protocol, situation } = further;
  const isDeclared = builder.callers(protocol).length > 0;
  if (situation === undefined && (isDeclared || !isTextProtocol(protocol))) return;
  furtherCase(builder, further, { words: 'where a stream is asked for', idOf: streamedId, needs: protocol });
}

/** The same in another situation. */
const inSituationCase = (
  builder: CaseBuilder,
  further: FurtherForm,
  { name, description, needs }: UndeclaredSituation,
): void =>
  furtherCase(builder, further, { words: description, idOf: (id) => inSituationId(id, name), needs });

function furtherCase(
  builder: CaseBuilder,
  { protocol, form, situation }: FurtherForm,
  { words, idOf, needs }: FurtherNames,
): void {
  const { slug, description, credential = { form: 'right' }, version = 'declared' } = form;
  const requirement = `${protocol}.${form.requirement}`;
  builder.add(
    {
      id: `authentication.${protocol}.${idOf(slug)}`,
      title: `${protocol} refuses ${description} ${words}`,
      requirements: [requirement],
    },
    needs,
    () => ({
      kind: 'refused',
      requirement,
      probe: builder.send(idOf(credentialFormId(protocol, slug)), protocol, {
        callers: situation?.callers ?? [],
        json: situation?.body ?? null,
        credential,
        version,
        expect: 'refusal',
        when: [],
      }),
      controls: situation ? [situation.control] : [],
      after: builder.after(protocol),
      rule: description,
      controlMayBeRefused: true,
      ...explanation(protocol, form, streamedId),
    }),
  );
}
