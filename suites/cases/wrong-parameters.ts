import type { Parameter } from '../../spec/openapi.ts';
import { type Protocol, type TextProtocol, textProtocols } from '../../spec/vocabulary.ts';
import type { Template, Caller } from '../model/plan.ts';
import { minimal, plain } from './builder/bodies.ts';
import { cellId, type CaseBuilder } from './builder/case-builder.ts';
import { farCases, rangeCases } from './parameter-values.ts';

type Wish = NonNullable<Parameters<CaseBuilder['send']>[2]>;
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
  readonly controlMayBeRefused?: boolean;
  /** Why the target declares nothing to test it with. */
  readonly undeclared?: string;
  readonly because: string;
}

function refusedCase(builder: CaseBuilder, protocol: Protocol, wrong: Wrong): void {
  const { id, title, requirement, probe, wish, controls, controlMayBeRefused, undeclared, because } = wrong;
  builder.add(
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
      probe: builder.send(probe, protocol, { ...wish, expect: 'refusal' }),
      controls: controls?.() ?? [builder.control(protocol)],
      after: builder.after(protocol),
      rule: because,
      ...(controlMayBeRefused ? { controlMayBeRefused } : {}),
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
const streamed = (builder: CaseBuilder, protocol: Protocol): readonly Elsewhere[] =>
  isText(protocol)
    ? [
        {
          slug: 'streamed',
          words: 'with stream true',
          body: { ...plain[protocol], stream: true },
          wish: { turned: true },
          controls: () => builder.streams(protocol),
        },
      ]
    : [];

/** Chat is stated to serve general models, too: what holds for the first caller is checked on this one. */
const secondCaller: Caller = { family: 'general', group: 'default' };

function atSecondCaller(builder: CaseBuilder, protocol: Protocol): readonly Elsewhere[] {
  if (protocol !== 'chat') return [];
  const [home, ...others] = builder.callers(protocol);
  const isSecond = home?.family !== secondCaller.family && others.length > 0;
  return [
    {
      slug: secondCaller.family,
      words: `for a ${secondCaller.family} model`,
      body: minimal[protocol],
      wish: { callers: [secondCaller], when: [builder.served(protocol)] },
      controls: () => [cellId(secondCaller, protocol)],
      ...(isSecond ? {} : { undeclared: 'no second family that chat serves is declared' }),
    },
  ];
}

/** The parameter left out, without a stream and with one. */
export function requiredCases(builder: CaseBuilder, protocol: Protocol, { name, slug }: Parameter): void {
  const requirement = `${protocol}.param.${slug}.required`;
  const because = `\`${name}\` is required`;
  const title = `a request without ${name}`;
  const [id, probe] = [`${slug}.required`, `${protocol}.${slug}.missing`];
  const without = ({ [name]: _, ...json }: Body): Body => json;
  refusedCase(builder, protocol, {
    ...{ id, title, requirement, probe, because },
    wish: { json: without(plain[protocol]) },
  });
  for (const { slug: more, words, body, wish, controls } of streamed(builder, protocol)) {
    refusedCase(builder, protocol, {
      ...{ requirement, because, controls },
      id: `${id}.${more}`,
      title: `${title} ${words}`,
      probe: `${probe}.${more}`,
      wish: { ...wish, json: without(body) },
      controlMayBeRefused: true,
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
  builder: CaseBuilder,
  protocol: Protocol,
  { name, slug }: Named,
  aspect: Aspect,
  wrong: WrongValue,
  controls: readonly string[],
  wish: Wish = {},
): void {
  refusedCase(builder, protocol, {
    id: `${slug}.${aspect}.${wrong.slug}`,
    title: `${name} = ${wrong.words}`,
    requirement: `${protocol}.param.${slug}.${aspect}`,
    probe: `${protocol}.${slug}.${aspect}.${wrong.slug}`,
    wish: { ...wish, json: { ...plain[protocol], [name]: wrong.value }, stream: false },
    controls: () => controls,
    because: `\`${name}\` is ${wrong.words}`,
  });
}

/** The same wrong value in other places. */
function wrongElsewhere(
  builder: CaseBuilder,
  protocol: Protocol,
  { name, slug }: Named,
  aspect: Aspect,
  wrong: WrongValue,
  places: readonly Elsewhere[],
): void {
  for (const { slug: more, words, body, wish, ...other } of places) {
    refusedCase(builder, protocol, {
      ...other,
      id: `${slug}.${aspect}.${wrong.slug}.${more}`,
      title: `${name} = ${wrong.words} ${words}`,
      requirement: `${protocol}.param.${slug}.${aspect}`,
      probe: `${protocol}.${slug}.${aspect}.${wrong.slug}.${more}`,
      wish: { ...wish, json: { ...body, [name]: wrong.value } },
      controlMayBeRefused: true,
      because: `\`${name}\` is ${wrong.words}`,
    });
  }
}

/** The same wrong value in a stream. */
export function wrongInStream(
  builder: CaseBuilder,
  protocol: Protocol,
  parameter: Named,
  aspect: Aspect,
  wrong: WrongValue | undefined,
): void {
  if (wrong === undefined || parameter.name === 'stream') return;
  wrongElsewhere(builder, protocol, parameter, aspect, wrong, streamed(builder, protocol));
}

/** A step outside each bound, also streamed and for the other family; and far outside it. */
export function outsideCases(
  builder: CaseBuilder,
  protocol: Protocol,
  parameter: Parameter,
  controls: readonly string[],
): void {
  for (const outside of rangeCases(parameter)) {
    wrongValueCase(builder, protocol, parameter, 'range', outside, controls);
    const places = [...streamed(builder, protocol), ...atSecondCaller(builder, protocol)];
    wrongElsewhere(builder, protocol, parameter, 'range', outside, places);
  }
  for (const beyond of farCases(parameter)) {
    // Where the step outside was taken already, so much more would only cost: an image each, of `n`.
    const near = `${protocol}.${parameter.slug}.range.${beyond.near}`;
    wrongValueCase(builder, protocol, parameter, 'range', beyond, controls, {
      when: [builder.served(protocol), { kind: 'unanswered', all: [near] }],
    });
  }
}

export function malformedCase(builder: CaseBuilder, protocol: Protocol): void {
  refusedCase(builder, protocol, {
    id: 'body.json',
    title: 'a body that is cut off in the middle of its JSON',
    requirement: `${protocol}.body.json`,
    probe: `${protocol}.body.malformed`,
    wish: { cut: true },
    because: 'the body is not JSON',
  });
}
