import type { Refused } from '../../types/checks/requests.ts';
import { minimal } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { addObservation } from '../builder/observation.ts';
import type { RequestOverrides } from '../builder/planned-request.ts';
import { credentialFormId, inPlainId, inSituationId } from '../../types/request-ids.ts';
import { behindDiscovery, type Situation } from '../combinations/situations.ts';
import type { Asked } from '../probes/asked.ts';
import { addRefused, overridesOf } from '../probes/refused-probe.ts';
import type { ShownForm } from './form-situations.ts';

/** In `smoke` the control that goes last has `stream`, and so has what it is the control of. */
const isShortest = ({ depth }: CaseBuilder, { given }: Asked): boolean =>
  given.also === 'shortest' && depth.profile !== 'smoke';

/** The situation in place of the plain request. */
const ownOf = ({ given, shownIn: [first] }: ShownForm): Situation | undefined =>
  given.also === undefined ? first : undefined;

/** The request of a situation, sent whatever came of that: it waits for no other. */
const requestIn = ({ protocol }: Asked, { body, overrides }: Situation): RequestOverrides => ({
  ...overrides,
  json: behindDiscovery(protocol, body),
});

/** Sent even where nothing was answered before: an answer to a wrong form explains why. */
function requestOf(builder: CaseBuilder, form: ShownForm): RequestOverrides {
  const own = ownOf(form);
  return {
    ...(isShortest(builder, form) ? { json: minimal[form.protocol] } : {}),
    ...(own ? requestIn(form, own) : {}),
    when: form.plainer === undefined ? [] : [{ kind: 'unanswered', all: [form.plainer] }],
  };
}

/** Plans the request of a form. */
export const sendForm = (builder: CaseBuilder, form: ShownForm): string =>
  builder.send(form.id, form.protocol, {
    ...overridesOf(form),
    ...requestOf(builder, form),
    ...(form.expect === 'observed' ? whereWorthIt(builder, form) : { expect: 'refusal' }),
  });

/**
 * A form that may be answered is a generation to pay for. Short of `full` it is sent only where the documented one
 * is not answered, to tell whether that is for its form.
 */
const whereWorthIt = (builder: CaseBuilder, { protocol }: Asked): RequestOverrides => ({
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
  const { suite, caseId, protocol, requirement, what } = form;
  addObservation(builder, {
    suite,
    id: caseId,
    protocol,
    requirement,
    subject: `${protocol} given ${what}`,
    aspect: 'answer-or-refusal',
    probes: () => [sendForm(builder, form)],
  });
}

/** The failure behind an answer to what is taken for an invalid token: near-miss tokens are accepted, no token is not. */
function explanation({ protocol, given }: Asked): Partial<Refused> {
  if (!given.asInvalid) return {};
  return {
    explainedBy: {
      answered: credentialFormId(protocol, 'near-miss.last'),
      refused: credentialFormId(protocol, 'missing'),
    },
  };
}

/**
 * What one situation alone shows is shown in the plain request, too, where that is refused with the right credential as
 * well: otherwise nothing would tell how the form is taken.
 */
function inPlain(builder: CaseBuilder, form: Asked, { row }: Situation): Partial<Refused> {
  const { id, protocol } = form;
  const probe = builder.send(inPlainId(id), protocol, {
    ...overridesOf(form),
    expect: 'refusal',
    when: [{ kind: 'refused', exchange: row }],
  });
  return { controlMayBeRefused: true, instead: { probe, controls: builder.controls(protocol) } };
}

/** The requests of discovery are the shortest, too. */
const controlsOf = (builder: CaseBuilder, form: Asked) => [
  ...new Set([
    ...(isShortest(builder, form) ? builder.cells(form.protocol) : []),
    ...builder.controls(form.protocol),
  ]),
];

/** A form that must be refused: in the plain request or a situation in its place, and in further ones. */
export function refusedForm(builder: CaseBuilder, form: ShownForm): void {
  const own = ownOf(form);
  addRefused(builder, form, {
    request: requestOf(builder, form),
    controls: () => (own ? [own.row] : controlsOf(builder, form)),
    more: () => ({ ...(own ? inPlain(builder, form, own) : {}), ...explanation(form) }),
  });
  for (const situation of form.shownIn.filter((each) => each !== own))
    addRefused(builder, form, {
      request: { ...requestIn(form, situation), when: requestOf(builder, form).when ?? [] },
      controls: () => [situation.row],
      idOf: (id) => inSituationId(id, situation.name),
      words: situation.words,
      more: () => ({ controlMayBeRefused: true, ...explanation(form) }),
    });
}
