import { type Protocol, protocols } from '../../spec/vocabulary.ts';
import { plain } from '../plan/bodies.ts';
import type { Kit } from '../plan/kit.ts';
import { type Form, formsOf, invalidSlug } from './authentication-forms.ts';

/** All of section 5, on each endpoint. */
export function authenticationCases(kit: Kit): void {
  for (const protocol of protocols) {
    const forms = formsOf(kit, protocol);
    acceptedCases(kit, protocol, forms);
    for (const form of forms) {
      formCase(kit, protocol, form);
      if (form.streamed) streamedCase(kit, protocol, form);
    }
  }
}

/** Refused in the documented form and answered in another: only then is the form what is wrong. */
function acceptedCases(kit: Kit, protocol: Protocol, forms: readonly Form[]): void {
  const rows = [
    ['auth.accepted', 'the documented credential', forms.filter((form) => form.credential)],
    ['auth.version.shown-value', 'the version that is shown', forms.filter((form) => form.version)],
  ] as const;
  for (const [aspect, words, others] of rows) {
    if (others.length === 0) continue;
    const requirement = `${protocol}.${aspect}`;
    kit.add(
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
        probes: [...kit.cells(protocol), kit.control(protocol)],
        unless: others.map((form) => send(kit, protocol, form)),
      }),
    );
  }
  steadyCase(kit, protocol);
}

/** The documented credential is taken on every request: what was refused once and then answered is no refusal. */
function steadyCase(kit: Kit, protocol: Protocol): void {
  const requirement = `${protocol}.auth.accepted`;
  kit.add(
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
      probes: [kit.control(protocol)],
      invalid: kit.data.invalidTokens.map((_, index) => `${protocol}.auth.${invalidSlug(index)}`),
      limited: kit.scope.rateLimited ? [`${protocol}.rate-limited.1`] : [],
    }),
  );
}

/** Sent even where nothing was answered before: an answer to a wrong form explains why. */
const send = (
  kit: Kit,
  protocol: Protocol,
  { slug, credential = { form: 'right' }, version = 'declared', open = false, unless }: Form,
): string =>
  kit.send(`${protocol}.auth.${slug}`, protocol, {
    credential,
    version,
    expect: open ? 'either' : 'refusal',
    when: unless === undefined ? [] : [{ kind: 'unanswered', all: [`${protocol}.auth.${unless}`] }],
  });

/** One altered token is asked for both ways; a gateway that takes any takes that one. */
const explained = (protocol: Protocol, { asInvalid }: Form, way: '' | '.streamed') =>
  asInvalid
    ? {
        explained: {
          by: `${protocol}.auth.altered.last${way}`,
          absent: `${protocol}.auth.missing${way}`,
        },
      }
    : {};

function formCase(kit: Kit, protocol: Protocol, form: Form): void {
  const requirement = `${protocol}.${form.requirement}`;
  const { open = false } = form;
  kit.add(
    {
      id: `authentication.${protocol}.${form.slug}`,
      title: `${protocol} ${open ? 'given' : 'refuses'} ${form.words}`,
      suite: 'authentication',
      requirements: [requirement],
    },
    protocol,
    () => {
      const probe = send(kit, protocol, form);
      if (open) {
        const subject = `${protocol} given ${form.words}`;
        return {
          kind: 'observe',
          requirement,
          section: '5',
          subject,
          see: 'answer-or-refusal',
          protocol,
          probes: [probe],
        };
      }
      return {
        kind: 'refused',
        requirement,
        probe,
        controls: [kit.control(protocol)],
        after: kit.after(protocol),
        expected: `no output: ${form.words}`,
        ...explained(protocol, form, ''),
      };
    },
  );
}

/** The same with a stream asked for. What is refused because it is streamed says nothing of the credential. */
function streamedCase(kit: Kit, protocol: Protocol, form: Form): void {
  if (protocol === 'images') return;
  const { slug, words, requirement: aspect, credential = { form: 'right' }, version = 'declared' } = form;
  const requirement = `${protocol}.${aspect}`;
  kit.add(
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
      probe: kit.send(`${protocol}.auth.${slug}.streamed`, protocol, {
        turned: true,
        json: { ...plain[protocol], stream: true },
        credential,
        version,
        expect: 'refusal',
        when: [],
      }),
      controls: kit.streams(protocol),
      after: kit.after(protocol),
      expected: `no output: ${words}`,
      freeControl: true,
      ...explained(protocol, form, '.streamed'),
    }),
  );
}
