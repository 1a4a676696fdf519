import { describe, expect, it } from 'vitest';
import { decisions } from '../../spec/decisions.ts';
import { textProtocols } from '../../spec/vocabulary.ts';
import { answered, refused, replied, result, viewOf } from '../checks/evidence.fixture.ts';
import type { Exchange } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { groupToTell, lackingGroups, mostLacking } from './reply-groups.ts';
import { chancesOf, tallyOf, type ValidReply, validReplies, withRoom } from './valid-replies.ts';

const caller: Partial<PlannedRequest> = { callers: [{ family: 'multimodal', group: 'default' }] };
const requests = (...ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, caller]));

const busyFirst = (id: string, startedAt = '2026-11-20T12:00:00.000Z'): Exchange => {
  const { response } = replied(id, { status: 503, text: 'later' });
  return replied(id, {
    json: result.chat('hello'),
    before: [{ status: 503, startedAt, ...(response ? { response } : {}) }],
  });
};

describe('what first came of valid requests', () => {
  const entries = [
    answered('whole'),
    replied('empty', { json: result.chat('') }),
    busyFirst('busy'),
    refused('never'),
  ];
  const replies = validReplies(viewOf('chat', entries, requests('whole', 'empty', 'busy', 'never')));

  it('is an answer, one without its text, or nothing; what was never answered is left to its own case', () => {
    expect(replies.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['whole', 'answered'],
      ['empty', 'silent'],
      ['busy', 'missing'],
    ]);
  });

  it('is counted', () => {
    expect(tallyOf(replies, 'missing')).toEqual({ seen: 1, of: 3 });
  });

  it('is grouped by endpoint and stream, behind all together', () => {
    const groups = lackingGroups(replies, 'missing').map(({ group }) => [
      group.protocol,
      group.stream,
      group.common,
      group.replies.length,
    ]);
    expect(groups).toEqual([
      [undefined, undefined, undefined, 3],
      ['chat', false, undefined, 3],
      ['chat', undefined, 'caller', 3],
    ]);
  });
});

describe('the replies to one request', () => {
  const empty = (id: string): Exchange => replied(id, { json: result.chat('') });
  const chances = (...entries: readonly Exchange[]) =>
    chancesOf(validReplies(viewOf('chat', entries, requests(...entries.map(({ id }) => id)))), 'silent');

  it('count once where all lack their text, which a cache may have given again', () => {
    expect(chances(empty('1'), empty('2'), empty('3'))).toEqual({ seen: 1, of: 1 });
  });

  it('count each where any has its text, and so do those that all have it', () => {
    expect(chances(empty('1'), answered('2'), answered('3'))).toEqual({ seen: 1, of: 3 });
    expect(chances(answered('1'), answered('2'), answered('3'))).toEqual({ seen: 0, of: 3 });
  });
});

describe('the replies of one caller', () => {
  const second = (at: number): string => new Date(Date.UTC(2026, 10, 20, 12, 0, at)).toISOString();
  /** One request in each second: of one model while it is out, and of another, which is answered. */
  const replies = Array.from({ length: 12 }, (_, at) => {
    const [own, other] = [busyFirst(`own ${at}`, second(at)), answered(`other ${at}`)];
    const begun = (exchange: Exchange, startedAt: string): Exchange => ({
      ...exchange,
      attempts: exchange.attempts.map((attempt, i) => ({
        ...attempt,
        startedAt: i === 0 ? startedAt : second(60),
      })),
    });
    return [begun(own, second(at)), begun(other, second(at))];
  }).flat();
  const found = validReplies(viewOf('chat', replies, requests(...replies.map(({ id }) => id))));
  const isOwn = ({ id }: { readonly id: string }): boolean => id.startsWith('own');
  const all = found.map((reply) => ({ ...reply, caller: isOwn(reply) ? 'own' : 'other' }));

  it('are no group where they lack text alone, for it is a model that says nothing', () => {
    expect(lackingGroups(all, 'silent').map(({ group }) => group.common)).not.toContain('caller');
  });

  it('are a group, in which an outage that cost several counts once, whoever else was answered meanwhile', () => {
    const own = lackingGroups(all, 'missing').find(({ group }) => group.common === 'caller')?.group;
    expect(own?.replies.every(isOwn)).toBe(true);
    expect(tallyOf(own?.replies ?? [], 'missing')).toEqual({ seen: 12, of: 12 });
    expect(chancesOf(own?.replies ?? [], 'missing')).toEqual({ seen: 1, of: 1 });
    expect(chancesOf(all, 'missing').seen).toBeGreaterThan(6);
  });
});

describe('a doubt', () => {
  const [one] = validReplies(viewOf('chat', [answered('one')], requests('one')));
  const reply = (at: number, protocol: ValidReply['protocol'], isMissing: boolean): readonly ValidReply[] =>
    one ? [{ ...one, protocol, outcome: isMissing ? 'missing' : 'answered', answeredBefore: at }] : [];
  const few = Array.from({ length: 4 }, (_, at) => reply(at, 'messages', at < 3)).flat();
  const others = Array.from({ length: 60 }, (_, at) => reply(at, 'chat', false)).flat();

  it('of one group counts how many groups there are', () => {
    const found = mostLacking(lackingGroups([...few, ...others], 'missing'));
    expect(found?.group.protocol).toBe('messages');
    expect(found?.chance).toBeLessThan(decisions.errorBudget);
    expect(found?.chanceOfAny).toBeGreaterThan(decisions.errorBudget);
  });

  it('of all replies is what outages make of them alone', () => {
    const lacking = Array.from({ length: 24 }, (_, at) =>
      reply(at, textProtocols[at % 3] ?? 'chat', at < 9),
    ).flat();
    const found = mostLacking(lackingGroups(lacking, 'missing'));
    expect(found?.group.protocol).toBe(undefined);
    expect(found?.chanceOfAny).toBe(found?.chance);
  });
});

describe('the group to tell of', () => {
  const [one] = validReplies(viewOf('chat', [answered('one')], requests('one')));
  /** One in four has an earlier response; some stand after a stream. */
  const replies = (isMissing: (at: number) => boolean, isAfterStream: (at: number) => boolean) =>
    Array.from({ length: 80 }, (_, at): readonly ValidReply[] =>
      one
        ? [
            {
              ...{ ...one, id: `${at}`, answeredBefore: at, isChained: at % 4 === 0 },
              // Answers come together: of the replies behind an earlier response several are missing in one outage.
              ...{ from: at, ...(isMissing(at) ? {} : { answeredFrom: 20 * Math.ceil(at / 20) }) },
              neighbours: isAfterStream(at) ? ['after-stream'] : [],
              outcome: isMissing(at) ? 'missing' : 'answered',
            },
          ]
        : [],
    ).flat();
  const groups = (...made: Parameters<typeof replies>) => lackingGroups(replies(...made), 'missing');
  const told = (...made: Parameters<typeof replies>) => groupToTell(groups(...made), 'missing', 0.01);

  it('is the one that the others differ from, though a part of it lacks as many', () => {
    const all = groups(
      (at) => at % 8 === 0,
      (at) => at % 4 < 2,
    );
    expect(mostLacking(all)?.group.common).toBe('after-stream');
    expect(groupToTell(all, 'missing', 0.01)?.common).toBe('chain');
  });

  it('is all where none of them differs', () => {
    const found = told(
      (at) => at % 3 === 0,
      (at) => at % 5 === 0,
    );
    expect(found).toMatchObject({ replies: { length: 80 } });
    expect(found?.protocol).toBe(undefined);
  });

  it('is none where chance explains each', () => {
    expect(
      told(
        (at) => at === 3,
        () => false,
      ),
    ).toBe(undefined);
  });
});

describe('replies without text', () => {
  const [one] = validReplies(viewOf('chat', [replied('one', { json: result.chat('') })], requests('one')));
  const chanceOfSilent = (every: number, of: number): number => {
    const replies = Array.from({ length: of }, (_, at): readonly ValidReply[] =>
      one ? [{ ...one, outcome: at % every === 0 ? 'silent' : 'answered' }] : [],
    ).flat();
    return lackingGroups(replies, 'silent')[0]?.chance ?? Number.NaN;
  };

  it('may be one of nine, however many are asked, and not one of four', () => {
    for (const of of [90, 360, 1440]) expect(chanceOfSilent(9, of)).toBeGreaterThan(decisions.errorBudget);
    expect(chanceOfSilent(4, 360)).toBeLessThan(decisions.errorBudget);
  });
});

describe('a target with room for so many requests', () => {
  const ids = Array.from({ length: 12 }, (_, at) => String(at));
  const at = (second: number): string => new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString();
  const begun = (exchange: Exchange, second: number): Exchange => ({
    ...exchange,
    attempts: exchange.attempts.map((attempt) => ({ ...attempt, startedAt: at(second) })),
  });
  const alone = (id: string, second: number): Exchange => begun(answered(id), second);
  const judged = (all: readonly Exchange[]) =>
    withRoom(validReplies(viewOf('chat', all, requests(...all.map(({ id }) => id)))));
  const single = ids.map((id, index) => alone(`alone ${id}`, 10 + index));

  it('is judged by those sent alone, where those beside others are told to come later', () => {
    const beside = ids.map((id) => busyFirst(`beside ${id}`));
    expect(judged([...beside, ...single]).map(({ id }) => id)).toEqual(single.map(({ id }) => id));
  });

  it('is judged so, too, where so few were beside others that a failure would need more', () => {
    const beside = ids.map((id) => (Number(id) < 4 ? busyFirst(`b ${id}`) : alone(`b ${id}`, 0)));
    const further = Array.from({ length: 100 }, (_, index) => alone(`alone ${index}`, 10 + index));
    expect(judged([...beside, ...further])).toHaveLength(100);
  });

  it('is judged by those sent slowly, where those sent quickly are told to come later, one at a time as well', () => {
    const quick = ids.map((id, index): Exchange => {
      const exchange = busyFirst(id);
      const times = [new Date(Date.parse(at(0)) + index * 20).toISOString(), at(30 + index)];
      const attempts = exchange.attempts.map((attempt, number) => ({
        ...attempt,
        startedAt: times[number] ?? '',
        ms: 10,
      }));
      return { ...exchange, attempts };
    });
    const [first] = ids;
    expect(judged([...quick, ...single]).map(({ id }) => id)).toEqual([first, ...single.map(({ id }) => id)]);
  });

  it('is judged by all where those sent slowly are told so as often', () => {
    const all = ids.map((id, index) => busyFirst(id, at(index)));
    expect(judged(all)).toHaveLength(all.length);
  });
});
