import type { Parameter } from '../../../spec/openapi.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { type Value, value } from './values.ts';

/** Times the whole range: beyond what a looser bound, or a percentage, would still allow. */
const far = 10;

/** The bounds of a parameter, each with a number a step outside it and one far outside it. */
function outside({ types, minimum, maximum }: Parameter) {
  const step = types.includes('integer') ? 1 : 0.01;
  const range = minimum === undefined || maximum === undefined ? 1 : maximum - minimum;
  return [
    ...(minimum === undefined
      ? []
      : [{ farSlug: 'far-below', near: minimum - step, far: minimum - far * range }]),
    ...(maximum === undefined
      ? []
      : [{ farSlug: 'far-above', near: maximum + step, far: maximum + far * range }]),
  ];
}

/** A step outside each bound; behind a 0, which may be read as left out, one below it. */
export const valuesOutside = (parameter: Parameter): readonly Value[] =>
  outside(parameter).flatMap(({ near }) => (near === 0 ? [value(0), value(-1)] : [value(near)]));

/** Far outside each bound: a gateway may know the bound and clamp, or accept, what lies well beyond it. */
export const valuesFarOutside = (parameter: Parameter): readonly Value[] =>
  outside(parameter).map((bound) => ({
    ...value(bound.far),
    slug: bound.farSlug,
    unless: value(bound.near).slug,
  }));

/** The last character of a text exchanged for its neighbour: 1792x1024 becomes 1792x1025. */
const neighbour = (text: string): string =>
  `${text.slice(0, -1)}${String.fromCharCode((text.codePointAt(text.length - 1) ?? 0) + 1)}`;

/** What other interfaces allow: a gateway that passes on all that it is given takes these, and no nonsense. */
const allowedElsewhere: Readonly<Record<string, readonly string[]>> = {
  size: ['auto', '1536x1024', '2048x2048'],
  quality: ['high', 'auto'],
  response_format: ['b64', 'png'],
};

/**
 * What a lax comparison with the allowed values takes: one that ignores case or blanks, one that finds the value in
 * a list that is one text, one that finds an allowed one in the value, and none at all where the value is false.
 */
function laxlyAllowed(allowed: readonly string[]): readonly Value[] {
  const [first = '', second] = allowed;
  const forms = {
    case: first.toUpperCase(),
    blanks: ` ${first} `,
    shorter: first.slice(0, -1),
    ...(second === undefined ? {} : { joined: `${first},${second}` }),
    empty: '',
  };
  return Object.entries(forms)
    .filter(([, form]) => !allowed.includes(form))
    .map(([slug, form]) => ({ ...value(form), slug, unless: 'other' }));
}

/**
 * A value that is like none of those allowed, one that is like the last of them, those that others allow, and those
 * that a lax comparison takes.
 */
export function valuesNotAllowed(builder: CaseBuilder, { name, allowed }: Parameter): readonly Value[] {
  const last = allowed?.at(-1);
  if (allowed === undefined || last === undefined) return [];
  const near = neighbour(last);
  return [
    { ...value(builder.data.notAllowed), slug: 'other' },
    ...(allowed.includes(near) ? [] : [{ ...value(near), slug: 'near' }]),
    ...(allowedElsewhere[name] ?? []).map((each) => ({ ...value(each), slug: `elsewhere.${each}` })),
    ...laxlyAllowed(allowed),
  ];
}

/** Sent in any case: where no declared model is answered either, it tells whether that is for their names. */
const invented = {
  slug: 'unknown',
  description: 'a name that is not in the catalogue',
  needsNoAnswer: true,
} as const;

/**
 * A model that is like none of the catalogue, names that begin and end with one that is, and no name. A name in other
 * letters or blanks, or the beginning of one, is not among them: how names are compared is not shown, and the catalogue
 * may list the beginning, too.
 */
export const unknownModels = ({ data }: CaseBuilder): readonly Value[] => [
  { ...invented, value: data.unknownModel },
  {
    slug: 'longer',
    description: 'a catalogue name plus a suffix, not in the catalogue',
    value: { $: 'model', suffix: `-${data.notAllowed}` },
  },
  {
    slug: 'prefixed',
    description: 'a provider name plus a catalogue name, not in the catalogue',
    value: { $: 'model', prefix: `${data.notAllowed}/` },
    unless: 'unknown',
  },
  { slug: 'empty', description: 'an empty string', value: '', unless: 'unknown' },
];
