import { once } from '../../spec/once.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { isSameSetting } from '../types/combination.ts';
import { signsOf } from '../types/text-differences.ts';
import type { Tally } from './exact-test.ts';
import { askedBy, type SentValid, sentValid, textIn } from './sent-requests.ts';

/** What a refused valid request has and its control, the most similar request that is answered, has not. */
export type RefusedFactor =
  | { readonly kind: 'member'; readonly name: string; readonly value: unknown }
  /** With any value: every one that was sent is refused. */
  | { readonly kind: 'any-value'; readonly name: string }
  | { readonly kind: 'left-out'; readonly name: string }
  /** Without a stream, whether it is left out or declined: each such request is refused. */
  | { readonly kind: 'unstreamed' }
  /** A sign that its text holds, such as a quotation mark. */
  | { readonly kind: 'sign'; readonly sign: string }
  /** Its text or its turns are others. */
  | { readonly kind: 'text'; readonly name: string }
  /** Turns or a property of the prompt, as the combination calls it that has it. */
  | { readonly kind: 'setting'; readonly factor: string; readonly description: string }
  | { readonly kind: 'caller' };

/** Why a valid request is refused, as far as other requests show it. */
export type RefusedRequest = NonNullable<ReturnType<RefusedRequestReader>>;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Who asks, and what else stands in the headers of one request and not in those of another. */
const callerOf = ({ exchange: { request }, request: planned, body }: SentValid): string =>
  JSON.stringify([
    request.headers.authorization,
    request.headers['x-api-key'],
    body.model,
    planned.version,
    planned.contentType,
  ]);

function factorsBetween(probe: SentValid, control: SentValid): readonly RefusedFactor[] {
  const { content } = protocolFacts[probe.request.protocol];
  const names = [...new Set([...Object.keys(probe.body), ...Object.keys(control.body)])];
  const found: RefusedFactor[] = callerOf(probe) === callerOf(control) ? [] : [{ kind: 'caller' }];
  for (const name of names) {
    if (name === 'model' || isSame(probe.body[name], control.body[name])) continue;
    if (name === content) found.push(...textDifferences(probe, control, name));
    else if (name in probe.body) found.push({ kind: 'member', name, value: probe.body[name] });
    else found.push({ kind: 'left-out', name });
  }
  return found;
}

function textDifferences(probe: SentValid, control: SentValid, name: string): readonly RefusedFactor[] {
  const known = new Set(signsOf(textIn(control)));
  const signs = signsOf(textIn(probe)).filter((sign) => !known.has(sign));
  const isOneSign =
    signs.length === 1 && withoutSigns(textIn(probe), signs) === withoutSigns(textIn(control), signs);
  const [sign] = signs;
  return isOneSign && sign !== undefined ? [{ kind: 'sign', sign }] : [{ kind: 'text', name }];
}

/** Another text may differ in much: it is farther away than any single parameter. */
const distance = (factors: readonly RefusedFactor[]): number =>
  factors.reduce((sum, { kind }) => sum + (kind === 'text' ? 3 : 1), 0);

const withoutSigns = (text: string, signs: readonly string[]): string =>
  signs.reduce((made, sign) => made.replaceAll(sign, ''), text);

function hasFactor(sent: SentValid, factor: RefusedFactor, probe: SentValid): boolean {
  switch (factor.kind) {
    case 'member':
      return isSame(sent.body[factor.name], factor.value);
    case 'any-value':
      return factor.name in sent.body;
    case 'left-out':
      return !(factor.name in sent.body);
    case 'unstreamed':
      return isUnstreamed(sent);
    case 'sign':
      return textIn(sent).includes(factor.sign);
    case 'text':
      return askedBy(sent) === askedBy(probe);
    case 'setting':
      return sent.settings?.some((setting) => isSameSetting(setting, factor)) ?? false;
    case 'caller':
      return callerOf(sent) === callerOf(probe);
    default:
      return factor satisfies never;
  }
}

const isUnstreamed = ({ body }: SentValid): boolean => body.stream !== true;

const isRefused = ({ kind, isTaken }: SentValid): boolean => kind === 'refused' && !isTaken;

const tallyOf = (sent: readonly SentValid[]): Tally => ({
  seen: sent.filter(isRefused).length,
  of: sent.length,
});

/** What a part of a combination has of which nothing can be left out. */
function factorsOfPart({ settings, body }: SentValid): readonly RefusedFactor[] | undefined {
  return settings?.flatMap(({ factor, description, sign, fields }): readonly RefusedFactor[] => {
    if (sign !== undefined) return [{ kind: 'sign', sign }];
    if (fields === undefined) return [{ kind: 'setting', factor, description }];
    // The body tells the value: a text may be written in other letters there.
    return Object.keys(fields).map((name) => ({ kind: 'member', name, value: body[name] }));
  });
}

/** A parameter that is refused with every one of several values, beside the other factors, is not refused for its value. */
const generalised = (
  factors: readonly RefusedFactor[],
  own: readonly SentValid[],
  probe: SentValid,
): readonly RefusedFactor[] =>
  factors.map((factor) => {
    if (factor.kind !== 'member' && factor.kind !== 'left-out') return factor;
    const { name } = factor;
    if (name === 'stream' && isUnstreamed(probe))
      return own.filter(isUnstreamed).every(isRefused) ? { kind: 'unstreamed' } : factor;
    if (factor.kind === 'left-out') return factor;
    const others = factors.filter((other) => other !== factor);
    const those = own.filter(
      (sent) => name in sent.body && others.every((each) => hasFactor(sent, each, probe)),
    );
    const values = new Set(those.map(({ body }) => JSON.stringify(body[name])));
    return values.size > 1 && those.every(isRefused) ? { kind: 'any-value', name } : factor;
  });

/** Of what no combination is known by its settings, such as a long prompt, nobody knows whether it has them. */
const comparable = (own: readonly SentValid[], factors: readonly RefusedFactor[]): readonly SentValid[] =>
  factors.some(({ kind }) => kind === 'setting') ? own.filter(({ settings }) => settings) : own;

/** Reads why a valid request is refused; undefined of any other. `isSmallest`: nothing of its combination can be left out. */
export type RefusedRequestReader = ReturnType<typeof refusedRequestReader>;

export function refusedRequestReader(view: EvidenceView) {
  const sent = once(() => sentValid(view));
  return (id: string, isSmallest: boolean) => {
    const probe = sent().find((each) => each.id === id);
    if (probe === undefined || !isRefused(probe)) return undefined;
    const { protocol } = probe.request;
    const own = sent().filter(({ request }) => request.protocol === protocol);
    const compared = own
      .filter(({ isTaken }) => isTaken)
      .map((each) => ({ each, factors: factorsBetween(probe, each) }))
      .sort((one, other) => distance(one.factors) - distance(other.factors));
    const [nearest] = compared;
    const factors = generalised(
      (isSmallest ? factorsOfPart(probe) : undefined) ?? nearest?.factors ?? [],
      own,
      probe,
    );
    const hasAll = (each: SentValid): boolean => factors.every((factor) => hasFactor(each, factor, probe));
    const counted = comparable(own, factors);
    const those = counted.filter(hasAll);
    return {
      protocol,
      factors,
      /** The exchange that is answered, and differs in these factors alone; undefined where none of the endpoint is. */
      control: nearest?.each.id,
      /** Of the valid requests of the endpoint with all of these factors those that are refused, and of all others. */
      refused: tallyOf(those),
      others: tallyOf(counted.filter((each) => !hasAll(each))),
      exchanges: those.filter(isRefused).map((each) => each.id),
    };
  };
}
