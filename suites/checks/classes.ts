import type { Check } from '../model/case.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Judgement } from '../model/finding.ts';
import { isRateLimit } from '../reading/transient.ts';
import type { Dossier, State } from './dossier.ts';
import { fail, inconclusive, pass, reply, told } from './say.ts';

/** What of a refusal a client can branch on: the status, and each plain value of the body by its pointer. */
export function features(exchange: Exchange): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const { response } = exchange;
  if (response === null) return found;
  found.set('status', String(response.status));
  const { text } = response.body;
  try {
    leaves(JSON.parse(text), '', found, 0);
  } catch {
    found.set('body', text.trim());
  }
  return found;
}

/** Names and values that change with every reply, or with the clock. */
const passing =
  /(^|[/_-])(id|.*_id|.*-id|request|trace|time|timestamp|created|date|duration|latency|nonce|uuid)$/i;
const deepest = 8;
const mostLeaves = 200;

function leaves(value: unknown, pointer: string, found: Map<string, string>, depth: number): void {
  if (depth > deepest || found.size > mostLeaves || passing.test(pointer)) return;
  if (typeof value !== 'object' || value === null) {
    found.set(pointer === '' ? 'body' : pointer, JSON.stringify(value));
    return;
  }
  for (const [key, inner] of Object.entries(value)) leaves(inner, `${pointer}/${key}`, found, depth + 1);
}

const refusals = (dossier: Dossier, probes: readonly string[]): readonly Exchange[] =>
  probes
    .map((id) => dossier.state(id))
    .filter(isRefusal)
    .map((state) => state.exchange);

/** A rate limit is a refusal here, though elsewhere it proves nothing. */
const isRefusal = (state: State): state is State & { readonly exchange: Exchange } =>
  state.kind === 'refused' || (state.exchange !== undefined && isRateLimit(state.exchange));

/** The features whose value is the same in all replies of a class. */
function stable(replies: readonly Exchange[]): ReadonlyMap<string, string> {
  const [first, ...rest] = replies.map(features);
  return new Map(
    [...(first ?? [])].filter(([name, value]) => rest.every((other) => other.get(name) === value)),
  );
}

/** A feature that is stable in one class and has that value in no reply of the others (7, principle 6). */
export function tellsApart(one: readonly Exchange[], others: readonly Exchange[]): string | undefined {
  const seen = others.map(features);
  return [...stable(one)].find(([name, value]) => seen.every((other) => other.get(name) !== value))?.[0];
}

/** Refusals of one class differ from those of the others in the status or in a stable field of the body. */
export function distinct(check: Extract<Check, { kind: 'distinct' }>, dossier: Dossier): Judgement {
  const { requirement, probes, others } = check;
  const own = refusals(dossier, probes);
  const [probe = ''] = probes;
  if (own.length < 2) {
    return {
      findings: [
        inconclusive(
          requirement,
          'fewer than two refusals of this class to compare',
          told(dossier.state(probe)),
        ),
      ],
    };
  }
  for (const other of others) {
    const against = refusals(dossier, other.probes);
    const [sample] = against;
    if (sample === undefined) {
      const missing = other.probes[0] === undefined ? 'none was sent' : told(dossier.state(other.probes[0]));
      return {
        findings: [inconclusive(requirement, `no reply that is ${other.name} to compare with`, missing)],
      };
    }
    if (tellsApart(own, against) === undefined) {
      const actual = `${own[0] ? reply(own[0]) : ''} against ${reply(sample)}`;
      const message = `nothing tells it from ${other.name}`;
      return {
        findings: [
          fail(requirement, {
            message,
            expected: 'another status, or another value in a stable field of the body',
            actual,
          }),
        ],
      };
    }
  }
  return { findings: [pass(requirement)] };
}

/** A token whose limit is spent gets the rate-limit error (7, 8). */
export function limited(check: Extract<Check, { kind: 'limited' }>, dossier: Dossier): Judgement {
  const { requirement, probes, control } = check;
  const states = probes.map((id) => dossier.state(id));
  const [first] = states;
  if (dossier.state(control).kind !== 'answered') {
    return {
      findings: [
        inconclusive(
          requirement,
          'the control with another token is not answered',
          told(dossier.state(control)),
        ),
      ],
    };
  }
  if (states.some(isRefusal)) return { findings: [pass(requirement)] };
  if (states.every((state) => state.kind === 'answered') && first) {
    const message = 'a token that is declared to be spent is answered';
    return {
      findings: [fail(requirement, { message, expected: 'the rate-limit error', actual: told(first) })],
    };
  }
  return { findings: [inconclusive(requirement, 'no reply decides it', first ? told(first) : 'not sent')] };
}
