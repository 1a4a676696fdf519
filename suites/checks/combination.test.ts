import { describe, expect, it } from 'vitest';
import type { Combination, Setting } from '../types/combination.ts';
import type { Exchange, Unsent } from '../types/exchange.ts';
import { refusedPart } from './combination.ts';
import type { EvidenceView } from './evidence-view.ts';
import {
  answered,
  findingsOf,
  judge,
  refused,
  replied,
  undecided,
  unsent,
  viewOf,
} from './evidence.fixture.ts';
import { readsIn } from './registry.ts';
import type { Check } from '../types/checks/check.ts';

const setting = (name: string, value: Setting['fields'], requirements = [`r.${name}`]): Setting => ({
  factor: name,
  description: name,
  requirements,
  ...(value ? { fields: value } : {}),
});

const settings = [
  setting('stream', { stream: true }),
  setting('warm', { temperature: 1 }),
  setting('short', { max_tokens: 16 }),
  setting('turns', undefined, []),
];
const combination: Combination = {
  base: {},
  content: 'messages',
  isListed: true,
  question: 'Hi',
  settings,
};
const check: Extract<Check, { kind: 'combination' }> = {
  kind: 'combination',
  words: [],
  probe: 'row',
  others: { warm: ['other', 'warm'], short: ['short'] },
  plain: 'plain',
};
const requirements = ['r.stream', 'r.warm', 'r.short'];

const partOf = (id: string, factors: readonly string[], of: (id: string) => Exchange): Exchange => ({
  ...of(`${id}.part.${factors.join('+') || 'nothing'}`),
  part: { of: id, factors },
});
const part = (factors: readonly string[], of: (id: string) => Exchange): Exchange =>
  partOf('row', factors, of);
/** What a row without each setting in turn is given, where only what has all of these is refused. */
function partsOf(id: string, together: readonly string[]): readonly Exchange[] {
  let kept = settings.map(({ factor }) => factor);
  return kept.map((factor) => {
    const rest = kept.filter((other) => other !== factor);
    const isRefused = together.every((each) => rest.includes(each));
    if (isRefused) kept = rest;
    return partOf(id, rest, isRefused ? refused : answered);
  });
}
const parts = (...together: readonly string[]): readonly Exchange[] => partsOf('row', together);

const view = (entries: readonly (Exchange | Unsent)[]) =>
  viewOf('chat', entries, { row: { combination, stream: true } });
const judged = (entries: readonly (Exchange | Unsent)[]) => judge(check, view(entries), requirements);
const verdicts = (entries: readonly (Exchange | Unsent)[]) =>
  Object.fromEntries(judged(entries).findings.map(({ requirement, verdict }) => [requirement, verdict]));
const allOf = (verdict: string) => Object.fromEntries(requirements.map((id) => [id, verdict]));

const alone = [answered('warm'), answered('short')];

describe('combination', () => {
  it('passes where the request is answered, and shows it', () => {
    expect(verdicts([answered('row')])).toEqual(allOf('pass'));
    expect(judged([answered('row')]).shows).toBe('row');
  });

  it('names a pair of parameters that are refused together, and blames both', () => {
    const { findings, shows } = judged([refused('row'), ...alone, ...parts('warm', 'short')]);
    expect(shows).toBe('row.part.warm+short');
    const [stream, warm, short] = findingsOf({ findings });
    expect(stream).toMatchObject({
      verdict: 'untested',
      message: 'refused for other reasons: warm with short',
    });
    expect(warm).toEqual({
      requirement: 'r.warm',
      verdict: 'fail',
      code: 'combination-refused',
      message: 'a valid request is refused for warm with short',
      expected: 'a reply with output, as where any one of these is left out',
      actual: 'HTTP 400, application/json, {"error":{"message":"no","code":"bad"}}',
      exchange: 'row.part.warm+short',
    });
    expect(short).toEqual({ ...warm, requirement: 'r.short' });
  });

  it('proves nothing where the endpoint had stopped by then: it refuses what it had answered, to the end', () => {
    const at = (second: number, exchange: Exchange): Exchange => {
      const startedAt = new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
      const attempts = exchange.attempts.map((attempt) => ({ ...attempt, startedAt }));
      return { ...exchange, attempts, timing: { ...exchange.timing, startedAt } };
    };
    const before = [at(1, answered('plain')), at(1, answered('other')), at(2, refused('row'))];
    const again = (of: (id: string) => Exchange) => at(3, { ...of('other~2'), repeats: 'other' });
    const entries = [...before, ...alone.map((one) => at(1, one)), ...parts('warm', 'short')];
    expect(verdicts([...entries, again(refused)])).toEqual(allOf('inconclusive'));
    expect(verdicts([...entries, again(answered)])).toEqual({ ...allOf('fail'), 'r.stream': 'untested' });
  });

  it('blames for what is refused in a stream only that streams are accepted', () => {
    expect(verdicts([refused('row'), ...alone, ...parts('stream', 'short')])).toEqual({
      ...allOf('untested'),
      'r.stream': 'fail',
    });
  });

  it('blames one parameter that is refused for this caller alone', () => {
    expect(verdicts([refused('row'), ...alone, ...parts('short')])).toEqual({
      ...allOf('untested'),
      'r.short': 'fail',
    });
  });

  it('leaves a stream that is refused for this caller alone to the cell of the caller', () => {
    expect(verdicts([refused('row'), ...alone, ...parts('stream')])).toEqual(allOf('untested'));
  });

  it('blames a parameter and not the prompt that it is refused with, and what may be refused for nothing', () => {
    const other: Combination = {
      ...combination,
      settings: [
        setting('warm', { temperature: 1 }),
        { ...setting('scripts', undefined), isOfPrompt: true },
        { ...setting('history', undefined), mayBeRefused: true },
      ],
    };
    const broken = (...factors: readonly string[]) => {
      const all = other.settings.map(({ factor }) => factor);
      const entries: Exchange[] = [refused('row')];
      let kept = all;
      for (const factor of all) {
        const rest = kept.filter((each) => each !== factor);
        const isRefused = factors.every((each) => rest.includes(each));
        entries.push(part(rest, isRefused ? refused : answered));
        if (isRefused) kept = rest;
      }
      const { findings } = judge(
        { ...check, others: {} },
        viewOf('chat', entries, { row: { combination: other } }),
        ['r.warm', 'r.scripts', 'r.history'],
      );
      return findings.filter(({ verdict }) => verdict === 'fail').map(({ requirement }) => requirement);
    };
    expect(broken('warm', 'scripts')).toEqual(['r.warm']);
    expect(broken('scripts')).toEqual(['r.scripts']);
    expect(broken('history')).toEqual([]);
  });

  it('names the whole request where nothing can be left out of it', () => {
    const all = settings.map(({ factor }) => factor);
    expect(judged([refused('row'), ...alone, ...parts(...all)])).toMatchObject({ shows: 'row' });
  });

  it('leaves it to the model where the question is refused without anything else', () => {
    const { findings } = judged([refused('row'), ...alone, ...parts()]);
    for (const finding of findings)
      expect(finding).toMatchObject({ verdict: 'inconclusive', nonGating: 'model-behaviour' });
  });
});

describe('a refused combination', () => {
  it('of which a value is refused by itself is judged there', () => {
    const entries = [refused('row'), answered('warm'), refused('short')];
    expect(verdicts(entries)).toEqual(allOf('untested'));
    for (const finding of findingsOf(judged(entries)))
      expect(finding).toHaveProperty('message', 'refused, as is short, which asks for a part of the same');
    expect(refusedPart(check, view(entries))).toBe('short');
  });

  it('is left to the model where a question with a word is refused without anything else, and only then', () => {
    const worded = { ...check, words: ['words'], others: {} };
    const judgedBeside = (plain: Exchange, ...together: readonly string[]) => {
      const entries = [
        plain,
        refused('row'),
        ...parts('warm', 'short'),
        refused('words'),
        ...partsOf('words', together),
      ];
      return findingsOf(
        judge(
          worded,
          viewOf('chat', entries, { row: { combination }, words: { combination } }),
          requirements,
        ),
      ).map(({ verdict }) => verdict);
    };
    expect(judgedBeside(answered('plain'))).toEqual(['inconclusive', 'inconclusive', 'inconclusive']);
    expect(judgedBeside(answered('plain'), 'warm')).toContain('fail');
    expect(judgedBeside(refused('plain'))).toEqual(['untested', 'untested', 'untested']);
  });

  it('shows nothing where the plain request, answered before, is refused since', () => {
    const late = (plain: Exchange): Exchange => ({
      ...plain,
      repeats: 'plain',
      timing: { ...plain.timing, startedAt: '2026-11-20T12:00:09.000Z' },
    });
    const beside = (plain: Exchange) =>
      verdicts([answered('plain'), refused('row'), ...parts('warm', 'short'), ...alone, late(plain)]);
    expect(beside(refused('plain~2'))).toEqual(allOf('inconclusive'));
    expect(beside(answered('plain~2'))).toMatchObject({ 'r.warm': 'fail' });
  });

  it('is taken apart where another row is refused, too, and none of the two is smaller', () => {
    const twoRows = viewOf('chat', [refused('row'), refused('other')], {
      row: { combination },
      other: { combination },
    });
    expect(refusedPart({ ...check, others: { turns: ['other'] } }, twoRows)).toBeUndefined();
  });

  it('is judged by the row before it whose smallest refused part it has whole', () => {
    const second = { ...check, probe: 'second', others: {} };
    const entries = [refused('row'), refused('second'), ...parts('warm', 'short')];
    const both = viewOf('chat', entries, { row: { combination }, second: { combination } });
    const plan = {
      ...both.plan,
      cases: [check, second].map((each) => ({
        suite: 'parameters' as const,
        id: `parameters.${each.probe}`,
        title: '',
        requirements,
        check: each,
      })),
    };
    const planned: EvidenceView = { ...both, plan };
    expect(refusedPart(check, planned)).toBeUndefined();
    expect(refusedPart(second, planned)).toBe('row.part.warm+short');
  });

  it('is taken apart where another row shows that the value is accepted', () => {
    const entries = [refused('row'), refused('warm'), answered('other'), answered('short')];
    expect(refusedPart(check, view(entries))).toBeUndefined();
  });

  it.each(undecided)('is taken apart where a value by itself gets %s: that is no refusal', (_, entry) => {
    expect(refusedPart(check, view([refused('row'), answered('warm'), entry('short')]))).toBeUndefined();
  });

  it('is inconclusive where it is not taken apart', () => {
    for (const finding of findingsOf(judged([refused('row'), ...alone])))
      expect(finding).toMatchObject({
        code: 'combination-not-taken-apart',
        actual: expect.stringMatching(/^HTTP 400/),
      });
  });

  it('is inconclusive where a part gets no reply that can be judged', () => {
    const [first, ...rest] = parts('warm', 'short');
    const busy = part(first?.part?.factors ?? [], (id) => replied(id, { status: 503 }));
    expect(verdicts([refused('row'), ...alone, busy, ...rest])).toEqual(allOf('inconclusive'));
  });

  it('is untested where it was not sent, and inconclusive where it got no reply that can be judged', () => {
    expect(verdicts([unsent('row')])).toEqual(allOf('untested'));
    expect(verdicts([replied('row', { status: 503 })])).toEqual(allOf('inconclusive'));
  });

  it('reads the requests with its values where they are planned', () => {
    expect(readsIn(check, view([answered('other'), answered('short')]).plan)).toEqual([
      'row',
      'other',
      'short',
    ]);
  });
});
