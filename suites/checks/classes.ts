import type { Check, Comparison } from '../model/case.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Judgement } from '../model/finding.ts';
import type { ReportFinding } from '../model/report.ts';
import { withoutNumbers } from '../reading/numbers.ts';
import { isRateLimit } from '../reading/transient.ts';
import type { EvidenceView, State } from './evidence-view.ts';
import { fail, inconclusive, pass, describeReply, describeState } from './findings.ts';

/** What of a refusal a client can branch on: the status, each plain value of the body by its pointer, the words of a text. */
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
  const bare = [...found].map(([name, value]) => [name, withoutCredential(value, exchange)] as const);
  return new Map([...bare, ...bare.flatMap(([name, value]) => wordsOf(name, value))]);
}

const mostWords = 200;

/** A text that holds an id or a date is another one each time; the words around it are not. */
function wordsOf(name: string, value: string): readonly (readonly [string, string])[] {
  if (!/\s|</.test(value)) return [];
  const words = withoutNumbers(value.slice(0, 10_000)).match(/\p{L}{3,}/gu) ?? [];
  return [...new Set(words)].slice(0, mostWords).map((word) => [`${name} says ${word}`, word]);
}

/** A reply may repeat the credential, as it came or masked: that is the request's, and tells no class. */
function withoutCredential(value: string, { request }: Exchange): string {
  const shown = request.headers.authorization ?? request.headers['x-api-key'] ?? '';
  const sent = shown.replace(/^Bearer /, '');
  const bare = sent.length < 8 ? value : value.replaceAll(sent, '');
  return bare.replace(/\*{4,}/g, '');
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

const refusals = (view: EvidenceView, probes: readonly string[]): readonly Exchange[] =>
  probes
    .map((id) => view.state(id))
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

type Compared = 'apart' | ReportFinding;

/** Refusals of one class differ from those of the others in the status or in a stable field of the body. */
export function distinct(check: Extract<Check, { kind: 'distinct' }>, view: EvidenceView): Judgement {
  const { requirement, comparisons } = check;
  const compared = comparisons.map((comparison) => compare(requirement, comparison, view));
  if (compared.includes('apart')) return { findings: [pass(requirement)] };
  const found = compared.filter((result) => result !== 'apart');
  const worst = found.find((finding) => finding.verdict === 'fail') ?? found[0];
  return { findings: [worst ?? inconclusive(requirement, 'nothing was compared')] };
}

function compare(requirement: string, { probes, others, control }: Comparison, view: EvidenceView): Compared {
  const own = refusals(view, probes);
  const [first] = own;
  if (first === undefined || own.length < 2) {
    const [probe = ''] = probes;
    return inconclusive(
      requirement,
      'fewer than two refusals of this class to compare',
      describeState(view.state(probe)),
    );
  }
  for (const other of others) {
    const against = refusals(view, other.probes);
    const [sample] = against;
    if (sample === undefined) {
      const missing =
        other.probes[0] === undefined ? 'none was sent' : describeState(view.state(other.probes[0]));
      return inconclusive(requirement, `no reply that is ${other.name} to compare with`, missing);
    }
    if (tellsApart(own, against) === undefined) {
      const [valid] = refusals(view, [control]);
      if (valid && tellsApart(own, [valid]) === undefined) {
        return inconclusive(requirement, 'a valid request is refused in the same way', describeReply(valid));
      }
      return fail(requirement, {
        message: `nothing tells it from ${other.name}`,
        expected: 'another status, or another value in a stable field of the body',
        actual: `${describeReply(first)} against ${describeReply(sample)}`,
        exchange: first.id,
      });
    }
  }
  return 'apart';
}

/** A token whose limit is spent gets the rate-limit error (7, 8), wherever another token is answered. */
export function limited(check: Extract<Check, { kind: 'limited' }>, view: EvidenceView): Judgement {
  const { requirement, endpoints } = check;
  const tried = endpoints
    .filter(({ control }) => view.state(control).kind === 'answered')
    .map(({ probes }) => probes.map((id) => view.state(id)));
  const served = tried.find((states) => states.every((state) => state.kind === 'answered'))?.[0];
  if (served?.kind === 'answered') {
    const message = 'a token that is declared to be spent is answered';
    const actual = describeState(served);
    return {
      findings: [
        fail(requirement, {
          message,
          expected: 'the rate-limit error',
          actual,
          exchange: served.exchange.id,
        }),
      ],
      shows: served.exchange.id,
    };
  }
  if (tried.some((states) => states.some(isRefusal))) return { findings: [pass(requirement)] };
  const [seen] = tried.flat();
  return {
    findings: [
      inconclusive(
        requirement,
        'no reply decides it',
        seen ? describeState(seen) : 'no control was answered',
      ),
    ],
  };
}
