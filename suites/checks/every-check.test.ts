import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Protocol, protocols } from '../../spec/vocabulary.ts';
import { fieldRequirements } from '../cases/results/results.ts';
import type { Exchange, Unsent } from '../types/exchange.ts';
import {
  events,
  findingsOf,
  judge,
  refusals,
  replied,
  result,
  undecided,
  viewOf,
} from './evidence.fixture.ts';
import { checkKinds, explanationOf, reads, readsIn } from './registry.ts';
import type { Check } from '../types/checks/check.ts';
import type { ObservedAspect } from '../types/checks/replies.ts';

type Of<Kind extends Check['kind']> = Extract<Check, { kind: Kind }>;

const question = { exchange: 'a', nonce: 'OTTER-11111', topic: 'code name', question: 'What?' };

/** One check of every kind, on exchanges `a` and `b`. A kind that is missing here is an error of types and of a test. */
const checks = {
  served: { kind: 'served', requirement: 'r', probes: ['a'], prerequisites: ['b'] },
  accepted: { kind: 'accepted', requirement: 'r', probe: 'a', controls: ['b'], after: 'b' },
  optional: { kind: 'optional', requirement: 'r', smallest: ['a'], pairs: [{ without: 'a', full: 'b' }] },
  'accepted-somehow': { kind: 'accepted-somehow', requirement: 'r', probes: ['a'], controls: ['b'] },
  refused: {
    kind: 'refused',
    requirement: 'r',
    probe: 'a',
    controls: ['b'],
    after: 'b',
    rule: 'too warm',
  },
  conflict: {
    kind: 'conflict',
    conflict: 'c',
    served: 'r',
    refused: 'r',
    pairs: [{ probe: 'a', controls: ['b'] }],
  },
  steady: { kind: 'steady', requirement: 'r', protocol: 'chat', probes: ['a'], invalid: ['b'], limited: [] },
  'lock-out': { kind: 'lock-out', requirement: 'r', probes: ['a', 'b'] },
  'still-served': { kind: 'still-served', requirement: 'r', before: ['a'], after: 'b' },
  'result-fields': {
    kind: 'result-fields',
    protocol: 'chat',
    requirements: fieldRequirements('chat'),
    probes: ['a'],
  },
  output: { kind: 'output', requirement: 'r', protocol: 'chat', probes: ['a'] },
  'image-count': { kind: 'image-count', requirement: 'r', probes: ['a'], count: 1 },
  'image-url': { kind: 'image-url', requirement: 'r', probes: ['a'] },
  'chat-completion': { kind: 'chat-completion', requirement: 'r', probe: 'a', again: ['b'] },
  'token-limit': {
    kind: 'token-limit',
    requirement: 'r',
    protocol: 'chat',
    probes: [{ exchange: 'a', limit: 1 }],
    control: 'b',
  },
  unstreamed: { kind: 'unstreamed', requirement: 'r', protocol: 'chat', declined: false, probes: ['a'] },
  stream: { kind: 'stream', protocol: 'chat', probes: ['a'] },
  incremental: {
    kind: 'incremental',
    protocol: 'chat',
    probes: ['a'],
    controls: { unstreamed: 'b', short: ['b'], streamed: [], bounded: ['b'] },
    situations: [],
  },
  recall: {
    kind: 'recall',
    requirement: 'r',
    protocol: 'chat',
    placements: [{ where: 'here', probes: [question] }],
    controls: [question],
    plainRequest: 'b',
    elsewhere: [],
  },
  branch: {
    kind: 'branch',
    requirement: 'r',
    probes: [{ ...question, otherNonces: ['HERON-22222'], root: 'a', otherBranch: 'b' }],
    controls: [question],
    plainRequest: 'b',
  },
  distinct: {
    kind: 'distinct',
    requirement: 'r',
    comparisons: [{ probes: ['a', 'b'], others: [{ name: 'x', probes: ['a'] }], control: 'b' }],
  },
  'not-rate-limit': { kind: 'not-rate-limit', requirement: 'r', probes: ['a'], control: 'b', limited: [] },
  limited: { kind: 'limited', requirement: 'r', endpoints: [{ probes: ['a'], control: 'b' }] },
  observe: {
    kind: 'observe',
    requirement: 'r',
    subject: 's',
    aspect: 'framing',
    protocol: 'chat',
    probes: ['a'],
  },
  combination: { kind: 'combination', words: [], probe: 'a', others: { n: ['other'] }, plain: 'p' },
  intact: {
    kind: 'intact',
    protocol: 'chat',
    probes: ['a'],
    compared: ['b'],
  },
  availability: { kind: 'availability', probes: ['a'] },
  'whole-results': { kind: 'whole-results', requirement: 'r', probes: ['a'] },
  'own-context': { kind: 'own-context', requirement: 'r', words: ['OTTER-11111'], probes: ['a'] },
  'reply-rule': {
    kind: 'reply-rule',
    requirement: 'r',
    protocol: 'chat',
    rule: { of: 'every reply', header: 'x-request-id', unique: true },
    probes: ['a'],
  },
  undeclared: { kind: 'undeclared', reason: 'nothing is declared' },
  'too-costly': { kind: 'too-costly', value: 'n = 10' },
  'same-model': { kind: 'same-model', families: ['general', 'conversational'] },
} satisfies { readonly [Kind in Check['kind']]: Of<Kind> };

const all: readonly (readonly [Check['kind'], Check])[] = Object.values(checks).map((check) => [
  check.kind,
  check,
]);

const requirementsOf = ({ kind }: Check): readonly string[] => {
  if (kind === 'result-fields') return fieldRequirements('chat');
  if (kind === 'stream')
    return ['chat.stream.given', 'chat.stream.well-formed', 'chat.stream.text', 'chat.stream.end'];
  if (kind === 'intact') return ['chat.output.intact', 'chat.stream.complete'];
  if (kind === 'availability') return ['service.availability', 'service.output'];
  return ['r'];
};

/** Bodies that no gateway has reason to send. */
const strange: readonly unknown[] = [
  null,
  [],
  7,
  'text',
  {},
  { choices: {} },
  { choices: [null] },
  { choices: [{ message: 7 }] },
  { choices: [{ message: { content: [null, { text: 7 }] } }], usage: 'none' },
  {
    object: 'response',
    output: [null, 7, { type: 'message', content: [null, { type: 'output_text', text: {} }] }],
    output_text: 7,
  },
  { object: 'response', output: null },
  { type: 'message', content: [null] },
  { created: -1, data: [null, 7, { url: {} }, { b64_json: 'x' }] },
  { created: 1, data: 'text' },
  { error: [[[{}]]], created: Number.MAX_VALUE },
  { type: { toString: 1, valueOf: null }, delta: { text: 'x' } },
  { __proto__: null, constructor: 1, toString: 2 },
];

const aspects: readonly ObservedAspect[] = [
  'answer-or-refusal',
  'refusal-body',
  'refusal-internals',
  'stream-usage',
  'usage-sum',
  'event-types',
  'extra-fields',
  'finish-reason',
  'image-count',
  'image-layout',
  'chat-image-layout',
];

const hostile: readonly (readonly [string, (id: string) => Exchange | Unsent])[] = [
  ...strange.flatMap((json): [string, (id: string) => Exchange][] => [
    [`${JSON.stringify(json)} as one document`, (id) => replied(id, { json })],
    [`${JSON.stringify(json)} as an event`, (id) => replied(id, { pieces: events([json, json]) })],
    [
      `${JSON.stringify(json)} beside a chunk`,
      (id) => replied(id, { pieces: events([{ choices: [{ delta: { content: 'x' } }] }, json]) }),
    ],
  ]),
  ['a body nested beyond reason', (id) => replied(id, { text: '['.repeat(100_000) })],
  ['bytes that are no text', (id) => binary(replied(id))],
  ...refusals,
  ...undecided.map(([name, entry]) => [name, entry] as const),
];

function binary(exchange: Exchange): Exchange {
  const { response } = exchange;
  if (response === null) return exchange;
  const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
  const body = {
    text: bytes.toString('base64'),
    encoding: 'base64' as const,
    bytes: bytes.length,
    arrivals: [],
  };
  return { ...exchange, response: { ...response, body } };
}

const read = (name: string): string => readFileSync(`${import.meta.dirname}/${name}`, 'utf8');

describe('every kind of check', () => {
  it('has an example here, and one definition', () => {
    expect([...checkKinds].sort()).toEqual(Object.keys(checks).sort());
  });

  it.each(checkKinds)('%s is defined in one file, with a test of its name beside it', (kind) => {
    const sources = readdirSync(import.meta.dirname).filter((name) => /^[a-z-]+\.ts$/.test(name));
    const defining = sources.filter((name) => read(name).includes(`: CheckDefinition<'${kind}'> = {`));
    expect(defining).toHaveLength(1);
    expect(read(`${kind}.test.ts`)).toContain(`kind: '${kind}'`);
  });

  it.each(checkKinds)('%s is explained in a sentence', (kind) => {
    expect(explanationOf(kind)).toMatch(/^[A-Z].*[.]$/);
  });

  it.each(all)('%s neither passes nor fails without evidence', (_, check) => {
    const judgement = judge(check, viewOf('chat', [], { a: {}, b: {} }), requirementsOf(check));
    // A contradiction is looked at, whatever is seen: what it says then is that nothing is known.
    if (check.kind === 'conflict') return expect(judgement.follows).toBe('unknown');
    expect(judgement.findings.map(({ requirement }) => requirement).sort()).toEqual(
      [...requirementsOf(check)].sort(),
    );
    for (const { verdict } of judgement.findings) expect(['inconclusive', 'untested']).toContain(verdict);
  });

  it.each(all)('%s judges the same view the same way twice, and changes nothing', (_, check) => {
    const entries = [replied('a', { json: result.chat('hello') }), replied('b', { status: 400 })];
    const before = structuredClone(entries);
    const view = viewOf('chat', entries);
    const first = judge(check, view, requirementsOf(check));
    expect(judge(check, view, requirementsOf(check))).toEqual(first);
    expect(judge(check, viewOf('chat', [...entries].reverse()), requirementsOf(check))).toEqual(first);
    expect(entries).toEqual(before);
  });

  it.each(hostile)('judges %s without throwing, and a fail says what, and what instead', (_, entry) => {
    const variants: readonly Check[] = [
      ...Object.values(checks),
      ...aspects.map((aspect) => ({ ...checks.observe, aspect })),
    ];
    for (const protocol of protocols) {
      const view = viewOf(protocol, [entry('a'), entry('b')]);
      for (const check of variants.map((each) => inProtocol(each, protocol))) {
        for (const finding of findingsOf(judge(check, view, requirementsOf(check)))) {
          if (finding.verdict !== 'fail') continue;
          const { message, expected, actual } = finding;
          for (const said of [message, expected, actual]) expect(said, check.kind).toMatch(/\S/);
        }
      }
    }
  });

  it.each(all)('%s has its exchanges among what it is said to read', (_, check) => {
    const ids = JSON.stringify(check).match(/"[ab]"/g) ?? [];
    const named = [...new Set(ids)].map((id) => id.slice(1, -1)).sort();
    expect([...new Set(reads(check))].sort()).toEqual(named);
    expect([...readsIn(check, { requests: [] })].sort()).toEqual(named);
  });
});

/** The same check in another protocol, where it knows one; what only text protocols know stays on chat. */
const inProtocol = (check: Check, protocol: Protocol): Check =>
  'protocol' in check && protocol !== 'images' && check.kind !== 'result-fields' && check.kind !== 'stream'
    ? { ...check, protocol }
    : check;
