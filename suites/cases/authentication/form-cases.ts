import type { Shown } from '../../../spec/probes.ts';
import { type Protocol, isTextProtocol } from '../../../spec/vocabulary.ts';
import type { CheckOf } from '../../types/checks/check.ts';
import { minimal } from '../builder/bodies.ts';
import { type CaseBuilder, addObservation } from '../builder/case-builder.ts';
import type { RequestOverrides } from '../builder/request-builder.ts';
import { credentialFormId, inPlainId, inSituationId, streamedId } from '../../types/request-ids.ts';
import type { Asked } from '../probes/asked.ts';
import { addRefused, overridesOf, type Showing } from '../probes/refused-probe.ts';
import {
  type CredentialSituation,
  type CredentialSituations,
  isStreamed,
  shownIn,
  type UndeclaredSituation,
} from './credential-situations.ts';

/** What is shown in the plain request and in others: as a stream, or wherever it may be looked at otherwise. */
export function furtherCases(
  builder: CaseBuilder,
  forms: readonly ShownForm[],
  { needed, others, undeclared }: CredentialSituations,
): void {
  const streams = [...needed, ...others].filter(isStreamed);
  for (const form of forms.filter((each) => isShown(each, 'everywhere'))) {
    const [stream] = streams;
    streamedCase(builder, form, stream);
    const rows = isShown(form, 'every row') ? [...needed, ...others] : needed;
    for (const situation of rows.filter((each) => each !== stream))
      furtherCase(builder, form, { situation, ...inSituation(situation) });
    for (const lacking of undeclared)
      furtherCase(builder, form, { ...inSituation(lacking), needs: lacking.needs });
  }
  for (const [at, form] of forms.filter((each) => isShown(each, 'streamed')).entries())
    streamedCase(builder, form, streams[at % streams.length]);
}

const inSituation = ({ name, description }: Pick<UndeclaredSituation, 'name' | 'description'>) => ({
  words: ` ${description}`,
  idOf: (id: string) => inSituationId(id, name),
});

/** The same with a stream asked for. What is refused because it is streamed says nothing of the credential. */
function streamedCase(builder: CaseBuilder, form: ShownForm, situation?: CredentialSituation): void {
  const isDeclared = builder.callers(form.protocol).length > 0;
  if (situation === undefined && (isDeclared || !isTextProtocol(form.protocol))) return;
  furtherCase(builder, form, { situation, words: ' where a stream is asked for', idOf: streamedId });
}

/** Without a situation what shows it is not declared. */
const furtherCase = (
  builder: CaseBuilder,
  form: ShownForm,
  {
    situation,
    ...names
  }: Pick<Showing, 'words' | 'idOf' | 'needs'> & { readonly situation?: CredentialSituation | undefined },
): void =>
  addRefused(builder, form, {
    ...names,
    request: { callers: [], json: null, ...shownIn(situation), when: [] },
    controls: () => (situation ? [situation.control] : []),
    more: () => ({ controlMayBeRefused: true, ...explanation(form, streamedId) }),
  });

/** A form, and the situation that shows it; without one it is shown in the plain request. */
export interface ShownForm extends Asked {
  readonly situation?: CredentialSituation | undefined;
}

export const isShown = ({ given }: Asked, where: Shown): boolean => given.shown?.includes(where) === true;

/** In `smoke` the control that goes last has `stream`, and so has what it is the control of. */
const isShortest = ({ depth }: CaseBuilder, form: Asked): boolean =>
  isShown(form, 'shortest') && depth.profile !== 'smoke';

/** Sent even where nothing was answered before: an answer to a wrong form explains why. */
const requestOf = (builder: CaseBuilder, form: ShownForm): RequestOverrides => ({
  ...(isShortest(builder, form) ? { json: minimal[form.protocol] } : shownIn(form.situation)),
  when: form.plainer === undefined ? [] : [{ kind: 'unanswered', all: [form.plainer] }],
});

export const sendForm = (builder: CaseBuilder, form: ShownForm): string =>
  builder.send(form.id, form.protocol, {
    ...overridesOf(form),
    ...requestOf(builder, form),
    ...(form.expect === 'observed' ? whereWorthIt(builder, form.protocol) : { expect: 'refusal' }),
  });

/** A form that may be answered is billed. Short of `full` it is sent only where the documented one is not answered. */
const whereWorthIt = (builder: CaseBuilder, protocol: Protocol): RequestOverrides => ({
  expect: 'either',
  ...(builder.depth.profile === 'full'
    ? {}
    : {
        when: [{ kind: 'unanswered', all: [...builder.cells(protocol), builder.control(protocol)] }],
        billed: 0,
      }),
});

/** What the interface does not say of a form. */
export function observedCase(builder: CaseBuilder, form: ShownForm): void {
  const { caseId, protocol, requirement, what } = form;
  addObservation(builder, {
    id: caseId,
    protocol,
    requirement,
    subject: `${protocol} given ${what}`,
    aspect: 'answer-or-refusal',
    probes: () => [sendForm(builder, form)],
  });
}

/** The failure behind an answer to what is taken for an invalid token: near-miss tokens are accepted, no token is not. */
function explanation({ protocol, given }: Asked, idOf: (id: string) => string) {
  if (!given.asInvalid) return {};
  return {
    explainedBy: {
      answered: idOf(credentialFormId(protocol, 'near-miss.last')),
      refused: idOf(credentialFormId(protocol, 'missing')),
    },
  };
}

/** In the plain request, too, where the situation is refused with the right credential: else nothing would tell how the form is taken. */
function inPlain(builder: CaseBuilder, form: ShownForm): Pick<CheckOf<'refused'>, 'instead'> {
  const { id, protocol, situation } = form;
  if (situation === undefined) return {};
  const probe = builder.send(inPlainId(id), protocol, {
    ...overridesOf(form),
    expect: 'refusal',
    when: [{ kind: 'refused', exchange: situation.control }],
  });
  return { instead: { probe, controls: builder.controls(protocol) } };
}

/** The requests of discovery are the shortest, too. */
const controlsOf = (builder: CaseBuilder, form: Asked) => [
  ...new Set([
    ...(isShortest(builder, form) ? builder.cells(form.protocol) : []),
    ...builder.controls(form.protocol),
  ]),
];

export function refusedCase(builder: CaseBuilder, form: ShownForm): void {
  const { situation } = form;
  addRefused(builder, form, {
    request: requestOf(builder, form),
    controls: () => (situation ? [situation.control] : controlsOf(builder, form)),
    more: () => ({
      ...(situation ? { controlMayBeRefused: true } : {}),
      ...inPlain(builder, form),
      ...explanation(form, (id) => id),
    }),
  });
}
