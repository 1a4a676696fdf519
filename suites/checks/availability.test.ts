import { describe, expect, it } from 'vitest';
import type { Exchange } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { answered, findingOf, judge, refused, replied, silent, viewOf } from './evidence.fixture.ts';
import type { Check } from '../types/checks/check.ts';

const check: Check = { kind: 'availability', probes: ['r0'] };
const requirements = ['service.availability', 'service.output'];
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
const caller = { callers: [{ family: 'general', group: 'default' }] } as const;

const timeOf = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

/** The exchange with a prompt of its own and attempts from that second on, one in each half of it. */
const begun = (exchange: Exchange, second: number, prompt = exchange.id): Exchange => ({
  ...exchange,
  request: {
    ...exchange.request,
    body: JSON.stringify({ ...JSON.parse(exchange.request.body ?? '{}'), prompt }),
  },
  attempts: exchange.attempts.map((attempt, at) => ({ ...attempt, startedAt: timeOf(second + at / 2) })),
});

/** What a check says of so many valid requests. */
function found(
  count: number,
  entry: (id: string, at: number) => Exchange,
  more: (at: number) => Partial<PlannedRequest> = () => ({}),
) {
  const entries = numbers(count).map((at) => begun(entry(`r${at}`, at), at));
  const planned = Object.fromEntries(numbers(count).map((at) => [`r${at}`, { ...caller, ...more(at) }]));
  const judgement = judge(check, viewOf('chat', entries, planned), requirements);
  return requirements.map((id) => findingOf(judgement, id));
}

/** Answered when it was sent again: what came first is given. */
function again(id: string, first: Exchange): Exchange {
  const { response } = first;
  const [attempt] = first.attempts;
  const before = [{ ...attempt, ...(response ? { response } : {}) }];
  const { json } = { json: JSON.parse(answered(id).response?.body.text ?? '') };
  return replied(id, { json, before });
}

const failedStream = (id: string): Exchange =>
  replied(id, {
    headers: { 'content-type': 'text/event-stream' },
    text: 'data: {"choices":[{"delta":{"content":"a"}}]}\n\nevent: error\ndata: {"error":{"message":"later"}}\n\n',
  });
const page = (id: string): Exchange => replied(id, { text: '<!doctype html><h1>Welcome</h1>' });
const verdicts = (those: ReturnType<typeof found>) => those.map((finding) => finding.verdict);

describe('availability', () => {
  it('passes where each valid request is answered', () => {
    expect(verdicts(found(40, (id) => answered(id)))).toEqual(['pass', 'pass']);
  });

  it.each([
    ['a page with status 200', page, ' (HTTP 200, text/plain)'],
    ['a refusal', (id: string) => refused(id, 403), ' (HTTP 403, application/json)'],
    ['a failure', (id: string) => refused(id, 500), ' (HTTP 500, application/json)'],
    ['no reply', (id: string) => silent(id, { kind: 'unreachable', detail: 'x' }), ' (no reply, x)'],
    ['a stream that tells of an error', failedStream, ' (HTTP 200, text/event-stream)'],
  ])('fails where every second request gets %s at first, and says what came', (_, instead, came) => {
    const [availability, output] = found(60, (id, at) =>
      at % 2 === 0 ? answered(id) : again(id, instead(id)),
    );
    expect(availability).toMatchObject({ verdict: 'fail', code: 'answer-missing-in-some' });
    const message = availability && 'message' in availability ? availability.message : '';
    expect(message).toContain(`30 of 60 valid requests were not served at first${came}, though`);
    expect(output?.verdict).toBe('pass');
  });

  it('decides nothing where outages hardly explain what lacks, and is not ruled out', () => {
    const [availability] = found(60, (id, at) => (at % 6 === 1 ? again(id, page(id)) : answered(id)));
    expect(availability).toMatchObject({
      verdict: 'inconclusive',
      message: expect.stringMatching(
        /^10 of 60 valid requests were not served at first: more than passing outages /,
      ),
    });
  });

  it('names nothing that came where that was not the same for all', () => {
    const [availability] = found(60, (id, at) =>
      at % 2 === 0 ? answered(id) : again(id, refused(id, at % 4 === 1 ? 403 : 500)),
    );
    expect(availability).toMatchObject({ message: expect.stringMatching(/^30 of 60 .* at first, though/) });
  });

  it('passes passing outages of one request in twenty', () => {
    expect(
      verdicts(found(60, (id, at) => (at % 20 === 0 ? again(id, refused(id, 500)) : answered(id)))),
    ).toEqual(['pass', 'pass']);
  });

  it('says how many requests were not served at first, also where that is lawful', () => {
    const entries = numbers(40).map((at) =>
      begun(at % 20 === 0 ? again(`r${at}`, refused(`r${at}`, 500)) : answered(`r${at}`), at),
    );
    const planned = Object.fromEntries(entries.map(({ id }) => [id, caller]));
    const { observations } = judge(check, viewOf('chat', entries, planned), requirements);
    expect(observations).toMatchObject([{ requirement: 'service.availability', value: '2 of 40' }]);
  });

  it('counts an outage once, however many requests fell into it', () => {
    const outage = found(60, (id, at) => (at < 20 ? again(id, refused(id, 500)) : answered(id)));
    expect(verdicts(outage)).toEqual(['fail', 'pass']);
    // Nothing was answered before all of the first twenty were sent: it is one outage.
    const entries = numbers(60).map((at) => {
      const exchange = at < 20 ? again(`r${at}`, refused(`r${at}`, 500)) : answered(`r${at}`);
      const attempts = exchange.attempts.map((attempt, number) => ({
        ...attempt,
        startedAt: timeOf(at < 20 && number === 0 ? 0 : 10 + at),
      }));
      return { ...exchange, attempts };
    });
    const planned = Object.fromEntries(numbers(60).map((at) => [`r${at}`, caller]));
    const judgement = judge(check, viewOf('chat', entries, planned), requirements);
    expect(findingOf(judgement, 'service.availability').verdict).toBe('pass');
  });

  it.each([
    [
      'fails where an answered request is refused each time that it is sent again between answers',
      true,
      'fail',
    ],
    ['counts once what is refused with no answer to its caller between', false, 'pass'],
  ])('%s', (_, isBetween, verdict) => {
    const refusals = numbers(20).map((at) => ({ ...refused(`r0~${at + 2}`, 400), repeats: 'r0' }));
    const entries = [
      ...numbers(30).map((at) => answered(`r${at}`)),
      ...refusals.flatMap((exchange, at) => [exchange, ...(isBetween ? [answered(`r${at + 30}`)] : [])]),
      ...numbers(20).map((at) => answered(`r${at + 60}`)),
    ].map((exchange, at) => begun(exchange, at, 'repeats' in exchange ? 'r0' : exchange.id));
    const planned = Object.fromEntries(numbers(80).map((at) => [`r${at}`, caller]));
    const judgement = judge(check, viewOf('chat', entries, planned), requirements);
    expect(findingOf(judgement, 'service.availability').verdict).toBe(verdict);
  });

  it('fails where answers are missing beside others alone, and says so', () => {
    // Each second one of the first begins beside another; of these every third gets nothing at first.
    const entries = numbers(120).map((at) => {
      const exchange = at < 60 && at % 3 === 0 ? again(`r${at}`, refused(`r${at}`, 500)) : answered(`r${at}`);
      return begun(exchange, at < 60 ? Math.floor(at / 2) + (at % 2) * 0.001 : at);
    });
    const planned = Object.fromEntries(numbers(120).map((at) => [`r${at}`, caller]));
    const judgement = judge(check, viewOf('chat', entries, planned), requirements);
    const finding = findingOf(judgement, 'service.availability');
    expect('message' in finding && finding.message).toMatch(
      /^10 of 30 valid requests .* beside others were not served/,
    );
  });

  it('fails where answers are missing right after a refused request alone, and says so', () => {
    // Before every tenth valid request one is refused; behind it nothing comes at first.
    const entries = numbers(120).flatMap((at) => {
      const id = `r${at}`;
      if (at % 10 > 0) return [begun(answered(id), 2 * at)];
      return [begun(refused(`wrong${at}`, 400), 2 * at - 1), begun(again(id, page(id)), 2 * at)];
    });
    const planned = Object.fromEntries(
      entries.map(({ id }) => [
        id,
        id.startsWith('wrong') ? { ...caller, expect: 'refusal' as const } : caller,
      ]),
    );
    const finding = findingOf(
      judge(check, viewOf('chat', entries, planned), requirements),
      'service.availability',
    );
    expect('message' in finding && finding.message).toMatch(
      /^12 of 12 valid requests .* right after a refused request were not served/,
    );
  });

  it('leaves out what a rate limit answers', () => {
    const limited = (id: string): Exchange => replied(id, { status: 429, text: 'slow down' });
    expect(verdicts(found(60, (id, at) => (at % 2 === 0 ? again(id, limited(id)) : answered(id))))).toEqual([
      'pass',
      'pass',
    ]);
  });

  it.each([
    ['counts a reply that did not come in the usual time', {}, 'fail'],
    ['leaves out one that was waited for less than usual', { shortened: true }, 'pass'],
  ] as const)('%s', (_, short, verdict) => {
    const late = (id: string): Exchange => silent(id, { kind: 'timeout', afterMs: 15_000, ...short });
    const [availability] = found(60, (id, at) => (at % 2 === 0 ? again(id, late(id)) : answered(id)));
    expect(availability?.verdict).toBe(verdict);
  });

  it('leaves a request that is never answered to its own case', () => {
    expect(verdicts(found(60, (id, at) => (at % 2 === 0 ? refused(id, 400) : answered(id))))).toEqual([
      'pass',
      'pass',
    ]);
  });

  const cut = (id: string): Exchange => silent(id, { kind: 'unreachable', detail: 'socket hang up' });
  const asking = (exchange: Exchange, at: number, body: object): Exchange => {
    const own = { model: 'm', messages: [], max_tokens: 100 + at, ...body };
    return { ...exchange, request: { ...exchange.request, body: JSON.stringify(own) } };
  };
  /** Of 60 requests every third one gets no reply, or one of these, with these members of its body. */
  const lost = (
    ofLost: (at: number) => object,
    ofOthers: (at: number) => object = () => ({}),
    instead: (id: string) => Exchange = cut,
  ) =>
    found(60, (id, at) =>
      at % 3 === 0 ? asking(instead(id), at, ofLost(at)) : asking(answered(id), at, ofOthers(at)),
    );
  const limited = (id: string): Exchange => refused(id, 429);
  const turns = (count: number): object => ({
    messages: Array.from({ length: count }, () => ({ role: 'user', content: 'a'.repeat(24 / count ** 2) })),
  });

  it('fails where just the requests with one parameter never get a reply', () => {
    const [availability] = lost(() => ({ temperature: 0.5 }));
    expect(availability).toMatchObject({ verdict: 'fail', code: 'answer-never-came' });
    expect(availability && 'message' in availability && availability.message).toContain(
      '20 of 60 valid requests to POST /v1/chat/completions were never served (no reply, socket hang up), however often they were sent',
    );
  });

  it.each([
    ['are told a limit with one parameter', lost(() => ({ temperature: 0.5 }), undefined, limited)],
    [
      'hold a conversation',
      lost(
        () => turns(3),
        () => turns(1),
      ),
    ],
  ])('fails where just the requests that %s never get an answer', (_, [availability]) => {
    expect(availability).toMatchObject({ verdict: 'fail', code: 'answer-never-came' });
  });

  it.each([
    ['it is one amount of tokens', lost(() => ({ max_tokens: 4096 }), undefined, limited)],
    [
      'it is another amount of turns than a conversation needs',
      lost(
        () => turns(9),
        () => turns(3),
      ),
    ],
    [
      'others with it are told a limit and then answered',
      found(60, (id, at) => asking(at % 3 === 0 ? again(id, limited(id)) : answered(id), at, { n: at % 3 })),
    ],
    [
      'others with it are answered',
      lost(
        () => ({ temperature: 0.5 }),
        () => ({ temperature: 0.5 }),
      ),
    ],
    ['they are those of one model', lost(() => ({ model: 'other' }))],
    [
      'they are the long ones',
      lost(() => ({ temperature: 1, messages: [{ role: 'user', content: 'long '.repeat(900) }] })),
    ],
  ])('leaves requests that never get a reply to their own cases where %s', (_, findings) => {
    expect(verdicts(findings)).toEqual(['pass', 'pass']);
  });

  it('fails where the replies without a stream have no text, and names them', () => {
    const [, output] = found(
      60,
      (id, at) => answered(id, 'chat', at < 20 ? '' : 'hello'),
      (at) => ({ stream: at >= 20 }),
    );
    expect(output).toMatchObject({ verdict: 'fail', code: 'text-missing-in-some' });
    expect(output && 'message' in output && output.message).toContain(
      '20 of 20 replies to POST /v1/chat/completions without a stream',
    );
  });

  it('counts once what the same request got each time: a cache may give it again', () => {
    const entries = numbers(60).map((at) =>
      begun(answered(`r${at}`, 'chat', at < 20 ? '' : 'hello'), at, at < 20 ? 'the same' : undefined),
    );
    const planned = Object.fromEntries(numbers(60).map((at) => [`r${at}`, caller]));
    const judgement = judge(check, viewOf('chat', entries, planned), requirements);
    expect(findingOf(judgement, 'service.output').verdict).toBe('pass');
  });

  it('counts no limit, whatever its status, that the spent token is told and wrong requests are not', () => {
    const limit = (id: string) => replied(id, { json: { code: 'RATE' } });
    const limited = numbers(60).map((at) =>
      begun(at % 2 ? answered(`r${at}`) : again(`r${at}`, limit(`r${at}`)), at),
    );
    const planned = (prefix: string, more: Partial<PlannedRequest>) =>
      Object.fromEntries(numbers(60).map((at) => [`${prefix}${at}`, more]));
    const verdictOf = (toSpent: (id: string) => Exchange, toWrong: (id: string) => Exchange) => {
      const others = numbers(60).flatMap((at) => [
        at < 20 || at % 2 ? toSpent(`s${at}`) : refused(`s${at}`, 403),
        at % 2 ? toWrong(`w${at}`) : refused(`w${at}`),
      ]);
      const view = viewOf('chat', [...limited, ...others], {
        ...planned('r', caller),
        ...planned('s', { expect: 'limited' }),
        ...planned('w', { expect: 'refusal' }),
      });
      return findingOf(judge(check, view, requirements), 'service.availability').verdict;
    };
    expect(verdictOf(limit, refused)).toBe('pass');
    // What comes in the place of every second reply is no limit, though the spent token gets it, too.
    const page = (id: string) => (Number(id.slice(1)) % 2 ? limit(id) : refused(id, 429));
    expect(verdictOf(page, limit)).toBe('fail');
  });

  it('says nothing where nothing was answered', () => {
    expect(verdicts(found(9, (id) => refused(id)))).toEqual(['inconclusive', 'inconclusive']);
  });
});
