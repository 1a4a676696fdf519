import type { Parameter } from '../../spec/openapi.ts';
import { type Protocol, type TextProtocol, textProtocols } from '../../spec/vocabulary.ts';
import type { Template, Venue } from '../model/plan.ts';
import { minimal, plain } from '../plan/bodies.ts';
import { cellId, type Kit } from '../plan/kit.ts';
import { farCases, rangeCases } from './parameter-values.ts';

type Wish = NonNullable<Parameters<Kit['send']>[2]>;
type Named = Pick<Parameter, 'name' | 'slug'>;
type Body = { readonly [name: string]: Template };

/** A request that is wrong in one thing. */
interface Wrong {
  /** Behind `parameters.<protocol>.`. */
  readonly id: string;
  readonly title: string;
  readonly requirement: string;
  readonly probe: string;
  readonly wish: Wish;
  /** The control of the protocol, where left out. */
  readonly controls?: () => readonly string[];
  /** A control that is refused is blamed elsewhere, and leaves the requirement to its other cases. */
  readonly freeControl?: boolean;
  /** Why the target declares nothing to test it with. */
  readonly undeclared?: string;
  readonly because: string;
}

function refusedCase(kit: Kit, protocol: Protocol, wrong: Wrong): void {
  const { id, title, requirement, probe, wish, controls, freeControl, undeclared, because } = wrong;
  kit.add(
    {
      id: `parameters.${protocol}.${id}`,
      title: `${protocol} refuses ${title}`,
      suite: 'parameters',
      requirements: [requirement],
    },
    undeclared ?? protocol,
    () => ({
      kind: 'refused',
      requirement,
      probe: kit.send(probe, protocol, { ...wish, expect: 'refusal' }),
      controls: controls?.() ?? [kit.control(protocol)],
      after: kit.after(protocol),
      expected: `no output: ${because}`,
      ...(freeControl ? { freeControl } : {}),
    }),
  );
}

/** What differs where the same thing is wrong in a request of another kind, whose control is another. */
interface Elsewhere {
  /** Behind the ids of the plain case. */
  readonly slug: string;
  /** Behind its title. */
  readonly words: string;
  readonly body: Body;
  readonly wish: Wish;
  readonly controls: () => readonly string[];
  readonly undeclared?: string;
}

const isText = (protocol: Protocol): protocol is TextProtocol =>
  textProtocols.some((each) => each === protocol);

/** A gateway may check its parameters on one way and forget them on the way to a stream. */
const streamed = (kit: Kit, protocol: Protocol): readonly Elsewhere[] =>
  isText(protocol)
    ? [
        {
          slug: 'streamed',
          words: 'with stream true',
          body: { ...plain[protocol], stream: true },
          wish: { turned: true },
          controls: () => kit.streams(protocol),
        },
      ]
    : [];

/** Chat is stated to serve general models, too: what holds for the first venue is checked on this one. */
const secondVenue: Venue = { family: 'general', group: 'default' };

function atSecondVenue(kit: Kit, protocol: Protocol): readonly Elsewhere[] {
  if (protocol !== 'chat') return [];
  const [home, ...others] = kit.venues(protocol);
  const isSecond = home?.family !== secondVenue.family && others.length > 0;
  return [
    {
      slug: secondVenue.family,
      words: `for a ${secondVenue.family} model`,
      body: minimal[protocol],
      wish: { venues: [secondVenue], when: [kit.served(protocol)] },
      controls: () => [cellId(secondVenue, protocol)],
      ...(isSecond ? {} : { undeclared: 'no second family that chat serves is declared' }),
    },
  ];
}

/** The parameter left out, without a stream and with one. */
export function requiredCases(kit: Kit, protocol: Protocol, { name, slug }: Parameter): void {
  const requirement = `${protocol}.param.${slug}.required`;
  const because = `${name} is required`;
  const title = `a request without ${name}`;
  const [id, probe] = [`${slug}.required`, `${protocol}.${slug}.missing`];
  const without = ({ [name]: _, ...json }: Body): Body => json;
  refusedCase(kit, protocol, {
    ...{ id, title, requirement, probe, because },
    wish: { json: without(plain[protocol]) },
  });
  for (const { slug: more, words, body, wish, controls } of streamed(kit, protocol)) {
    refusedCase(kit, protocol, {
      ...{ requirement, because, controls },
      id: `${id}.${more}`,
      title: `${title} ${words}`,
      probe: `${probe}.${more}`,
      wish: { ...wish, json: without(body) },
      freeControl: true,
    });
  }
}

export type Aspect = 'type' | 'range' | 'allowed' | 'unknown';

interface WrongValue {
  readonly slug: string;
  readonly words: string;
  readonly value: Template;
}

export function wrongValueCase(
  kit: Kit,
  protocol: Protocol,
  { name, slug }: Named,
  aspect: Aspect,
  wrong: WrongValue,
  controls: readonly string[],
  wish: Wish = {},
): void {
  refusedCase(kit, protocol, {
    id: `${slug}.${aspect}.${wrong.slug}`,
    title: `${name} = ${wrong.words}`,
    requirement: `${protocol}.param.${slug}.${aspect}`,
    probe: `${protocol}.${slug}.${aspect}.${wrong.slug}`,
    wish: { ...wish, json: { ...plain[protocol], [name]: wrong.value }, stream: false },
    controls: () => controls,
    because: `${name} is ${wrong.words}`,
  });
}

/** The same wrong value in other places. */
function wrongElsewhere(
  kit: Kit,
  protocol: Protocol,
  { name, slug }: Named,
  aspect: Aspect,
  wrong: WrongValue,
  places: readonly Elsewhere[],
): void {
  for (const { slug: more, words, body, wish, ...other } of places) {
    refusedCase(kit, protocol, {
      ...other,
      id: `${slug}.${aspect}.${wrong.slug}.${more}`,
      title: `${name} = ${wrong.words} ${words}`,
      requirement: `${protocol}.param.${slug}.${aspect}`,
      probe: `${protocol}.${slug}.${aspect}.${wrong.slug}.${more}`,
      wish: { ...wish, json: { ...body, [name]: wrong.value } },
      freeControl: true,
      because: `${name} is ${wrong.words}`,
    });
  }
}

/** The same wrong value in a stream. */
export function wrongInStream(
  kit: Kit,
  protocol: Protocol,
  parameter: Named,
  aspect: Aspect,
  wrong: WrongValue | undefined,
): void {
  if (wrong === undefined || parameter.name === 'stream') return;
  wrongElsewhere(kit, protocol, parameter, aspect, wrong, streamed(kit, protocol));
}

/** A step outside each bound, also streamed and for the other family; and far outside it. */
export function outsideCases(
  kit: Kit,
  protocol: Protocol,
  parameter: Parameter,
  controls: readonly string[],
): void {
  for (const outside of rangeCases(parameter)) {
    wrongValueCase(kit, protocol, parameter, 'range', outside, controls);
    const places = [...streamed(kit, protocol), ...atSecondVenue(kit, protocol)];
    wrongElsewhere(kit, protocol, parameter, 'range', outside, places);
  }
  for (const beyond of farCases(parameter)) {
    // Where the step outside was taken already, so much more would only cost: an image each, of `n`.
    const near = `${protocol}.${parameter.slug}.range.${beyond.near}`;
    wrongValueCase(kit, protocol, parameter, 'range', beyond, controls, {
      when: [kit.served(protocol), { kind: 'unanswered', all: [near] }],
    });
  }
}

export function malformedCase(kit: Kit, protocol: Protocol): void {
  refusedCase(kit, protocol, {
    id: 'body.json',
    title: 'a body that is cut off in the middle of its JSON',
    requirement: `${protocol}.body.json`,
    probe: `${protocol}.body.malformed`,
    wish: { cut: true },
    because: 'the body is not JSON',
  });
}
