import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { refused, replied, unsent, viewOf } from '../checks/evidence.fixture.ts';
import { createEvidenceView } from '../checks/evidence-view.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Failure } from '../types/finding.ts';
import type { Trait } from '../types/separation.ts';
import { planned } from '../plan/planned.fixture.ts';
import { chainOf, reproduce } from './reproduce.ts';

const plan = planned();

const asked = 'responses.chain.plain.ask.1';
const steps = ['tell', 'between', 'last', 'ask'].map((step) => `responses.chain.plain.${step}.1`);

/** Each reply has the name of its exchange as its id; each request is chained on the one before it. */
const exchanges = steps.map((id, index): Exchange => {
  const exchange = replied(id, { json: { id: `id of ${id}`, object: 'response', output: [] } });
  const previous = steps[index - 1];
  const chained = previous === undefined ? {} : { previous_response_id: `id of ${previous}` };
  return {
    ...exchange,
    request: { ...exchange.request, body: JSON.stringify({ input: "it's", ...chained }) },
  };
});
const view = createEvidenceView(plan, new Map(exchanges.map((exchange) => [exchange.id, exchange])));

it('a chained exchange names those before it, the first one first', () => {
  expect(chainOf(view, asked)).toEqual(steps.slice(0, -1));
  expect(chainOf(view, 'responses.plain')).toEqual([]);
});

it('the commands give each request the id that the one before it was answered with', () => {
  const stub = `curl() { printf '%s\\n' "\${@: -1}" >&2; echo '{"id":"new"}'; }; jq() { cat >/dev/null; echo fresh; }`;
  const command = reproduce(view, asked) ?? '';
  const seen = execFileSync('bash', ['-c', `exec 2>&1\n${stub}\n${command}`], { encoding: 'utf8' });
  const bodies = seen.split('\n').filter((line) => line.includes('input'));
  expect(bodies.map((body) => JSON.parse(body))).toEqual([
    { input: "it's" },
    ...['fresh', 'fresh', 'fresh'].map((previous_response_id) => ({ input: "it's", previous_response_id })),
  ]);
  expect(command.split('\n').filter((line) => line.startsWith('ID=$(curl -sS --compressed'))).toHaveLength(3);
});

it('an exchange that hangs on no other is one command, and one that was not sent is none', () => {
  const alone = viewOf('chat', [replied('a', { text: 'x' }), unsent('b', { kind: 'recalled-before' })]);
  expect(reproduce(alone, 'a')).toMatch(/^curl -sS -i /);
  expect(reproduce(alone, 'b')).toBeUndefined();
});

it.each([
  ['shows the words of another request', { kind: 'reply-of-another', word: 'x', other: 'a' }],
  [
    'is refused as another error is',
    { kind: 'class-indistinguishable', other: 'a general error', like: 'a' },
  ],
] as const)('a reply that %s comes behind that request', (_, reason) => {
  const both = viewOf('chat', [replied('a', { text: 'x' }), replied('b', { text: 'x' })]);
  const lines = reproduce(both, 'b', { reason })?.split('\n') ?? [];
  expect(lines.filter((line) => /^(#|curl)/.test(line))).toEqual([
    '# 1 of 2',
    expect.stringMatching(/^curl -sS -i /),
    '# 2 of 2',
    expect.stringMatching(/^curl -sS -i /),
  ]);
  expect(reproduce(both, 'b', { reason: { kind: 'no-text' } })).toBe(reproduce(both, 'b'));
});

it('a question in one branch of a conversation comes behind what the other branch was told', () => {
  const [root, other, ask] = ['root', 'other', 'ask'].map((step) => `responses.branch.${step}.2`);
  const found = [root, other, ask].flatMap((id, index): readonly Exchange[] => {
    if (id === undefined) return [];
    const exchange = replied(id, { json: { id: `id of ${id}`, object: 'response', output: [] } });
    const chained = index === 0 ? {} : { previous_response_id: `id of ${root}` };
    return [
      { ...exchange, request: { ...exchange.request, body: JSON.stringify({ input: id, ...chained }) } },
    ];
  });
  const branched = createEvidenceView(plan, new Map(found.map((exchange) => [exchange.id, exchange])));
  expect(chainOf(branched, ask ?? '')).toEqual([root, other]);
  const command = reproduce(branched, ask ?? '') ?? '';
  expect(command.match(/ID=\$\(/g)).toHaveLength(1);
  expect(command.match(/"\$ID"/g)).toHaveLength(2);
  expect(command.indexOf(`"input":"${other}"`)).toBeLessThan(command.indexOf(`"input":"${ask}"`));
});

it('a text that differs only behind a refused request comes behind one', () => {
  const sentAt = (exchange: Exchange, ms: number): Exchange => ({
    ...exchange,
    attempts: exchange.attempts.map((each) => ({ ...each, startedAt: new Date(ms).toISOString(), ms: 10 })),
  });
  const sent = viewOf('chat', [
    sentAt(refused('a', 400, {}), 0),
    sentAt(replied('b', { text: 'x' }), 100),
    sentAt(replied('c', { text: 'x' }), 200),
  ]);
  const differs = (by: 'after-refusal' | 'endpoint') =>
    ({
      kind: 'text-differs',
      difference: 'lost',
      isStreamed: false,
      by,
      probes: { seen: 9, of: 9 },
      controls: { seen: 0, of: 9 },
    }) as const;
  expect(reproduce(sent, 'b', { reason: differs('after-refusal') })).toMatch(/^# 1 of 2\n.*\n# 2 of 2\n/s);
  expect(reproduce(sent, 'b', { reason: differs('endpoint') })).toBe(reproduce(sent, 'b'));
  const told = (trait: Trait): Partial<Failure> => ({
    reason: { kind: 'no-stream' },
    separation: { traits: [trait], alike: [] },
  });
  expect(reproduce(sent, 'b', told({ kind: 'after', what: 'refusal' }))).toMatch(/^# 1 of 2\n/);
  expect(reproduce(sent, 'b', told({ kind: 'streamed' }))).toBe(reproduce(sent, 'b'));
});
