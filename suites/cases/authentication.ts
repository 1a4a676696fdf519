import { type Protocol, protocols } from '../../spec/vocabulary.ts';
import { plain } from './builder/bodies.ts';
import type { CaseBuilder } from './builder/case-builder.ts';
import { type Form, formsOf, invalidSlug } from './authentication-forms.ts';

/** All of section 5, on each endpoint. */
export function authenticationCases(builder: CaseBuilder): void {
  for (const protocol of protocols) {
    const forms = formsOf(builder, protocol);
    acceptedCases(builder, protocol, forms);
    for (const form of forms) {
      formCase(builder, protocol, form);
      if (form.streamed) streamedCase(builder, protocol, form);
    }
  }
}

/** Refused in the documented form and answered in another: only then is the form what is wrong. */
function acceptedCases(builder: CaseBuilder, protocol: Protocol, forms: readonly Form[]): void {
  const rows = [
    ['auth.accepted', 'the documented credential', forms.filter((form) => form.credential)],
    ['auth.version.shown-value', 'the version that is shown', forms.filter((form) => form.version)],
  ] as const;
  for (const [aspect, words, others] of rows) {
    if (others.length === 0) continue;
    const requirement = `${protocol}.${aspect}`;
    builder.add(
      {
        id: `authentication.${protocol}.${aspect.slice('auth.'.length)}`,
        title: `${protocol} takes ${words}`,
        suite: 'authentication',
        requirements: [requirement],
      },
      protocol,
      () => ({
        kind: 'served',
        requirement,
        probes: [...builder.cells(protocol), builder.control(protocol)],
        prerequisites: others.map((form) => send(builder, protocol, form)),
      }),
    );
  }
  steadyCase(builder, protocol);
}

/** The documented credential is taken on every request: what was refused once and then answered is no refusal. */
function steadyCase(builder: CaseBuilder, protocol: Protocol): void {
  const requirement = `${protocol}.auth.accepted`;
  builder.add(
    {
      id: `authentication.${protocol}.every-request`,
      title: `${protocol} takes the documented credential on every request`,
      suite: 'authentication',
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'steady',
      requirement,
      protocol,
      probes: [builder.control(protocol)],
      invalid: builder.data.invalidTokens.map((_, index) => `${protocol}.auth.${invalidSlug(index)}`),
      limited: builder.scope.rateLimited ? [`${protocol}.rate-limited.1`] : [],
    }),
  );
}

/** Sent even where nothing was answered before: an answer to a wrong form explains why. */
const send = (
  builder: CaseBuilder,
  protocol: Protocol,
  { slug, credential = { form: 'right' }, version = 'declared', open = false, unless }: Form,
): string =>
  builder.send(`${protocol}.auth.${slug}`, protocol, {
    credential,
    version,
    expect: open ? 'either' : 'refusal',
    when: unless === undefined ? [] : [{ kind: 'unanswered', all: [`${protocol}.auth.${unless}`] }],
  });

/** One near-miss token is asked for both ways; a gateway that takes any takes that one. */
const explained = (protocol: Protocol, { asInvalid }: Form, way: '' | '.streamed') =>
  asInvalid
    ? {
        explainedBy: {
          answered: `${protocol}.auth.near-miss.last${way}`,
          refused: `${protocol}.auth.missing${way}`,
        },
      }
    : {};

function formCase(builder: CaseBuilder, protocol: Protocol, form: Form): void {
  const requirement = `${protocol}.${form.requirement}`;
  const { open = false } = form;
  builder.add(
    {
      id: `authentication.${protocol}.${form.slug}`,
      title: `${protocol} ${open ? 'given' : 'refuses'} ${form.words}`,
      suite: 'authentication',
      requirements: [requirement],
    },
    protocol,
    () => {
      const probe = send(builder, protocol, form);
      if (open) {
        const subject = `${protocol} given ${form.words}`;
        return {
          kind: 'observe',
          requirement,
          section: '5',
          subject,
          aspect: 'answer-or-refusal',
          protocol,
          probes: [probe],
        };
      }
      return {
        kind: 'refused',
        requirement,
        probe,
        controls: [builder.control(protocol)],
        after: builder.after(protocol),
        rule: form.words,
        ...explained(protocol, form, ''),
      };
    },
  );
}

/** The same with a stream asked for. What is refused because it is streamed says nothing of the credential. */
function streamedCase(builder: CaseBuilder, protocol: Protocol, form: Form): void {
  if (protocol === 'images') return;
  const { slug, words, requirement: aspect, credential = { form: 'right' }, version = 'declared' } = form;
  const requirement = `${protocol}.${aspect}`;
  builder.add(
    {
      id: `authentication.${protocol}.${slug}.streamed`,
      title: `${protocol} refuses ${words} where a stream is asked for`,
      suite: 'authentication',
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'refused',
      requirement,
      probe: builder.send(`${protocol}.auth.${slug}.streamed`, protocol, {
        turned: true,
        json: { ...plain[protocol], stream: true },
        credential,
        version,
        expect: 'refusal',
        when: [],
      }),
      controls: builder.streams(protocol),
      after: builder.after(protocol),
      rule: words,
      controlMayBeRefused: true,
      ...explained(protocol, form, '.streamed'),
    }),
  );
}
